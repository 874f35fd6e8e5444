"""What makes a recorded pin useless: shapes that the parts behind take for granted, and that a file may break."""

from __future__ import annotations

from clausefit.hook.languages import language_of
from clausefit.hook.pins.stored_values import WIDEST, Layout, layout_of
from clausefit.hook.pins.values import (
    Array,
    Failed,
    Floating,
    Integer,
    Pin,
    Pointer,
    Struct,
    Unknown,
    Value,
    parts_of,
    values_of,
)
from clausefit.hook.pins.yaml_text import scalar

MAX_NESTING = 20
_KINDS = ("abort", "signal", "timeout", "exception")
# YAML's readers take a key of at most 1024 characters (yaml.org/spec/1.2.2 §7.4.2); a key here is a type and a name.
_LONGEST_NAME = 450
# JLS 4.2; a boxed value has the name of its class.
_JAVA: dict[str, Layout] = {
    "boolean": ("unsigned", 1),
    "byte": ("signed", 8),
    "char": ("unsigned", 16),
    "short": ("signed", 16),
    "int": ("signed", 32),
    "long": ("signed", 64),
    "float": ("float", 32),
    "double": ("float", 64),
    "java.lang.Boolean": ("unsigned", 1),
    "java.lang.Byte": ("signed", 8),
    "java.lang.Character": ("unsigned", 16),
    "java.lang.Short": ("signed", 16),
    "java.lang.Integer": ("signed", 32),
    "java.lang.Long": ("signed", 64),
    "java.lang.Float": ("float", 32),
    "java.lang.Double": ("float", 64),
}


def flaw_of(pin: Pin) -> str | None:
    """Why a pin cannot be stored or used, as part of a sentence about a call; None for one that can. Never raises."""
    if pin.origin.kind != "recorded":
        return "was not recorded"
    if not 0 <= pin.origin.line < 1 << 31:
        return "has a test on a line that no file has"
    outcome = pin.outcome
    if isinstance(outcome, Failed) and outcome.kind not in _KINDS:
        return f"ended in a way that is none of {', '.join(_KINDS)}"
    return _flaw_of_names(pin) or _flaw_of_values(pin) or _flaw_of_pointers(pin)


def _flaw_of_names(pin: Pin) -> str | None:
    ids = [block.id for block in pin.blocks]
    after = [name for name, _ in pin.outcome.after]
    for what, names in (("argument", [name for name, _ in pin.arguments]), ("block", ids), ("block afterwards", after)):
        if len(set(names)) < len(names):
            return f"has two values for one {what}"
        if any(map(_is_too_long, names)):
            return _LONG
    is_bare = isinstance(pin.outcome, Failed) and not after
    if not is_bare and not set(ids) <= set(after):
        return "does not show all of its memory afterwards"
    return None


_LONG = "has a name that is too long to be written"


def _is_too_long(name: str) -> bool:
    return len(name) > _LONGEST_NAME or len(scalar(name, in_flow=True)) > _LONGEST_NAME


def _flaw_of_values(pin: Pin) -> str | None:
    roots = list(values_of(pin))
    if any(_depth_exceeds(value, MAX_NESTING) for value in roots):
        return f"has values that are nested more than {MAX_NESTING} deep"
    types: set[str] = set()
    is_java = language_of(pin) == "java"
    for value in parts_of(roots):
        types.add(value.type)
        if isinstance(value, Struct):
            types.update(name for name, _ in value.fields)
        if isinstance(value, Integer) and not (
            1 <= value.width <= WIDEST and value.minimum <= value.value <= value.maximum
        ):
            return "has an integer that its type cannot hold"
        if isinstance(value, Floating) and not (value.width in (32, 64) and 0 <= value.bits < 1 << value.width):
            return "has a floating point number of a width that is neither 32 nor 64"
        if is_java and isinstance(value, Integer | Floating) and _JAVA.get(value.type) != layout_of(value):
            return "has a number of a type that is none of Java's"
    return _LONG if any(map(_is_too_long, types)) else None


def _depth_exceeds(value: Value, limit: int) -> bool:
    level: list[Value] = [value]
    for _ in range(limit):
        level = [part for one in level for part in _inner(one)]
        if not level:
            return False
    return True


def _inner(value: Value) -> tuple[Value, ...]:
    if isinstance(value, Array):
        return value.elements
    if isinstance(value, Struct):
        return tuple(member for _, member in value.fields)
    return value.not_equal if isinstance(value, Unknown) else ()


def _flaw_of_pointers(pin: Pin) -> str | None:
    memories = {block.id: block.value for block in pin.blocks}, dict(pin.outcome.after)
    fields: dict[int, dict[str, Value]] = {}  # of each struct by its identity: looked up once, however many point there
    for value in parts_of(values_of(pin)):
        if isinstance(value, Pointer):
            targets = [memory[value.block] for memory in memories if value.block in memory]
            if not any(_leads_somewhere(target, value, fields) for target in targets):
                return "has a pointer to no place in its memory"
    return None


def _leads_somewhere(value: Value, pointer: Pointer, fields: dict[int, dict[str, Value]]) -> bool:
    """Whether the path is a place of the value, or one past the end of an array."""
    for number, step in enumerate(pointer.path, 1):
        if isinstance(value, Unknown):
            return True  # of which nothing is known, not even its parts
        if isinstance(value, Array) and isinstance(step, int):
            if step == len(value.elements):
                return number == len(pointer.path)
            if not 0 <= step < len(value.elements):
                return False
            value = value.elements[step]
        elif isinstance(value, Struct) and isinstance(step, str):
            if id(value) not in fields:
                fields[id(value)] = dict(value.fields)
            if step not in fields[id(value)]:
                return False
            value = fields[id(value)][step]
        else:
            return False
    return True
