"""The constants that a function's instructions name by their address: texts and numbers. Runs inside gdb."""

from __future__ import annotations

import re
from collections.abc import Iterable

import gdb  # type: ignore[import-untyped]

_PLACE = re.compile(r"^(?:notrack )?(\w+)\s+(.*?)\s+# 0x([0-9a-f]+)\s*$")
_IMMEDIATE = re.compile(r"^mov\s+\$0x([0-9a-f]{6,}),(%[er]\w+)$")
_WIDTHS = {"flds": 4, "fldl": 8, "fldt": 10, "movq": 8, "movd": 4, "movhps": 8, "movlps": 8, "movddup": 8}
_SECTION = re.compile(r"(0x[0-9a-f]+) - (0x[0-9a-f]+) is \.l?rodata")
_LONGEST = 512
_FILE = re.compile(r"[^\s:]*/")
_WHEN = re.compile(r"[A-Z][a-z]{2} [ \d]\d \d{4}|\d\d:\d\d:\d\d")
_JUMPS_ON = re.compile(r"\bjmp\s+\*%r")


def constants(code: Iterable[str]) -> list[str]:
    """What lies at the places without a name that these instructions read; folders and times of day are left out.

    Nothing where that cannot be told: a table of jumps looks like a text.
    """
    code = list(code)
    read_only = _read_only()
    has_table = any(_JUMPS_ON.search(one) for one in code)
    found = []
    for one in code:
        place = _PLACE.match(one)
        immediate = _IMMEDIATE.match(one)
        if place is not None:
            address, width = int(place[3], 16), _width(place[1], place[2])
        elif immediate is not None:
            address, width = int(immediate[1], 16), 0
        else:
            continue
        end = next((end for start, end in read_only if start <= address < end), None)
        if end is None or (not width and has_table):
            continue
        content = _read(address, width) if width else _text(address, min(_LONGEST, end - address))
        if content:
            found.append(content)
    return found


def _width(operation: str, operands: str) -> int:
    """How many bytes an instruction reads; 0 where it takes the address."""
    if operation in _WIDTHS:
        return _WIDTHS[operation]
    if operation == "lea":
        return 0
    if "%ymm" in operands:
        return 32
    if "%xmm" in operands:
        return 8 if operation.endswith("sd") else 4 if operation.endswith("ss") else 16
    return 8 if "%r" in operands.replace("(%rip)", "") else 4


def _read(address: int, width: int) -> str:
    try:
        return bytes(gdb.selected_inferior().read_memory(address, width)).hex()
    except gdb.error:
        return ""


def _text(address: int, most: int) -> str:
    """A text without folders; empty where there is none, as at a table of numbers."""
    try:
        data = bytes(gdb.selected_inferior().read_memory(address, most))
    except gdb.error:
        return ""
    text, end, _ = data.partition(b"\0")
    if not end or any(byte < 32 and byte not in b"\t\n\r" for byte in text):
        return ""
    shown = text.decode("utf-8", "replace")
    return "" if _WHEN.fullmatch(shown) else _FILE.sub("", shown)


def _read_only() -> list[tuple[int, int]]:
    shown = gdb.execute("info files", to_string=True)
    return [(int(start, 16), int(end, 16)) for start, end in _SECTION.findall(shown)]
