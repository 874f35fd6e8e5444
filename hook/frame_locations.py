"""How a C contract would name the cells that calls wrote and that its frame lacks.

Only names of the contract are used: its parameters and variables, and as an index those that it uses as one already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clausefit.hook.contracts.model import Contract
from clausefit.hook.mutants import Location
from clausefit.hook.pins.values import Array, Integer, Path, Pin, Pointer, Struct, at, leaves

Cells = frozenset[Location]
_INDEXES = re.compile(r"\[([^\[\]]*)\]|\(([^()]*\.\.[^()]*)\)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_SHIFTS = {"": 0, " - 1": -1, " - 2": -2, " + 1": 1}
_MOST_INDEXES = 4
_MOST_NAMES = 12
_WIDEST = 10_000


@dataclass(frozen=True)
class Writes:
    """A call, the cells that it is known to write, and those of them that the frame lacks."""

    pin: Pin
    written: Cells
    lacking: Cells


def locations_of(contract: Contract, calls: Sequence[Writes]) -> list[str]:
    """Every location that means exactly the cells that the frame lacks: on one call at least, and on every other no
    more than these and cells that keep their value there (at least one call)."""
    found = []
    for spelling in _spellings(contract, calls[0].pin):
        meant = [spelling.cells(call.pin) for call in calls]
        fits = all(
            cells is not None and cells >= call.lacking and not (cells - call.lacking) & call.written
            for cells, call in zip(meant, calls, strict=True)
        )
        if fits and any(call.lacking and cells == call.lacking for cells, call in zip(meant, calls, strict=True)):
            found.append(spelling.text)
    return found


@dataclass(frozen=True)
class _Index:
    """A parameter, or 0 where it has no name, and what is added to it."""

    name: str
    shift: int = 0

    @property
    def text(self) -> str:
        sign = next(text for text, shift in _SHIFTS.items() if shift == self.shift)
        return f"{self.name}{sign}" if self.name else str(self.shift)

    def value(self, pin: Pin) -> int | None:
        """The index on a call; None where the test does not show it."""
        if not self.name:
            return self.shift
        value = dict(pin.arguments).get(self.name)
        return value.value + self.shift if isinstance(value, Integer) else None


@dataclass(frozen=True)
class _Spelling:
    """``p`` or what it points to (``is_pointer``), of that a field, or the cells from one index to another."""

    name: str
    is_pointer: bool
    field: str = ""
    span: tuple[_Index, _Index] | None = None

    @property
    def text(self) -> str:
        if self.span is not None:
            low, high = self.span
            return f"{self.name}[{low.text}]" if low == high else f"{self.name}[{low.text} .. {high.text}]"
        if self.field:
            return f"{self.name}{'->' if self.is_pointer else '.'}{self.field}"
        return f"*{self.name}" if self.is_pointer else self.name

    def cells(self, pin: Pin) -> Cells | None:
        """The cells on a call; None where it leads to no memory that the test shows."""
        place = _place(self.name, self.is_pointer, pin)
        if place is None:
            return None
        block, path = place
        if self.span is None:
            return _below(pin, block, (*path, self.field) if self.field else path)
        low, high = (index.value(pin) for index in self.span)
        if low is None or high is None or high - low > _WIDEST:
            return None
        if self.is_pointer:
            if not path or not isinstance(path[-1], int):
                return None
            low, high, path = low + path[-1], high + path[-1], path[:-1]
        found: set[Location] = set()
        for index in range(low, high + 1):
            cells = _below(pin, block, (*path, index))
            if cells is None:
                return None
            found |= cells
        return frozenset(found)


def _place(name: str, is_pointer: bool, pin: Pin) -> tuple[str, Path] | None:
    if is_pointer:
        value = dict(pin.arguments).get(name)
        return (value.block, value.path) if isinstance(value, Pointer) else None
    return next(((block.id, ()) for block in pin.blocks if block.program == name), None)


def _below(pin: Pin, block: str, path: Path) -> Cells | None:
    """The leaves of a part of a block; None where there is no such part."""
    whole = next((one.value for one in pin.blocks if one.id == block), None)
    try:
        part = at(whole, path) if whole is not None else None
    except KeyError:
        return None
    return None if part is None else frozenset(Location(block, (*path, *rest)) for rest, _leaf in leaves(part))


def _spellings(contract: Contract, pin: Pin) -> Iterator[_Spelling]:
    """What can be named with the arguments and variables of a call."""
    pointers = [(name, True) for name, value in pin.arguments if name and isinstance(value, Pointer)]
    variables = [(block.program, False) for block in pin.blocks if block.program is not None]
    spans = list(_spans(contract, pin))
    for name, is_pointer in (*pointers, *variables)[:_MOST_NAMES]:
        place = _place(name, is_pointer, pin)
        block = next((one for one in pin.blocks if place is not None and one.id == place[0]), None)
        if place is None or block is None:
            continue
        try:
            pointed = at(block.value, place[1])
        except KeyError:  # one past the end of an array, or a pointer to a part that the test does not show
            continue
        if isinstance(pointed, Struct):
            yield from (_Spelling(name, is_pointer, field) for field, _value in pointed.fields)
        if not isinstance(pointed, Array):
            yield _Spelling(name, is_pointer)
        if isinstance(pointed, Array) or (place[1] and isinstance(place[1][-1], int)):
            yield from (_Spelling(name, is_pointer, span=span) for span in spans)


def _spans(contract: Contract, pin: Pin) -> Iterator[tuple[_Index, _Index]]:
    clauses = contract.clauses
    inside = [part for clause in clauses for pair in _INDEXES.findall(clause.formula) for part in pair]
    words = {word for part in inside for word in _WORD.findall(part)}
    names = [name for name, value in pin.arguments if name in words and isinstance(value, Integer)][:_MOST_INDEXES]
    shifted = [_Index(name, shift) for name in names for shift in _SHIFTS.values()]
    yield from ((index, index) for index in shifted)
    lows = [_Index(""), _Index("", 1), *(_Index(name) for name in names)]
    yield from ((low, high) for low in lows for high in shifted if low != high)
