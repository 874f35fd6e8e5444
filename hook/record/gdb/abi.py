"""Where a call has its arguments and its result: the System V ABI for AMD64 (§3.2.3), read at a function's first byte.

What the debug information says of a parameter is right only once the prologue has stored it, and at ``-O1`` and above
there is no place in the code of which that is known. The ABI is exact at the entry. Runs inside gdb.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Description = dict[str, Any]
Piece = tuple[str, int]
"""``("int", n)``: the n-th general register; ``("sse", n)``: the n-th vector register; ``("stack", offset)``."""

GENERAL = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
_VECTORS = 8
_MOST_IN_REGISTERS = 16


class NotPassedError(Exception):
    """A parameter or result of a type whose passing is not modelled."""


def classes(types: Sequence[Description], number: int) -> list[str] | None:
    """The class of each eightbyte of a type (``int`` or ``sse``); None for class MEMORY. Raises NotPassedError."""
    size = types[number]["s"]
    scalars = list(_scalars(types, number, 0))
    if size == 0:
        raise NotPassedError("an object without a size is passed by value")
    if size > _MOST_IN_REGISTERS or any(offset % width for offset, width, _ in scalars):
        return None
    result: list[str] = []
    for start in range(0, size, 8):
        kinds = {kind for offset, _, kind in scalars if start <= offset < start + 8}
        # An eightbyte of padding only is of class NO_CLASS, which no compiler passes in the same way.
        if not kinds:
            raise NotPassedError("a struct with much padding is passed by value")
        result.append("int" if "int" in kinds else "sse")
    return result


def _scalars(types: Sequence[Description], number: int, base: int) -> Any:
    what = types[number]
    kind = what["k"]
    if kind in ("int", "ptr"):
        yield base, what["s"], "int"
    elif kind == "flt":
        yield base, what["s"], "sse"
    elif kind == "arr":
        for index in range(what["c"]):
            yield from _scalars(types, what["t"], base + index * types[what["t"]]["s"])
    elif kind == "struct" and what.get("f") is not None:
        for _name, offset, member in what["f"]:
            yield from _scalars(types, member, base + offset)
    else:
        raise NotPassedError(what.get("no", "a type that is not supported is passed by value"))


def places(types: Sequence[Description], parameters: Sequence[int], result: int | None) -> list[list[Piece]]:
    """For each parameter its eightbytes' places at the entry, stack offsets from the stack pointer there.

    A parameter in memory is one ``stack`` piece. Raises NotPassedError.
    """
    general = 1 if result is not None and classes(types, result) is None else 0
    vector, stack = 0, 8
    found: list[list[Piece]] = []
    for number in parameters:
        wanted = classes(types, number)
        ints, vectors = (0, 0) if wanted is None else (wanted.count("int"), wanted.count("sse"))
        if wanted is None or general + ints > len(GENERAL) or vector + vectors > _VECTORS:
            found.append([("stack", stack)])
            stack += -(-types[number]["s"] // 8) * 8
            continue
        pieces: list[Piece] = []
        for one in wanted:
            if one == "int":
                pieces.append(("int", general))
                general += 1
            else:
                pieces.append(("sse", vector))
                vector += 1
        found.append(pieces)
    return found


def result_places(types: Sequence[Description], result: int) -> list[Piece] | None:
    """The places of a result in rax, rdx and xmm0, xmm1 (by number, in order); None: rax holds its address."""
    wanted = classes(types, result)
    if wanted is None:
        return None
    counts = {"int": 0, "sse": 0}
    pieces: list[Piece] = []
    for one in wanted:
        pieces.append((one, counts[one]))
        counts[one] += 1
    return pieces
