"""What JUnit makes of a value for a test's parameter: its implicit conversions (User Guide, "Argument Conversion")."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from clausefit.hook.java.project import FoundClass, JavaProject
from clausefit.hook.java.types import type_shape
from clausefit.hook.pins.java import compare
from clausefit.hook.pins.java.imports import annotations_of, text_of
from clausefit.hook.pins.java.machine import Machine
from clausefit.hook.pins.java.numbers import INTEGRAL, PRIMITIVES, UNBOXED, nearest_float32, wrap
from clausefit.hook.pins.java.values import NULL, Prim, Unknown, Value
from tree_sitter import Node

Maker = Callable[[Machine], Value]
_BOXES = {wrapper.removeprefix("java.lang."): primitive for wrapper, primitive in UNBOXED.items()}
_DECODED = re.compile(r"([-+]?)(?:(0[xX]|#)([0-9a-fA-F]+)|(0)([0-7]+)|([0-9]+))\Z", re.ASCII)
_FLOATING = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?[fFdD]?\Z", re.ASCII)
_INERT = frozenset({"Nullable", "NonNull", "NotNull", "Nonnull", "CheckForNull", "SuppressWarnings"})
_LONGEST_NUMBER = 400
_LARGEST = 1e38


class NoValues(Exception):  # noqa: N818 (a state of affairs)
    """The values of a test are not known; the message says why."""


@dataclass(frozen=True)
class TestParameter:
    """A parameter of a test: its type as written, and whether an annotation may have it converted in another way."""

    type: str
    is_converted: bool

    __test__ = False


def from_text(field: str | None, parameter: TestParameter, project: JavaProject, owner: FoundClass) -> Maker:
    """The implicit conversion of a string to the parameter's type; Unknown where it is not one of the certain ones.

    ``owner`` is the class of the test. NoValues where the conversion fails.
    """
    shape = type_shape(parameter.type)
    name = _BOXES.get(shape.name.removeprefix("java.lang."), shape.name)
    if parameter.is_converted or shape.dimensions:
        return unknown(parameter)
    if field is None:
        if shape.name in PRIMITIVES:
            raise NoValues("a row of its values has null for a primitive")
        return lambda _machine: NULL
    if shape.name in ("String", "java.lang.String", "Object", "CharSequence"):
        return lambda machine: machine.text(field)
    prim = _primitive(field, name)
    if prim is not None:
        return _boxed_as(prim, shape.name)
    if name in PRIMITIVES:
        raise NoValues(f"a value of its source is no {name}")
    found = project.find(shape.name, owner.file, owner.java.name)
    if found is not None and found.java.kind == "enum":
        return lambda machine: machine.enum_constant(owner.file, shape.name, field)
    return unknown(parameter)


def _primitive(text: str, name: str) -> Prim | None:
    if name in INTEGRAL and name != "char":
        match = _DECODED.match(text.replace("_", "")) if len(text) < _LONGEST_NUMBER else None
        if match is None:
            return None
        sign, hexed, hex_digits, _zero, octal, decimal = match.groups()
        number = int(hex_digits, 16) if hexed else int(octal, 8) if octal else int(decimal)
        number = -number if sign == "-" else number
        return Prim(name, number) if wrap(number, name) == number else None
    if name in ("float", "double"):
        is_number = len(text) < _LONGEST_NUMBER and _FLOATING.match(text) is not None
        if not is_number or "_" in text:
            return None
        digits = text.rstrip("fFdD")
        if name == "double":
            return Prim(name, float(digits))
        return Prim(name, nearest_float32(Fraction(digits))) if abs(float(digits)) < _LARGEST else None
    if name == "char":
        return Prim("char", ord(text)) if len(text) == 1 and ord(text) < 1 << 16 else None
    if name == "boolean":
        return Prim("boolean", text.lower() == "true") if text.lower() in ("true", "false") else None
    return None


def _boxed_as(prim: Prim, written: str) -> Maker:
    is_primitive = written == prim.type
    return lambda machine: prim if is_primitive else machine.boxed(prim)


def converted(maker: Maker, parameter: TestParameter, from_type: str = "") -> Maker:
    """The value as the parameter takes it: widened (JLS 5.1.2) and boxed; Unknown where it is neither.

    ``from_type``: the annotation's element has this type, whatever the literal is.
    """
    shape = type_shape(parameter.type)
    name = _BOXES.get(shape.name.removeprefix("java.lang."), shape.name)

    def make(machine: Machine) -> Value:
        value = maker(machine)
        if parameter.is_converted:
            return Unknown(parameter.type)
        if isinstance(value, Prim) and from_type:
            narrowed = compare.as_type(value, from_type)
            value = narrowed if narrowed is not None else Unknown(from_type)
        if shape.dimensions or name not in PRIMITIVES:
            return machine.boxed(value) if isinstance(value, Prim) else value
        prim = compare.unboxed(value)
        wanted = compare.as_type(prim, name) if isinstance(prim, Prim) else None
        if wanted is None:
            return value if value is NULL and name != shape.name else Unknown(parameter.type)
        return wanted if name == shape.name else machine.boxed(wanted)

    return make


def formals(method: Node) -> list[Node]:
    """The declarations of the parameters of a method."""
    parameters = method.child_by_field_name("parameters")
    kinds = ("formal_parameter", "spread_parameter")
    return [one for one in parameters.named_children if one.type in kinds] if parameters is not None else []


def parameter_of(formal: Node) -> TestParameter:
    """The parameter that a declaration declares."""
    declared = formal.child_by_field_name("type")
    is_converted = any(name.rpartition(".")[2] not in _INERT for name, _node in annotations_of(formal))
    if declared is None:
        return TestParameter("java.lang.Object[]", True)
    dimensions = formal.child_by_field_name("dimensions")
    return TestParameter(text_of(declared) + (text_of(dimensions) if dimensions is not None else ""), is_converted)


def unknown(parameter: TestParameter) -> Maker:
    """Makes a value that is not known."""
    return lambda _machine: Unknown(parameter.type)
