"""Does work within a budget: in a thread of its own, so that whoever waits for it can go on without it (an edge)."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from clausefit.hook.budget import Budget, process_start
from clausefit.verifiers.process import Cancelled

_T = TypeVar("_T")
_PARTING_SECONDS = 3.0


def started() -> float:
    """When this process was started, on ``time.monotonic``: what it imports is part of the time that it takes."""
    now = time.monotonic()
    try:
        stat = Path("/proc/self/stat").read_text("utf-8", "replace")
        return process_start(stat, os.sysconf("SC_CLK_TCK"), time.clock_gettime(time.CLOCK_BOOTTIME), now)
    except (OSError, ValueError, AttributeError):  # not Linux
        return now


def end_process_at(end: float, start: float) -> None:
    """Let the system end this process (SIGALRM) at ``end``; where starting (at ``start``) took the time, not before it
    could say a word.

    It never comes to that, except where a single call into a library keeps every thread from running.
    """
    now = time.monotonic()
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, max(end - now, 2 * (now - start), 0.5))


class Stop(threading.Event):
    """Set where the time is up, or where ``cancel`` is: that belongs to whoever runs us, and is not ours to set."""

    def __init__(self, cancel: threading.Event) -> None:
        super().__init__()
        self._cancel_too = cancel

    def is_set(self) -> bool:
        """Whether either is set."""
        return super().is_set() or self._cancel_too.is_set()


class InTime(Generic[_T]):
    """``work`` in a thread. ``stop`` is set when its time is up; what listens to it ends then."""

    def __init__(self, work: Callable[[], _T], stop: threading.Event) -> None:
        self._work, self._stop = work, stop
        self._done = threading.Event()
        self._result: list[_T] = []
        self._problem: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="clausefit-work", daemon=True)

    @property
    def is_running(self) -> bool:
        """Whether the work has not come back (yet)."""
        return not self._done.is_set()

    def result(self, budget: Budget, clock: Callable[[], float] = time.monotonic) -> _T | None:
        """What the work gives, or None when it did not come back in time. Raises what the work raises."""
        self._thread.start()
        try:
            if not self._done.wait(max(budget.stop_at - clock(), 0)):
                self._stop.set()
                self._done.wait(max(budget.report_at - clock(), 0))
        except BaseException:  # Ctrl-C: processes are ended before what they use is taken away
            self._stop.set()
            self._done.wait(_PARTING_SECONDS)
            raise
        if self.is_running or isinstance(self._problem, Cancelled):
            return None
        if self._problem is not None:
            raise self._problem
        return self._result[0]

    def _run(self) -> None:
        try:
            self._result.append(self._work())
        except BaseException as problem:  # it is raised where the result is asked for
            self._problem = problem
        finally:
            self._done.set()
