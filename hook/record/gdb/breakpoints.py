"""The recorder's breakpoints: where functions begin, where calls return to, and other addresses. Runs inside gdb."""

from __future__ import annotations

from collections.abc import Callable

import gdb  # type: ignore[import-untyped]
from functions import Function  # type: ignore[import-not-found]


class Entry(gdb.Breakpoint):  # type: ignore[misc]
    """Stands on the first byte of a function. ``action`` says whether the program is to be stopped for good."""

    def __init__(self, function: Function, action: Callable[[Function], bool]) -> None:
        super().__init__(f"*{function.entry:#x}", internal=True)
        self.silent = True
        self.function = function
        self._action = action

    def stop(self) -> bool:
        """Called by gdb at each hit; True stops the program for good."""
        return self._action(self.function)


class Return(gdb.Breakpoint):  # type: ignore[misc]
    """Stands where calls return to. ``action`` says whether the program is to be stopped for good."""

    def __init__(self, address: int, action: Callable[[int], bool]) -> None:
        super().__init__(f"*{address:#x}", internal=True)
        self.silent = True
        self._address = address
        self._action = action

    def stop(self) -> bool:
        """Called by gdb at each hit; True stops the program for good."""
        return self._action(self._address)


class Point(gdb.Breakpoint):  # type: ignore[misc]
    """Calls ``action`` at an address and goes on."""

    def __init__(self, address: int, action: Callable[[], None]) -> None:
        super().__init__(f"*{address:#x}", internal=True)
        self.silent = True
        self._action = action

    def stop(self) -> bool:
        """Called by gdb at each hit; True would stop the program."""
        self._action()
        return False
