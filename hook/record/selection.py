"""Which of the recorded calls of a function are stored. Pure, and the same whatever the order of the calls.

Distinct calls, small ones first, and of every kind of input and outcome some. Where one input had several outcomes
they are stored together: each is right, and one alone would look as if the others were wrong.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from clausefit.hook.pins.values import (
    Array,
    Failed,
    Floating,
    Integer,
    Null,
    Pin,
    Pointer,
    Struct,
    Text,
    Unknown,
    Value,
    leaves,
)
from clausefit.hook.record.canonical import canonical
from clausefit.hook.record.overwritten import Masked

_MOST_OUTCOMES = 4
"""Outcomes of one input that are stored: what differs between them is what no contract can be asked to say."""
_Place = tuple[str, tuple[int | str, ...]]


@dataclass(frozen=True)
class Candidate:
    """A call that may be stored. ``outermost`` as in ``RecordedCall``."""

    pin: Pin
    outermost: bool = True


@dataclass(frozen=True)
class Selection:
    """The calls of one function to store, best first, and how many others there were: repeats, and beyond the limit."""

    pins: tuple[Pin, ...]
    repeats: int
    beyond: int


def selected(candidates: Iterable[Candidate], most: int, masked: Masked = lambda pin: pin) -> Selection:
    """At most ``most`` of the calls of one function. What ``masked`` takes away has no part in which they are."""
    every = [(canonical(one.pin), one.outermost) for one in candidates]
    distinct: dict[Hashable, tuple[Pin, bool]] = {}
    for pin, outermost in sorted(every, key=_provenance):
        distinct.setdefault(content(pin), (pin, outermost))
    inputs: dict[Hashable, list[tuple[Pin, bool]]] = {}
    for one in sorted(distinct.values(), key=lambda one: _rank(one[0], one[1], masked)):
        inputs.setdefault(input_of(one[0]), []).append(one)
    units = [_outcomes([pin for pin, _outermost in unit]) for unit in inputs.values()]
    pins = tuple(_varied(units, most, masked))
    return Selection(pins, len(every) - len(distinct), len(distinct) - len(pins))


def _rank(pin: Pin, outermost: bool, masked: Masked) -> tuple[bool, int, int, int, str, str]:
    shown = masked(pin)
    return (not outermost, *_size(shown), repr(content(shown)), repr(content(pin)))


def input_of(pin: Pin) -> Hashable:
    """What a canonical pin's call was given: equal for equal inputs."""
    return pin.function, pin.arguments, tuple((block.id, block.program, block.value) for block in pin.blocks)


def content(pin: Pin) -> Hashable:
    """Input and outcome of a canonical pin, without where it came from."""
    return input_of(pin), pin.outcome


def merged(fresh: Sequence[Pin], stored: Iterable[Pin]) -> tuple[list[Pin], int]:
    """Those of the stored calls of a function that are kept beside fresh ones, and how many fresh ones contradict them.

    What the same test made is replaced, and so is what had the same input: something else may have changed since. All
    pins are canonical.
    """
    tests = {(pin.origin.file, pin.origin.test) for pin in fresh}
    outcomes: dict[Hashable, set[Hashable]] = {}
    for pin in fresh:
        outcomes.setdefault(input_of(pin), set()).add(pin.outcome)
    kept: list[Pin] = []
    changed = 0
    for pin in stored:
        now = outcomes.get(input_of(pin))
        changed += now is not None and pin.outcome not in now
        if now is None and (pin.origin.file, pin.origin.test) not in tests:
            kept.append(pin)
    return kept, changed


def _provenance(one: tuple[Pin, bool]) -> tuple[bool, str, str, int]:
    pin, outermost = one
    return not outermost, pin.origin.file, pin.origin.test, pin.origin.line


def _varied(units: Sequence[Sequence[Pin]], most: int, masked: Masked) -> list[Pin]:
    """Units in turn from each kind, the kind that was seen least often first, until ``most`` calls are chosen."""
    waiting: dict[Hashable, deque[tuple[int, Sequence[Pin]]]] = {}
    for place, unit in enumerate(units):
        waiting.setdefault(_kind(masked(unit[0])), deque()).append((place, unit))
    seen = dict.fromkeys(waiting, 0)
    chosen: list[Pin] = []
    while waiting and len(chosen) < most:
        kind = min(waiting, key=lambda one: (seen[one], waiting[one][0][0]))
        _place, unit = waiting[kind].popleft()
        seen[kind] += 1
        if not waiting[kind]:
            del waiting[kind]
        if len(chosen) + len(unit) <= most:
            chosen += unit
    return chosen


def _outcomes(pins: Sequence[Pin]) -> list[Pin]:
    """Some of the outcomes of one input that together differ wherever any two of them do, as far as there is room."""
    kept = [pins[0]]
    differing: set[_Place] = set()
    for pin in pins[1:]:
        places = _differences(pins[0], pin)
        if len(kept) < _MOST_OUTCOMES and (len(kept) == 1 or not places <= differing):
            kept.append(pin)
            differing |= places
    return kept


def _differences(one: Pin, other: Pin) -> set[_Place]:
    first, second = _places(one), _places(other)
    return {place for place in first.keys() | second.keys() if first.get(place) != second.get(place)}


def _places(pin: Pin) -> dict[_Place, Value | str | None]:
    found: dict[_Place, Value | str | None] = {}
    if isinstance(pin.outcome, Failed):
        found["exit", ()] = f"{pin.outcome.kind} {pin.outcome.detail}"
    elif pin.outcome.result is not None:
        found.update({("result", path): leaf for path, leaf in leaves(pin.outcome.result)})
    for block, value in pin.outcome.after:
        found.update({(block, path): leaf for path, leaf in leaves(value)})
    return found


def _kind(pin: Pin) -> Hashable:
    """A coarse class of input and outcome, which stands for the branches that a call may take."""
    before = {block.id: block.value for block in pin.blocks}
    after = dict(pin.outcome.after)
    written = tuple(block for block in before if block in after and after[block] != before[block])
    pointers = [value.block for _name, value in pin.arguments if isinstance(value, Pointer)]
    shapes = tuple(_shape(value) for _name, value in pin.arguments)
    if isinstance(pin.outcome, Failed):
        end: Hashable = pin.outcome.kind, pin.outcome.detail
    else:
        end = "" if pin.outcome.result is None else _shape(pin.outcome.result)
    return end, written[:4], len(set(pointers)) < len(pointers), shapes


def _shape(value: Value) -> Hashable:
    if isinstance(value, Integer):
        return (value.value > 0) - (value.value < 0)
    if isinstance(value, Floating):
        number = value.number
        return "nan" if number != number else (number > 0) - (number < 0)
    if isinstance(value, Text):
        return "text", not value.value
    if isinstance(value, Array):
        return "array", len(value.elements) if len(value.elements) < 2 else 2
    return "null" if isinstance(value, Null) else type(value).__name__


def _size(pin: Pin) -> tuple[int, int, int]:
    """How much of the input is not known, how many places there are, and how large the values are."""
    unknown = cells = bits = 0
    for value in [*(v for _name, v in pin.arguments), *(block.value for block in pin.blocks)]:
        for _path, leaf in leaves(value):
            cells += 1
            unknown += isinstance(leaf, Unknown)
            if isinstance(leaf, Integer):
                bits += abs(leaf.value).bit_length()
            elif isinstance(leaf, Text):
                bits += len(leaf.value)
        if isinstance(value, Array | Struct):
            cells += 1
    return unknown, cells, bits
