"""Two tests with one input: calls whose input is, or may be, that of a pin, and what their outcomes show.

Where two such tests show different outcomes, both are right: a state that neither shows decides (DESIGN §3).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clausefit.hook.languages import language_of
from clausefit.hook.pins.values import (
    Array,
    Constant,
    Failed,
    Floating,
    FunctionPointer,
    Integer,
    Null,
    Pin,
    Pointer,
    Returned,
    Struct,
    Text,
    Unknown,
    Value,
    at,
    leaves,
)

if TYPE_CHECKING:
    from clausefit.hook.mutants import Location

RETURN = "return"


@dataclass(frozen=True)
class Twin:
    """Another call: its outcome, which of its blocks is which of the pin's, and those that only its outcome has.

    ``alike``: both tests show the same of the input, so that no difference between the calls is known. ``made`` are
    the pin's own blocks that the call made.
    """

    outcome: Returned | Failed
    blocks: Mapping[str, str]
    alike: bool
    made: frozenset[str]

    @property
    def exit(self) -> str:
        """``return``, or the qualified type of the exception (empty where it is not known)."""
        return exit_of(self.outcome)


def exit_of(outcome: Returned | Failed) -> str:
    """``return``, or the qualified type of the exception (empty where it is not known)."""
    return RETURN if isinstance(outcome, Returned) else outcome.detail


def twins_of(pin: Pin, others: Iterable[Pin]) -> list[Twin]:
    """The pins among ``others`` whose input may be that of ``pin``, if they returned or threw an exception."""
    found = []
    for other in others:
        if other is pin or (isinstance(other.outcome, Failed) and other.outcome.kind != "exception"):
            continue
        pairing = _Pairing(pin, other)
        if pairing.possible:
            blocks, made = dict(pairing.blocks), frozenset(dict(pin.outcome.after)) - {b.id for b in pin.blocks}
            _pair_made(pin, other, blocks, made)
            found.append(Twin(other.outcome, blocks, pairing.alike, made))
    return found


def _pair_made(pin: Pin, other: Pin, blocks: dict[str, str], made: frozenset[str]) -> None:
    """Adds to ``blocks`` the objects that both calls made in the same place of their outcomes."""
    mine, theirs = dict(pin.outcome.after), dict(other.outcome.after)
    theirs_made = frozenset(theirs) - {block.id for block in other.blocks}
    queue: list[tuple[Value, Value]] = [
        (mine[one], theirs[two]) for one, two in blocks.items() if one in mine and two in theirs
    ]
    results = [p.outcome.result if isinstance(p.outcome, Returned) else None for p in (pin, other)]
    if results[0] is not None and results[1] is not None:
        queue.append((results[0], results[1]))
    taken = set(blocks.values())
    while queue:
        one, two = queue.pop()
        leaves_of_theirs = dict(leaves(two))
        for path, leaf in leaves(one):
            there = leaves_of_theirs.get(path)
            if not isinstance(leaf, Pointer) or not isinstance(there, Pointer):
                continue
            is_new = leaf.block not in blocks and there.block not in taken
            if is_new and leaf.block in made and there.block in theirs_made:
                blocks[leaf.block] = there.block
                taken.add(there.block)
                queue.append((mine[leaf.block], theirs[there.block]))


class _Pairing:
    """Walks two inputs side by side: ``possible`` unless something known differs, ``alike`` when nothing does."""

    def __init__(self, pin: Pin, other: Pin) -> None:
        self._mine = {block.id: block for block in pin.blocks}
        self._theirs = {block.id: block for block in other.blocks}
        self._has_classes = language_of(pin) == "java"
        self.blocks: dict[str, str] = {}
        self.alike = True
        queue: list[tuple[Value, Value]] = list(
            zip((v for _n, v in pin.arguments), (v for _n, v in other.arguments), strict=False)
        )
        programs = {block.program: block.id for block in other.blocks if block.program is not None}
        for block in pin.blocks:
            if block.program is not None and block.program in programs:
                queue.append((Pointer(block.id, (), ""), Pointer(programs[block.program], (), "")))
        self.possible = len(pin.arguments) == len(other.arguments) and self._walk(queue)
        shown = {b.program for b in pin.blocks}, {b.program for b in other.blocks}
        self.alike = self.alike and shown[0] == shown[1]

    def _walk(self, queue: list[tuple[Value, Value]]) -> bool:
        while queue:
            mine, theirs = queue.pop()
            leaves_of_mine, leaves_of_theirs = dict(leaves(mine)), dict(leaves(theirs))
            if leaves_of_mine.keys() != leaves_of_theirs.keys():
                return False
            for path, leaf in leaves_of_mine.items():
                if not self._match(leaf, leaves_of_theirs[path], queue):
                    return False
        return True

    def _match(self, mine: Value, theirs: Value, queue: list[tuple[Value, Value]]) -> bool:
        if isinstance(mine, Unknown) or isinstance(theirs, Unknown):
            self.alike = self.alike and isinstance(mine, Unknown) and isinstance(theirs, Unknown)
            return True
        if not isinstance(mine, Pointer) or not isinstance(theirs, Pointer):
            return _content(mine) == _content(theirs)
        if mine.path != theirs.path or (mine.block in self._mine) != (theirs.block in self._theirs):
            return False
        if mine.block in self.blocks or theirs.block in self.blocks.values():
            return self.blocks.get(mine.block) == theirs.block
        self.blocks[mine.block] = theirs.block
        if mine.block in self._mine:
            one, other = self._mine[mine.block].value, self._theirs[theirs.block].value
            if self._has_classes and _class_of(one) != _class_of(other):
                return False
            queue.append((one, other))
        return True


def _class_of(whole: Value) -> str:
    """The class of an object, on which a call of a method may depend."""
    return whole.type if isinstance(whole, Array | Struct) else ""


def _content(value: Value) -> object:
    """What a scalar is whatever its type is called: the same argument may be written in two ways."""
    match value:
        case Integer():
            return value.value
        case Floating():
            # Zero has two signs, which no ``==`` of a contract tells apart.
            return value.width, value.number if value.number == value.number else "NaN"
        case Null():
            return None
        case FunctionPointer():
            return value.name
        case Text():
            return "text", value.value
        case Constant():
            return "constant", value.name
    return value


def shows(twin: Twin, location: Location, value: Value) -> bool:
    """True when the twin's outcome has this value of the pin there; an alike twin also when it does not say."""
    there = _at_twin(twin, location)
    if isinstance(there, Unknown):
        return twin.alike and not any(_same(twin, value, other) for other in there.not_equal)
    return _same(twin, value, there)


