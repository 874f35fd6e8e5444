"""What is known of a Java value as JML facts that KeY can prove with.

Strings are given by their characters, not by ``==`` with a literal: a test that compares contents does not show
which object a string is (JLS 15.21.3). What KeY has no notion of, or could not use in time, is left out: a fact less is
never wrong.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from clausefit.hook.pins.values import (
    Array,
    Constant,
    Floating,
    Integer,
    Null,
    Pointer,
    Struct,
    Text,
    Unknown,
    Value,
)

TRUE = "true"
OBJECT = "java.lang.Object"
_LONGEST_TEXT = 64
_MOST_CELLS_OF_ONE = 48
_MOST_CELLS = 160
_MOST_DISTINCT = 24
_PRIMITIVES = frozenset({"boolean", "byte", "char", "short", "int", "long"})

Identities = dict[str, str]
"""Identity of a string object → a place that holds it."""


def conjunction(facts: Iterable[str]) -> str:
    """All of the facts as one formula; each once."""
    return " && ".join(dict.fromkeys(facts)) or TRUE


def scalar(place: str, value: Value, names: Mapping[str, str], identities: Identities, declared: str = "") -> list[str]:
    """What is known of ``place``, which holds a leaf. ``declared`` is the place's type where that is known."""
    match value:
        case Integer():
            return [f"{place} == {_number(value)}"] if value.type in _PRIMITIVES else [f"{place} != null"]
        case Floating():
            return [] if value.type in ("float", "double") else [f"{place} != null"]
        case Null():
            return [f"{place} == null"]
        case Text():
            return _text(place, value, identities, declared)
        case Constant():
            return [f"{place} != null"]
        case Pointer():
            return [f"{place} == {names[value.block]}" if value.block in names else f"{place} != null"]
        case Unknown():
            return list(_not_equal(place, value, names))
    return []


def _number(value: Integer) -> str:
    if value.type == "boolean":
        return "true" if value.value else "false"
    return f"{value.value}L" if value.type == "long" else str(value.value)


def _not_equal(place: str, value: Unknown, names: Mapping[str, str]) -> Iterator[str]:
    for excluded in value.not_equal:
        # Of strings and boxed values only the content is known to differ, and that is no fact of one place.
        if isinstance(excluded, Null | Pointer) or (isinstance(excluded, Integer) and excluded.type in _PRIMITIVES):
            known = scalar(place, excluded, names, {})
            if len(known) == 1 and "==" in known[0]:
                yield f"!({known[0]})"


def _text(place: str, value: Text, identities: Identities, declared: str) -> list[str]:
    known = identities.get(value.identity) if value.identity else None
    if known is not None:
        return [f"{place} == {known}"]
    if value.identity:
        identities[value.identity] = place
    facts = [f"{place} != null"]
    if declared != value.type:
        facts.append(f"\\typeof({place}) == \\type({value.type})")
    if len(value.value) <= _LONGEST_TEXT:
        string = place if declared == value.type else f"({value.type}) {place}"
        letters = ", ".join(str(ord(letter)) for letter in value.value)
        facts.append(f"\\dl_strContent({string}) == " + (f"\\seq({letters})" if letters else "\\seq_empty"))
    return facts


def cells(base: str, whole: Value) -> Iterator[tuple[str, Value]]:
    """The places in an object and what they hold; a field whose name KeY cannot read is left out."""
    if isinstance(whole, Array):
        for index, element in enumerate(whole.elements):
            yield f"{base}[{index}]", element
    elif isinstance(whole, Struct):
        names = [name for name, _member in whole.fields]
        for name, member in whole.fields:
            if is_readable(name) and names.count(name) == 1:
                yield f"{base}.{name}", member


def is_readable(name: str) -> bool:
    """Whether KeY's lexer reads a Java identifier: ASCII only."""
    return name.isascii()


def kind_facts(base: str, whole: Value, erased: Callable[[str], str]) -> list[str]:
    """That the object is there, its exact type, and an array's length."""
    facts = [f"{base} != null"]
    known = known_type(whole.type, erased) if isinstance(whole, Struct) else None
    if known is not None:
        facts.append(f"\\typeof({base}) == \\type({known})")
    elif isinstance(whole, Array) and whole.form == "array":
        facts.append(f"{base}.length == {len(whole.elements)}")
    return facts


def known_type(type_name: str, erased: Callable[[str], str]) -> str | None:
    """The type in the skeleton's words; None for one that it does not have."""
    known = erased(type_name)
    return None if known == OBJECT and type_name not in (OBJECT, "Object") else known


def speakable(blocks: Iterable[tuple[str, Value]], erased: Callable[[str], str]) -> frozenset[str]:
    """The blocks whose cells are stated: objects of types that the skeleton has, and no more cells than KeY can bear.

    Measured: 30 cells cost KeY 0.7 s a question, 60 cost 2.7 s, 100 are too many. Evaluation knows the others.
    """
    found: set[str] = set()
    total = 0
    for block, whole in blocks:
        if isinstance(whole, Struct):
            size, is_known = len(whole.fields), known_type(whole.type, erased) is not None
        elif isinstance(whole, Array):
            size, is_known = len(whole.elements), whole.form == "array"
        else:
            continue
        if is_known and size <= _MOST_CELLS_OF_ONE and total + size <= _MOST_CELLS:
            found.add(block)
            total += size
    return frozenset(found)


def distinct(named: Sequence[tuple[str, Value]]) -> Iterator[str]:
    """That different objects are different; those of different types are so anyway."""
    by_type: dict[str, list[str]] = {}
    for name, whole in named:
        if isinstance(whole, Array | Struct):
            shape = f"{whole.type}[]" if isinstance(whole, Array) else whole.type
            by_type.setdefault(shape, []).append(name)
    for same in by_type.values():
        for one, other in combinations(same[:_MOST_DISTINCT], 2):
            yield f"{one} != {other}"


class Fresh:
    """Facts of the objects that the call made: each is named by the first place that leads to it."""

    def __init__(self, values: Mapping[str, Value], names: Mapping[str, str], erased: Callable[[str], str]) -> None:
        self._values = values
        self._names = names
        self._erased = erased
        self._places: dict[str, str] = {}
        self._queue: deque[tuple[str, Value]] = deque()
        self._stated = speakable(values.items(), erased)

    def place(self, place: str, value: Value, identities: Identities, declared: str = "") -> list[str]:
        """What is known of ``place``, where it may hold an object that the call made."""
        if not isinstance(value, Pointer) or value.block in self._names or value.block not in self._values:
            return scalar(place, value, self._names, identities, declared)
        if value.block in self._places:
            return [f"{place} == {self._places[value.block]}"]
        self._places[value.block] = place
        whole = self._values[value.block]
        facts = [f"{place} != null", f"\\fresh({place})"]
        shape = f"{whole.type}[]" if isinstance(whole, Array) else whole.type
        known = known_type(shape, self._erased)
        if known is None or (isinstance(whole, Array) and whole.form == "list"):
            return facts
        facts.append(f"\\typeof({place}) == \\type({known})")
        base = place if declared == known else f"(({known}) {place})"
        if isinstance(whole, Array):
            facts.append(f"{base}.length == {len(whole.elements)}")
        if value.block in self._stated:
            self._queue.extend(cells(base, whole))
        return facts

    def rest(self, identities: Identities) -> Iterator[str]:
        """What is known inside of the objects met so far; then that they are different ones."""
        while self._queue:
            yield from self.place(*self._queue.popleft(), identities)
        yield from distinct([(place, self._values[block]) for block, place in self._places.items()])
