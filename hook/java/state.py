"""The states and outcomes of a pinned Java call as JSON for evaluation: STATE and V of ``verifiers/key/README.md``."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from clausefit.hook.not_expressible import NotExpressible
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

Json: TypeAlias = dict[str, object]
_BOOLEANS = frozenset({"boolean", "java.lang.Boolean"})
LIST = "java.util.List"


def state(
    objects: Iterable[tuple[str, Value]],
    variables: Iterable[tuple[str, Value]],
    statics: Iterable[tuple[str, Value]],
    names: Mapping[str, str],
) -> Json:
    """A STATE: objects by their names in formulas, scene variables and static fields with their values.

    ``names`` gives the name of each block that a value may point to.
    """
    return {
        "objects": {name: _object(whole, names) for name, whole in objects},
        "variables": {name: value(one, names) for name, one in variables},
        "statics": {name: value(one, names) for name, one in statics},
    }


def text(data: Json) -> str:
    """The JSON text: ASCII only, so that lone surrogates of Java strings survive."""
    return json.dumps(data, separators=(",", ":"))


def value(one: Value, names: Mapping[str, str]) -> Json:
    """A V; NotExpressible for a value that no Java call has."""
    match one:
        case Integer():
            return {"t": one.type, "v": _integer(one)}
        case Floating():
            return {"t": one.type, "v": java_hex(one.number)}
        case Text():
            known = {"t": one.type, "v": one.value}
            return {**known, "id": one.identity} if one.identity else {**known}
        case Constant():
            return {"t": one.type, "constant": one.name}
        case Null():
            return {"null": True, "t": one.type} if one.type else {"null": True}
        case Pointer():
            return {"ref": names[one.block]} if one.block in names and not one.path else {"unknown": True}
        case Unknown():
            return {"unknown": True}
    raise NotExpressible("the test shows a value that is not one of Java")


def java_hex(number: float) -> str:
    """The number as ``Double.toHexString`` writes it, or ``NaN``, ``Infinity``, ``-Infinity``."""
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    digits, exponent = number.hex().split("p")
    # Java writes neither a plus sign nor zeros at the end of the fraction (Double.toHexString).
    whole, _, fraction = digits.partition(".")
    return f"{whole}.{fraction.rstrip('0') or '0'}p{int(exponent)}"


def _integer(one: Integer) -> str:
    if one.type in _BOOLEANS:
        return "true" if one.value else "false"
    return str(one.value)


def _object(whole: Value, names: Mapping[str, str]) -> Json:
    if isinstance(whole, Array):
        elements = [value(element, names) for element in whole.elements]
        if whole.form == "list":
            return {"type": LIST, "list": elements}
        return {"type": f"{whole.type}[]", "elements": elements}
    if isinstance(whole, Struct):
        # Of two fields with one name (one hides the other) neither can be meant by the name.
        known = [name for name, _member in whole.fields]
        hidden = {name for name in known if known.count(name) > 1} if len(set(known)) < len(known) else set()
        fields = {name: value(member, names) for name, member in whole.fields if name not in hidden}
        return {"type": whole.type, "fields": {**fields, **{name: {"unknown": True} for name in hidden}}}
    if isinstance(whole, Unknown):
        # The object is there, its contents are not known.
        return {"type": whole.type, "fields": {}}
    raise NotExpressible("the test shows an object that is not one of Java")
