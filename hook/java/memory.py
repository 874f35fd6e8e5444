"""The memory of a pinned Java call: types of objects, what is forgotten of them, which cells change."""

from __future__ import annotations

from clausefit.hook.java.state import LIST
from clausefit.hook.mutants import Location
from clausefit.hook.pins.values import (
    Array,
    Floating,
    Integer,
    Null,
    Pin,
    Pointer,
    Returned,
    Struct,
    Text,
    Unknown,
    Value,
    leaves,
)


def type_of(whole: Value) -> str:
    """The class of an object; ``int[]`` for an array."""
    if isinstance(whole, Array):
        return LIST if whole.form == "list" else f"{whole.type}[]"
    return whole.type


def forgotten(whole: Value) -> Value:
    """An object of which nothing is known afterwards but its shape, which a list does not keep."""
    if isinstance(whole, Array) and whole.form == "list":
        return Unknown(LIST)
    if isinstance(whole, Array):
        return Array(whole.type, tuple(Unknown(whole.type) for _ in whole.elements), whole.form)
    if isinstance(whole, Struct):
        return Struct(whole.type, tuple((name, Unknown(member.type)) for name, member in whole.fields))
    return Unknown(whole.type)


def reached_after(pin: Pin) -> frozenset[str]:
    """The objects that the pin shows to be referred to after the call: from arguments, static fields or the result.

    Nobody can see what becomes of another one.
    """
    after = {block.id: block.value for block in pin.blocks} | dict(pin.outcome.after)
    waiting = [value for _name, value in pin.arguments]
    waiting += [after[block.id] for block in pin.blocks if block.program is not None]
    if isinstance(pin.outcome, Returned) and pin.outcome.result is not None:
        waiting.append(pin.outcome.result)
    found = {block.id for block in pin.blocks if block.program is not None}
    while waiting:
        for _path, leaf in leaves(waiting.pop()):
            if isinstance(leaf, Pointer) and leaf.block not in found and leaf.block in after:
                found.add(leaf.block)
                waiting.append(after[leaf.block])
    return frozenset(found)


def changed_cells(pin: Pin) -> list[Location]:
    """The cells of memory from before the call that are known to hold something else after it; lists have no cells."""
    after = dict(pin.outcome.after)
    found = []
    for block in pin.blocks:
        if block.id not in after or (isinstance(block.value, Array) and block.value.form == "list"):
            continue
        then = dict(leaves(after[block.id]))
        for path, before in leaves(block.value):
            if path in then and _is_other(before, then[path]):
                found.append(Location(block.id, path))
    return found


def _is_other(before: Value, after: Value) -> bool:
    """Whether the cell is known to hold something else than before."""
    if isinstance(before, Unknown) or isinstance(after, Unknown):
        return False
    match before, after:
        case (Text(), Text()):
            # Equal strings with names of their own may still be one object.
            return before.value != after.value
        case (Integer(), Integer()):
            return before.value != after.value
        case (Floating(), Floating()):
            return before.bits != after.bits
        case (Null(), Null()):
            return False
        case (Pointer(), Pointer()):
            return before.block != after.block
    return before != after
