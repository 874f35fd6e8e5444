"""Mutant outcomes: a right outcome with one location changed (Spec-Harness, PostComp; DESIGN §3).

A mutant is wrong because a passing test fixed the location to another value. Only locations whose right
value is known are mutated, and never to a value that another test shows for the same input.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from clausefit.hook.pins.values import (
    Array,
    Floating,
    FunctionPointer,
    Integer,
    Null,
    Path,
    Pin,
    Pointer,
    Returned,
    Struct,
    Unknown,
    Value,
    at,
    leaves,
    replaced,
)


@dataclass(frozen=True)
class Location:
    """A place in an outcome: ``block`` None is the result, else a block's id; ``path`` leads to a leaf."""

    block: str | None
    path: Path


_SMALLEST_NORMAL = {32: 2.0**-126, 64: 2.0**-1022}
"""Below it floats are evenly spaced, so half of one may be its neighbour (IEEE 754-2008 §3.3)."""

RESULT = Location(None, ())
"""A result that is no struct."""


@dataclass(frozen=True)
class Mutant:
    """The right outcome with ``location`` changed from ``right`` to ``wrong``.

    ``untouched``: the call left the whole block of the location as it was (a frame mutant). ``exit``: the call ends
    otherwise than the pin's: the qualified type of the exception that is thrown instead, or ``return``.
    """

    location: Location
    right: Value
    wrong: Value
    untouched: bool
    exit: str = ""


def mutants_of(pin: Pin, others: Iterable[Pin] = ()) -> tuple[Mutant, ...]:
    """The mutants of a returned call, the most telling first, locations in turn; empty for a failed call.

    ``others`` are further pins of the function. Where one of them shows something else for the same input, a state that
    no test shows decides the outcome, and no value can be called wrong. Where the input may be the same, as far as both
    tests show it, what it shows is right as well.
    """
    if not isinstance(pin.outcome, Returned):
        return ()
    twins = _twins(pin, others)
    by_location = []
    for location, right, untouched in _locations(pin):
        if any(_differs(twin, location, right) for twin in twins):
            continue
        wrong = [v for v in _wrong_values(right, pin, location) if not any(_shows(t, location, v) for t in twins)]
        by_location.append([Mutant(location, right, value, untouched) for value in wrong])
    touched = [m for m in by_location if m and not m[0].untouched]
    frame = [m for m in by_location if m and m[0].untouched]
    return (*_in_turn(touched), *_in_turn(frame))


def mutated(outcome: Returned, mutant: Mutant) -> Returned:
    """The outcome with the mutant's location changed."""
    location = mutant.location
    if location.block is None:
        assert outcome.result is not None  # noqa: S101 - a result location exists only with a result
        return replace(outcome, result=replaced(outcome.result, location.path, mutant.wrong))
    after = tuple(
        (block, replaced(value, location.path, mutant.wrong) if block == location.block else value)
        for block, value in outcome.after
    )
    return replace(outcome, after=after)


def _in_turn(columns: Sequence[Sequence[Mutant]]) -> Iterator[Mutant]:
    for row in zip_longest(*columns):
        yield from (mutant for mutant in row if mutant is not None)


def _locations(pin: Pin) -> Iterator[tuple[Location, Value, bool]]:
    assert isinstance(pin.outcome, Returned)  # noqa: S101 - the caller checked; narrows the type
    if pin.outcome.result is not None:
        for path, leaf in leaves(pin.outcome.result):
            if not isinstance(leaf, Unknown) or leaf.not_equal:
                yield Location(None, path), leaf, False
    after = dict(pin.outcome.after)
    writable = writable_blocks(pin)
    for block in pin.blocks:
        if block.constant or block.id not in writable or block.id not in after:
            continue
        before_leaves, after_leaves = dict(leaves(block.value)), dict(leaves(after[block.id]))
        untouched = before_leaves == after_leaves and not any(isinstance(v, Unknown) for v in after_leaves.values())
        for path, leaf in after_leaves.items():
            if not isinstance(leaf, Unknown):
                yield Location(block.id, path), leaf, untouched


def writable_blocks(pin: Pin) -> frozenset[str]:
    """The blocks that the call can write: program variables, and what pointers to non-const reach from the arguments.

    A pointer to const promises not to write; memory behind it is no part of the outcome.
    """
    after = dict(pin.outcome.after) if isinstance(pin.outcome, Returned) else {}
    values = {block.id: [block.value, *([after[block.id]] if block.id in after else [])] for block in pin.blocks}
    found = {block.id for block in pin.blocks if block.program is not None}
    queue = [value for _name, value in pin.arguments] + [v for block in found for v in values[block]]
    while queue:
        for _path, leaf in leaves(queue.pop()):
            if isinstance(leaf, Pointer) and leaf.block not in found and not points_to_const(leaf.type):
                found.add(leaf.block)
                queue.extend(values.get(leaf.block, ()))
    return frozenset(found)


