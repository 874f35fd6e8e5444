"""Whether work grows no faster than its input, on a machine of any speed and load.

A bound in seconds fails where the machine is busy or slow, and passes a quadratic reader where it is fast. How
the time grows from one size to another says the same thing everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

_SLACK = 2.5
_SMALLEST = 0.01
_TRIES = 3


def assert_grows_linearly(
    work: Callable[[int], object], small: int, large: int, clock: Callable[[], float] = process_time
) -> None:
    """Fail if ``work(large)`` takes over 2.5 times what linear growth from ``work(small)`` allows.

    With a ratio of sizes of 8, linear work takes 8 times as long and may take 20 times; quadratic work takes 64.
    The slack is for logarithms and for memory: large blocks come from the system, page by page, each time anew.

    Time is that of this process's processor, so waiting for other programs does not count, and the best of three
    tries, since memory and caches shared with them slow down single ones. The smaller time counts as 10 ms at
    least: noise of a few milliseconds would be a large part of less. Sizes should make it some 10 to 30 ms;
    work that is faster is still caught if it grows with the square, as long as that takes seconds at ``large``.
    ``work`` must do everything again each time: a cached answer has no time to measure.
    """
    base = max(min(_seconds(work, small, clock) for _ in range(_TRIES)), _SMALLEST)
    limit = _SLACK * base * large / small
    taken: list[float] = []
    while len(taken) < _TRIES:
        taken.append(_seconds(work, large, clock))
        if taken[-1] < limit:
            return
    raise AssertionError(
        f"size {small} takes {base:.3f} s, {large} takes {min(taken):.3f} s: "
        f"{min(taken) / base:.0f} times as long for {large / small:.0f} times the size"
    )


def _seconds(work: Callable[[int], object], size: int, clock: Callable[[], float]) -> float:
    start = clock()
    work(size)
    return clock() - start
