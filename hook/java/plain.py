"""Pinned Java calls as plain JSON values for witnesses.

An object is ``{"@class": simple name, field: value, …}``, an array or list a JSON list; ``'a'`` is a character, ``"…"``
a string with Java's escapes, ``&name`` a reference to an object that is shown elsewhere, ``?`` not known. An object is
shown in the one place that refers to it; one that several places share is called by the first parameter among
them, or has an entry of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from clausefit.hook.mutants import Location, is_constructor
from clausefit.hook.pins.values import (
    Array,
    Constant,
    Failed,
    Floating,
    Integer,
    Null,
    Path,
    Pin,
    Pointer,
    Returned,
    Struct,
    Text,
    Value,
    leaves,
)
from clausefit.hook.plain_scalars import EXIT, RESULT, UNKNOWN, plain_number

CLASS = "@class"
THIS = "this"
_DEEPEST = 6
_ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", "\\": "\\\\"}
_Holder: TypeAlias = tuple[str, Path]


def inputs_of(pin: Pin) -> dict[str, Any]:
    """What the call was given: receiver and arguments in order, then static fields and objects that several share."""
    view = _View(pin)
    before = {block.id: block.value for block in pin.blocks}
    inputs: dict[str, Any] = {}
    for name, value in pin.arguments:
        if isinstance(value, Pointer) and view.names.get(value.block) == _label(name):
            inputs[_label(name)] = view.object(value.block, before)
        else:
            inputs[name] = view.leaf(value)
    for block in pin.blocks:
        if block.id in view.roots:
            inputs.setdefault(view.names[block.id], view.object(block.id, before))
    return inputs


def outcome_of(pin: Pin, outcome: Returned | Failed | None = None) -> dict[str, Any]:
    """How the call ended (the pin's own outcome, or the given mutant).

    ``result`` (absent for void; the new object of a constructor is ``this``) and what is shown to differ from the
    input; or first ``exit``: ``throws TYPE``, or the kind of failure. Cells of which nothing is known are none.
    """
    ended = pin.outcome if outcome is None else outcome
    view = _View(pin)
    before = {block.id: block.value for block in pin.blocks}
    after = {**before, **dict(ended.after)}
    plain: dict[str, Any] = {}
    if isinstance(ended, Failed):
        plain[EXIT] = f"throws {ended.detail}" if ended.kind == "exception" and ended.detail else ended.kind
    elif ended.result is not None:
        key = THIS if is_constructor(pin) else RESULT
        plain[key] = view.value(ended.result, after, 0, (RESULT, ()))
    for block, name in view.names.items():
        if block not in view.roots:
            continue
        left = view.object(block, after)
        if block not in before or _shows_difference(view.object(block, before), left):
            plain[name] = left
    return plain


def place_of(pin: Pin, location: Location) -> str:
    """What people see of a place of an outcome: ``this.size``, ``result[0]``."""
    block = location.block
    view = _View(pin)
    name = RESULT if block is None else view.names.get(block) or view.title(block)
    return _place(name, location.path)


def _shows_difference(before: Any, after: Any) -> bool:
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return any(_shows_difference(one, other) for one, other in zip(before, after, strict=True))
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        return any(_shows_difference(before[name], after[name]) for name in before)
    return bool(before != after) and after != UNKNOWN


class _View:
    """Names for the objects of a pin, the same for its input, its outcome and all mutants of it.

    ``roots`` are the blocks that are shown on their own (arguments, static fields, shared objects); all others are
    shown where they are referred to.
    """

    def __init__(self, pin: Pin) -> None:
        self._before = {block.id: block.value for block in pin.blocks}
        self._after = dict(pin.outcome.after)
        self._titles = {block.id: block.name for block in pin.blocks}
        self.names: dict[str, str] = {}
        # In the order in which they are met: what people see does not depend on hashes.
        self.roots: dict[str, None] = {}
        self._numbers: dict[str, int] = {}
        self._homes: dict[str, _Holder] = {}
        self._taken = {name for name, _value in pin.arguments} | {RESULT, EXIT}
        self._name_roots(pin)
        self._name_others(pin)

    def _name_roots(self, pin: Pin) -> None:
        for name, value in pin.arguments:
            if isinstance(value, Pointer) and value.block in self._before and value.block not in self.names:
                self.names[value.block] = _label(name)
                self.roots[value.block] = None
        for block in pin.blocks:
            if block.program is not None:
                self._add_root(block.id, block.program)

    def _add_root(self, block: str, name: str) -> None:
        candidate = name
        while candidate in self._taken:
            self._numbers[name] = self._numbers.get(name, 1) + 1
            candidate = f"{name}#{self._numbers[name]}"
        self._taken.add(candidate)
        self.names[block] = candidate
        self.roots[block] = None

    def _name_others(self, pin: Pin) -> None:
        holders = self._holders(pin)
        own = THIS if is_constructor(pin) else f"\\{RESULT}"
        queue = deque([(RESULT, 0), *((block, 0) for block in self.roots)])
        result = pin.outcome.result if isinstance(pin.outcome, Returned) else None
        while queue:
            holder, depth = queue.popleft()
            found = [((), result)] if holder == RESULT and result is not None else list(self._leaves(holder))
            for path, leaf in found:
                block = leaf.block if isinstance(leaf, Pointer) else None
                if block is None or block in self.names or not (block in self._before or block in self._after):
                    continue
                if holder == RESULT and block in self._before:
                    continue
                base = own if holder == RESULT else self.names[holder]
                if holder == RESULT or (len(holders[block]) == 1 and depth < _DEEPEST):
                    self.names[block] = _place(base, path)
                    self._homes[block] = (holder, path)
                    queue.append((block, depth + 1))
                else:
                    self._add_root(block, self.title(block))
                    queue.append((block, 0))

    def _leaves(self, block: str) -> Iterator[tuple[Path, Value]]:
        for values in (self._before, self._after):
            if block in values:
                yield from leaves(values[block])

    def _any(self, block: str) -> Value:
        return self._before[block] if block in self._before else self._after[block]

    def _holders(self, pin: Pin) -> dict[str, set[_Holder]]:
        """The places that refer to each block, before or after. A result that was there before is no place of it."""
        found: dict[str, set[_Holder]] = {}
        for block in {**self._before, **self._after}:
            for path, leaf in self._leaves(block):
                if isinstance(leaf, Pointer):
                    found.setdefault(leaf.block, set()).add((block, path))
        result = pin.outcome.result if isinstance(pin.outcome, Returned) else None
        if isinstance(result, Pointer) and result.block not in self._before:
            found.setdefault(result.block, set()).add((RESULT, ()))
        return found

    def title(self, block: str) -> str:
        """What an object is called that has no place."""
        return self._titles.get(block) or f"new {_simple(self._any(block))}"

    def object(self, block: str, values: Mapping[str, Value]) -> Any:
        """The object as it is in these values, with those that live in it."""
        return self._whole(block, values, 0)

    def _whole(self, block: str, values: Mapping[str, Value], depth: int) -> Any:
        whole = values[block]
        if isinstance(whole, Array):
            return [self.value(part, values, depth + 1, (block, (n,))) for n, part in enumerate(whole.elements)]
        if isinstance(whole, Struct):
            members = {name: self.value(part, values, depth + 1, (block, (name,))) for name, part in whole.fields}
            return {CLASS: _simple(whole), **members}
        return self.value(whole, values, depth + 1, (block, ()))

    def value(self, value: Value, values: Mapping[str, Value], depth: int, place: _Holder) -> Any:
        """A value in its place: an object that lives there is shown there."""
        if isinstance(value, Pointer) and value.block in values and self._homes.get(value.block) == place:
            return self._whole(value.block, values, depth) if depth <= 2 * _DEEPEST else UNKNOWN
        return self.leaf(value)

    def leaf(self, value: Value) -> Any:
        """A scalar, or the name of the object that is referred to."""
        match value:
            case Integer():
                return _integer(value)
            case Floating():
                return plain_number(value)
            case Null():
                return None
            case Text():
                return '"' + escaped(value.value, '"') + '"'
            case Constant():
                return f"{value.type.rpartition('.')[2]}.{value.name}"
            case Pointer():
                return f"&{self.names.get(value.block) or self._titles.get(value.block) or value.block}"
        return UNKNOWN


def _integer(value: Integer) -> Any:
    if value.type in ("boolean", "java.lang.Boolean"):
        return bool(value.value)
    if value.type in ("char", "java.lang.Character"):
        return "'" + escaped(chr(value.value), "'") + "'"
    return value.value


def escaped(text: str, quote: str) -> str:
    """UTF-16 code units as Java source between such quotes (JLS 3.10.6, 3.3): what does not print is ``\\uXXXX``."""
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return "".join(_escaped(letter, quote) for letter in whole)


def _escaped(letter: str, quote: str) -> str:
    if letter in _ESCAPES or letter == quote:
        return _ESCAPES.get(letter, f"\\{letter}")
    if letter.isprintable():
        return letter
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def _label(parameter: str) -> str:
    """What an object of a parameter is called; the returned value and the end of a call have names of their own."""
    return f"{parameter} (parameter)" if parameter in (RESULT, EXIT) else parameter


def _simple(whole: Value) -> str:
    if isinstance(whole, Array):
        return "list" if whole.form == "list" else f"{whole.type.rpartition('.')[2]}[]"
    return whole.type.rpartition(".")[2]


def _place(base: str, path: Path) -> str:
    return base + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