def points_to_const(pointer_type: str) -> bool:
    """True when ``pointer_type`` (``const char *``, ``char const *``) points to something const."""
    pointee, star, _qualifiers = pointer_type.rpartition("*")
    if not star:
        return False
    inner = pointee.rpartition("*")[2] if "*" in pointee else pointee
    return re.search(r"\bconst\b", inner) is not None


def _wrong_values(right: Value, pin: Pin, location: Location) -> Iterator[Value]:
    if isinstance(right, Integer):
        yield from _integers(right, pin, location)
    elif isinstance(right, Floating):
        yield from _floats(right)
    elif isinstance(right, Pointer):
        yield from _pointers(right, pin)
    elif isinstance(right, Null):
        yield from _first_targets(right.type, pin)
    elif isinstance(right, FunctionPointer):
        yield Null(right.type)
    elif isinstance(right, Unknown):
        # A test that finds its memory allocated does not show that running out of memory would be wrong.
        yield from (value for value in dict.fromkeys(right.not_equal) if not isinstance(value, Null))


def _integers(right: Integer, pin: Pin, location: Location) -> Iterator[Integer]:
    value = right.value
    neighbours = _array_values(pin, location)
    wanted = [value + 1, value - 1, *neighbours, 0, right.maximum, right.minimum, value + 2, value - 2]
    seen = {value}
    for number in wanted:
        if number not in seen and right.minimum <= number <= right.maximum:
            seen.add(number)
            yield Integer(number, right.type, right.width, right.signed)


def _array_values(pin: Pin, location: Location) -> list[int]:
    """Values of the neighbouring elements: what a lost or doubled element would leave in this place."""
    if location.block is None or not location.path or not isinstance(location.path[-1], int):
        return []
    assert isinstance(pin.outcome, Returned)  # noqa: S101 - only such pins have locations
    array = at(dict(pin.outcome.after)[location.block], location.path[:-1])
    found = []
    if isinstance(array, Array):
        for index in (location.path[-1] - 1, location.path[-1] + 1):
            if 0 <= index < len(array.elements):
                neighbour = array.elements[index]
                if isinstance(neighbour, Integer):
                    found.append(neighbour.value)
    return found


def _floats(right: Floating) -> Iterator[Floating]:
    number = right.number
    if number != number or number in (float("inf"), float("-inf")):
        yield Floating.of(0.0, right.type, right.width)
        return
    seen = {number}
    # Never a neighbour of the last place: a contract with a tolerance is right to accept that.
    for other in (number + max(1.0, abs(number)), number - max(1.0, abs(number)), -number, 0.0, number / 2):
        try:
            value = Floating.of(other, right.type, right.width)
        except OverflowError:
            continue
        if abs(value.number - number) < _SMALLEST_NORMAL[right.width]:
            continue
        if value.number not in seen and value.number not in (float("inf"), float("-inf")):
            seen.add(value.number)
            yield value


def _pointers(right: Pointer, pin: Pin) -> Iterator[Value]:
    if right.path and isinstance(right.path[-1], int):
        container = _container(right, pin)
        length = len(container.elements) if isinstance(container, Array) else 0
        index = right.path[-1]
        for other in dict.fromkeys((index + 1, index - 1, 0, length - 1)):
            if 0 <= other < length and other != index:
                yield Pointer(right.block, (*right.path[:-1], other), right.type)
    yield from (p for p in _first_targets(right.type, pin) if isinstance(p, Pointer) and p.block != right.block)
    yield Null(right.type)


def _container(pointer: Pointer, pin: Pin) -> Value | None:
    block = next((b for b in pin.blocks if b.id == pointer.block), None)
    if block is None:
        return None
    try:
        return at(block.value, pointer.path[:-1])
    except KeyError:
        return None


def _first_targets(pointer_type: str, pin: Pin) -> Iterator[Pointer]:
    """Addresses that a pointer of this type could hold: the first element or the object of each fitting block."""
    wanted = _unqualified(pointer_type.rpartition("*")[0])
    for block in pin.blocks:
        if isinstance(block.value, Array) and _unqualified(block.value.type) == wanted:
            yield Pointer(block.id, (0,), pointer_type)
        elif isinstance(block.value, Struct | Integer | Floating) and _unqualified(block.value.type) == wanted:
            yield Pointer(block.id, (), pointer_type)


def _unqualified(type_name: str) -> str:
    return " ".join(word for word in type_name.split() if word not in ("const", "volatile", "restrict"))


