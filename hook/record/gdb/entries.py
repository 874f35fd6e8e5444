"""The functions that are still watched, fewer as recording takes its share of the time. Runs inside gdb."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from breakpoints import Entry  # type: ignore[import-not-found]
from functions import Function  # type: ignore[import-not-found]
from sharing import Shared  # type: ignore[import-not-found]

_PACE = ((0.2, 20), (1.0, 5), (2.0, 0))
"""From which part of the allowed time on how many different inputs of a function are enough."""
_PACE_HITS = 16


class Entries:
    """Breakpoints at the functions of one process. ``began``: the processor time of gdb at which it turned to it."""

    def __init__(
        self,
        functions: list[Function],
        action: Callable[[Function], bool],
        limits: dict[str, Any],
        shared: Shared,
        began: float,
    ) -> None:
        self._limits = limits
        self._shared = shared
        self._began = began
        self._counts: Counter[int] = Counter()
        self._hits = 0
        self._entries = [Entry(f, action) for f in functions if shared.inputs(f.number) < limits["distinct_calls"]]

    @property
    def is_any(self) -> bool:
        """Whether some function was to be watched at all."""
        return bool(self._entries)

    @property
    def is_watching(self) -> bool:
        """Whether some function still is."""
        return any(entry.enabled for entry in self._entries)

    def count(self, function: Function, own: float) -> None:
        """A function was entered; the program has used ``own`` seconds. What was seen often enough is let go."""
        number = function.number
        self._counts[number] += 1
        if (
            self._counts[number] >= self._limits["hits"]
            or self._shared.inputs(number) >= self._limits["distinct_calls"]
        ):
            for entry in self._entries:
                if entry.function.number == number:
                    entry.enabled = False
        self._hits += 1
        if self._hits % _PACE_HITS == 0:
            self.keep_pace(own)

    def keep_pace(self, own: float) -> None:
        """Stop watching what was seen often, then what was seen a few times, then all, as recording takes its share."""
        share = self._shared.share(time.process_time() - self._began, own)
        for entry in self._entries:
            seen = self._shared.inputs(entry.function.number)
            if any(share > limit and seen >= enough for limit, enough in _PACE):
                entry.enabled = False

    def remove(self) -> None:
        """Take the breakpoints away."""
        for entry in self._entries:
            entry.delete()
