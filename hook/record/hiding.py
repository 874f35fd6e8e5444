"""What the settings keep out of stored pins: values that may be secret. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from clausefit.hook.pins.values import Pin, Pointer, Returned, Unknown, Value, leaves
from clausefit.hook.record.canonical import mapped
from clausefit.hook.record.copies import Copies


def hidden(pin: Pin, hides: Callable[[str], bool], texts: Iterable[str] = ()) -> Pin:
    """The pin with what ``hides`` names unknown, and without the memory that could be reached through it alone.

    Names are those of parameters and of variables that the program has. What points into that memory from elsewhere
    (the result, say) is unknown as well, and so are copies of what is hidden (``Copies``) and of ``texts``.
    """
    names = _Names.of(pin, hides)
    copied = Copies(_secrets(pin, names), texts)
    lost = _lost(pin, names)
    if not lost and not names.parameters and not copied:
        return pin

    def cover(leaf: Value) -> Value:
        return Unknown(leaf.type) if isinstance(leaf, Pointer) and leaf.block in lost else leaf

    def covered(value: Value) -> Value:
        return copied.without(mapped(value, cover))

    outcome = pin.outcome
    outcome = replace(outcome, after=tuple((b, covered(v)) for b, v in outcome.after if b not in lost))
    if isinstance(outcome, Returned) and outcome.result is not None:
        outcome = replace(outcome, result=covered(outcome.result))
    return replace(
        pin,
        arguments=tuple(
            (name, Unknown(value.type) if name in names.parameters else covered(value)) for name, value in pin.arguments
        ),
        blocks=tuple(replace(b, value=covered(b.value)) for b in pin.blocks if b.id not in lost),
        outcome=outcome,
    )


def hidden_texts(pin: Pin, hides: Callable[[str], bool]) -> frozenset[str]:
    """The texts that are hidden in a pin, in other calls to be hidden as well."""
    return Copies(_secrets(pin, _Names.of(pin, hides))).texts


@dataclass(frozen=True)
class _Names:
    """What of a pin is hidden by its name: parameters, and the blocks of variables."""

    parameters: frozenset[str]
    own: frozenset[str]

    @staticmethod
    def of(pin: Pin, hides: Callable[[str], bool]) -> _Names:
        return _Names(
            frozenset(name for name, _value in pin.arguments if hides(name)),
            frozenset(block.id for block in pin.blocks if block.program is not None and hides(block.program)),
        )


def _lost(pin: Pin, names: _Names) -> set[str]:
    """The blocks that only what is hidden leads to."""
    if not names.parameters and not names.own:
        return set()
    before = {block.id: block.value for block in pin.blocks}
    after = dict(pin.outcome.after)
    own = names.own
    roots = [value for name, value in pin.arguments if name not in names.parameters]
    others = {block.id for block in pin.blocks if block.program is not None} - own
    shown = _reached([*roots, *(before[block] for block in others)], before, own) | others
    hidden_roots = [value for name, value in pin.arguments if name in names.parameters]
    secret = set(own) | (_reached([*hidden_roots, *(before[block] for block in own)], before) - shown)
    result = pin.outcome.result if isinstance(pin.outcome, Returned) else None
    kept = {block: value for block, value in after.items() if block not in secret}
    new_roots = [value for block, value in kept.items() if block in before] + ([result] if result is not None else [])
    seen = _reached(new_roots, kept)
    # Objects that the call made and hung into secret ones only are as secret.
    hung = _reached([after[block] for block in secret if block in after], after)
    return secret | {block for block in hung if block not in before and block not in seen}


def _secrets(pin: Pin, names: _Names) -> list[Value]:
    """All that is hidden of a pin by its names, with the memory behind it, also where others lead there as well."""
    before = {block.id: block.value for block in pin.blocks}
    after = dict(pin.outcome.after)
    roots = [value for name, value in pin.arguments if name in names.parameters]
    found: list[Value] = []
    for state in (before, after):
        owned = [state[block] for block in names.own if block in state]
        found += [*roots, *owned]
        found += [state[block] for block in _reached([*roots, *owned], state) if block in state]
    return found


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
