"""What the settings keep out of stored pins: values that may be secret. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from clausefit.hook.pins.values import Pin, Pointer, Returned, Unknown, Value, leaves
from clausefit.hook.record.canonical import mapped


def hidden(pin: Pin, hides: Callable[[str], bool]) -> Pin:
    """The pin with what ``hides`` names unknown, and without the memory that could be reached through it alone.

    Names are those of parameters and of variables that the program has. What points into that memory from elsewhere
    (the result, say) is unknown as well.
    """
    before = {block.id: block.value for block in pin.blocks}
    variables = {block.id: block.program for block in pin.blocks if block.program is not None}
    own = {block for block, name in variables.items() if hides(name)}
    parameters = {name for name, _value in pin.arguments if hides(name)}
    if not own and not parameters:
        return pin
    roots = [value for name, value in pin.arguments if name not in parameters]
    others = variables.keys() - own
    shown = _reached([*roots, *(before[block] for block in others)], before, own) | others
    hidden_roots = [value for name, value in pin.arguments if name in parameters]
    secret = own | (_reached([*hidden_roots, *(before[block] for block in own)], before) - shown)
    after = dict(pin.outcome.after)
    result = pin.outcome.result if isinstance(pin.outcome, Returned) else None
    kept = {block: value for block, value in after.items() if block not in secret}
    new_roots = [value for block, value in kept.items() if block in before] + ([result] if result is not None else [])
    seen = _reached(new_roots, kept)
    # Objects that the call made and hung into secret ones only are as secret.
    hung = _reached([after[block] for block in secret if block in after], after)
    lost = secret | {block for block in hung if block not in before and block not in seen}

    def cover(leaf: Value) -> Value:
        return Unknown(leaf.type) if isinstance(leaf, Pointer) and leaf.block in lost else leaf

    outcome = pin.outcome
    outcome = replace(outcome, after=tuple((b, mapped(v, cover)) for b, v in outcome.after if b not in lost))
    if isinstance(outcome, Returned) and outcome.result is not None:
        outcome = replace(outcome, result=mapped(outcome.result, cover))
    return replace(
        pin,
        arguments=tuple(
            (name, Unknown(value.type) if name in parameters else mapped(value, cover)) for name, value in pin.arguments
        ),
        blocks=tuple(replace(b, value=mapped(b.value, cover)) for b in pin.blocks if b.id not in lost),
        outcome=outcome,
    )


def _reached(roots: Iterable[Value], blocks: Mapping[str, Value], shut: Collection[str] = ()) -> set[str]:
    """The blocks that lie behind pointers; nothing is reached through one that is ``shut``."""
    found: set[str] = set()
    waiting = list(roots)
    while waiting:
        for _path, leaf in leaves(waiting.pop()):
            if isinstance(leaf, Pointer) and leaf.block not in found and leaf.block not in shut:
                found.add(leaf.block)
                if leaf.block in blocks:
                    waiting.append(blocks[leaf.block])
    return found
