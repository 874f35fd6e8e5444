"""How a gdb whose process has ended is found by the next process of the same program (``shim.c``). Runs inside gdb.

It listens at ``idle.<program>.<place>`` in the run's folder. Who renames that has it for itself, and connects; the
kernel says which process that is. A gdb that nobody asks for a while ends, and so it does when the run is over.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import struct
import time
from pathlib import Path

_PLACES = 8  # as in shim.c
_TICK = 0.2
_PATIENCE_SECONDS = 20.0
_LATE_SECONDS = 2.0
_LEAST_KEPT, _MOST_KEPT = 2, 4


class Asker:
    """A process that waits until it is watched."""

    def __init__(self, program: int, descriptor: int) -> None:
        self.program = program
        self._descriptor = descriptor

    def answer(self, *, watched: bool) -> None:
        """Let it go on. Where it is not ``watched`` it may ask another gdb. Only the first answer counts."""
        if self._descriptor < 0:
            return
        with contextlib.suppress(OSError):  # it has been killed meanwhile
            os.write(self._descriptor, b"1" if watched else b"0")
        os.close(self._descriptor)
        self._descriptor = -1


class Waiting:
    """The place at which one gdb waits."""

    def __init__(self, folder: Path, key: str) -> None:
        self._folder = folder
        self._key = key
        self._listener: socket.socket | None = None
        self._name = ""
        self._inode = 0

    def open(self) -> bool:
        """Be there for who asks from now on. False where that is of no use."""
        if (self._folder / "enough").exists() or not (self._folder / "watch").exists():
            return False
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        own = self._folder / f"new.{os.getpid()}"
        try:
            self._bind(own)
            self._listener.listen(1)
            self._inode = os.stat(own).st_ino  # noqa: PTH116
            self._name = self._place(own)
            os.unlink(own)  # noqa: PTH108
            (self._folder / f"kept.{self._key}").touch(mode=0o600)
            self._leave_few()
        except OSError:
            self._close()  # the run is over
            return False
        return bool(self._name)

    def _bind(self, own: Path) -> None:
        """The path of a socket may have 107 bytes, and that of the folder may be longer."""
        assert self._listener is not None  # noqa: S101 - it was opened
        folder = os.open(own.parent, os.O_PATH | os.O_DIRECTORY)
        try:
            self._listener.bind(f"/proc/self/fd/{folder}/{own.name}")
        finally:
            os.close(folder)

    def _place(self, own: Path) -> str:
        for number in range(_PLACES):
            with contextlib.suppress(FileExistsError):
                name = str(self._folder / f"idle.{self._key}.{number}")
                os.link(own, name)
                return name
        return ""

    def _leave_few(self) -> None:
        """Each that waits has its memory: those that have waited longest end, which notice that their name is gone."""
        most = max(_LEAST_KEPT, min(_MOST_KEPT, os.cpu_count() or 1))
        waiting = []
        for path in self._folder.glob("idle.*"):
            with contextlib.suppress(FileNotFoundError):
                waiting.append((path.stat().st_ctime_ns, path))
        for _, path in sorted(waiting)[:-most]:
            path.unlink(missing_ok=True)

    def next(self) -> Asker | None:
        """The next process that asks; None where none does."""
        assert self._listener is not None  # noqa: S101 - it was opened
        began = time.monotonic()
        until = None
        try:
            while until is None or time.monotonic() < until:
                if select.select([self._listener], [], [], _TICK)[0]:
                    return self._accepted(self._listener)
                now = time.monotonic()
                if until is None and (now - began > _PATIENCE_SECONDS or not self._is_there()):
                    # Who took the name just now may not have come yet.
                    self._take_away()
                    until = now + _LATE_SECONDS
            return None
        except OSError:
            return None
        finally:
            self._close()

    def _accepted(self, listener: socket.socket) -> Asker:
        connection, _ = listener.accept()
        credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        return Asker(struct.unpack("3i", credentials)[0], connection.detach())

    def _is_there(self) -> bool:
        try:
            return os.stat(self._name).st_ino == self._inode  # noqa: PTH116
        except OSError:
            return False

    def _take_away(self) -> None:
        if self._is_there():
            with contextlib.suppress(OSError):
                os.unlink(self._name)  # noqa: PTH108

    def _close(self) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener = None
