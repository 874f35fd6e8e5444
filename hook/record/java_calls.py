"""Raw calls of the Java recorder → pins, exactly as the reader of tests makes them (``pins/java/pins.py``).

A line is a JSON object: ``m`` (number of the watched method), ``order``, ``outermost``, ``program``, ``frames``,
``origin`` (class, path and digest of its file), ``before`` (``this``, ``args``, ``statics``, ``objects``) and ``after``
(``end``, ``result`` or ``thrown``, ``statics``, ``objects``). A line with ``m`` and ``origin`` alone says that a class
was loaded. Values are ``[I, type, digits]``, ``[F, type, bits]``, ``[N, type]``, ``[S, text, number]``,
``[C, name, type]``, ``[P, number, type]`` or ``[U, type]``; objects ``[number, O|A|L, type, parts]``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clausefit.hook.contracts.java_model import JavaMethod
from clausefit.hook.pins.java.pins import forgotten, named
from clausefit.hook.pins.values import (
    Array,
    Block,
    Constant,
    Failed,
    Floating,
    Integer,
    Null,
    Origin,
    Pin,
    Pointer,
    Returned,
    Struct,
    Text,
    Unknown,
    Value,
)
from clausefit.hook.record.java_watched import static_label
from clausefit.hook.record.watched import ClassOrigin, Frame, LeftOut, RecordedCall, WatchedMethod

_OBJECT = "java.lang.Object"
_MEMBER = re.compile(r"(?<=\w)\$(?=[^\W\d])")
_KINDS = {
    "boolean": (1, False),
    "byte": (8, True),
    "char": (16, False),
    "short": (16, True),
    "int": (32, True),
    "long": (64, True),
    "java.lang.Boolean": (1, False),
    "java.lang.Byte": (8, True),
    "java.lang.Character": (16, False),
    "java.lang.Short": (16, True),
    "java.lang.Integer": (32, True),
    "java.lang.Long": (64, True),
}
_WIDTHS = {"float": 32, "double": 64, "java.lang.Float": 32, "java.lang.Double": 64}


class BadLine(Exception):  # noqa: N818 - the line is bad, not the program
    """A line is none that the recorder writes (cut off, or of another version)."""


@dataclass
class Lines:
    """What the lines of one file say."""

    calls: list[RecordedCall] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    origins: set[ClassOrigin] = field(default_factory=set)
    bad: int = 0


def read_lines(text: str, watched: Sequence[WatchedMethod]) -> Lines:
    """The calls and notes of one file; a last line that was cut off is left out, other bad lines are counted."""
    found = Lines()
    whole, _, _rest = text.rpartition("\n")
    for line in whole.split("\n") if whole else ():
        try:
            _take(line, watched, found)
        except BadLine:
            found.bad += 1
    return found


def _take(line: str, watched: Sequence[WatchedMethod], found: Lines) -> None:
    try:
        raw = json.loads(line)
        if "problem" in raw:
            found.problems.append(str(raw["problem"]))
        elif "left_out" in raw:
            one = watched[_number(raw["m"])]
            found.left_out.append(LeftOut(one.function, str(raw["left_out"]), _number(raw["count"])))
        elif "before" not in raw:
            found.origins.add(_origin(raw["origin"]))
        else:
            found.calls.append(recorded_call(raw, watched))
    except (ValueError, KeyError, IndexError, TypeError, RecursionError) as problem:
        raise BadLine(line[:80]) from problem


def recorded_call(raw: Mapping[str, Any], watched: Sequence[WatchedMethod]) -> RecordedCall:
    """One call. Raises ValueError, KeyError, IndexError or TypeError for what the recorder does not write."""
    one = watched[_number(raw["m"])]
    frames = tuple(Frame(str(scope), str(name), _number(line)) for scope, name, line in raw["frames"])
    return RecordedCall(
        watched=one,
        pin=_pin(one, raw["before"], raw["after"]),
        frames=frames,
        program=str(raw["program"]),
        outermost=raw["outermost"] is True,
        order=_number(raw["order"]),
        origin=_origin(raw["origin"]),
    )


def _origin(raw: Sequence[Any]) -> ClassOrigin:
    name, path, digest = raw
    return ClassOrigin(str(name), str(path), str(digest))


def source_name(binary: str) -> str:
    """``p.Outer.Inner`` for ``p.Outer$Inner``; local and anonymous classes keep their ``$`` (JLS 13.1)."""
    return _MEMBER.sub(".", binary)


def _pin(watched: WatchedMethod, before: Mapping[str, Any], after: Mapping[str, Any]) -> Pin:
    method = watched.contract.java
    if method is None:
        raise ValueError("not a contract of Java")
    arguments = _arguments(method, before)
    labels = [static_label(owner, name, method.package) for owner, name in watched.statics]
    objects = _objects(before["objects"])
    names = _names([*arguments, *zip(labels, map(_leaf, before["statics"]), strict=True)], objects)
    blocks = [Block(block, names.get(block, ""), value) for block, value in objects.items()]
    for label, raw in zip(labels, before["statics"], strict=True):
        blocks.append(Block(label, label, _leaf(raw), program=label))
    outcome = _outcome(method, labels, objects, after)
    origin = Origin("recorded", "", "", 0)
    return named(Pin(watched.function, tuple(arguments), tuple(blocks), outcome, origin))


def _arguments(method: JavaMethod, before: Mapping[str, Any]) -> list[tuple[str, Value]]:
    arguments = [("this", _leaf(before["this"]))] if "this" in before else []
    arguments += [(one.name, _leaf(raw)) for one, raw in zip(method.parameters, before["args"], strict=True)]
    return arguments


def _outcome(
    method: JavaMethod, labels: Sequence[str], before: Mapping[str, Value], raw: Mapping[str, Any]
) -> Returned | Failed:
    if raw["end"] == "timeout":
        return Failed("timeout")
    known = _objects(raw["objects"])
    after = {block: known.get(block, forgotten(value)) for block, value in before.items()}
    after |= known
    after |= {label: _leaf(one) for label, one in zip(labels, raw["statics"], strict=True)}
    if raw["end"] == "throw":
        return Failed("exception", source_name(str(raw["thrown"])), tuple(after.items()), is_exact=True)
    if raw["end"] != "return":
        raise ValueError("an end that is not known")
    result = _leaf(raw["result"]) if "result" in raw and method.result_type != "void" else None
    return Returned(result, tuple(after.items()))


def _objects(raw: Sequence[Any]) -> dict[str, Value]:
    return {f"b{_number(number)}": _object(form, str(type_name), parts) for number, form, type_name, parts in raw}


def _object(form: str, type_name: str, parts: Sequence[Any]) -> Value:
    if form == "A":
        return Array(source_name(type_name), tuple(_leaf(part) for part in parts))
    if form == "L":
        return Array(_OBJECT, tuple(_leaf(part) for part in parts), "list")
    if form != "O":
        raise ValueError("an object of no known form")
    fields: dict[str, Value] = {}
    for name, part in parts:
        value = _leaf(part)
        # Of two fields with one name (one hides the other) neither can be meant by the name.
        fields[str(name)] = Unknown(_type_of(value)) if name in fields else value
    return Struct(source_name(type_name), tuple(fields.items()))


def _type_of(value: Value) -> str:
    return getattr(value, "type", _OBJECT)


def _leaf(raw: Sequence[Any]) -> Value:
    kind, *rest = raw
    if kind == "I":
        width, signed = _KINDS[rest[0]]
        value = Integer(int(rest[1]), rest[0], width, signed)
        if not value.minimum <= value.value <= value.maximum:
            raise ValueError("a number beyond its type")
        return value
    if kind == "F":
        bits = int(rest[1], 16)
        if bits >> _WIDTHS[rest[0]]:
            raise ValueError("a number beyond its type")
        return Floating(bits, rest[0], _WIDTHS[rest[0]])
    if kind == "S":
        return Text(str(rest[0]), identity=f"s{_number(rest[1])}")
    if kind == "C":
        return Constant(source_name(str(rest[0])), source_name(str(rest[1])))
    if kind == "P":
        return Pointer(f"b{_number(rest[0])}", (), source_name(str(rest[1])) or _OBJECT)
    if kind == "N":
        return Null(source_name(str(rest[0])) or _OBJECT)
    if kind == "U":
        return Unknown(source_name(str(rest[0])) or _OBJECT)
    raise ValueError("a value of no known form")


def _number(raw: object) -> int:
    if not isinstance(raw, int) or isinstance(raw, bool):
        raise ValueError("not a number")
    return raw


def _names(roots: Sequence[tuple[str, Value]], objects: Mapping[str, Value]) -> dict[str, str]:
    """What people call each object: the shortest way to it."""
    names: dict[str, str] = {}
    level = list(roots)
    while level:
        below: list[tuple[str, Value]] = []
        for name, value in level:
            if isinstance(value, Pointer) and value.block in objects and value.block not in names:
                names[value.block] = name
                below += _parts(name, objects[value.block])
        level = below
    return names


def _parts(name: str, whole: Value) -> list[tuple[str, Value]]:
    if isinstance(whole, Struct):
        return [(f"{name}.{part}", value) for part, value in whole.fields]
    if isinstance(whole, Array):
        return [(f"{name}[{index}]" if whole.form == "array" else "", one) for index, one in enumerate(whole.elements)]
    return []
