"""Memory that malloc hands out while a call is under way: no object was there before. Runs inside gdb.

A struct that was not initialised may hold the address of what was given back. Where the call is handed out that place,
what lay there when it began was nobody's.
"""

from __future__ import annotations

from collections.abc import Callable

import gdb  # type: ignore[import-untyped]
from breakpoints import Point  # type: ignore[import-not-found]
from faults import addresses_of  # type: ignore[import-not-found]
from memory import LeftOutError, Memory, Region  # type: ignore[import-not-found]

# The C library's own functions and C++'s new call these.
# Each with the registers that hold how much is asked for.
_GIVE = {
    "malloc": ("rdi",),
    "calloc": ("rdi", "rsi"),
    "realloc": ("rsi",),
    "memalign": ("rsi",),
    "aligned_alloc": ("rsi",),
    "posix_memalign": ("rdx",),
}
_MOST = 5000
_WORD = (1 << 64) - 1


class HandedOut:
    """Breakpoints on what hands out memory, while a call is under way that was given some of the heap.

    ``report`` gets where it lies, from and to; None where there is too much of that to follow.
    """

    def __init__(self, memory: Memory, report: Callable[[tuple[int, int] | None], None]) -> None:
        self._memory = memory
        self._report = report
        self._count = 0
        self._waiting: set[tuple[int, int, int, int]] = set()
        self._places = {address: name for name in _GIVE for address in addresses_of((name,))}
        self._points = [Point(address, self._on_call) for address in self._places]
        self._returns: dict[int, Point] = {}
        self.leave()

    def follow(self) -> None:
        """A call begins that was given memory of the heap."""
        self._count = 0
        self._enable(True)

    def leave(self) -> None:
        """No such call is under way."""
        self._enable(False)
        self._waiting.clear()

    def remove(self) -> None:
        """Take the breakpoints away."""
        for point in (*self._points, *self._returns.values()):
            point.delete()

    def _enable(self, wanted: bool) -> None:
        for point in (*self._points, *self._returns.values()):
            if bool(point.enabled) != wanted:
                point.enabled = wanted

    def _on_call(self) -> None:
        self._count += 1
        frame = gdb.newest_frame()
        stack = int(frame.read_register("rsp"))
        back = self._memory.word(stack)
        if self._count > _MOST or back is None:
            self.leave()
            self._report(None)
            return
        name = self._places.get(int(frame.pc()), "malloc")
        size = 1
        for register in _GIVE[name]:
            size *= int(frame.read_register(register)) & _WORD
        into = int(frame.read_register("rdi")) & _WORD if name == "posix_memalign" else 0
        self._waiting.add((gdb.selected_thread().num, stack + 8, into, size))
        if back not in self._returns:
            self._returns[back] = Point(back, self._on_return)

    def _on_return(self) -> None:
        frame = gdb.newest_frame()
        thread, stack = gdb.selected_thread().num, int(frame.read_register("rsp"))
        for one in [w for w in self._waiting if w[:2] == (thread, stack)]:
            self._waiting.discard(one)
            _, _, into, size = one
            start = self._memory.word(into) if into else int(frame.read_register("rax")) & _WORD
            if start:
                self._report((start, start + max(1, size)))


def living(regions: list[Region], memory: Memory) -> list[Region]:
    """Those that were objects when the call began. Raises LeftOutError where more is known only through the others."""
    dead = [r for r in regions if r.dead]
    if any((r.extent and not r.blank) or memory.layouts.pointers(r.type) for r in dead):
        raise LeftOutError("it is given a pointer to memory that was given back before")
    return [r for r in regions if not r.dead]
