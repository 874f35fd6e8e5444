"""Where the compiler may have left out what a caller stored, since the function does not read it. Runs inside gdb.

From -O1 on GCC and Clang know what a function of the same compilation unit (with LTO: of the program) reads, and delete
stores that nobody else sees: what memory holds when the call begins is then not the state that the source says. Other
units know nothing of it. The -Og of GCC 12 deletes no stores (``gcc -Q -Og --help=optimizers``: no tree-dse, no dse).
"""

from __future__ import annotations

import re
from typing import Any

import gdb  # type: ignore[import-untyped]

_LEVEL = re.compile(r"(?:^|\s)-O(\S*)")
_VERSION = re.compile(r"^GNU \S+ (\d+)\.")
_CAREFUL_VERSION = 12
_SWITCH = re.compile(r"\s-[mgfO]")
_LINKED = re.compile(r"\bGIMPLE\b|\s-flto\b|\s-fltrans\b|\s-fwhole-program\b")
_DELETES = re.compile(r"\s-f(?:tree-)?dse\b")
_IN_FRAME = re.compile(r"\bframe base reg \$rbp\b")
_WHY = "its caller was compiled together with it, and memory may lack what that stored: compile with -O0 or -Og"


def why_not_stored(producer: str, entry: int, back: int) -> str:
    """Why memory may not hold what the caller stored, by where the call returns to; empty where it does."""
    if _is_plain(producer):
        return ""
    own, caller = gdb.block_for_pc(entry), gdb.block_for_pc(back - 1)
    if _LINKED.search(producer):
        program = gdb.current_progspace()
        return _WHY if program.solib_name(entry) == program.solib_name(back) else ""
    if caller is None or _unit(own) != _unit(caller):
        return ""
    return "" if "clang" in producer and _is_in_frame(entry) and _is_in_frame(back - 1) else _WHY


def _is_plain(producer: str) -> bool:
    """Whether GCC says that it deletes no stores. Where it does not list its switches that is not known."""
    if not producer.startswith("GNU ") or not _SWITCH.search(producer) or _LINKED.search(producer):
        return False
    level = (_LEVEL.findall(producer) or ["0"])[-1]
    version = _VERSION.match(producer)
    is_careful = version is not None and int(version[1]) >= _CAREFUL_VERSION and not _DELETES.search(producer)
    return level == "0" or (level == "g" and is_careful)


def _unit(block: Any) -> tuple[int, int]:
    unit = block.static_block
    return (int(unit.start), int(unit.end)) if unit is not None else (0, 0)


def _is_in_frame(address: int) -> bool:
    """Whether all that a function names lies in its frame, as Clang has it at -O0 and keeps it in registers above."""
    lines = gdb.execute(f"info scope *{address:#x}", to_string=True).splitlines()
    found = [line for line in lines if "static storage" not in line and "Symbol" in line]
    return bool(found) and all(_IN_FRAME.search(line) for line in found)