# ---- two tests with one input ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Twin:
    """Another call whose input is, or may be, the same: its outcome, and which of its blocks is which of the pin's.

    ``alike``: both tests show the same of the input, so that no difference between the calls is known.
    """

    outcome: Returned
    blocks: dict[str, str]
    alike: bool


def _twins(pin: Pin, others: Iterable[Pin]) -> list[_Twin]:
    found = []
    for other in others:
        if other is not pin and isinstance(other.outcome, Returned):
            pairing = _Pairing(pin, other)
            if pairing.possible:
                found.append(_Twin(other.outcome, pairing.blocks, pairing.alike))
    return found


class _Pairing:
    """Walks two inputs side by side: ``possible`` unless something known differs, ``alike`` when nothing does."""

    def __init__(self, pin: Pin, other: Pin) -> None:
        self._mine = {block.id: block for block in pin.blocks}
        self._theirs = {block.id: block for block in other.blocks}
        self.blocks: dict[str, str] = {}
        self.alike = True
        queue: list[tuple[Value, Value]] = list(
            zip((v for _n, v in pin.arguments), (v for _n, v in other.arguments), strict=False)
        )
        programs = {block.program: block.id for block in other.blocks if block.program is not None}
        for block in pin.blocks:
            if block.program is not None and block.program in programs:
                queue.append((Pointer(block.id, (), ""), Pointer(programs[block.program], (), "")))
        self.possible = len(pin.arguments) == len(other.arguments) and self._walk(queue)
        shown = {b.program for b in pin.blocks}, {b.program for b in other.blocks}
        self.alike = self.alike and shown[0] == shown[1]

    def _walk(self, queue: list[tuple[Value, Value]]) -> bool:
        while queue:
            mine, theirs = queue.pop()
            leaves_of_mine, leaves_of_theirs = dict(leaves(mine)), dict(leaves(theirs))
            if leaves_of_mine.keys() != leaves_of_theirs.keys():
                return False
            for path, leaf in leaves_of_mine.items():
                if not self._match(leaf, leaves_of_theirs[path], queue):
                    return False
        return True

    def _match(self, mine: Value, theirs: Value, queue: list[tuple[Value, Value]]) -> bool:
        if isinstance(mine, Unknown) or isinstance(theirs, Unknown):
            self.alike = self.alike and isinstance(mine, Unknown) and isinstance(theirs, Unknown)
            return True
        if not isinstance(mine, Pointer) or not isinstance(theirs, Pointer):
            return _content(mine) == _content(theirs)
        if mine.path != theirs.path or (mine.block in self._mine) != (theirs.block in self._theirs):
            return False
        if mine.block in self.blocks or theirs.block in self.blocks.values():
            return self.blocks.get(mine.block) == theirs.block
        self.blocks[mine.block] = theirs.block
        if mine.block in self._mine:
            one, other = self._mine[mine.block], self._theirs[theirs.block]
            queue.append((one.value, other.value))
        return True


def _content(value: Value) -> object:
    """What a scalar is whatever its type is called: the same argument may be written in two ways."""
    match value:
        case Integer():
            return value.value
        case Floating():
            # Zero has two signs, which no ``==`` of a contract tells apart.
            return value.width, value.number if value.number == value.number else "NaN"
        case Null():
            return None
        case FunctionPointer():
            return value.name
    return value


def _shows(twin: _Twin, location: Location, value: Value) -> bool:
    """True when the twin's outcome has this value of the pin there; an alike twin also when it does not say."""
    there = _at_twin(twin, location)
    if isinstance(there, Unknown):
        return twin.alike and not any(_same(twin, value, other) for other in there.not_equal)
    return _same(twin, value, there)


def _differs(twin: _Twin, location: Location, right: Value) -> bool:
    """True when an alike twin's outcome is shown to have another value there than the pin's right one."""
    there = _at_twin(twin, location)
    if not twin.alike:
        return False
    if isinstance(there, Unknown):
        return any(_same(twin, right, other) for other in there.not_equal)
    if isinstance(right, Unknown):
        return any(_same(twin, other, there) for other in right.not_equal)
    return not _same(twin, right, there)


def _at_twin(twin: _Twin, location: Location) -> Value:
    whole: Value | None = twin.outcome.result
    if location.block is not None:
        whole = dict(twin.outcome.after).get(twin.blocks.get(location.block, ""))
    try:
        return Unknown("") if whole is None else at(whole, location.path)
    except KeyError:
        return Unknown("")


def _same(twin: _Twin, mine: Value, theirs: Value) -> bool:
    """Whether a value of the pin and one of the twin are equal, blocks under the twin's names."""
    if isinstance(mine, Pointer) and isinstance(theirs, Pointer):
        return (twin.blocks.get(mine.block, mine.block), mine.path) == (theirs.block, theirs.path)
    return _content(mine) == _content(theirs)
