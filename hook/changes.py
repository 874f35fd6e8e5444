"""What changed: which files, with their content before and after, and the state to read all else from."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal, TypeAlias

from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.git import LINK_MODE, REGULAR_MODES, Difference, Entry, Git, GitProblem, NotARepository
from clausefit.hook.snapshots import (
    MAX_FILE_BYTES,
    Snapshot,
    WorkingTreeSnapshot,
    commit_snapshot,
    index_snapshot,
    text_name,
    too_large,
)

Status = Literal["added", "modified", "renamed", "deleted"]
LineRange: TypeAlias = tuple[int, int]
"""First and last line, both included. A pure deletion after line n is the empty range (n + 1, n), which
overlaps exactly the stretches that hold both neighbours."""

C_SUFFIXES = frozenset({".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".inc", ".inl"})
JAVA_SUFFIXES = frozenset({".java", ".jml"})
SUFFIXES = C_SUFFIXES | JAVA_SUFFIXES


@dataclass(frozen=True)
class Staged:
    """What the next commit changes: the index against HEAD."""


@dataclass(frozen=True)
class Base:
    """What ``head`` changes against its merge base with ``revision``; ``as_it_is``: against ``revision`` itself."""

    revision: str
    head: str = "HEAD"
    as_it_is: bool = False


@dataclass(frozen=True)
class Files:
    """The files given (and what is below the folders given), as they are on the disk, whole."""

    paths: tuple[Path, ...]


@dataclass(frozen=True)
class All:
    """Every C and Java file of the project as it is on the disk, whole."""


Request: TypeAlias = Staged | Base | Files | All


@dataclass(frozen=True)
class ChangedFile:
    """One changed file. ``old_text`` is None when there is nothing to compare with; ``new_text`` is empty
    for a deleted file. ``old_path`` differs from ``path`` for a renamed file. A copied file is ``added``.
    """

    path: str
    old_text: bytes | None
    new_text: bytes
    status: Status
    old_path: str
    changed_lines: tuple[LineRange, ...]


@dataclass(frozen=True)
class Changes:
    """The changed files, sorted by path; ``snapshot`` is the state that sources and tests are read from."""

    files: tuple[ChangedFile, ...]
    snapshot: Snapshot
    not_checked: tuple[NotChecked, ...] = ()


def is_c_file(path: str) -> bool:
    """Whether the name is that of a C or C++ source or header: what tools read from the disk."""
    return PurePosixPath(path).suffix.lower() in C_SUFFIXES


def is_source_file(path: str) -> bool:
    """Whether the name is that of a C, C++, Java or JML file."""
    return PurePosixPath(path).suffix.lower() in SUFFIXES


def changes(
    request: Request,
    workspace: Path,
    *,
    wanted: Callable[[str], bool] = is_source_file,
    max_bytes: int = MAX_FILE_BYTES,
    variables: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Changes:
    """What ``request`` asks for, below ``workspace``, for the paths that ``wanted`` accepts.

    ``variables`` and ``folder`` are the environment and working folder of the tool (default: this process):
    git tells its hooks by them which index to look at, and paths in ``Files`` are relative to ``folder``.
    Raises GitProblem when git is needed and cannot answer.
    """
    here = Path.cwd() if folder is None else folder
    match request:
        case Staged():
            git = Git(workspace, variables, here)
            tree = git.head() or git.empty_tree()
            reader = _Reader(git, wanted, max_bytes)
            return reader.changes(git.staged(tree), lambda: git.staged_patch(tree), index_snapshot(git, max_bytes))
        case Base(revision, tip, as_it_is):
            git = Git(workspace, variables, here)
            if git.head() is None:
                raise GitProblem("there is no commit yet to compare with the base: commit first, or use --all")
            base, head = git.commit(revision), git.commit(tip)
            start = base if as_it_is else git.merge_base(base, head)
            reader = _Reader(git, wanted, max_bytes)
            snapshot = commit_snapshot(git, head, max_bytes)
            return reader.changes(git.between(start, head), lambda: git.between_patch(start, head), snapshot)
        case Files(paths):
            disk = WorkingTreeSnapshot(workspace, _git_or_none(workspace, variables, here), max_bytes)
            return _given(paths, workspace.resolve(), here, disk, wanted)
        case All():
            disk = WorkingTreeSnapshot(workspace, _git_or_none(workspace, variables, here), max_bytes)
            return whole(filter(wanted, disk.list()), disk)


class _Reader:
    """Turns raw differences into changed files."""

    def __init__(self, git: Git, wanted: Callable[[str], bool], max_bytes: int) -> None:
        self._git = git
        self._wanted = wanted
        self._max_bytes = max_bytes
        self._not_checked: list[NotChecked] = []

    def changes(self, differences: Iterable[Difference], patch: Callable[[], bytes], snapshot: Snapshot) -> Changes:
        named = [(one, path) for one in differences if (path := self._name(one)) is not None]
        ids = {entry.object_id for one, _ in named for entry in (one.old, one.new) if entry.mode in REGULAR_MODES}
        contents = self._git.blobs(sorted(ids), self._max_bytes)
        # The patch is only asked for when there is a file of which a part changed.
        lines = lines_by_objects(patch()) if any(one.status in "MR" for one, _ in named) else {}
        files = []
        for one, path in named:
            file = self._file(one, path, contents, lines)
            if file is not None:
                files.append(file)
        return Changes(tuple(sorted(files, key=lambda file: file.path)), snapshot, tuple(self._not_checked))

    def _name(self, one: Difference) -> str | None:
        path = text_name(one.path)
        if path is None:
            shown = one.path.decode("utf-8", "backslashreplace")
            if self._wanted(shown):
                self._skip(shown, "has a name that is not UTF-8")
            return None
        if not self._wanted(path):
            return None
        if one.status == "U":
            self._skip(path, "has an unresolved merge conflict", "git")
            return None
        if one.status != "D" and one.new.mode not in REGULAR_MODES:
            self._skip(path, "is a symbolic link" if one.new.mode == LINK_MODE else "is a submodule")
            return None
        return path

    def _file(
        self, one: Difference, path: str, contents: Mapping[str, bytes], lines: Mapping[_Pair, tuple[LineRange, ...]]
    ) -> ChangedFile | None:
        # A file that was a link, or too large, or has an odd name before is compared with nothing.
        old_path = text_name(one.old_path)
        old = contents.get(one.old.object_id) if one.old.mode in REGULAR_MODES and old_path is not None else None
        if one.status == "D":
            return None if old is None else ChangedFile(path, old, b"", "deleted", path, ())
        new = contents.get(one.new.object_id)
        if new is None:
            self._skip(path, self._why_missing(one.new))
            return None
        if old is None or old_path is None:
            return ChangedFile(path, None, new, "added", path, _all_lines(new))
        if one.old.object_id == one.new.object_id:
            changed: tuple[LineRange, ...] = ()
        else:
            changed = lines.get((one.old.object_id, one.new.object_id), _all_lines(new))
        return ChangedFile(path, old, new, "renamed" if one.status == "R" else "modified", old_path, changed)

    def _why_missing(self, entry: Entry) -> str:
        size = self._git.sizes([entry.object_id]).get(entry.object_id)
        reason = None if size is None else too_large(size, self._max_bytes)
        return reason or "is missing from the repository's objects"

    def _skip(self, path: str, why: str, reason: str = "unsupported") -> None:
        self._not_checked.append(NotChecked(path, None, reason, f"the file {why}"))


_Pair: TypeAlias = tuple[str, str]
_INDEX_LINE = re.compile(rb"index ([0-9a-f]+)\.\.([0-9a-f]+)")
_HUNK_LINE = re.compile(rb"@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")


def lines_by_objects(patch: bytes) -> dict[_Pair, tuple[LineRange, ...]]:
    """The new-side lines of each hunk of a ``-U0 --full-index`` patch, by (old, new) object id.

    Content lines start with ``+``, ``-`` or ``\\``, so they are never taken for headers, whatever they hold;
    file names are not read at all. A patch that was cut off gives no entry for its last, incomplete file.
    """
    found: dict[_Pair, list[LineRange]] = {}
    current: _Pair | None = None
    whole = patch.endswith(b"\n") or not patch
    for line in patch.split(b"\n"):
        if line.startswith(b"index ") and (match := _INDEX_LINE.match(line)):
            current = (match[1].decode("ascii"), match[2].decode("ascii"))
            found[current] = []
        elif line.startswith(b"diff "):
            current = None
        elif line.startswith(b"@@ ") and current is not None and (match := _HUNK_LINE.match(line)):
            start, count = int(match[1]), int(match[2] or 1)
            # With a count of 0 git names the line before the gap.
            found[current].append((start, start + count - 1) if count else (start + 1, start))
    if not whole and current is not None:
        del found[current]
    return {pair: tuple(ranges) for pair, ranges in found.items()}


def _given(
    paths: Iterable[Path], workspace: Path, folder: Path, snapshot: Snapshot, wanted: Callable[[str], bool]
) -> Changes:
    """Files named by hand are taken whatever they are called; below folders only what ``wanted`` accepts."""
    chosen: dict[str, None] = {}
    not_checked = []
    for given in paths:
        # normpath and not resolve: a link is judged (and refused) where it is read.
        absolute = Path(os.path.normpath(folder / given))
        if not absolute.is_relative_to(workspace):
            absolute = absolute.parent.resolve() / absolute.name
        if not absolute.is_relative_to(workspace):
            not_checked.append(NotChecked(_shown(given), None, "unsupported", "the file is not below the workspace"))
            continue
        path = absolute.relative_to(workspace).as_posix()
        if absolute.is_dir() and not absolute.is_symlink():
            prefix = "" if path == "." else path + "/"
            chosen.update(dict.fromkeys(one for one in snapshot.list() if one.startswith(prefix) and wanted(one)))
        elif text_name(os.fsencode(path)) is None:
            not_checked.append(NotChecked(_shown(given), None, "unsupported", "the file has a name that is not UTF-8"))
        else:
            chosen[path] = None
    result = whole(chosen, snapshot)
    return Changes(result.files, snapshot, (*not_checked, *result.not_checked))


def whole(paths: Iterable[str], snapshot: Snapshot) -> Changes:
    """The files of a snapshot at ``paths``, each as a whole; what cannot be read is not checked, with the reason."""
    files = []
    not_checked = []
    for path in sorted(paths):
        text = snapshot.read(path)
        if text is None:
            why = snapshot.refusal(path) or "changed while it was read"
            reason = "missing_file" if why == "does not exist" else "unsupported"
            not_checked.append(NotChecked(path, None, reason, f"the file {why}"))
        else:
            files.append(ChangedFile(path, None, text, "added", path, _all_lines(text)))
    return Changes(tuple(files), snapshot, tuple(not_checked))


def _git_or_none(workspace: Path, variables: Mapping[str, str] | None, folder: Path) -> Git | None:
    try:
        return Git(workspace, variables, folder)
    except NotARepository:
        return None


def _all_lines(text: bytes) -> tuple[LineRange, ...]:
    count = text.count(b"\n") + (not text.endswith(b"\n") and bool(text))
    return ((1, count),) if count else ()


def _shown(path: Path) -> str:
    return os.fsencode(path).decode("utf-8", "backslashreplace")
