"""One state of the project's files, so that sources, headers and tests are all read from the same state.

Staged content and a commit are read from git's objects; files and folders named by hand from the disk.
Nothing outside the workspace is ever read through a snapshot.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Protocol

from clausefit.hook.git import LINK_MODE, REGULAR_MODES, Entry, Git

MAX_FILE_BYTES = 8 * 1024 * 1024
_MAX_LINKS = 20


class Snapshot(Protocol):
    """Paths are relative to the workspace, with ``/``; ``..`` and absolute paths name nothing."""

    def read(self, path: str) -> bytes | None:
        """The content of a file, or None when there is none or it is refused (see ``refusal``)."""

    def read_many(self, paths: Iterable[str]) -> dict[str, bytes]:
        """Like ``read`` for many files at the price of one; what is not readable is left out."""

    def list(self) -> tuple[str, ...]:
        """All files (not links, not submodules) whose names are UTF-8, sorted."""

    def refusal(self, path: str) -> str | None:
        """Why ``read`` gives None, as part of a sentence ("is a link out of the workspace"); None if readable."""


class ObjectSnapshot:
    """Files by their git objects: the index or a commit."""

    def __init__(self, git: Git, entries: Mapping[bytes, Entry], max_bytes: int = MAX_FILE_BYTES) -> None:
        self._git = git
        self._max_bytes = max_bytes
        self._entries = {name: entry for raw, entry in entries.items() if (name := text_name(raw)) is not None}
        self._linked = any(entry.mode == LINK_MODE for entry in self._entries.values())
        self._contents: dict[str, bytes] = {}

    def read(self, path: str) -> bytes | None:
        """See Snapshot."""
        return self.read_many([path]).get(path)

    def read_many(self, paths: Iterable[str]) -> dict[str, bytes]:
        """See Snapshot."""
        found = {path: entry for path in paths if (entry := self._entry(path)) and entry.mode in REGULAR_MODES}
        missing = {entry.object_id for entry in found.values()} - self._contents.keys()
        self._contents.update(self._git.blobs(sorted(missing), self._max_bytes))
        return {
            path: self._contents[entry.object_id] for path, entry in found.items() if entry.object_id in self._contents
        }

    def list(self) -> tuple[str, ...]:
        """See Snapshot."""
        return tuple(sorted(path for path, entry in self._entries.items() if entry.mode in REGULAR_MODES))

    def refusal(self, path: str) -> str | None:
        """See Snapshot."""
        entry = self._entry(path)
        if entry is None:
            return "is a link to nothing in the workspace" if path in self._entries else "does not exist"
        if entry.mode not in REGULAR_MODES:
            return "is not a regular file"
        size = self._git.sizes([entry.object_id]).get(entry.object_id)
        if size is None:
            return "is missing from the repository's objects"
        return too_large(size, self._max_bytes)

    def _entry(self, path: str) -> Entry | None:
        """The entry at ``path`` with links followed, as long as they stay inside."""
        for _ in range(_MAX_LINKS):
            if not is_inside(path):
                return None
            link = self._first_link(path)
            if link is None:
                return self._entries.get(path)
            content = self._git.blobs([self._entries[link].object_id], self._max_bytes)
            target = os.fsdecode(content.get(self._entries[link].object_id, b"/"))
            if target.startswith("/"):
                return None
            rest = path[len(link) :]
            path = os.path.normpath(str(PurePosixPath(link).parent / target) + rest)
        return None

    def _first_link(self, path: str) -> str | None:
        if not self._linked:
            return None
        parts = path.split("/")
        for count in range(1, len(parts) + 1):
            head = "/".join(parts[:count])
            entry = self._entries.get(head)
            if entry is not None and entry.mode == LINK_MODE:
                return head
        return None


class WorkingTreeSnapshot:
    """Files as they are on the disk. With ``git`` ignored files are not listed (they can still be read)."""

    def __init__(self, workspace: Path, git: Git | None = None, max_bytes: int = MAX_FILE_BYTES) -> None:
        self._workspace = workspace.resolve()
        self._git = git
        self._max_bytes = max_bytes

    def read(self, path: str) -> bytes | None:
        """See Snapshot."""
        content, _ = self._open(path)
        return content

    def read_many(self, paths: Iterable[str]) -> dict[str, bytes]:
        """See Snapshot."""
        return {path: content for path in paths if (content := self.read(path)) is not None}

    def list(self) -> tuple[str, ...]:
        """See Snapshot. Outside git: everything below the workspace but hidden folders."""
        if self._git is None:
            return tuple(sorted(self._walk()))
        names = (text_name(raw) for raw in self._git.working_files())
        return tuple(sorted(name for name in names if name is not None and self._is_regular(name)))

    def refusal(self, path: str) -> str | None:
        """See Snapshot."""
        return self._open(path)[1]

    def _walk(self) -> Iterable[str]:
        for folder, folders, files in os.walk(self._workspace):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in files:
                path = (Path(folder) / name).relative_to(self._workspace).as_posix()
                if text_name(os.fsencode(path)) is not None and self._is_regular(path):
                    yield path

    def _is_regular(self, path: str) -> bool:
        try:
            return stat.S_ISREG((self._workspace / path).lstat().st_mode)
        except OSError:  # a tracked file that was deleted on the disk
            return False

    def _open(self, path: str) -> tuple[bytes | None, str | None]:
        """(content, None) or (None, why not)."""
        if not is_inside(path):
            return None, "is not below the workspace"
        try:
            real = (self._workspace / path).resolve(strict=True)
            if not real.is_relative_to(self._workspace):
                return None, "is a link out of the workspace"
            # O_NONBLOCK: opening a named pipe must not wait for a writer.
            with os.fdopen(os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode):
                    return None, "is not a regular file"
                reason = too_large(status.st_size, self._max_bytes)
                if reason is not None:
                    return None, reason
                return file.read(self._max_bytes), None
        except FileNotFoundError:
            return None, "does not exist"
        except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links (pathlib)
            return None, f"cannot be read ({getattr(error, 'strerror', None) or error})"


def index_snapshot(git: Git, max_bytes: int = MAX_FILE_BYTES) -> ObjectSnapshot:
    """The files as they are staged (in the index that GIT_INDEX_FILE names, if it does)."""
    return ObjectSnapshot(git, git.index(), max_bytes)


def commit_snapshot(git: Git, commit: str, max_bytes: int = MAX_FILE_BYTES) -> ObjectSnapshot:
    """The files of a commit."""
    return ObjectSnapshot(git, git.tree(commit), max_bytes)


def write_out(snapshot: Snapshot, paths: Iterable[str], folder: Path) -> tuple[str, ...]:
    """Write files of a snapshot below ``folder`` (for tools that read from the disk) and return their paths.

    ``folder`` must be new or empty: then no link can lead out of it. Raises OSError when it cannot be written.
    """
    contents = snapshot.read_many(path for path in paths if is_inside(path))
    for path, content in contents.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return tuple(contents)


def is_inside(path: str) -> bool:
    """Whether ``path`` can only mean something below the workspace (links apart)."""
    return bool(path) and "\0" not in path and not path.startswith("/") and ".." not in path.split("/")


def text_name(raw: bytes) -> str | None:
    """A file name as text, or None when it is not UTF-8 (no report format could hold it)."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return None


def too_large(size: int, max_bytes: int) -> str | None:
    """Why a file of this size is not read, or None when it is."""
    return f"has {size} bytes, more than the limit of {max_bytes}" if size > max_bytes else None
