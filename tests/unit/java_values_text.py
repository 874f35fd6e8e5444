"""Short ways to write values, pins and contracts of Java in tests."""

from __future__ import annotations

from clausefit.hook.contracts.java import read_java
from clausefit.hook.contracts.model import Contract
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

STRING = "java.lang.String"
ILLEGAL = "java.lang.IllegalArgumentException"
_WIDTHS = {"boolean": (1, False), "byte": (8, True), "char": (16, False), "short": (16, True), "int": (32, True)}
ORIGIN = Origin("static", "CursorTest.moves", "CursorTest.java", 6)


def num(value: int, type_name: str = "int") -> Integer:
    """An integer of a primitive type or of its wrapper."""
    plain = {"java.lang.Integer": "int", "java.lang.Character": "char", "java.lang.Boolean": "boolean"}
    width, signed = _WIDTHS.get(plain.get(type_name, type_name), (64, True))
    return Integer(value, type_name, width, signed)


def truth(value: bool) -> Integer:
    return num(int(value), "boolean")


def char(letter: str) -> Integer:
    return num(ord(letter), "char")


def double(number: float) -> Floating:
    return Floating.of(number, "double", 64)


def ints(*values: int) -> Array:
    return Array("int", tuple(num(value) for value in values))


def ref(block: str, type_name: str = "int[]") -> Pointer:
    return Pointer(block, (), type_name)


def null(type_name: str) -> Null:
    return Null(type_name)


def obj(type_name: str, **fields: Value) -> Struct:
    return Struct(type_name, tuple(fields.items()))


def cursor(**fields: Value) -> Struct:
    """A ``p.Cursor`` of which only these fields are shown."""
    return obj("p.Cursor", **fields)


def block(name: str, value: Value, program: str | None = None) -> Block:
    return Block(name, name, value, program=program)


def method(declaration: str, class_name: str = "Cursor") -> Contract:
    """The contract of a method declared like this in a class of package ``p``."""
    text = f"package p;\nclass {class_name} {{\n  //@ ensures true;\n  {declaration}\n}}\n"
    return read_java(text, f"p/{class_name}.java").contracts[0]


def called(
    contract: Contract,
    arguments: dict[str, Value],
    before: dict[str, Value] | None = None,
    result: Value | None = None,
    after: dict[str, Value] | None = None,
    throws: str = "",
    exact: bool = True,
    statics: dict[str, tuple[Value, Value]] | None = None,
) -> Pin:
    """A pinned call. Blocks are named by the keys; those that ``after`` does not mention are as they were.

    ``statics`` are (before, after) by qualified name.
    """
    held = dict(before or {})
    blocks = [block(name, value) for name, value in held.items()]
    blocks += [block(name, one, name) for name, (one, _other) in (statics or {}).items()]
    left = {**held, **{name: other for name, (_one, other) in (statics or {}).items()}, **(after or {})}
    outcome = (
        Failed("exception", throws, tuple(left.items()), exact) if throws else Returned(result, tuple(left.items()))
    )
    return Pin(contract.function, tuple(arguments.items()), tuple(blocks), outcome, ORIGIN)


__all__ = ["Array", "Constant", "Text", "Unknown"]
