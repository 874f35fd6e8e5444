"""What a call is given and what it gives back, read from registers and memory. Runs inside gdb."""

from __future__ import annotations

import hashlib
from typing import Any

import gdb  # type: ignore[import-untyped]
from abi import GENERAL  # type: ignore[import-not-found]
from claims import Claims  # type: ignore[import-not-found]
from functions import Function  # type: ignore[import-not-found]
from memory import LeftOutError, Memory, Region  # type: ignore[import-not-found]
from terms import Terms, Typed  # type: ignore[import-not-found]
from threads import Threads  # type: ignore[import-not-found]


class Inputs:
    """Reads arguments, the memory behind them, and results."""

    def __init__(self, memory: Memory, threads: Threads) -> None:
        self._memory = memory
        self._threads = threads

    def arguments(self, function: Function, frame: Any, stack: int) -> list[Typed]:
        """The arguments at a function's first byte, where the stack pointer is ``stack``. Raises LeftOutError."""
        found = []
        for (name, symbol, number), pieces in zip(function.parameters, function.places, strict=True):
            size = self._memory.layouts.descriptions[number]["s"]
            content: bytes | None
            if pieces[0][0] == "stack":
                content = self._memory.read(stack + pieces[0][1], size)
            else:
                content = b"".join(_register(frame, piece) for piece in pieces)[:size]
            if content is None:
                raise LeftOutError(f"its argument {name} cannot be read")
            self._check(name, symbol, frame, content, number, pieces, stack)
            found.append(Typed(content, number))
        return found

    def _check(
        self, name: str, symbol: Any, frame: Any, content: bytes, number: int, pieces: list[Any], stack: int
    ) -> None:
        """What the debug information says of a parameter must not contradict the ABI. Raises LeftOutError."""
        value = symbol.value(frame)
        if value.is_optimized_out:
            raise LeftOutError(f"the compiler removed its argument {name}: compile with -O0 or -Og")
        kind = self._memory.layouts.descriptions[number]["k"]
        if value.address is not None:
            # Memory: where the caller has put it, or in the call's own frame, to which the prologue will copy it.
            given = pieces[0][0] == "stack" and int(value.address) == stack + pieces[0][1]
            if not given and int(value.address) >= stack:
                raise LeftOutError(f"the debug information does not say for certain where its argument {name} is")
        elif kind in ("int", "ptr"):
            bits = 8 * len(content)
            if int(value.cast(gdb.lookup_type("unsigned long"))) % (1 << bits) != int.from_bytes(content, "little"):
                raise LeftOutError(f"the debug information does not say for certain where its argument {name} is")

    def regions(self, function: Function, arguments: list[Typed], stack: int) -> list[Region]:
        """The memory that the arguments and the contract's variables lead to. Raises LeftOutError."""
        memory = self._memory
        dead = memory.below(stack)
        regions = [
            memory.region(address, number, 1, variable=name, constant=constant)
            for name, address, number, constant in function.variables
        ]
        claims = self._claims(function, arguments)
        said = claims.said(function.extents, after=False)
        wanted, exact = claims.taken(said)
        sized = memory.extents(wanted)
        for region in sized:
            if region.address not in exact and memory.may_be_cut(region, sized):
                raise LeftOutError("the contract speaks of one character where a string may be: name its range")
        regions += sized
        claims.check_before(said, regions)
        if any(r.address < dead[1] and dead[0] < r.end and not r.blank for r in regions):
            raise LeftOutError("it is given a pointer to a variable of a call that is over")
        memory.follow(self.pointers(arguments), regions, dead)
        return regions

    def check_after(
        self, function: Function, arguments: list[Typed], result: Typed | None, regions: list[Region]
    ) -> None:
        """What the contract says of memory after the call must not be more than is recorded. Raises LeftOutError."""
        claims = self._claims(function, arguments, result)
        claims.check_after(claims.said(function.extents, after=True), regions)

    def _claims(self, function: Function, arguments: list[Typed], result: Typed | None = None) -> Claims:
        """What the contract says of the state that the program is in now; a parameter is as it was given."""
        memory = self._memory
        given = {name: value for (name, _, _), value in zip(function.parameters, arguments, strict=True)}
        places = {name: (address, number) for name, address, number, _ in function.variables if name not in given}

        def value(name: str) -> Typed | None:
            if name == "\\result":
                return result
            if name not in places:
                return given.get(name)
            content = memory.read(places[name][0], memory.layouts.opened(places[name][1])["s"])
            return None if content is None else Typed(content, places[name][1])

        def character(name: str) -> int:
            return int(memory.layouts.number(gdb.lookup_type(name)))

        terms = Terms(memory, value, character, places, function.sizes)
        return Claims(memory, terms, value, self.pointers)

    def pointers(self, values: list[Typed]) -> list[tuple[int, int]]:
        """The (address, pointer's type) in some values."""
        return [
            (int.from_bytes(value.content[offset : offset + 8], "little"), number)
            for value in values
            for offset, number in self._memory.layouts.pointers(value.type)
        ]

    def check_others(self, regions: list[Region]) -> None:
        """Memory that others may write meanwhile (a thread, a process) is not what the call did. Raises LeftOutError.

        A stack is no exception: its addresses may have been handed to another thread.
        """
        self._memory.refresh()
        memory = [r for r in regions if not r.blank and not self._memory.is_read_only(r.address, len(r.before))]
        if self._threads.may_change(memory):
            raise LeftOutError("another thread may change the memory that it is given")
        if self._memory.is_any_shared(memory):
            raise LeftOutError("another process may change the memory that it is given")

    def digest(self, function: Function, arguments: list[Typed], regions: list[Region]) -> bytes:
        """A digest of the input that does not depend on where memory lies."""
        digest = hashlib.sha256(function.name.encode())
        for value, content in [(v.type, v.content) for v in arguments] + [(r.type, r.before) for r in regions]:
            plain = bytearray(content)
            size = self._memory.layouts.descriptions[value]["s"]
            for start in range(0, len(content), size or 1):
                for offset, _ in self._memory.layouts.pointers(value):
                    at = start + offset
                    address = int.from_bytes(content[at : at + 8], "little")
                    plain[at : at + 8] = _relative(address, regions).to_bytes(8, "little")
            digest.update(b"%d:%d:" % (value, len(plain)) + plain)
        return digest.digest()

    def result(self, function: Function, frame: Any) -> Typed | None:
        """The result at the place to which the call has returned; None for void. Raises LeftOutError."""
        if function.result is None:
            return None
        size = self._memory.layouts.descriptions[function.result]["s"]
        content: bytes | None
        if function.result_places is None:
            content = self._memory.read(int(frame.read_register("rax")), size)
        else:
            names = {("int", 0): "rax", ("int", 1): "rdx"}
            content = b"".join(
                _word(frame, names[piece]) if piece[0] == "int" else _register(frame, piece)
                for piece in function.result_places
            )[:size]
        if content is None:
            raise LeftOutError("its result cannot be read")
        return Typed(content, function.result)


def _word(frame: Any, name: str) -> bytes:
    return (int(frame.read_register(name)) % (1 << 64)).to_bytes(8, "little")


def _register(frame: Any, piece: tuple[str, int]) -> bytes:
    kind, number = piece
    if kind == "int":
        return _word(frame, GENERAL[number])
    low = frame.read_register(f"xmm{number}")["v2_int64"][0]
    return (int(low) % (1 << 64)).to_bytes(8, "little")


def _relative(address: int, regions: list[Region]) -> int:
    for index, region in enumerate(regions):
        if region.address <= address < region.end:
            return int(((index + 1) << 32) + address - region.address)
    return address