def differs(twin: Twin, location: Location, right: Value) -> bool:
    """True when an alike twin's outcome is shown to have another value there than the pin's right one."""
    there = _at_twin(twin, location)
    if not twin.alike:
        return False
    if isinstance(there, Unknown):
        return any(_same(twin, right, other) for other in there.not_equal)
    if isinstance(right, Unknown):
        return any(_same(twin, other, there) for other in right.not_equal)
    return not _same(twin, right, there)


def _at_twin(twin: Twin, location: Location) -> Value:
    whole: Value | None = None if isinstance(twin.outcome, Failed) else twin.outcome.result
    if location.block is not None:
        whole = dict(twin.outcome.after).get(twin.blocks.get(location.block, ""))
    try:
        return Unknown("") if whole is None else at(whole, location.path)
    except KeyError:
        return Unknown("")


def _same(twin: Twin, mine: Value, theirs: Value) -> bool:
    """Whether a value of the pin and one of the twin are equal, as far as known; blocks under the twin's names."""
    if isinstance(mine, Array) and isinstance(theirs, Array):
        here, there = dict(leaves(mine)), dict(leaves(theirs))
        unknown = Unknown
        return here.keys() == there.keys() and all(
            isinstance(leaf, unknown) or isinstance(there[path], unknown) or _same(twin, leaf, there[path])
            for path, leaf in here.items()
        )
    if isinstance(mine, Pointer) and isinstance(theirs, Pointer):
        if mine.block in twin.made and mine.block not in twin.blocks:
            return False
        return (twin.blocks.get(mine.block, mine.block), mine.path) == (theirs.block, theirs.path)
    return _content(mine) == _content(theirs)
