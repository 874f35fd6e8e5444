"""Compares stored pins with the log that a recorded example prints itself: JSON lines, one a call.

A line has ``function`` (without class and parameters), ``arguments``, ``before`` and ``after`` (what each place held),
and ``result`` or ``failed``. Places are named A, B, … in the order in which the arguments first name them, globals by
their own name; two arguments with one name are one place. ``inner``: a call that another call of the log made.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase
from typing import Any, TypeAlias

from clausefit.hook.pins.values import (
    Array,
    Failed,
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
    at,
)

Plain: TypeAlias = Any
"""What JSON can hold."""


@dataclass(frozen=True)
class Line:
    """A call as the log or a pin shows it: input and outcome as JSON texts, so that equal calls are equal."""

    function: str
    given: str
    gave: str


@dataclass(frozen=True)
class Log:
    """The calls of a log: those that tests made themselves and those that are only made inside of other calls."""

    outer: frozenset[Line]
    inner: frozenset[Line]

    @property
    def every(self) -> frozenset[Line]:
        """Both kinds."""
        return self.outer | self.inner


def read_log(path: Path) -> Log:
    """The calls in a log; every line must be whole."""
    outer: set[Line] = set()
    inner: set[Line] = set()
    for text in path.read_text("utf-8").splitlines():
        entry = json.loads(text)
        (inner if entry.get("inner") else outer).add(_line_of_entry(entry))
    return Log(frozenset(outer), frozenset(inner - outer))


def line_of(pin: Pin) -> Line:
    """The call of a pin, in the form of the log."""
    places = _Places(pin)
    arguments = {name: places.plain(value) for name, value in pin.arguments}
    before = {name: places.seen(name, dict(places.before)) for name in places.names()}
    outcome = pin.outcome
    entry: dict[str, Plain] = {"function": _short(pin.function), "arguments": arguments, "before": before}
    if isinstance(outcome, Returned) and outcome.result is not None:
        entry["result"] = places.plain(outcome.result)
    if isinstance(outcome, Failed):
        entry["failed"] = outcome.detail or outcome.kind
    if isinstance(outcome, Returned) or outcome.after:
        entry["after"] = {name: places.seen(name, dict(outcome.after)) for name in places.names()}
    return _line_of_entry(entry)


def _line_of_entry(entry: Mapping[str, Plain]) -> Line:
    given = {"arguments": entry["arguments"], "before": _held(entry.get("before", {}))}
    gave = {key: entry[key] for key in ("result", "failed") if key in entry} | {"after": _held(entry.get("after", {}))}
    return Line(entry["function"], json.dumps(given, sort_keys=True), json.dumps(gave, sort_keys=True))


def _held(places: Mapping[str, Plain]) -> dict[str, Plain]:
    """A place of one cell and that cell are the same; a place that the call does not have is left out."""
    one = {name: value[0] if isinstance(value, list) and len(value) == 1 else value for name, value in places.items()}
    return {name: value for name, value in one.items() if value is not None}


def _short(function: str) -> str:
    """``p.C.m(int)`` is ``m``; the constructor of C is ``C``."""
    return function.split("(")[0].rsplit(".", 1)[-1]


class _Places:
    """The memory of a pin by the names that the log uses."""

    def __init__(self, pin: Pin) -> None:
        self.before = {block.id: block.value for block in pin.blocks}
        self._names: dict[tuple[str, tuple[int | str, ...]], str] = {}
        for block in pin.blocks:
            if block.program is not None:
                self._names[block.id, ()] = block.program
        self._letters = iter(ascii_uppercase)
        for _name, value in pin.arguments:
            self._note(value)
        if isinstance(pin.outcome, Returned) and pin.outcome.result is not None:
            self._note(pin.outcome.result)

    def _note(self, value: Value) -> None:
        if isinstance(value, Pointer) and _place(value) not in self._names:
            self._names[_place(value)] = next(self._letters)

    def names(self) -> Sequence[str]:
        """All names."""
        return list(self._names.values())

    def seen(self, name: str, memory: Mapping[str, Value]) -> Plain:
        """What lies at a name's place, to the next place with a name in its array; None where there is nothing."""
        block, path = next(place for place, its_name in self._names.items() if its_name == name)
        if block not in memory:
            return None
        value = at(memory[block], path[:-1])
        if not isinstance(value, Array):
            return self.plain(at(memory[block], path))
        start = _index(path)
        starts = [_index(other) for its_block, other in self._names if its_block == block and other[:-1] == path[:-1]]
        end = min((one for one in starts if one > start), default=None)
        part = value.elements[start:end]
        if all(isinstance(element, Unknown) for element in part):
            return []  # a place for a pointer to an empty range
        return [self.plain(element) for element in part]

    def plain(self, value: Value) -> Plain:
        """The value as the log writes it; what is not known stays visible, so that no line of the log is equal."""
        if isinstance(value, Pointer):
            return {"ref": self._names.get(_place(value), "?")}
        if isinstance(value, Array):
            return [self.plain(element) for element in value.elements]
        if isinstance(value, Struct):
            return {name: self.plain(member) for name, member in value.fields}
        if isinstance(value, Integer | Text):
            return value.value
        if isinstance(value, Floating):
            return value.number
        return None if isinstance(value, Null) else f"? {value}"


def _place(pointer: Pointer) -> tuple[str, tuple[int | str, ...]]:
    """A block and its first element are one place."""
    path = pointer.path
    while path and path[-1] == 0:
        path = path[:-1]
    return pointer.block, path


def _index(path: tuple[int | str, ...]) -> int:
    """Which element of its array a place is."""
    return path[-1] if path and isinstance(path[-1], int) else 0


def by_function(pins: Sequence[Pin]) -> dict[str, list[Line]]:
    """The pins as lines, by their functions' short names."""
    found: dict[str, list[Line]] = defaultdict(list)
    for pin in pins:
        line = line_of(pin)
        found[line.function].append(line)
    return dict(found)


def changes_memory(line: Line) -> bool:
    """Whether something in the memory of the call was changed by it."""
    before, after = json.loads(line.given)["before"], json.loads(line.gave)["after"]
    return any(name in before and before[name] != value for name, value in after.items())


def has_aliases(line: Line) -> bool:
    """Whether two arguments name one place."""
    named = [value["ref"] for value in json.loads(line.given)["arguments"].values() if isinstance(value, dict)]
    return len(named) > len(set(named))


def failure(line: Line) -> str | None:
    """How the call failed; None when it came back."""
    failed: str | None = json.loads(line.gave).get("failed")
    return failed
