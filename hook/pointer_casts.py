"""Contracts that read memory of one type as memory of another, which WP's typed memory model cannot judge.

The model counts cells, not bytes (WP manual, "Typed memory model": casts between incompatible pointer types are outside
of it): it proves that ``(char *)p + (0 .. 3)`` is not valid where ``p`` leads to one ``int``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from clausefit.hook.contracts.model import Contract
from clausefit.hook.pins.values import Array, Pin, Struct, Value, leaves

_CAST = re.compile(r"(?<!sizeof)\(\s*([A-Za-z_][\w ]{0,80})((?:\s*\*)+)\s*(?:const\s*)?\)")
_VOID = re.compile(r"\bvoid\b[\s\w]*\*")
_CHARACTERS = frozenset({"char", "signed char", "unsigned char", "int8_t", "uint8_t"})
_QUALIFIERS = frozenset({"const", "volatile", "restrict"})


def other_type(contract: Contract, pin: Pin, loose: Collection[str], *, uses_logic: bool) -> str | None:
    """A pointer type to which the contract casts although the pin's memory is of another type; None when there is none.

    ``loose`` are variables that the contract reads and the pin does not hold: what they are is not looked at. A logic
    definition may cast what a ``void *`` parameter leads to (``uses_logic``).
    """
    held = {kind for block in pin.blocks for kind in _types(block.value)}
    scalars = {_plain(leaf.type) for block in pin.blocks for _path, leaf in leaves(block.value)}
    texts = [text for clause in contract.clauses for text in (clause.formula, *clause.locations)]
    for name, stars in (match.groups() for text in texts for match in _CAST.finditer(text)):
        target = _plain(name)
        shown = f"{target} {stars.strip()}"
        fits = scalars <= (_CHARACTERS if target in _CHARACTERS else {target}) or target in held - scalars
        if (loose or stars.count("*") > 1 or not fits) and target != "void":
            return shown
    if uses_logic and not scalars <= _CHARACTERS and any(_VOID.search(p.declaration) for p in contract.parameters):
        return "another type"
    return None


def _types(value: Value) -> Iterator[str]:
    yield _plain(value.type) if not isinstance(value, Array) else ""
    if isinstance(value, Array):
        for element in value.elements[:1]:
            yield from _types(element)
    elif isinstance(value, Struct):
        for _name, member in value.fields:
            yield from _types(member)


def _plain(type_name: str) -> str:
    return " ".join(word for word in type_name.split() if word not in _QUALIFIERS)
