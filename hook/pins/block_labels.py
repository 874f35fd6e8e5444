"""The names under which a file of stored pins shows blocks: people know ``stock``, recorders number ``m0``, ``m1``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from clausefit.hook.pins.values import Array, Block, Pin, Pointer, Returned, Struct, Unknown, Value

_READABLE = re.compile(r"[^\s\\]{1,60}")


def numbered(count: int) -> list[str]:
    """The ids that blocks have in recorded pins, in order."""
    return [f"m{number}" for number in range(count)]


def labels_of(pin: Pin) -> dict[str, str]:
    """A label for each block of a pin whose blocks are numbered: its name where that is short and its own, else its id.

    Labels differ from one another and from all other ids of the pin.
    """
    ids = {block.id for block in pin.blocks} | {name for name, _ in pin.outcome.after}
    taken = set(ids)
    labels = {}
    for block in pin.blocks:
        is_good = block.name not in taken and block.name.isprintable() and _READABLE.fullmatch(block.name)
        labels[block.id] = block.name if is_good else block.id
        taken.add(labels[block.id])
    return labels


def is_numbered(blocks: Sequence[Block]) -> bool:
    """Whether the ids of the blocks say nothing that their order does not."""
    return [block.id for block in blocks] == numbered(len(blocks))


def relabelled(pin: Pin, ids: Mapping[str, str]) -> Pin:
    """The pin with other ids for its blocks; those that ``ids`` does not have stay."""
    outcome = pin.outcome
    after = tuple((ids.get(name, name), _renamed(value, ids)) for name, value in outcome.after)
    outcome = replace(outcome, after=after)
    if isinstance(outcome, Returned) and outcome.result is not None:
        outcome = replace(outcome, result=_renamed(outcome.result, ids))
    return replace(
        pin,
        arguments=tuple((name, _renamed(value, ids)) for name, value in pin.arguments),
        blocks=tuple(replace(one, id=ids.get(one.id, one.id), value=_renamed(one.value, ids)) for one in pin.blocks),
        outcome=outcome,
    )


def _renamed(value: Value, ids: Mapping[str, str]) -> Value:
    match value:
        case Pointer():
            return replace(value, block=ids.get(value.block, value.block))
        case Array():
            return replace(value, elements=tuple(_renamed(one, ids) for one in value.elements))
        case Struct():
            return replace(value, fields=tuple((name, _renamed(member, ids)) for name, member in value.fields))
        case Unknown() if value.not_equal:
            return replace(value, not_equal=tuple(_renamed(one, ids) for one in value.not_equal))
    return value
