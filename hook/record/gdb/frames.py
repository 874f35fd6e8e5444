"""The stack frames above a call. Runs inside gdb."""

from __future__ import annotations

from typing import Any

import gdb  # type: ignore[import-untyped]

_MOST = 50


def real_frame() -> Any:
    """The innermost frame that is one on the stack: at a call's first byte, that of the call."""
    frame = gdb.newest_frame()
    while frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
    return frame


def callers(frame: Any) -> list[tuple[str, str, int]]:
    """The (file, function, line) of the frames that called it, innermost first."""
    found: list[tuple[str, str, int]] = []
    older = frame.older()
    while older is not None and older.is_valid() and len(found) < _MOST:
        place = older.find_sal()
        file = place.symtab.fullname() if place.symtab is not None else ""
        if older.name():
            found.append((file, older.name(), place.line))
        older = older.older()
    return found
