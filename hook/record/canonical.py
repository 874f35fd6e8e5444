"""Recorded pins in one form, whatever the run called their blocks: calls can be compared, and files stay alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from clausefit.hook.pins.values import Array, Block, Pin, Pointer, Returned, Struct, Text, Value, leaves


def canonical(pin: Pin) -> Pin:
    """The same call, its blocks ordered as they are reached and called ``m0``, ``m1``, …, those of the call ``n0``, ….

    Strings that are one object are called alike (``s0``, …); a string that is met only once has no identity.
    """
    before = {block.id: block for block in pin.blocks}
    after = dict(pin.outcome.after)
    names: dict[str, str] = {}
    order: list[str] = []
    met: Counter[str] = Counter()

    def meet(value: Value) -> None:
        for _path, leaf in leaves(value):
            if isinstance(leaf, Pointer) and leaf.block not in names:
                names[leaf.block] = f"m{len(order)}" if leaf.block in before else f"n{len(names) - len(order)}"
                if leaf.block in before:
                    order.append(leaf.block)
                waiting.append(leaf.block)
            elif isinstance(leaf, Text) and leaf.identity:
                met[leaf.identity] += 1

    waiting: list[str] = []
    for root in _roots(pin):
        if isinstance(root, str):
            meet(Pointer(root, (), ""))
        else:
            meet(root)
        while waiting:
            reached = waiting.pop(0)
            if reached in before:
                meet(before[reached].value)
            if reached in after:
                meet(after[reached])

    shared = (identity for identity, count in met.items() if count > 1)
    texts = {identity: f"s{number}" for number, identity in enumerate(shared)}

    def name(value: Value) -> Value:
        return mapped(value, lambda leaf: _renamed(leaf, names, texts))

    made = [old for old in names if old not in before]
    outcome = pin.outcome
    outcome = replace(outcome, after=tuple((names[old], name(after[old])) for old in (*order, *made) if old in after))
    if isinstance(outcome, Returned) and outcome.result is not None:
        outcome = replace(outcome, result=name(outcome.result))
    return replace(
        pin,
        arguments=tuple((parameter, name(value)) for parameter, value in pin.arguments),
        blocks=tuple(replace(before[old], id=names[old], value=name(before[old].value)) for old in order),
        outcome=outcome,
    )


def _roots(pin: Pin) -> Iterator[Value | str]:
    """Where memory is reached from, in a fixed order: values, and blocks by their ids."""
    for _name, value in pin.arguments:
        yield value
    for block in sorted((one for one in pin.blocks if one.program is not None), key=_program):
        yield block.id
    if isinstance(pin.outcome, Returned) and pin.outcome.result is not None:
        yield pin.outcome.result
    for block in pin.blocks:
        yield block.id
    for block_id, _value in pin.outcome.after:
        yield block_id


def _program(block: Block) -> str:
    return block.program or ""


def _renamed(leaf: Value, names: Mapping[str, str], texts: Mapping[str, str]) -> Value:
    if isinstance(leaf, Pointer):
        return replace(leaf, block=names.get(leaf.block, leaf.block))
    if isinstance(leaf, Text) and leaf.identity:
        return replace(leaf, identity=texts.get(leaf.identity, ""))
    return leaf


def mapped(value: Value, change: Callable[[Value], Value]) -> Value:
    """The value with each of its leaves changed."""
    if isinstance(value, Array):
        return replace(value, elements=tuple(mapped(one, change) for one in value.elements))
    if isinstance(value, Struct):
        return replace(value, fields=tuple((name, mapped(member, change)) for name, member in value.fields))
    return change(value)
