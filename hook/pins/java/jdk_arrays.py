"""``java.util.Arrays``, ``System.arraycopy`` and what ``Collections`` does in place, as far as all JDKs agree."""

from __future__ import annotations

from functools import cmp_to_key

from clausefit.hook.pins.java import numbers
from clausefit.hook.pins.java.code import Compiler
from clausefit.hook.pins.java.elements import stored
from clausefit.hook.pins.java.jdk_lists import AIOOBE, Function, copy_of, empty_list, known_elements, natural_order
from clausefit.hook.pins.java.jdk_math import compare_floats, prim
from clausefit.hook.pins.java.jdk_strings import Arguments, NotKnownError, integer
from clausefit.hook.pins.java.names import is_primitive
from clausefit.hook.pins.java.numbers import boolean
from clausefit.hook.pins.java.runtime import NPE
from clausefit.hook.pins.java.text import equal_or_null, hash_of_all, joined
from clausefit.hook.pins.java.values import (
    VOID,
    Arr,
    ListObj,
    Null,
    Prim,
    Unknown,
    Value,
)


def _array(c: Compiler, value: Value) -> Arr:
    if isinstance(value, Null):
        raise c.current.thrown(NPE)
    if not isinstance(value, Arr):
        raise NotKnownError
    return value


def _range(c: Compiler, array: Arr, args: Arguments) -> tuple[int, int]:
    """A range as ``Arrays.rangeCheck`` checks it."""
    start, end = integer(args[0]), integer(args[1])
    if start > end:
        raise c.current.thrown("java.lang.IllegalArgumentException")
    if start < 0 or end > len(array.elements):
        raise c.current.thrown(AIOOBE)
    return start, end


def _text(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    if isinstance(args[0], Null):
        return c.current.literal("null")
    return joined(c, list(_array(c, args[0]).elements), "[", ", ", "]")


def _arrays_equal(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    if isinstance(args[0], Null) or isinstance(args[1], Null):
        if isinstance(args[0], Unknown) or isinstance(args[1], Unknown):
            raise NotKnownError
        return boolean(isinstance(args[0], Null) and isinstance(args[1], Null))
    one, other = _array(c, args[0]), _array(c, args[1])
    if one is other:
        return boolean(True)
    if len(one.elements) != len(other.elements):
        return boolean(False)
    c.current.spend(16 * len(one.elements))
    answers = [
        equal_or_null(c, c.current.boxed(a), c.current.boxed(b))
        for a, b in zip(one.elements, other.elements, strict=True)
    ]
    if False in answers:
        return boolean(False)
    if None in answers:
        raise NotKnownError
    return boolean(True)


def _fill(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    array = _array(c, args[0])
    start, end = _range(c, array, args[1:3]) if len(args) == 4 else (0, len(array.elements))
    if start < end:
        c.current.spend(end - start)
        value = stored(c, array, args[-1])
        array.elements[start:end] = [value] * (end - start)
    return VOID


def _sort_array(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    array = _array(c, args[0])
    start, end = _range(c, array, args[1:3]) if len(args) == 3 else (0, len(array.elements))
    c.current.spend(16 * (end - start))
    part = array.elements[start:end]
    if array.element in numbers.NUMERIC:
        array.elements[start:end] = _sorted([prim(c, one) for one in part])
    else:
        array.elements[start:end] = natural_order(part)
    return VOID


def _sorted(values: list[Prim]) -> list[Prim]:
    if any(one.type in numbers.FLOATING for one in values):
        return sorted(values, key=cmp_to_key(_float_order))
    return sorted(values, key=lambda one: one.value)


def _float_order(one: Prim, other: Prim) -> int:
    return compare_floats(float(one.value), float(other.value))


def _copy(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    array, length = _array(c, args[0]), integer(args[1])
    if length < 0:
        raise c.current.thrown("java.lang.NegativeArraySizeException")
    return _copied(c, array, 0, length)


def _copied(c: Compiler, array: Arr, start: int, end: int) -> Value:
    run = c.current
    run.spend(end - start)
    found = array.elements[start:end]
    padding = [run.default_of(array.element)] * (end - start - len(found))
    return run.new_array(array.element, [*found, *padding])


def _copy_range(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    array, start, end = _array(c, args[0]), integer(args[1]), integer(args[2])
    if start > end:
        raise c.current.thrown("java.lang.IllegalArgumentException")
    if not 0 <= start <= len(array.elements):
        raise c.current.thrown(AIOOBE)
    return _copied(c, array, start, end)


def _array_hash(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    if isinstance(args[0], Null):
        return Prim("int", 0)
    found = hash_of_all(c, list(_array(c, args[0]).elements))
    return Prim("int", found) if found is not None else Unknown("int")


def array_copy(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    """``System.arraycopy``; the ranges may overlap."""
    source, target = _array(c, args[0]), _array(c, args[2])
    start, to, length = integer(args[1]), integer(args[3]), integer(args[4])
    if source.element != target.element and (is_primitive(source.element) or is_primitive(target.element)):
        raise c.current.thrown("java.lang.ArrayStoreException")
    too_far = start + length > len(source.elements) or to + length > len(target.elements)
    if min(start, to, length) < 0 or too_far:
        raise c.current.thrown(AIOOBE)
    c.current.spend(length)
    moved = source.elements[start : start + length]
    if source.element != target.element:
        moved = [stored(c, target, one) for one in moved]
    target.elements[to : to + length] = moved
    return VOID


def _sort_list(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    elements = known_elements(c, args[0])
    if isinstance(args[0], ListObj) and args[0].kind == "immutable":
        raise NotKnownError
    elements[:] = natural_order(elements)
    return VOID


def _reverse_list(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    elements = known_elements(c, args[0])
    if isinstance(args[0], ListObj) and args[0].kind == "immutable":
        raise NotKnownError
    elements.reverse()
    return VOID


FUNCTIONS: dict[str, dict[tuple[str, int], Function]] = {
    "java.util.List": {("copyOf", 1): copy_of},
    "java.util.Arrays": {
        ("toString", 1): _text,
        ("equals", 2): _arrays_equal,
        ("fill", 2): _fill,
        ("fill", 4): _fill,
        ("sort", 1): _sort_array,
        ("sort", 3): _sort_array,
        ("copyOf", 2): _copy,
        ("copyOfRange", 3): _copy_range,
        ("hashCode", 1): _array_hash,
    },
    "java.util.Collections": {
        ("emptyList", 0): empty_list,
        ("sort", 1): _sort_list,
        ("reverse", 1): _reverse_list,
    },
    "java.lang.System": {("arraycopy", 5): array_copy},
}
