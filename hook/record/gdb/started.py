"""By whom a process was started, and with which arguments if by ctest. Runs inside gdb; standard library only."""

from __future__ import annotations

import os
from pathlib import Path

_LONGEST = 1 << 16


def parent_of(program: int) -> int:
    """The number of the process that started it, 0 where that cannot be told."""
    try:
        return int(Path(f"/proc/{program}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return 0


def arguments_by_ctest(program: int) -> list[str] | None:
    """The arguments of a process that ctest itself started; None for all others, and where that cannot be told.

    What a test starts may have the arguments of another test, whose report says nothing of it.
    """
    try:
        # proc(5): the name in parentheses may hold anything; the state and the parent come after it.
        fields = Path(f"/proc/{program}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        starter = Path(f"/proc/{int(fields[1])}/exe").readlink()
        words = Path(f"/proc/{program}/cmdline").read_bytes()
    except (OSError, ValueError, IndexError):
        return None
    if starter.name != "ctest" or not words.endswith(b"\0") or len(words) > _LONGEST:
        return None
    return [os.fsdecode(word) for word in words[:-1].split(b"\0")[1:]]
