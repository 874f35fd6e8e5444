"""Values of a pin as C declarations and as ACSL facts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from clausefit.hook.not_expressible import NotExpressible
from clausefit.hook.pins.values import (
    Array,
    Floating,
    FunctionPointer,
    Integer,
    Null,
    Path,
    Pointer,
    Struct,
    Unknown,
    Value,
    leaves,
)

_ODD_TYPE = re.compile(r"[()\[]")


def declaration(value: Value, name: str) -> str:
    """A C declaration of ``name`` that can hold ``value``."""
    if isinstance(value, Array):
        if not value.elements:
            raise NotExpressible("an array without elements cannot be a C object")
        first = value.elements[0]
        inner = f"{name}[{len(value.elements)}]"
        return declaration(first, inner) if isinstance(first, Array) else typed(leaf_type(value), inner)
    return typed(leaf_type(value), name)


def leaf_type(value: Value) -> str:
    """The C type of a value as written in declarations, without a top-level const."""
    return re.sub(r"(\*\s*)const\s*$", r"\1", re.sub(r"^const (?=[^*]*$)", "", value.type))


def typed(type_name: str, declarator: str) -> str:
    """The declaration of ``declarator`` with a type that may be too involved to stand before a name."""
    if _ODD_TYPE.search(type_name):
        return f"__typeof__({type_name}) {declarator}"
    if "*" not in type_name:
        type_name = re.sub(r"\b(const|volatile)\b", "", type_name).strip()
    return f"{type_name} {declarator}"


def access(base: str, path: Path) -> str:
    """The C lvalue of ``path`` in ``base``."""
    return base + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)


def fact(place: str, value: Value, names: dict[str, str], functions: Collection[str] = ()) -> Iterable[str]:
    """What is known of ``place`` as ACSL predicates; nothing for an unknown value without exclusions.

    ``functions`` are those that can be named: a test may pass one of its own, which the contract's file does not know.
    Of a pointer to any other it is known that it is not null.
    """
    if isinstance(value, Unknown):
        for excluded in value.not_equal:
            known = " && ".join(fact(place, excluded, names, functions))
            if known and not (isinstance(excluded, FunctionPointer) and excluded.name not in functions):
                yield f"!({known})"
    elif isinstance(value, Integer):
        yield f"{place} == {value.value}" if value.value >= 0 else f"{place} == ({value.value})"
    elif isinstance(value, Floating):
        yield _float_fact(place, value)
    elif isinstance(value, Null):
        yield f"{place} == \\null"
    elif isinstance(value, Pointer):
        yield f"{place} == {address(value, names)}"
    elif isinstance(value, FunctionPointer):
        yield f"{place} == &{value.name}" if value.name in functions else f"{place} != \\null"
    elif isinstance(value, Array | Struct):
        for path, leaf in leaves(value):
            yield from fact(access(place, path), leaf, names, functions)


def _float_fact(place: str, value: Floating) -> str:
    number = value.number
    if number != number:
        return f"\\is_NaN({place})"
    if number in (float("inf"), float("-inf")):
        return f"\\is_{'plus' if number > 0 else 'minus'}_infinity({place})"
    c_type = "float" if value.width == 32 else "double"
    return f"{place} == ({c_type}){number.hex()}"


def address(pointer: Pointer, names: dict[str, str]) -> str:
    """The address as an ACSL term; NotExpressible for a block that the pin does not have."""
    if pointer.block not in names:
        raise NotExpressible("a pointer leads out of the memory that the test shows")
    return "&" + access(names[pointer.block], pointer.path)
