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
        self._folder = folder
        self._slowdown = slowdown
        self._inputs: dict[int, set[str]] = {}
        self._times: Counter[str] = Counter()
        for line in self._lines("seen"):
            parts = line.split()
            if len(parts) == 3 and parts[0].isdigit():
                self._add(int(parts[0]), parts[1], parts[2])
        self._spent, self._own = 0.0, 0.0
        for line in self._lines("spent"):
            numbers = line.split()
            if len(numbers) == 2 and all(map(_is_number, numbers)):
                self._spent += float(numbers[0])
                self._own += float(numbers[1])

    def limit(self) -> float | None:
        """After how many seconds the command is being ended, since that is its limit; None while it is not."""
        try:
            return float((self._folder / "limit").read_text("ascii"))
        except (OSError, ValueError):
            return None

    def inputs(self, function: int) -> int:
        """How many different inputs of a function were seen."""
        return len(self._inputs.get(function, ()))

    def times(self, function: int, content: bytes, key: bytes) -> int:
        """How often a call with this digest was seen, this time included."""
        short, shown = content.hex()[:32], key.hex()[:32]
        self._add(function, short, shown)
        self._append("seen", f"{function} {short} {shown}")
        return self._times[shown]

    def share(self, spent: float, own: float) -> float:
        """How much of the allowed time is used up, with this process's recording and own time; 1 is all of it."""
        allowed = _GRACE_SECONDS + self._slowdown * (self._own + own)
        return (self._spent + spent) / allowed

    def close(self, spent: float, own: float) -> None:
        """This process is done; it took ``spent`` seconds to record. Ends recording once all took too much of the time.

        Here the time on the clock counts: tests that mostly wait are hardly slowed down by a debugger that starts.
        """
        self._append("spent", f"{spent:.3f} {own:.3f}")
        total = self._spent + spent
        passed = time.time() - (self._folder / "watch").stat().st_mtime
        if total > _PATIENCE_SECONDS + self._slowdown * max(0.0, passed - total):
            (self._folder / "enough").touch(mode=0o600)

    def _add(self, function: int, content: str, key: str) -> None:
        self._inputs.setdefault(function, set()).add(content)
        self._times[key] += 1

    def _lines(self, name: str) -> list[str]:
        path = self._folder / name
        return path.read_text("ascii", "replace").splitlines() if path.exists() else []

    def _append(self, name: str, line: str) -> None:
        file = os.open(self._folder / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(file, line.encode() + b"\n")
        finally:
            os.close(file)


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()
