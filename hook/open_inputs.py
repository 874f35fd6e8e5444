"""Inputs of which the test shows only a part: whether what it does not show decides a formula (pure).

Where values that are possible make it true and others make it false, no verifier can prove either; a question about
that would take all the time that provers have, and end open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from clausefit.hook.expect.types import number_type
from clausefit.hook.pins.c_types import IntType
from clausefit.hook.pins.values import Block, Integer, Pin, Unknown, Value, leaves, replaced


def has_open_input(pin: Pin) -> bool:
    """Whether the test does not show all of the state before the call."""
    return any(isinstance(leaf, Unknown) for value in _inputs(pin) for _path, leaf in leaves(value))


def has_open_pointer(pin: Pin) -> bool:
    """Whether a pointer in the memory that a call is given is not known: of an uninitialised object, to a ``FILE``."""
    return any(
        isinstance(leaf, Unknown) and "*" in leaf.type for block in pin.blocks for _path, leaf in leaves(block.value)
    )


def depends_on_what_is_not_shown(pin: Pin, holds: Callable[[Pin], bool | None]) -> bool:
    """Whether a formula about the state before the call is true for some possible values of what is not shown and
    false for others; ``holds`` says what it is for a call that shows more."""
    if not has_open_input(pin):
        return False
    verdicts = set()
    for number in range(len(_TRIED)):
        verdicts.add(holds(_filled(pin, number)))
        if {True, False} <= verdicts:
            return True
    return False


def _inputs(pin: Pin) -> Iterator[Value]:
    yield from (value for _name, value in pin.arguments)
    yield from (block.value for block in pin.blocks)


_TRIED: tuple[Callable[[IntType], int], ...] = (
    lambda _kind: 0,
    lambda _kind: 1,
    lambda kind: -(1 << (kind.width - 1)) if kind.signed else (1 << kind.width) - 1,
    lambda kind: (1 << (kind.width - kind.signed)) - 1,
)


def _filled(pin: Pin, number: int) -> Pin:
    """The call with every integer that is not shown at one of its possible values."""
    return replace(
        pin,
        arguments=tuple((name, _with_values(value, number)) for name, value in pin.arguments),
        blocks=tuple(_block(block, number) for block in pin.blocks),
    )


def _block(block: Block, number: int) -> Block:
    return replace(block, value=_with_values(block.value, number))


def _with_values(value: Value, number: int) -> Value:
    for path, leaf in leaves(value):
        kind = number_type(leaf.type) if isinstance(leaf, Unknown) else None
        if not isinstance(leaf, Unknown) or not isinstance(kind, IntType):
            continue
        new = Integer(_TRIED[number](kind), leaf.type, kind.width, kind.signed)
        if all(getattr(other, "value", None) != new.value for other in leaf.not_equal):
            value = replaced(value, path, new)
    return value
