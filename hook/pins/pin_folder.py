"""The folder of stored pins, ``.clausefit/pins/``, on the disk.

Every folder on the way is opened without following links and all names are resolved inside it, so nothing that a
pull request puts there can lead a write out of the workspace. A file is replaced as a whole or not at all. Writers
wait for one another with a lock on the folder itself (flock), which ends with its process and leaves nothing behind.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from clausefit.hook.pins.flaws import flaw_of
from clausefit.hook.pins.stored import (
    ENDING,
    FOLDER,
    MAX_BYTES,
    StoredPin,
    StoredProblem,
    from_bytes,
    is_source,
    path_of,
    source_of,
    to_yaml,
)
from clausefit.hook.visible import visible

LOCK_SECONDS = 60.0
_POLL_SECONDS = 0.05
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: opening a named pipe must not wait for a writer.
_READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WRITE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_UNFINISHED = ".clausefit-unfinished"
"""The name of a file that is being written. Under the lock there is one at most; an older one is a killed run's."""

Change = Callable[[tuple[StoredPin, ...]], Sequence[StoredPin]]


class PinFolder:
    """The stored pins of a workspace. Sources are workspace paths with ``/``. All methods raise StoredProblem.

    ``lock_seconds`` is how long a writer waits for another one.
    """

    def __init__(self, workspace: Path, lock_seconds: float = LOCK_SECONDS) -> None:
        self._workspace = workspace
        self._lock_seconds = lock_seconds
        self._own = threading.RLock()
        self._held = False

    def sources(self) -> tuple[str, ...]:
        """The sources that have a file of pins, sorted. A link among the files and folders is a problem."""
        found: list[str] = []
        with _told(FOLDER, "read"), self._folder((), make=False) as top:
            if top is None:
                return ()
            for folder, folders, files, number in os.fwalk(".", dir_fd=top, follow_symlinks=False, onerror=_raise):
                base = "" if folder == "." else folder.removeprefix("./") + "/"
                for name in (*folders, *files):
                    if stat.S_ISLNK(os.stat(name, dir_fd=number, follow_symlinks=False).st_mode):
                        raise _refused(f"{FOLDER}/{base}{name}", "is a link")
                found += (s for name in files if (s := source_of(f"{FOLDER}/{base}{name}")) and name != _UNFINISHED)
        return tuple(sorted(found))

    def read(self, source: str) -> tuple[StoredPin, ...]:
        """The stored pins of a source; none where there is no file."""
        path, folders, name = _parts(source)
        with _told(path, "read"), self._folder(folders, make=False) as folder:
            content = None if folder is None else _content(folder, name, path)
        if content is None:
            return ()
        written, pins = from_bytes(content, path)
        if written != source:
            raise StoredProblem(
                f"{visible(path)}: it says that it holds the calls of {visible(written)[:200]}: "
                "delete it and record again with `clausefit record`"
            )
        return pins

    def replace(self, source: str, pins: Sequence[StoredPin]) -> tuple[tuple[StoredPin, str], ...]:
        """Store these pins of a source in place of all others; without any, the file is removed.

        Returns the pins that cannot be stored, with the reason (``flaw_of``). When anything goes wrong, what was stored
        before stays as it was. Who makes the new pins of the stored ones needs ``update``.
        """
        with self.locked():
            return self._put(source, pins)

    def remove(self, source: str) -> None:
        """Remove the file of a source, whatever is in it."""
        self.replace(source, ())

    def update(self, source: str, change: Change) -> tuple[tuple[StoredPin, str], ...]:
        """Store what ``change`` makes of the pins that are stored; nobody else writes in between. See ``replace``."""
        with self.locked():
            return self._put(source, change(self.read(source)))

    def _put(self, source: str, pins: Sequence[StoredPin]) -> tuple[tuple[StoredPin, str], ...]:
        path, folders, name = _parts(source)
        flaws = [(one, flaw_of(one.pin)) for one in pins]
        kept = [one for one, flaw in flaws if flaw is None]
        content = to_yaml(source, kept).encode("utf-8") if kept else b""
        if len(content) > MAX_BYTES:
            raise StoredProblem(
                f"{visible(path)}: the calls of {visible(source)} take {len(content) / (1 << 20):.1f} MiB, more than "
                f"{MAX_BYTES >> 20} MiB: record fewer or smaller ones; what was stored before is as it was"
            )
        with _told(path, "written"), self._folder(folders, make=bool(kept)) as folder:
            if folder is not None:
                _write(folder, name, path, content)
        if not kept:
            self._remove_empty(folders)
        return tuple((one, flaw) for one, flaw in flaws if flaw is not None)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps all other writers out, in this process and others; may be nested."""
        with self._own:
            if self._held:
                yield
                return
            number = self._lock()
            self._held = True
            try:
                yield
            finally:
                self._held = False
                os.close(number)

    def _lock(self) -> int:
        deadline = time.monotonic() + self._lock_seconds
        while True:
            with _told(FOLDER, "written"):
                number = self._try_lock()
            if number is not None:
                return number
            if time.monotonic() > deadline:
                raise StoredProblem(
                    f"{FOLDER}: another recording has been writing there for {self._lock_seconds:.0f} s: "
                    "wait for it to end, then run this again"
                )
            time.sleep(_POLL_SECONDS)

    def _try_lock(self) -> int | None:
        """The locked folder, or None where another writer has it, or has just removed it."""
        with self._folder((), make=True) as top:
            if top is None:
                return None
            number = os.dup(top)
        is_ours = False
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_ours = self._is_current(number)
        except BlockingIOError:
            pass  # another writer: wait
        finally:
            if not is_ours:
                os.close(number)
        return number if is_ours else None

    def _is_current(self, number: int) -> bool:
        """Whether the folder that is locked still is the one at the path: it may have been removed meanwhile."""
        with self._folder((), make=False) as top:
            return top is not None and os.path.samestat(os.fstat(top), os.fstat(number))

    @contextlib.contextmanager
    def _folder(self, parts: Sequence[str], *, make: bool) -> Iterator[int | None]:
        """An open folder below ``.clausefit/pins``, or None where it does not exist and is not to be made."""
        number: int | None = os.open(self._workspace, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            way = ""
            for part in (*FOLDER.split("/"), *parts):
                way = f"{way}/{part}" if way else part
                assert number is not None  # noqa: S101 - the loop ends before
                inner = _enter(number, part, way, make=make)
                os.close(number)
                number = inner
                if number is None:
                    break
            yield number
        finally:
            if number is not None:
                os.close(number)

    def _remove_empty(self, folders: Sequence[str]) -> None:
        """Remove folders that hold nothing any more, the innermost first."""
        for count in range(len(folders), 0, -1):
            with (
                _told(path_of("/".join(folders[:count])), "removed"),
                self._folder(folders[: count - 1], make=False) as at,
            ):
                if at is None:
                    continue
                try:
                    os.rmdir(folders[count - 1], dir_fd=at)
                except FileNotFoundError:
                    continue
                except OSError as error:
                    if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
                        return
                    raise


def _parts(source: str) -> tuple[str, tuple[str, ...], str]:
    """(path for messages, folders below that of the pins, file name)."""
    if not is_source(source):
        raise StoredProblem(
            f"{visible(source)[:200]}: not a path below the workspace: name a source file of the project"
        )
    *folders, name = source.split("/")
    return path_of(source), tuple(folders), name + ENDING


def _enter(number: int, part: str, way: str, *, make: bool) -> int | None:
    if make:
        with contextlib.suppress(FileExistsError):
            os.mkdir(part, dir_fd=number)
    try:
        return os.open(part, _FOLDER_FLAGS, dir_fd=number)
    except FileNotFoundError:
        return None
    except OSError as error:
        # A link gives ELOOP or ENOTDIR, by the system (open(2)).
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise _refused(way, "is a link or no folder") from error
        raise


def _content(folder: int, name: str, path: str) -> bytes | None:
    try:
        number = os.open(name, _READ_FLAGS, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _refused(path, "is a link") from error
        raise
    with os.fdopen(number, "rb") as file:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise _refused(path, "is no regular file")
        return file.read(MAX_BYTES + 1)  # one more: then it is seen to be too large


def _write(folder: int, name: str, path: str, content: bytes) -> None:
    """Put ``content`` in the place of a file, or remove it where there is none."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(_UNFINISHED, dir_fd=folder)
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise _refused(path, "is a link or no regular file")
    if not content:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)
        return
    if _content(folder, name, path) == content:
        return  # so that nothing looks as if it were new
    try:
        with os.fdopen(os.open(_UNFINISHED, _WRITE_FLAGS, 0o644, dir_fd=folder), "wb") as file:
            file.write(content)
            file.flush()
            # Some file systems tell only now that the disk is full; and what is renamed must be on the disk.
            os.fsync(file.fileno())
        os.replace(_UNFINISHED, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(_UNFINISHED, dir_fd=folder)
        raise


def _raise(error: OSError) -> None:
    raise error


def _refused(path: str, why: str) -> StoredProblem:
    return StoredProblem(f"{visible(path)}: it {why}, and links are not followed there: remove it, and run this again")


@contextlib.contextmanager
def _told(path: str, done: str) -> Iterator[None]:
    """Turns what the system says into one line for people."""
    try:
        yield
    except OSError as error:
        advice = {
            errno.ENOSPC: "make room on the disk, and run this again",
            errno.EDQUOT: "make room on the disk, and run this again",
            errno.ENAMETOOLONG: "the path is too long for this file system",
        }.get(error.errno or 0, "mend that, and run this again")
        kept = "; what was stored before is as it was" if done == "written" else ""
        why = error.strerror or type(error).__name__
        raise StoredProblem(f"{visible(path)}: it cannot be {done} ({why}): {advice}{kept}") from error
