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
        self._spent, self._own = 0.0, 0.0
        self._read: Counter[str] = Counter()

    def limit(self) -> float | None:
        """After how many seconds the command is being ended, since that is its limit; None while it is not."""
        try:
            return float((self._folder / "limit").read_text("ascii"))
        except (OSError, ValueError):
            return None

    def inputs(self, function: int) -> int:
        """How many different inputs of a function were seen."""
        self._take_inputs()
        return len(self._inputs.get(function, ()))

    def times(self, function: int, content: bytes, key: bytes) -> int:
        """How often a call with this digest was seen, this time included."""
        shown = key.hex()[:32]
        self._append("seen", f"{function} {content.hex()[:32]} {shown}")
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
        self._append("spent", f"{spent:.3f} {own:.3f}")
        self._take_times()
        passed = time.time() - (self._folder / "watch").stat().st_mtime
        if self._spent > _PATIENCE_SECONDS + self._slowdown * max(0.0, passed - self._spent):
            (self._folder / "enough").touch(mode=0o600)

    def _take_inputs(self) -> None:
        for line in self._lines("seen"):
            parts = line.split()
            if len(parts) == 3 and parts[0].isdigit():
                self._inputs.setdefault(int(parts[0]), set()).add(parts[1])
                self._times[parts[2]] += 1

    def _take_times(self) -> None:
        for line in self._lines("spent"):
            numbers = line.split()
            if len(numbers) == 2 and all(map(_is_number, numbers)):
                self._spent += float(numbers[0])
                self._own += float(numbers[1])

    def _lines(self, name: str) -> list[str]:
        """What was appended to a file since it was read last, by this process too."""
        try:
            with (self._folder / name).open("rb") as file:
                file.seek(self._read[name])
                text = file.read()
        except FileNotFoundError:
            return []
        whole = text[: text.rfind(b"\n") + 1]
        self._read[name] += len(whole)
        return whole.decode("ascii", "replace").splitlines()

    def _append(self, name: str, line: str) -> None:
        file = os.open(self._folder / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(file, line.encode() + b"\n")
        finally:
            os.close(file)


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()
