"""Where code may go on that no call and no branch leads to: ``__builtin_longjmp``, jumps out of nested functions.

Such a place is an address that the code itself takes and that begins no function. Runs inside gdb.
"""

from __future__ import annotations

import functools
import os
import re
import struct
from pathlib import Path

import gdb  # type: ignore[import-untyped]
from origin import functions_of, sections_of  # type: ignore[import-not-found]

_LARGEST = 64 << 20
_EXECUTABLE = 4  # SHF_EXECINSTR
_FIXED = 2  # ET_EXEC
# lea disp32(%rip), %reg: its ModRM byte has mod 00 and r/m 101 (Intel SDM, volume 2, table 2-2).
_LEA = re.compile(rb"\x8d[\x05\x0d\x15\x1d\x25\x2d\x35\x3d]")


def landings(program: int, files: list[str]) -> list[int]:
    """The places in those files of the process ``program`` that jumps may land at."""
    bases = _bases(program)
    found = []
    for path in files:
        base, addresses = bases.get(os.path.realpath(path)), _taken(path)
        if base is not None:
            found += [base + one for one in addresses if _begins_instruction(base + one)]
        elif addresses and _is_fixed(path):
            found += [one for one in addresses if _begins_instruction(one)]
    return found


def _bases(program: int) -> dict[str, int]:
    """The address at which each position-independent file is mapped."""
    found: dict[str, int] = {}
    with Path(f"/proc/{program}/maps").open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            parts = line.split(None, 5)
            if len(parts) == 6 and parts[2].strip("0") == "" and not _is_fixed(parts[5].rstrip("\n")):
                found.setdefault(parts[5].rstrip("\n"), int(parts[0].partition("-")[0], 16))
    return found


@functools.cache
def _is_fixed(path: str) -> bool:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            head = file.read(18)
    except OSError:
        return False
    return head[:4] == b"\x7fELF" and struct.unpack_from("<H", head, 16)[0] == _FIXED


def _taken(path: str) -> list[int]:
    """Addresses in a file's code that the code takes, without those of functions."""
    try:
        if os.stat(path).st_size > _LARGEST:  # noqa: PTH116
            return []
        with open(path, "rb") as file:  # noqa: PTH123
            image = file.read()
        sections = [one for one in sections_of(image) if one[2] & _EXECUTABLE and one[1] == 1]
    except (OSError, struct.error, IndexError, ValueError):
        return []
    named, _ = functions_of(path)
    found: set[int] = set()
    for _name, _kind, _flags, address, offset, size, _link in sections:
        text = image[offset : offset + size]
        found |= _relative(address, text)
        if _is_fixed(path):
            found |= _absolute(address, text)
    inside = [(one[3], one[3] + one[5]) for one in sections]
    return sorted(a for a in found - named.keys() if any(start < a < end for start, end in inside))


def _relative(start: int, text: bytes) -> set[int]:
    found = set()
    for match in _LEA.finditer(text):
        end = match.end() + 4
        found.add(start + end + int.from_bytes(text[match.end() : end], "little", signed=True))
    return found


def _absolute(start: int, text: bytes) -> set[int]:
    found = set()
    for high in range(start >> 16, ((start + len(text)) >> 16) + 1):
        wanted = high.to_bytes(2, "little")
        at = text.find(wanted, 2)
        while at >= 0:
            found.add(int.from_bytes(text[at - 2 : at + 2], "little"))
            at = text.find(wanted, at + 1)
    return found


def _begins_instruction(address: int) -> bool:
    """Whether an address is an instruction's in a function, and not its first: elsewhere no breakpoint may stand."""
    block = gdb.block_for_pc(address)
    while block is not None and block.function is None:
        block = block.superblock
    if block is None or not int(block.start) < address < int(block.end):
        return False
    code = gdb.selected_inferior().architecture().disassemble(int(block.start), int(block.end) - 1)
    return any(int(one["addr"]) == address for one in code)
