"""Memory of which only what a call leaves in it matters: out-parameters of C, which hold anything before. Pure.

Where the contract does not read a cell before the call, and the call leaves a known value in it, two calls that are
alike but for what was there before say the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from clausefit.hook.contracts.acsl_tokens import Token, closing, split_commas, tokenize
from clausefit.hook.contracts.model import Contract
from clausefit.hook.pins.values import Pin, Pointer, Unknown, leaves, replaced

Masked = Callable[[Pin], Pin]
_ONLY_PLACES = frozenset({"\\valid", "\\valid_read", "\\separated"})
_BEFORE = frozenset({"\\old", "\\at"})
_NOTHING = Unknown("")
_TARGET = re.compile(r"\*? ?\w+|\w+ -> \w+|\w+ \[ [^\[\]]* \]")
"""``*p``, ``p->x``, ``p[0 .. n - 1]``: a place to write to, for which no memory but what the brackets name is read."""


def masked_by(contract: Contract) -> Masked:
    """Gives pins of the function with ``Unknown`` for what they had in cells whose content before says nothing."""
    if contract.java is not None:
        return lambda pin: pin
    read = read_before(contract)
    return lambda pin: _masked(pin, read)


def read_before(contract: Contract) -> frozenset[str]:
    """Parameters of which the contract may read the memory before the call; too many rather than too few."""
    found: set[str] = set()
    for clause in contract.clauses:
        tokens = tokenize(clause.formula)
        if any(token.text == "{" for token in tokens):  # labels of logic functions
            found.update(_words(tokens))
        elif clause.kind in ("requires", "assumes"):
            found.update(_words(list(_without(tokens, _ONLY_PLACES))))
        elif clause.kind == "ensures":
            found.update(_words(list(_inside(tokens, _BEFORE))))
        elif clause.kind == "assigns":
            found.update(word for target in split_commas(tokens) for word in _read_for(target))
        else:
            found.update(_words(tokens))
    return frozenset(found)


def _words(tokens: Sequence[Token]) -> Iterator[str]:
    return (token.text for token in tokens if token.kind == "word")


def _groups(tokens: Sequence[Token], names: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Where the arguments of one of these functions stand, the outermost ones."""
    index = 0
    while index + 1 < len(tokens):
        end = closing(tokens, index + 1) if tokens[index].text in names and tokens[index + 1].text == "(" else None
        if end is not None:
            yield index + 2, end
            index = end
        index += 1


def _inside(tokens: Sequence[Token], names: frozenset[str]) -> Iterator[Token]:
    for start, end in _groups(tokens, names):
        yield from tokens[start:end]


def _without(tokens: Sequence[Token], names: frozenset[str]) -> Iterator[Token]:
    """All tokens but of pointers whose places alone are spoken of; what leads to these (``*n``, ``p->q``) is read."""
    at = 0
    for start, end in _groups(tokens, names):
        yield from tokens[at:start]
        inner = tokens[start:end]
        if any(token.text in ("*", "->", "[", ".") for token in inner):
            yield from inner
        at = end
    yield from tokens[at:]


def _read_for(target: Sequence[Token]) -> Iterator[str]:
    """Names whose memory is read to find a place that is assigned."""
    text = " ".join(token.text for token in target)
    if not _TARGET.fullmatch(text):
        yield from _words(target)
        return
    brackets = [index for index, token in enumerate(target) if token.text == "["]
    if brackets:
        yield from _words(target[brackets[0] :])


def _masked(pin: Pin, read: frozenset[str]) -> Pin:
    after = dict(pin.outcome.after)
    shut = _reached(pin, read)
    blocks = []
    for block in pin.blocks:
        value = block.value
        if block.id not in shut and block.id in after:
            left = dict(leaves(after[block.id]))
            for path, leaf in leaves(block.value):
                if not isinstance(left.get(path, _NOTHING), Unknown):
                    value = replaced(value, path, Unknown(getattr(leaf, "type", "")))
        blocks.append(replace(block, value=value))
    return replace(pin, blocks=tuple(blocks))


def _reached(pin: Pin, read: frozenset[str]) -> set[str]:
    """The blocks that are variables of the program or lie behind one, or behind a parameter that is read."""
    memory = {block.id: block.value for block in pin.blocks}
    found = {block.id for block in pin.blocks if block.program is not None}
    waiting = [memory[block] for block in found] + [value for name, value in pin.arguments if name in read]
    while waiting:
        for _path, leaf in leaves(waiting.pop()):
            if isinstance(leaf, Pointer) and leaf.block not in found:
                found.add(leaf.block)
                if leaf.block in memory:
                    waiting.append(memory[leaf.block])
    return found
