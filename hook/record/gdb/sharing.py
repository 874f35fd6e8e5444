"""What the recorders of all processes of one run know together: inputs that were seen, and the time that it took.

A test suite may start a process a test. Without this each would record the same calls again. Runs inside gdb.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path

_GRACE_SECONDS = 2.0
_PATIENCE_SECONDS = 20.0


class Shared:
    """Two files of the run's folder that are only ever appended to, a line at a time."""

    def __init__(self, folder: Path, slowdown: float) -> None:
        self._limit, self._watch, self._enough = folder / "limit", folder / "watch", folder / "enough"
        self._seen, self._times_file = _Lines(folder / "seen"), _Lines(folder / "spent")
        self._slowdown = slowdown
        self._inputs: dict[int, set[str]] = {}
        self._times: Counter[str] = Counter()
        self._spent, self._own = 0.0, 0.0

    def limit(self) -> float | None:
        """After how many seconds the command is being ended, since that is its limit; None while it is not."""
        try:
            return float(self._limit.read_text("ascii"))
        except (OSError, ValueError):
            return None

    def inputs(self, function: int) -> int:
        """How many different inputs of a function were seen."""
        self._take_inputs()
        return len(self._inputs.get(function, ()))

    def times(self, function: int, content: bytes, key: bytes) -> int:
        """How often a call with this digest was seen, this time included."""
        shown = key.hex()[:32]
        self._seen.append(f"{function} {content.hex()[:32]} {shown}")
        self._take_inputs()
        return self._times[shown]

    def share(self, spent: float, own: float) -> float:
        """How much of the allowed time is used up, with this process's recording and own time; 1 is all of it."""
        self._take_times()
        allowed = _GRACE_SECONDS + self._slowdown * (self._own + own)
        return (self._spent + spent) / allowed

    def close(self, spent: float, own: float) -> None:
        """This process is done; it took ``spent`` seconds to record. Ends recording once all took too much of the time.

        Here the time on the clock counts: tests that mostly wait are hardly slowed down by a debugger that starts.
        """
        self._times_file.append(f"{spent:.3f} {own:.3f}")
        self._take_times()
        passed = time.time() - self._watch.stat().st_mtime
        if self._spent > _PATIENCE_SECONDS + self._slowdown * max(0.0, passed - self._spent):
            self._enough.touch(mode=0o600)

    def _take_inputs(self) -> None:
        for line in self._seen.new():
            parts = line.split()
            if len(parts) == 3 and parts[0].isdigit():
                self._inputs.setdefault(int(parts[0]), set()).add(parts[1])
                self._times[parts[2]] += 1

    def _take_times(self) -> None:
        for line in self._times_file.new():
            numbers = line.split()
            if len(numbers) == 2 and all(map(_is_number, numbers)):
                self._spent += float(numbers[0])
                self._own += float(numbers[1])


class _Lines:
    """A file to which several processes append lines. It stays open: there is one at each call that is recorded."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = -1
        self._read = 0

    def new(self) -> list[str]:
        """What was appended since it was read last, by this process too."""
        file = self._opened()
        length = os.fstat(file).st_size
        text = os.pread(file, length - self._read, self._read) if length > self._read else b""
        whole = text[: text.rfind(b"\n") + 1]
        self._read += len(whole)
        return whole.decode("ascii", "replace").splitlines()

    def append(self, line: str) -> None:
        """Add a line."""
        os.write(self._opened(), line.encode() + b"\n")

    def _opened(self) -> int:
        if self._file < 0:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        return self._file


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()
