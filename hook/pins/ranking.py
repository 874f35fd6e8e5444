"""Which pins are asked: distinct calls, small inputs first, and among them those that show something new."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clausefit.hook.pins.values import Failed, Floating, Integer, Pin, Returned, Value, leaves


@dataclass(frozen=True)
class Ranked:
    """The pins in the order in which they are asked, and how many were left out as repeats or too large."""

    pins: tuple[Pin, ...]
    repeats: int
    too_large: int


def ranked(pins: Sequence[Pin], array_limit: int, most: int) -> Ranked:
    """At most ``most`` distinct pins, the best first.

    Inputs of more than ``array_limit`` cells are used only when nothing smaller exists. Small inputs come
    first; of those of a similar size each next one is the one whose outcome was seen least often so far.
    """
    distinct: dict[str, Pin] = {}
    for pin in pins:
        distinct.setdefault(_content(pin), pin)
    every = list(distinct.values())
    small = [pin for pin in every if _cells(pin) <= array_limit]
    kept = small or every
    ordered = sorted(kept, key=lambda pin: (_cells(pin), _magnitude(pin)))
    return Ranked(tuple(_varied(ordered)[:most]), len(pins) - len(every), len(every) - len(kept))


def _varied(pins: Sequence[Pin]) -> list[Pin]:
    left, chosen = list(pins), []
    seen: dict[str, int] = {}
    while left:
        best = min(left, key=lambda pin: seen.get(_kind_of_outcome(pin), 0))
        left.remove(best)
        seen[_kind_of_outcome(best)] = seen.get(_kind_of_outcome(best), 0) + 1
        chosen.append(best)
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


def _content(pin: Pin) -> str:
    """Input and outcome as text with block ids replaced by their order, so that two tests can be compared."""
    outcome = pin.outcome
    shown = (pin.arguments, [(b.id, b.value, b.program) for b in pin.blocks], outcome)
    text = repr(shown)
    for number, block in enumerate(pin.blocks):
        text = text.replace(repr(block.id), f"#{number}")
    return text


def _values(pin: Pin) -> list[Value]:
    return [value for _name, value in pin.arguments] + [block.value for block in pin.blocks]


def _cells(pin: Pin) -> int:
    after = [v for _b, v in pin.outcome.after] if isinstance(pin.outcome, Returned) else []
    return max((sum(1 for _ in leaves(value)) for value in (*[b.value for b in pin.blocks], *after)), default=0)


def _magnitude(pin: Pin) -> int:
    found = [leaf.value for value in _values(pin) for _p, leaf in leaves(value) if isinstance(leaf, Integer)]
    return sum(abs(value).bit_length() for value in found)
