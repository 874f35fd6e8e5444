"""Which pins are asked: distinct calls, small inputs first, and among them those that show something new."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from clausefit.hook.pins.values import (
    Array,
    Failed,
    Floating,
    Integer,
    Pin,
    Pointer,
    Returned,
    Struct,
    Unknown,
    Value,
    leaves,
)


@dataclass(frozen=True)
class Ranked:
    """The pins in the order in which they are asked, and how many were left out as repeats or too large.

    ``distinct`` are all pins but the repeats.
    """

    pins: tuple[Pin, ...]
    repeats: int
    too_large: int
    distinct: tuple[Pin, ...] = ()


Reached = Callable[[Pin], frozenset[int]]
"""The cases of the contract that a call reaches, by their numbers."""


def _none(_pin: Pin) -> frozenset[int]:
    return frozenset()


def ranked(pins: Sequence[Pin], array_limit: int, most: int, reached: Reached = _none) -> Ranked:
    """At most ``most`` distinct pins, the best first.

    Inputs of more than ``array_limit`` cells are used only when nothing smaller exists. Each next pin has a kind of
    outcome that was seen least often so far, and of those the smallest input. Before all others come, in this order,
    those that reach a case of the contract that none before them does.
    """
    distinct: dict[Hashable, Pin] = {}
    for pin in pins:
        distinct.setdefault(_content(pin), pin)
    every = list(distinct.values())
    small = [pin for pin in every if _cells(pin) <= array_limit]
    kept = small or every
    ordered = sorted(kept, key=lambda pin: (_cells(pin), _magnitude(pin)))
    chosen = _by_cases(_varied(ordered, len(ordered)), reached)[:most]
    return Ranked(tuple(chosen), len(pins) - len(every), len(every) - len(kept), tuple(every))


def _by_cases(pins: Sequence[Pin], reached: Reached) -> list[Pin]:
    """The pins that reach a new case, then the others."""
    seen: set[int] = set()
    first: list[Pin] = []
    others: list[Pin] = []
    for pin in pins:
        new = reached(pin) - seen
        seen |= new
        (first if new else others).append(pin)
    return first + others


def _varied(pins: Sequence[Pin], most: int) -> list[Pin]:
    """The first ``most`` pins, each time the first of those whose kind of outcome was seen least often."""
    waiting: dict[str, deque[tuple[int, Pin]]] = {}
    for place, pin in enumerate(pins):
        waiting.setdefault(_kind_of_outcome(pin), deque()).append((place, pin))
    seen = dict.fromkeys(waiting, 0)
    chosen: list[Pin] = []
    while len(chosen) < most and waiting:
        kind = min(waiting, key=lambda one: (seen[one], waiting[one][0][0]))
        chosen.append(waiting[kind].popleft()[1])
        seen[kind] += 1
        if not waiting[kind]:
            del waiting[kind]
    return chosen


def _kind_of_outcome(pin: Pin) -> str:
    """A coarse class: how it ended, the sign of a number, the result's shape."""
    if isinstance(pin.outcome, Failed):
        return pin.outcome.kind
    result = pin.outcome.result
    if isinstance(result, Integer):
        return f"integer {(result.value > 0) - (result.value < 0)}"
    if isinstance(result, Floating):
        return f"float {result.number > 0}"
    return type(result).__name__


def _content(pin: Pin) -> Hashable:
    """Input and outcome with block ids replaced by their order, so that two tests can be compared."""
    numbers = {block.id: number for number, block in enumerate(pin.blocks)}
    arguments = tuple((name, _numbered(value, numbers)) for name, value in pin.arguments)
    blocks = tuple((_numbered(block.value, numbers), block.program) for block in pin.blocks)
    outcome = pin.outcome
    if isinstance(outcome, Failed):
        return pin.function, arguments, blocks, outcome
    after = tuple((numbers.get(block, block), _numbered(value, numbers)) for block, value in outcome.after)
    result = None if outcome.result is None else _numbered(outcome.result, numbers)
    return pin.function, arguments, blocks, result, after


def _numbered(value: Value, numbers: Mapping[str, int]) -> Hashable:
    if isinstance(value, Pointer):
        return "pointer", numbers.get(value.block, value.block), value.path, value.type
    if isinstance(value, Array):
        return "array", value.type, tuple(_numbered(element, numbers) for element in value.elements)
    if isinstance(value, Struct):
        return "struct", value.type, tuple((name, _numbered(member, numbers)) for name, member in value.fields)
    if isinstance(value, Unknown):
        return "unknown", value.type, tuple(_numbered(other, numbers) for other in value.not_equal)
    return value


def _values(pin: Pin) -> list[Value]:
    return [value for _name, value in pin.arguments] + [block.value for block in pin.blocks]


def _cells(pin: Pin) -> int:
    after = [v for _b, v in pin.outcome.after] if isinstance(pin.outcome, Returned) else []
    return max((sum(1 for _ in leaves(value)) for value in (*[b.value for b in pin.blocks], *after)), default=0)


def _magnitude(pin: Pin) -> int:
    found = [leaf.value for value in _values(pin) for _p, leaf in leaves(value) if isinstance(leaf, Integer)]
    return sum(abs(value).bit_length() for value in found)
