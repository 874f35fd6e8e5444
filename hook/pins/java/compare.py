"""Comparisons of Java values as assertion libraries make them: True, False, or None when it is not known."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from clausefit.hook.pins.java.machine import Machine
from clausefit.hook.pins.java.values import NULL, Arr, Boxed, ListObj, Null, Obj, Prim, Str, Unknown, Value

_RANGES = {"byte": (-(1 << 7), 1 << 7), "short": (-(1 << 15), 1 << 15), "char": (0, 1 << 16)}
_RANGES |= {"int": (-(1 << 31), 1 << 31), "long": (-(1 << 63), 1 << 63)}
_FLOATING = ("float", "double")
_WRAPPED = {f"java.lang.{name.capitalize()}": name for name in ("byte", "short", "long", "float", "double", "boolean")}
_WRAPPED |= {"java.lang.Integer": "int", "java.lang.Character": "char"}
PRIMITIVES = frozenset({*_RANGES, *_FLOATING, "boolean"})
_MOST_NESTED = 20
_EXACT = 1 << 53


def as_type(value: Prim, type_name: str) -> Prim | None:
    """The value of a primitive type (or of a wrapper's) that is numerically equal to ``value``; None if there is none.

    For any other type: ``value`` itself.
    """
    wanted = _WRAPPED.get(type_name, type_name)
    if wanted == value.type or (wanted not in _RANGES and wanted not in (*_FLOATING, "boolean")):
        return value
    if "boolean" in (wanted, value.type):
        return None
    number = value.value
    if wanted in _RANGES:
        if isinstance(number, float):
            # Beyond 2^53 several longs are equal to the same double.
            if number != number or abs(number) > _EXACT or int(number) != number:
                return None
            number = int(number)
        low, high = _RANGES[wanted]
        return Prim(wanted, number) if low <= number < high else None
    if isinstance(number, int) and abs(number) > _EXACT:
        return None
    as_float = float(number)
    if wanted == "float" and as_float == as_float and abs(as_float) != float("inf"):
        try:
            narrowed: float = struct.unpack("<f", struct.pack("<f", as_float))[0]
        except OverflowError:
            return None
        if narrowed != as_float:
            return None
    return Prim(wanted, as_float)


def unboxed(value: Value) -> Value:
    """The primitive in a wrapper, all else as it is."""
    return value.prim if isinstance(value, Boxed) else value


def numbers_equal(left: Prim, right: Prim) -> bool | None:
    """Two primitives after binary numeric promotion, floating ones by their bits (``Double.equals``)."""
    if "boolean" in (left.type, right.type):
        return left.value == right.value if left.type == right.type else None
    if left.type in _FLOATING or right.type in _FLOATING:
        if {left.type, right.type} & {"float"} and {left.type, right.type} & {"int", "long"}:
            return None  # promoted to float or to double, as the library has it
        try:
            one, other = float(left.value), float(right.value)
        except OverflowError:
            return None
        if one != one or other != other:
            return one != one and other != other
        return struct.pack("<d", one) == struct.pack("<d", other)
    return left.value == right.value


def equal(machine: Machine, left: Value, right: Value) -> bool | None:
    """``Objects.equals`` after boxing, or for two primitives equality after promotion."""
    if isinstance(left, Prim) and isinstance(right, Prim):
        return numbers_equal(left, right)
    return machine.equal(left, right)


def loosely_equal(machine: Machine, left: Value, right: Value) -> bool | None:
    """Like ``equal``, arrays by their contents; numbers of different types are unequal only when their values are."""
    if isinstance(left, Arr) and isinstance(right, Arr):
        return arrays_equal(machine, left, right)
    one, other = unboxed(left), unboxed(right)
    if isinstance(one, Prim) and isinstance(other, Prim):
        found = numbers_equal(one, other)
        is_zero = found is False and one.value == other.value
        if one.type == other.type and not is_zero:
            return found
        # Zeros of different sign, and equal numbers of different types: libraries and their versions differ.
        return False if found is False and not is_zero else None
    return machine.equal(left, right)


def same(left: Value, right: Value) -> bool | None:
    """``left == right`` for references; None for primitives, which are boxed into new objects or old ones."""
    if isinstance(left, Unknown | Prim) or isinstance(right, Unknown | Prim):
        if (isinstance(left, Unknown) and left.is_nonnull and right is NULL) or (
            isinstance(right, Unknown) and right.is_nonnull and left is NULL
        ):
            return False
        return None
    if left is not right and isinstance(left, Str) and isinstance(right, Str) and left.value == right.value:
        return False if left.is_sure and right.is_sure else None
    return left is right


def is_null(value: Value) -> bool | None:
    """Whether a value is null."""
    if isinstance(value, Unknown):
        return False if value.is_nonnull else None
    return isinstance(value, Null)


def arrays_equal(
    machine: Machine, left: Value, right: Value, delta: float | None = None, depth: int = 0
) -> bool | None:
    """Arrays by their contents, nested ones too (``assertArrayEquals``); ``delta`` for floating elements."""
    if left is NULL or right is NULL:
        other = right if left is NULL else left
        return None if isinstance(other, Unknown) else left is right
    if not isinstance(left, Arr) or not isinstance(right, Arr) or depth > _MOST_NESTED:
        return None if depth > _MOST_NESTED or isinstance(left, Unknown) or isinstance(right, Unknown) else False
    return _elements_equal(machine, left.elements, right.elements, delta, depth)


def _elements_equal(
    machine: Machine, left: Sequence[Value], right: Sequence[Value], delta: float | None, depth: int
) -> bool | None:
    if len(left) != len(right):
        return False
    verdict: bool | None = True
    for one, other in zip(left, right, strict=True):
        if isinstance(one, Arr) or isinstance(other, Arr):
            found = arrays_equal(machine, one, other, delta, depth + 1)
        elif delta is not None:
            found = within(one, other, delta)
        else:
            found = equal(machine, one, other)
        if found is False:
            return False
        verdict = None if found is None else verdict
    return verdict


def list_elements(value: Value) -> Sequence[Value] | None:
    """The elements of a list or array, when they are known."""
    if isinstance(value, ListObj | Arr):
        return value.elements
    return None


def sequences_equal(machine: Machine, left: Value, right: Sequence[Value]) -> bool | None:
    """Whether a list or array has just these elements in this order."""
    elements = list_elements(left)
    return None if elements is None else _elements_equal(machine, elements, right, None, 0)


def within(left: Value, right: Value, delta: float) -> bool | None:
    """Whether two numbers differ by at most ``delta``, or are equal by their bits (JUnit's ``assertEquals``)."""
    one, other = unboxed(left), unboxed(right)
    if not isinstance(one, Prim) or not isinstance(other, Prim) or "boolean" in (one.type, other.type):
        return None
    try:
        first, second = float(one.value), float(other.value)
    except OverflowError:
        return None
    if first != first or second != second:
        return first != first and second != second
    return first == second or abs(first - second) <= delta


def ordered(left: Value, right: Value) -> int | None:
    """``compareTo`` of two numbers or characters: negative, 0 or positive; None for NaN and what is not known."""
    one, other = unboxed(left), unboxed(right)
    if not isinstance(one, Prim) or not isinstance(other, Prim) or "boolean" in (one.type, other.type):
        return None
    if (
        one.value != one.value
        or other.value != other.value
        or (one.value == 0 == other.value and one.type in _FLOATING)
    ):
        return None
    return (one.value > other.value) - (one.value < other.value)


def is_instance(machine: Machine, value: Value, type_name: str) -> bool | None:
    """``value instanceof type_name``."""
    if value is NULL:
        return False
    if isinstance(value, Obj):
        return machine.is_subtype(value.type, type_name)
    if isinstance(value, Str | Boxed):
        own = value.type if isinstance(value, Boxed) else "java.lang.String"
        return True if type_name in (own, "java.lang.Object") else None
    return None


def has_size(value: Value, size: int) -> bool | None:
    """Whether a list, array or string has this many elements or characters."""
    if isinstance(value, Str):
        return len(value.value) == size
    elements = list_elements(value)
    return None if elements is None else len(elements) == size
