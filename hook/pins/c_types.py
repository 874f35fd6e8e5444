"""C types as gcc has them on x86_64 Linux, and their canonical spelling.

Sizes and alignments follow the System V ABI for AMD64 (§3.1.2); plain ``char`` is signed. What is not
modelled (unions, bit-fields, ``long double``, ``_Complex``, …) is an ``Unsupported`` type that says why,
so that a value of that type is left out instead of guessed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

Node: TypeAlias = Any
"""A node of pycparser's syntax tree (pycparser ships no type information)."""


@dataclass(frozen=True)
class IntType:
    """An integer type; ``_Bool`` has width 1."""

    name: str
    width: int
    signed: bool
    const: bool = False
    volatile: bool = False


@dataclass(frozen=True)
class FloatType:
    """``float`` or ``double``."""

    name: str
    width: int
    const: bool = False
    volatile: bool = False


@dataclass(frozen=True)
class VoidType:
    """``void``."""

    const: bool = False
    volatile: bool = False


@dataclass(frozen=True)
class PointerType:
    """A pointer; ``const`` is about the pointer itself."""

    target: CType
    const: bool = False
    volatile: bool = False


@dataclass(frozen=True)
class ArrayType:
    """An array; ``length`` is None when the declaration leaves it open."""

    element: CType
    length: int | None
    const: bool = False
    volatile: bool = False


@dataclass(frozen=True)
class StructType:
    """A struct; its fields are in ``Types.fields`` under ``key`` (a struct may point to itself)."""

    key: int
    name: str
    const: bool = False
    volatile: bool = False


@dataclass(frozen=True)
class FunctionType:
    """A function; ``parameters`` are (name or None, type). Without a prototype the parameters are not known."""

    result: CType
    parameters: tuple[tuple[str | None, CType], ...]
    variadic: bool = False
    prototyped: bool = True
    const: bool = False
    volatile: bool = False


@dataclass(frozen=True)
class Unsupported:
    """A type that is not modelled, and why."""

    reason: str
    name: str = "?"
    const: bool = False
    volatile: bool = False


CType: TypeAlias = IntType | FloatType | VoidType | PointerType | ArrayType | StructType | FunctionType | Unsupported

BOOL = IntType("_Bool", 1, False)
CHAR = IntType("char", 8, True)
INT = IntType("int", 32, True)
UINT = IntType("unsigned int", 32, False)
LONG = IntType("long", 64, True)
ULONG = IntType("unsigned long", 64, False)
DOUBLE = FloatType("double", 64)
FLOAT = FloatType("float", 32)
VOID = VoidType()
CHAR_POINTER = PointerType(CHAR)

BASIC: dict[str, CType] = {
    "void": VOID,
    "_Bool": BOOL,
    "char": CHAR,
    "signed char": IntType("signed char", 8, True),
    "unsigned char": IntType("unsigned char", 8, False),
    "short": IntType("short", 16, True),
    "unsigned short": IntType("unsigned short", 16, False),
    "int": INT,
    "unsigned int": UINT,
    "long": LONG,
    "unsigned long": ULONG,
    "long long": IntType("long long", 64, True),
    "unsigned long long": IntType("unsigned long long", 64, False),
    "float": FLOAT,
    "double": DOUBLE,
}


def basic(words: list[str]) -> CType | None:
    """The type that a list of C type words names (6.7.2p2, any order), or None when they name none."""
    rest = sorted(words)
    if "_Complex" in rest or "__int128" in rest or (rest.count("long") and "double" in rest):
        return Unsupported(f"the type {' '.join(words)} is not supported", " ".join(words))
    unsigned, signed = "unsigned" in rest, "signed" in rest
    core = [word for word in rest if word not in ("unsigned", "signed", "int")]
    name = {(): "int", ("char",): "char", ("short",): "short", ("long",): "long", ("long", "long"): "long long"}.get(
        tuple(core)
    )
    if name is None:
        return BASIC.get(" ".join(rest))
    if unsigned:
        name = f"unsigned {name}"
    elif signed and name == "char":
        name = "signed char"
    return BASIC[name]


def plain(ctype: CType) -> CType:
    """The type without its own qualifiers (those of what it points to stay)."""
    return replace(ctype, const=False, volatile=False) if ctype.const or ctype.volatile else ctype


def qualified(ctype: CType, quals: list[str]) -> CType:
    """The type with qualifiers added; those of an array go to its elements (6.7.3p9)."""
    if "_Atomic" in quals:
        return Unsupported("_Atomic is not supported", spell(ctype))
    const, volatile = "const" in quals, "volatile" in quals
    if not const and not volatile:
        return ctype
    if isinstance(ctype, ArrayType):
        return replace(ctype, element=qualified(ctype.element, quals))
    return replace(ctype, const=ctype.const or const, volatile=ctype.volatile or volatile)


def spell(ctype: CType, inner: str = "") -> str:
    """The type as C text, canonical: without typedef names where the type has another name."""
    if isinstance(ctype, PointerType):
        star = "*" + (" const" if ctype.const else "") + (" volatile" if ctype.volatile else "")
        if inner and inner[0] not in "*([)":
            star += " "
        pointed = ctype.target
        text = star + inner
        return spell(pointed, f"({text})" if isinstance(pointed, ArrayType | FunctionType) else text)
    if isinstance(ctype, ArrayType):
        return spell(ctype.element, f"{inner}[{'' if ctype.length is None else ctype.length}]")
    if isinstance(ctype, FunctionType):
        shown = [spell(parameter) for _, parameter in ctype.parameters] + (["..."] if ctype.variadic else [])
        return spell(ctype.result, f"{inner}({', '.join(shown) or ('void' if ctype.prototyped else '')})")
    name = "void" if isinstance(ctype, VoidType) else ctype.name
    base = ("const " if ctype.const else "") + ("volatile " if ctype.volatile else "") + name
    return f"{base} {inner}" if inner else base


def leaf_type(ctype: CType) -> str:
    """The spelling that a value of this type carries: without its own qualifiers."""
    return spell(plain(ctype))


def element_type(ctype: ArrayType) -> str:
    """The spelling that an Array value carries for its elements."""
    return leaf_type(ctype.element)
