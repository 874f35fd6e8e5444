"""The time that a run may take: how it is written, from when it counts, and how it is shared out (pure).

A run works until ``stop_at``: then processes are ended and what is left is said to be not reached. Who has not come
back at ``report_at`` (a loop of ours that forgets the clock) is left where it is. What is between that and ``ends_at``
is for reporting.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LEAST, MOST = 1.0, 86_400.0
HOOK_SECONDS = 20.0
"""For a run that pre-commit starts, where nobody says otherwise: slower hooks get bypassed."""

REASON = "budget"
"""The reason of what was not reached in time."""
NOT_ASKED = "not_asked"
"""The reason of a contract that the cache does not know where no verifier is asked: nothing is wrong, nor right."""
_NUMBER = re.compile(r"[0-9]{1,5}(\.[0-9]{1,6})?")
_SHARE, _LEAST_MARGIN, _MOST_MARGIN = 0.125, 1.0, 8.0
_STARTS = 1.5
"""Ending and reporting takes less than one and a half times of what starting took (which is reading our modules): where
many share the processors, both take longer."""
_LONGEST_START = 120.0


@dataclass(frozen=True)
class Budget:
    """``seconds`` from ``started`` on, which is a time of the monotonic clock.

    ``margin`` is how much of them is for ending and reporting.
    """

    seconds: float
    started: float
    margin: float

    @classmethod
    def of(cls, seconds: float, started: float, now: float) -> Budget:
        """The budget of a process that has come so far ``now``: one that was slow to start will be slow to end."""
        wanted = max(seconds * _SHARE, _LEAST_MARGIN, _STARTS * (now - started))
        return cls(seconds, started, min(wanted, _MOST_MARGIN, seconds / 3))

    @property
    def stop_at(self) -> float:
        """When no more work is begun and processes are ended."""
        return self.ends_at - self.margin

    @property
    def report_at(self) -> float:
        """When the report is made, whoever still works."""
        return self.ends_at - self.margin / 2

    @property
    def ends_at(self) -> float:
        """When the process has to be gone."""
        return self.started + self.seconds


def seconds_of(text: str) -> float:
    """The seconds that somebody wrote, whole or decimal. ValueError with the rest of the line for people."""
    if not _NUMBER.fullmatch(text) or not LEAST <= float(text) <= MOST:
        raise ValueError(f"is not a number of seconds from {LEAST:g} to {MOST:g}")
    return float(text)


def process_start(stat: str, ticks_per_second: int, since_boot: float, now: float) -> float:
    """When this process was started, on the clock that says ``now``; ``now`` itself where that cannot be told.

    ``stat`` is the text of ``/proc/self/stat``, whose 22nd field is the start in ticks since boot (proc(5)), and
    ``since_boot`` what CLOCK_BOOTTIME says. In a container with a clock of its own the two may not fit together.
    """
    fields = stat[stat.rfind(")") + 1 :].split()
    if len(fields) < 20 or not fields[19].isdecimal() or ticks_per_second <= 0:
        return now
    age = since_boot - int(fields[19]) / ticks_per_second
    return now - age if 0 <= age <= _LONGEST_START else now
