"""Mutant outcomes: a right outcome with one location changed (Spec-Harness, PostComp; DESIGN §3).

A mutant is wrong because a passing test fixed the location to another value. Only locations whose right
value is known are mutated, and never to a value that another test shows for the same input.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from clausefit.hook.languages import language_of
from clausefit.hook.pins.values import (
    Array,
    Constant,
    Failed,
    Path,
    Pin,
    Pointer,
    Returned,
    Struct,
    Unknown,
    Value,
    leaves,
    replaced,
)
from clausefit.hook.twins import RETURN, differs, exit_of, shows, twins_of
from clausefit.hook.wrong_values import wrong_values


@dataclass(frozen=True)
class Location:
    """A place in an outcome: ``block`` None is the result, else a block's id; ``path`` leads to a leaf.

    An empty path of an array or list means its length (and with it all of it).
    """

    block: str | None
    path: Path


RESULT = Location(None, ())
"""A result that is no struct."""

EXIT = Location(None, ("\\exit",))
"""The way a call ends; no field has such a name."""


@dataclass(frozen=True)
class Mutant:
    """The right outcome with ``location`` changed from ``right`` to ``wrong``.

    ``untouched``: the call left the whole block of the location (of a Java object: the field) as it was, so this is a
    frame mutant. ``exit``: the call ends
    otherwise than the pin's: the qualified type of the exception that is thrown instead, or ``return``. Then
    ``location`` is ``EXIT``, and ``right`` and ``wrong`` are the two ends as constants of a type ``exit``.
    """

    location: Location
    right: Value
    wrong: Value
    untouched: bool
    exit: str = ""


def mutants_of(
    pin: Pin,
    others: Iterable[Pin] = (),
    *,
    constants: Mapping[str, Sequence[str]] | None = None,
    finals: Collection[str] = (),
) -> tuple[Mutant, ...]:
    """The mutants of a returned call, the most telling first, locations in turn; empty for a failed call.

    ``others`` are further pins of the function. Where one of them shows something else for the same input, a state that
    no test shows decides the outcome, and no value can be called wrong. Where the input may be the same, as far as both
    tests show it, what it shows is right as well. Java: ``constants`` are the names of enum types' constants (a type
    that is not there gets none but null), ``finals`` names of fields that no call can change.
    """
    if not isinstance(pin.outcome, Returned):
        return ()
    twins = twins_of(pin, others)
    if any(twin.alike and twin.exit != RETURN for twin in twins):
        return ()
    by_location = []
    for location, right, untouched in _locations(pin, finals):
        if any(differs(twin, location, right) for twin in twins):
            continue
        every = wrong_values(right, pin, location, constants or {})
        wrong = [value for value in every if not any(shows(twin, location, value) for twin in twins)]
        by_location.append([Mutant(location, right, value, untouched) for value in wrong])
    touched = [m for m in by_location if m and not m[0].untouched]
    frame = [m for m in by_location if m and m[0].untouched]
    return (*_in_turn(touched), *_in_turn(frame))


def has_place_without_mutants(pin: Pin, mutants: Iterable[Mutant]) -> bool:
    """Whether a place of the outcome that the test shows has no wrong value: a pointer that no other object fits."""
    tried = {mutant.location for mutant in mutants}
    return isinstance(pin.outcome, Returned) and any(place not in tried for place, _, _ in _locations(pin, ()))


def exit_mutants(pin: Pin, exceptions: Sequence[str], others: Iterable[Pin] = ()) -> tuple[Mutant, ...]:
    """Other ways for a Java call to end: an exception for a return, a return or another exception for an exception.

    Where the test does not show the exact type, no other type can be called wrong. Empty where a test of the same input
    shows another end; an end that a test of perhaps the same input shows is left out.
    """
    ended = pin.outcome
    if isinstance(ended, Failed) and (ended.kind != "exception" or not ended.detail):
        return ()
    right = exit_of(ended)
    wanted = [name for name in dict.fromkeys(exceptions) if name != right]
    if isinstance(ended, Failed):
        wanted = [RETURN, *(wanted if ended.is_exact else ())]
    twins = twins_of(pin, others)
    if any(twin.alike and twin.exit != right for twin in twins):
        return ()
    shown = {twin.exit for twin in twins}
    if any(isinstance(twin.outcome, Failed) and not (twin.exit and twin.outcome.is_exact) for twin in twins):
        wanted = [name for name in wanted if name == RETURN]
    return tuple(
        Mutant(EXIT, Constant(right, "exit"), Constant(name, "exit"), False, name)
        for name in wanted
        if name not in shown
    )


def mutated(outcome: Returned | Failed, mutant: Mutant) -> Returned | Failed:
    """The outcome with the mutant's location changed.

    Where the call ends otherwise, memory is as the test shows it, and what a call returns that should have thrown is
    not known.
    """
    if mutant.exit == RETURN:
        return Returned(Unknown(""), outcome.after)
    if mutant.exit:
        return Failed("exception", mutant.exit, outcome.after)
    location = mutant.location
    if location.block is None:
        assert isinstance(outcome, Returned)  # noqa: S101 - only a return has a result
        assert outcome.result is not None  # noqa: S101 - a result location exists only with a result
        return replace(outcome, result=replaced(outcome.result, location.path, mutant.wrong))
    after = tuple(
        (block, replaced(value, location.path, mutant.wrong) if block == location.block else value)
        for block, value in outcome.after
    )
    return replace(outcome, after=after)


def _in_turn(columns: Sequence[Sequence[Mutant]]) -> Iterator[Mutant]:
    for row in zip_longest(*columns):
        yield from (mutant for mutant in row if mutant is not None)


def _locations(pin: Pin, finals: Collection[str]) -> Iterator[tuple[Location, Value, bool]]:
    assert isinstance(pin.outcome, Returned)  # noqa: S101 - the caller checked; narrows the type
    result, after = pin.outcome.result, dict(pin.outcome.after)
    made = set(after) - {block.id for block in pin.blocks}
    refers_to_made = isinstance(result, Pointer) and result.block in made
    if result is not None and not refers_to_made:
        yield from _leaves_of(None, result)
    writable, is_java = writable_blocks(pin), language_of(pin) == "java"
    yield from _made_locations(pin, made, writable)
    if result is not None and refers_to_made and not is_constructor(pin):
        # Behind its contents: that there is an object at all tells least.
        yield from _leaves_of(None, result)
    for block in pin.blocks:
        if block.constant or block.id not in writable or block.id not in after:
            continue
        before_leaves, after_leaves = dict(leaves(block.value)), dict(leaves(after[block.id]))
        untouched = before_leaves.keys() == after_leaves.keys() and all(
            _is_untouched(before_leaves[path], leaf) for path, leaf in after_leaves.items()
        )
        if isinstance(block.value, Array) and block.value.form == "list":
            if untouched:
                # A frame names cells; the contents of a list are in none.
                continue
            yield Location(block.id, ()), after[block.id], False
        # A C struct is one value, a Java object is as many places as it has fields.
        by_field = is_java and isinstance(block.value, Struct)
        for path, leaf in after_leaves.items():
            if not isinstance(leaf, Unknown) and not (path and path[-1] in finals):
                yield Location(block.id, path), leaf, before_leaves.get(path) == leaf if by_field else untouched


def _is_untouched(before: Value, after: Value) -> bool:
    """Whether a place is as it was; a pointer that was not known and is not known afterwards most likely is."""
    if isinstance(before, Unknown) and isinstance(after, Unknown):
        return "*" in after.type
    return before == after


def _leaves_of(block: str | None, whole: Value) -> Iterator[tuple[Location, Value, bool]]:
    for path, leaf in leaves(whole):
        if not isinstance(leaf, Unknown) or (block is None and leaf.not_equal):
            yield Location(block, path), leaf, False


def _made_locations(
    pin: Pin, made: Collection[str], writable: Collection[str]
) -> Iterator[tuple[Location, Value, bool]]:
    """The cells of objects that the call made and that can be reached then, and the lengths of arrays and lists.

    References come last: that there is an object at all tells least.
    """
    assert isinstance(pin.outcome, Returned)  # noqa: S101 - as above
    after = dict(pin.outcome.after)
    queue = deque([pin.outcome.result] if pin.outcome.result is not None else [])
    queue.extend(after[block.id] for block in pin.blocks if block.id in writable and block.id in after)
    seen: set[str] = set()
    references: list[tuple[Location, Value, bool]] = []
    while queue:
        for _path, leaf in leaves(queue.popleft()):
            if not isinstance(leaf, Pointer) or leaf.block not in made or leaf.block in seen:
                continue
            seen.add(leaf.block)
            whole = after[leaf.block]
            found = list(_leaves_of(leaf.block, whole))
            yield from (one for one in found if not isinstance(one[1], Pointer))
            references += (one for one in found if isinstance(one[1], Pointer))
            if isinstance(whole, Array):
                yield Location(leaf.block, ()), whole, False
            queue.append(whole)
    yield from references


def is_constructor(pin: Pin) -> bool:
    """Whether the pinned call is that of a Java constructor, whose result is the new object itself."""
    name, bracket, _parameters = pin.function.partition("(")
    owner, _, method = name.rpartition(".")
    return bool(bracket) and method == re.sub(r"^\d+(?=\D)", "", re.split(r"[.$]", owner)[-1])


def writable_blocks(pin: Pin) -> frozenset[str]:
    """The blocks that the call can write: program variables, and what pointers to non-const reach from the arguments.

    A pointer to const promises not to write; memory behind it is no part of the outcome.
    """
    after = dict(pin.outcome.after) if isinstance(pin.outcome, Returned) else {}
    values = {block.id: [block.value, *([after[block.id]] if block.id in after else [])] for block in pin.blocks}
    found = {block.id for block in pin.blocks if block.program is not None}
    queue = [value for _name, value in pin.arguments] + [v for block in found for v in values[block]]
    while queue:
        for _path, leaf in leaves(queue.pop()):
            if isinstance(leaf, Pointer) and leaf.block not in found and not points_to_const(leaf.type):
                found.add(leaf.block)
                queue.extend(values.get(leaf.block, ()))
    return frozenset(found)


def points_to_const(pointer_type: str) -> bool:
    """True when ``pointer_type`` (``const char *``, ``char const *``) points to something const."""
    pointee, star, _qualifiers = pointer_type.rpartition("*")
    if not star:
        return False
    inner = pointee.rpartition("*")[2] if "*" in pointee else pointee
    return re.search(r"\bconst\b", inner) is not None
