"""The values of terms while a formula is evaluated, and how they compare."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from clausefit.hook.expect.arithmetic import converted, in_range, ordered
from clausefit.hook.expect.memory import Address, Memory, Undefined, distance, same, to_object, type_of
from clausefit.hook.expect.types import normal, number_type, pointee
from clausefit.hook.pins.values import (
    Array,
    Constant,
    Floating,
    FunctionPointer,
    Integer,
    Null,
    Pointer,
    Struct,
    Text,
    Unknown,
    Value,
    leaves,
)


@dataclass(frozen=True, slots=True)
class Aggregate:
    """An array or struct as a value, with its address where it has one in the present state."""

    value: Array | Struct
    address: Address | None


Term: TypeAlias = int | Fraction | Address | Null | FunctionPointer | Aggregate | Unknown
"""A value; a Python ``bool`` is an ACSL boolean, ``int`` an integer, ``Fraction`` a real (floats are exact reals).

An ``Unknown`` only serves comparisons with the values that it is known not to have."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a formula is evaluated: the present memory, labels, bound variables.

    ``in_contract`` is False in the body of a logic definition, which sees no parameters and no ``\\result``.
    """

    memory: Memory
    labels: Mapping[str, Memory]
    variables: dict[str, Term]
    in_contract: bool


def value_of(cell: Value, address: Address | None) -> Term:
    """The value that a cell of memory holds; Undefined when it is no finite number."""
    match cell:
        case Integer(value):
            return value
        case Floating():
            if not math.isfinite(cell.number):
                raise Undefined("no finite number")
            return Fraction(cell.number)
        case Pointer():
            return Address.of(cell)
        case Array() | Struct():
            return Aggregate(cell, address)
        case Text() | Constant():
            raise Undefined("a value of another language")
    return cell


def decayed(value: Term) -> Term:
    """An array as the address of its first element (ISO C 6.3.2.1p3); any other value as it is."""
    if isinstance(value, Aggregate) and isinstance(value.value, Array):
        path = value.address.path if value.address is not None else None
        if value.address is None or path is None:
            raise Undefined("the array has no address")
        elements = value.value.elements
        return Address(
            value.address.block, path, 0, True, type_of(elements[0]) if elements else normal(value.value.type)
        )
    return value


def part(whole: Aggregate, step: int | str) -> tuple[Value, Address | None]:
    """The element or field of an aggregate with its address; Undefined where there is none."""
    cell: Value | None = None
    if isinstance(whole.value, Struct) and isinstance(step, str):
        cell = dict(whole.value.fields).get(step)
    elif isinstance(whole.value, Array) and isinstance(step, int) and 0 <= step < len(whole.value.elements):
        cell = whole.value.elements[step]
    if cell is None:
        raise Undefined("no such element or field")
    if whole.address is None or whole.address.path is None:
        return cell, None
    return cell, to_object(whole.address.block, (*whole.address.path, step), type_of(cell))


def truth(value: Term) -> bool:
    """A term as a predicate: not zero, not null; Undefined for reals and aggregates."""
    if isinstance(value, int):
        return value != 0
    if isinstance(value, Null):
        return False
    if isinstance(value, Address | FunctionPointer):
        return True
    if isinstance(value, Unknown) and any(_is_zero(excluded) for excluded in value.not_equal):
        return True
    raise Undefined("no predicate")


def _is_zero(cell: Value) -> bool:
    return isinstance(cell, Null) or (isinstance(cell, Integer) and cell.value == 0)


def compared(operator: str, left: Term, right: Term, memory: Memory) -> bool:
    """``left operator right``; Undefined where the values do not decide it.

    An integer that is compared with a boolean becomes one (as Frama-C types it).
    """
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return _with_unknown(operator, left, right, memory)
    if isinstance(left, bool) or isinstance(right, bool):
        if operator not in ("==", "!=") or not (isinstance(left, int) and isinstance(right, int)):
            raise Undefined("comparison with a boolean")
        return (bool(left) == bool(right)) == (operator == "==")
    if isinstance(left, int | Fraction) and isinstance(right, int | Fraction):
        return ordered(operator, left, right)
    if isinstance(left, Aggregate) and isinstance(right, Aggregate):
        if operator not in ("==", "!="):
            raise Undefined("comparison of aggregates")
        return _alike(left.value, right.value, memory) == (operator == "==")
    return _pointers(operator, _pointer(left), _pointer(right), memory)


def _alike(left: Value, right: Value, memory: Memory) -> bool:
    """Whether two structs or arrays hold the same, part by part (ACSL 1.17 §2.2.7); one part that differs decides.

    WP 25.0 has proved of structs with an array that they are equal where elements differ: evaluation has to say so.
    """
    there = dict(leaves(right))
    parts = list(leaves(left))
    if type(left) is not type(right) or [path for path, _leaf in parts] != list(there):
        raise Undefined("the values are of different shapes")
    is_open = False
    for path, leaf in parts:
        try:
            if not compared("==", value_of(leaf, None), value_of(there[path], None), memory):
                return False
        except Undefined:
            is_open = True
    if is_open:
        raise Undefined("a part of the values is not known")
    return True


def _with_unknown(operator: str, left: Term, right: Term, memory: Memory) -> bool:
    unknown, other = (left, right) if isinstance(left, Unknown) else (right, left)
    if operator in ("==", "!=") and isinstance(unknown, Unknown) and not isinstance(other, Unknown | bool):
        excluded = (value_of(cell, None) for cell in unknown.not_equal)
        if any(compared("==", value, other, memory) for value in excluded if not isinstance(value, Unknown)):
            return operator == "!="
    raise Undefined("the value is not known")


def _pointer(value: Term) -> Term:
    if isinstance(value, int) and value == 0:
        return Null("void *")
    value = decayed(value)
    if isinstance(value, Address | Null | FunctionPointer):
        return value
    raise Undefined("the values cannot be compared")


def _pointers(operator: str, left: Term, right: Term, memory: Memory) -> bool:
    if operator not in ("==", "!="):
        if isinstance(left, Address) and isinstance(right, Address):
            return ordered(operator, distance(left, right), 0)
        raise Undefined("null has no order")
    if isinstance(left, Null) or isinstance(right, Null):
        equal = isinstance(left, Null) and isinstance(right, Null)
    elif isinstance(left, Address) and isinstance(right, Address):
        equal = same(memory, left, right)
    elif isinstance(left, FunctionPointer) and isinstance(right, FunctionPointer):
        equal = left.name == right.name
    else:
        raise Undefined("the values cannot be compared")
    return equal == (operator == "==")


def cast(value: Term, target: str) -> Term:
    """``(target) value``; Undefined for casts between pointers and numbers and to types that are not known."""
    if target.endswith("*"):
        if isinstance(value, int) and not isinstance(value, bool) and value == 0:
            return Null(target)
        return _retyped(decayed(value), target)
    return converted(value, target)


def _retyped(value: Term, target: str) -> Term:
    if isinstance(value, Address):
        return replace(value, target=pointee(target))
    if isinstance(value, Null):
        return Null(target)
    raise Undefined("the cast is not understood")


def passed(value: Term, target: str) -> Term:
    """``value`` as an argument or result of a logic function; Undefined where it is not of the type ``target``."""
    if target.endswith("*"):
        return _retyped(value, target)
    if isinstance(value, Aggregate):
        if isinstance(value.value, Struct) and normal(value.value.type) == target:
            return replace(value, address=None)
        raise Undefined("the argument has another type")
    if target == "boolean" and isinstance(value, bool):
        return value
    if target == "integer" and (isinstance(value, bool) or not isinstance(value, int)):
        raise Undefined("the argument has another type")
    if target in ("integer", "real") or number_type(target) is not None:
        return in_range(value, target)
    raise Undefined("the type of the argument is not understood")


def detached(value: Term) -> Term:
    """A value of another state or with a name of its own: an aggregate is a copy without an address."""
    return replace(value, address=None) if isinstance(value, Aggregate) else value


def at_label(label: str, frame: Frame) -> Frame:
    """The frame of what stands inside ``\\at(…, label)``; Undefined for a label that is not known."""
    if label not in frame.labels:
        raise Undefined("the label is not known")
    memory = frame.labels[label]
    # Inside \at the word Here still means the point of the annotation, which readers take for the label's state.
    labels = {name: state for name, state in frame.labels.items() if name != "Here" or state is memory}
    return replace(frame, memory=memory, labels=labels)


def labelled(formal: tuple[str, ...], given: tuple[str, ...], frame: Frame) -> Frame:
    """The frame of a definition's body: its labels are bound to the states of the call (ACSL 1.17 §2.6.9)."""
    if given and len(given) != len(formal):
        raise Undefined("another number of labels")
    if given:
        states = []
        for label in given:
            if label not in frame.labels:
                raise Undefined("the label is not known")
            states.append(frame.labels[label])
    elif len(formal) > 1:
        raise Undefined("the labels are missing")
    else:
        states = [frame.memory for _ in formal]
    labels = dict(zip(formal, states, strict=True))
    nowhere: Memory = {}
    present = frame.memory if not formal else labels.get("Here", states[0] if len(formal) == 1 else nowhere)
    return Frame(present, labels, {}, False)
