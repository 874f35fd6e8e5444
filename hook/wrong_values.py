"""Wrong values for a right one: what a mutant outcome holds in the place of what the test shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from clausefit.hook.java.wrong_values import constant_values, length_values, null_values, reference_values, text_values
from clausefit.hook.languages import language_of
from clausefit.hook.pins.values import (
    Array,
    Constant,
    Floating,
    FunctionPointer,
    Integer,
    Null,
    Pin,
    Pointer,
    Struct,
    Text,
    Unknown,
    Value,
    at,
)

if TYPE_CHECKING:
    from clausefit.hook.mutants import Location

_SMALLEST_NORMAL = {32: 2.0**-126, 64: 2.0**-1022}
"""Below it floats are evenly spaced, so half of one may be its neighbour (IEEE 754-2008 §3.3)."""


def wrong_values(right: Value, pin: Pin, location: Location, constants: Mapping[str, Sequence[str]]) -> Iterator[Value]:
    """Values that differ from ``right`` in its place, the most telling first. ``constants`` are those of enum types."""
    if isinstance(right, Integer):
        yield from _integers(right, pin, location)
        yield from _null_of_boxed(right)
    elif isinstance(right, Floating):
        yield from _floats(right)
        yield from _null_of_boxed(right)
    elif language_of(pin) == "java":
        yield from _of_java(right, pin, constants)
    elif isinstance(right, Pointer):
        yield from _pointers(right, pin)
    elif isinstance(right, Null):
        yield from _first_targets(right.type, pin)
    elif isinstance(right, FunctionPointer):
        yield Null(right.type)
    elif isinstance(right, Unknown):
        # A test that finds its memory allocated does not show that running out of memory would be wrong.
        yield from (value for value in dict.fromkeys(right.not_equal) if not isinstance(value, Null))


def _of_java(right: Value, pin: Pin, constants: Mapping[str, Sequence[str]]) -> Iterator[Value]:
    match right:
        case Text():
            yield from text_values(right)
        case Constant():
            yield from constant_values(right, constants)
        case Pointer():
            yield from reference_values(right, pin)
        case Null():
            yield from null_values(right, pin, constants)
        case Array():
            yield from length_values(right)
        case Unknown():
            yield from dict.fromkeys(right.not_equal)


def _null_of_boxed(right: Integer | Floating) -> Iterator[Null]:
    if right.type.startswith("java.lang."):
        yield Null(right.type)


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
