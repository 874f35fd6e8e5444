"""The Java processes of KeY that a run uses: none until one is needed, a second one only where that pays."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

from clausefit.verifiers.key_driver import KeyDriver, KeySkeleton
from clausefit.verifiers.process import Cancelled

WORTH_A_START = 300
"""Waiting questions from which another process pays: a start costs two seconds of a processor, in which one that
runs already decides about that many."""

_POLL_SECONDS = 0.1


class DriverPool:
    """Hands out drivers, each to one thread at a time. ``make`` makes one for so many questions; it
    starts its process when it is asked."""

    def __init__(self, make: Callable[[int], KeyDriver], most: int, cancel: threading.Event | None = None) -> None:
        self._make, self._most, self._cancel = make, max(1, most), cancel
        self._changed = threading.Condition()
        self._idle: list[KeyDriver] = []
        self._lent = 0
        self._waiting = 0
        self._closed = False

    @contextlib.contextmanager
    def lend(self, questions: int, skeleton: KeySkeleton) -> Iterator[KeyDriver]:
        """A driver for that many questions, with ``skeleton`` loaded if there is one; waits for it.

        Raises Cancelled when the event is set meanwhile, and what ``make`` raises.
        """
        with self._changed:
            self._waiting += questions
            try:
                driver = self._take(skeleton)
                while driver is None:
                    if self._closed or (self._cancel is not None and self._cancel.is_set()):
                        raise Cancelled
                    self._changed.wait(_POLL_SECONDS)
                    driver = self._take(skeleton)
            finally:
                self._waiting -= questions
        try:
            yield driver
        finally:
            self._give_back(driver)

    @contextlib.contextmanager
    def lend_another(self, questions: int, skeleton: KeySkeleton) -> Iterator[KeyDriver | None]:
        """As ``lend``, but None at once where there is none to have."""
        with self._changed:
            self._waiting += questions
            try:
                driver = None if self._closed else self._take(skeleton)
            finally:
                self._waiting -= questions
        try:
            yield driver
        finally:
            if driver is not None:
                self._give_back(driver)

    def close(self) -> None:
        """End all processes; those that are lent when they come back."""
        with self._changed:
            self._closed = True
            idle, self._idle = self._idle, []
            self._changed.notify_all()
        for driver in idle:
            driver.close()

    def _take(self, skeleton: KeySkeleton) -> KeyDriver | None:
        if self._idle:
            fitting = next((driver for driver in self._idle if driver.loaded == skeleton), self._idle[-1])
            self._idle.remove(fitting)
        elif self._lent == 0 or (self._lent < self._most and self._waiting >= WORTH_A_START):
            fitting = self._make(self._waiting)
        else:
            return None
        self._lent += 1
        return fitting

    def _give_back(self, driver: KeyDriver) -> None:
        with self._changed:
            self._lent -= 1
            closed = self._closed
            if not closed:
                self._idle.append(driver)
            self._changed.notify_all()
        if closed:
            driver.close()
