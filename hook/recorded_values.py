"""Whether a stored pin is one that a recorder can have written: a file may hold any text in place of a type or a name.

Types and names become text of the questions that verifiers are asked, so only what has the form of one gets there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clausefit.hook.contracts.model import Contract
from clausefit.hook.java.types import PRIMITIVES
from clausefit.hook.pins.c_types import FloatType, IntType, basic
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
    parts_of,
    values_of,
)
from clausefit.hook.visible import shortened, visible

_C_NAME = re.compile(r"[^\W\d]\w*")
_C_TYPE = re.compile(r"[^\W\d][\w *,()\[\]]*")
_JAVA_WORD = r"(?:[^\W\d]|\$)[\w$]*"
_JAVA_NAME = re.compile(_JAVA_WORD)
_JAVA_QUALIFIED = re.compile(rf"{_JAVA_WORD}(?:\.{_JAVA_WORD})*")
_JAVA_TYPE = re.compile(rf"{_JAVA_WORD}(?:\.{_JAVA_WORD})*(?:\[\])*")
# JLS 4.2.1, and the wrappers of these types.
_JAVA_INTEGERS = {
    "boolean": (1, False), "byte": (8, True), "short": (16, True), "char": (16, False), "int": (32, True),
    "long": (64, True), "java.lang.Boolean": (1, False), "java.lang.Byte": (8, True), "java.lang.Short": (16, True),
    "java.lang.Character": (16, False), "java.lang.Integer": (32, True), "java.lang.Long": (64, True),
}  # fmt: skip
_LONGEST_SHOWN = 40
_LONGEST_TYPE = 200


def misfit(pin: Pin, contract: Contract) -> str | None:
    """Why a stored pin is none of the contract's function, as a sentence for people; None where it may be one."""
    is_java = contract.language == "java"
    odd = next(_odd_in_java(pin) if is_java else _odd_in_c(pin), None)
    if odd is not None:
        language = "Java" if is_java else "C"
        return f"the recorded call holds what no {language} program has: {shortened(visible(odd), _LONGEST_SHOWN)}"
    places = list(zip(_parameters(contract), (v for name, v in pin.arguments if name != "this"), strict=False))
    if isinstance(pin.outcome, Returned) and pin.outcome.result is not None:
        places.append((("the result", contract.return_type or ""), pin.outcome.result))
    is_other = _is_other_in_java if is_java else _is_other_in_c
    for (name, declared), value in places:
        if is_other(declared, value):
            shown = shortened(visible(f"{name} with type {value.type}"), _LONGEST_SHOWN)
            return (
                f"the recorded call has {shown}, which is not the function's: record again with `clausefit record -- …`"
            )
    return None


def _parameters(contract: Contract) -> list[tuple[str, str]]:
    """The names and types of the parameters, those of C as their declarations without the name."""
    if contract.java is not None:
        return [(one.name, one.type) for one in contract.java.parameters]
    return [(one.name, re.sub(rf"\b{re.escape(one.name)}\b", " ", one.declaration)) for one in contract.parameters]


def _is_other_in_c(declared: str, value: Value) -> bool:
    """Whether a value is surely not of the declared type: both are arithmetic types, and different ones."""
    if isinstance(value, Unknown):
        return False
    wanted, found = _arithmetic(declared), _arithmetic(value.type)
    if wanted is None or found is None:
        return False
    width = value.width if isinstance(value, Integer | Floating) else None
    # How wide a long is depends on the machine, and that may be another one here.
    return wanted.name != found.name or (width != found.width and found.name not in ("long", "unsigned long"))


def _arithmetic(type_name: str) -> IntType | FloatType | None:
    words = [word for word in type_name.split() if word not in ("const", "volatile", "register")]
    found = basic(words) if words else None
    return found if isinstance(found, IntType | FloatType) else None


def _is_other_in_java(declared: str, value: Value) -> bool:
    """The same for Java: of a primitive type only that one's values are, of any other only references."""
    if isinstance(value, Unknown):
        return False
    return (declared in PRIMITIVES) != (value.type in PRIMITIVES) or (declared in PRIMITIVES and declared != value.type)


def _is_c_type(name: str) -> bool:
    if len(name) > _LONGEST_TYPE or not _C_TYPE.fullmatch(name):
        return False
    depth = 0
    for letter in name:
        depth += (letter in "([") - (letter in ")]")
        if depth < 0:
            return False
    return depth == 0


def _odd_in_c(pin: Pin) -> Iterator[str]:
    """The texts of a pin that are no names or types of C, and the values that are none."""
    for block in pin.blocks:
        if block.program is not None and not _C_NAME.fullmatch(block.program):
            yield block.program
    if isinstance(pin.outcome, Failed) and pin.outcome.kind == "exception":
        yield "an exception"
    for value in parts_of(values_of(pin)):
        if isinstance(value, Text | Constant) or (isinstance(value, Array) and value.form != "array"):
            yield f"a {type(value).__name__.lower()} of Java"
        elif not (_is_c_type(value.type) or (isinstance(value, Unknown | Null) and not value.type)):
            yield value.type
        elif isinstance(value, FunctionPointer) and not _C_NAME.fullmatch(value.name):
            yield value.name
        elif isinstance(value, Struct):
            yield from (name for name, _member in value.fields if not _C_NAME.fullmatch(name))


def _odd_in_java(pin: Pin) -> Iterator[str]:
    """The same for Java."""
    for block in pin.blocks:
        if block.program is not None and not _JAVA_QUALIFIED.fullmatch(block.program):
            yield block.program
    if isinstance(pin.outcome, Failed) and pin.outcome.detail and not _JAVA_QUALIFIED.fullmatch(pin.outcome.detail):
        yield pin.outcome.detail
    for value in parts_of(values_of(pin)):
        if isinstance(value, FunctionPointer) or (isinstance(value, Pointer) and value.path):
            yield "an address"
        elif len(value.type) > _LONGEST_TYPE or (value.type and not _JAVA_TYPE.fullmatch(value.type)):
            yield value.type
        elif isinstance(value, Integer) and _JAVA_INTEGERS.get(value.type) != (value.width, value.signed):
            yield f"an integer of type {value.type} with {value.width} bits"
        elif isinstance(value, Constant) and not _JAVA_TYPE.fullmatch(value.name):
            yield value.name
        elif isinstance(value, Struct):
            yield from (name for name, _member in value.fields if not _JAVA_NAME.fullmatch(name))
