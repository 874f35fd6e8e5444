"""``List.of``, ``Arrays.asList``, ``ArrayList``, and ``java.util.Arrays``, as far as all JDKs since 9 agree."""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key

from clausefit.hook.pins import java_numbers as numbers
from clausefit.hook.pins.java_code import Compiler
from clausefit.hook.pins.java_heap import escape
from clausefit.hook.pins.java_jdk_numbers import compare_floats, prim
from clausefit.hook.pins.java_jdk_strings import Arguments, NotKnownError, integer
from clausefit.hook.pins.java_names import is_primitive
from clausefit.hook.pins.java_numbers import boolean
from clausefit.hook.pins.java_places import stored
from clausefit.hook.pins.java_runtime import NPE
from clausefit.hook.pins.java_snapshots import list_elements
from clausefit.hook.pins.java_text import equal_or_null, hash_of_all, joined, to_string
from clausefit.hook.pins.java_values import (
    OBJECT,
    VOID,
    Arr,
    Boxed,
    Closure,
    ListObj,
    Null,
    Prim,
    Stop,
    Str,
    Unknown,
    Value,
)

Function = Callable[[Compiler, Arguments, tuple[str, ...]], Value]

_IOOBE = "java.lang.IndexOutOfBoundsException"
_AIOOBE = "java.lang.ArrayIndexOutOfBoundsException"
_UOE = "java.lang.UnsupportedOperationException"
_CHANGES = frozenset(
    {"add", "addAll", "remove", "removeAll", "retainAll", "removeIf", "clear", "set", "replaceAll", "sort"}
)


# -- making lists


def _spread(c: Compiler, args: Arguments, types: tuple[str, ...]) -> tuple[list[Value], Arr | None]:
    """The elements of a variable arity call; the array behind them if one was passed."""
    if len(args) == 1 and isinstance(args[0], Arr) and not is_primitive(args[0].element) and types[0].endswith("[]"):
        return args[0].elements, args[0]
    if len(args) == 1 and (isinstance(args[0], Null | Unknown) or (isinstance(args[0], Arr) and not types[0])):
        raise NotKnownError
    return [c.current.boxed(one) for one in args], None


def list_of(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:
    """``List.of``: no element is null."""
    elements, _ = _spread(c, args, types)
    if any(isinstance(one, Null) for one in elements):
        raise c.current.thrown(NPE)
    if any(isinstance(one, Unknown) and not one.is_nonnull for one in elements):
        c.current.may_throw("a list is made of what is not known")
    return ListObj(c.current.next_serial(), "java.util.ImmutableCollections.ListN", "immutable", list(elements))


def as_list(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:
    """``Arrays.asList``: a view of the array."""
    elements, array = _spread(c, args, types)
    made = ListObj(c.current.next_serial(), "java.util.Arrays.ArrayList", "fixed", None)
    made.backing = array or c.current.new_array(OBJECT, list(elements))
    return made


def _empty_list(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    return ListObj(c.current.next_serial(), "java.util.ImmutableCollections.ListN", "immutable", [])


def _copy_of(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    elements = known_elements(c, args[0])
    if any(isinstance(one, Null) for one in elements):
        raise c.current.thrown(NPE)
    return ListObj(c.current.next_serial(), "java.util.ImmutableCollections.ListN", "immutable", list(elements))


def known_elements(c: Compiler, value: Value) -> list[Value]:
    """The elements of a list argument."""
    if isinstance(value, Null):
        raise c.current.thrown(NPE)
    elements = list_elements(value) if isinstance(value, ListObj) else None
    if elements is None:
        raise NotKnownError
    return elements


def new_list(c: Compiler, args: Arguments) -> Value:
    """``new ArrayList<>(…)``."""
    run = c.current
    elements: list[Value] | None = []
    if args and isinstance(args[0], Prim):
        if integer(args[0]) < 0:
            raise run.thrown("java.lang.IllegalArgumentException")
    elif args:
        try:
            elements = list(known_elements(c, args[0]))
        except NotKnownError:
            run.may_throw("a list is made of what is not known")
            escape(run, args)
            elements = None
    return ListObj(run.next_serial(), "java.util.ArrayList", "growing", elements)


# -- methods of lists


def list_method(c: Compiler, this: ListObj, name: str, args: Arguments) -> Value:
    """A method of a list; NotKnownError where what it does is not known."""
    elements = list_elements(this)
    if elements is None:
        raise NotKnownError
    args = [c.current.boxed(one) if isinstance(one, Prim) and name not in _BY_INDEX else one for one in args]
    reading = _READING.get((name, len(args)))
    if reading is not None:
        return reading(c, this, elements, args)
    if name in _CHANGES and this.kind == "growing":
        changing = _CHANGING.get((name, len(args)))
        if changing is None:
            raise NotKnownError
        found = changing(c, this, elements, args)
        if name not in ("set", "sort"):
            this.changes += 1
        return found
    if name == "set" and this.kind == "fixed" and this.backing is not None:
        return _set_fixed(c, this.backing, args)
    if name in ("add", "addAll", "remove", "set", "sort") and this.kind == "immutable":
        raise c.current.thrown(_UOE)
    if name == "add" and this.kind == "fixed":
        raise c.current.thrown(_UOE)
    raise NotKnownError


_BY_INDEX = frozenset({"get", "remove", "set", "add"})


def _checked(c: Compiler, this: ListObj, elements: list[Value], index: Value, most: int) -> int:
    """An index within the list. What an immutable list throws differs from JDK to JDK."""
    at = integer(index)
    if not 0 <= at < most:
        if this.kind == "immutable":
            raise Stop("an index is outside of an immutable list")
        raise c.current.thrown(_AIOOBE if this.kind == "fixed" else _IOOBE)
    del elements
    return at


def _get(c: Compiler, this: ListObj, elements: list[Value], args: Arguments) -> Value:
    return elements[_checked(c, this, elements, args[0], len(elements))]


def _index_of(c: Compiler, this: ListObj, elements: list[Value], args: Arguments, last: bool = False) -> int:
    if isinstance(args[0], Null) and this.kind == "immutable":
        raise c.current.thrown(NPE)
    positions = range(len(elements))
    for at in reversed(positions) if last else positions:
        answer = equal_or_null(c, args[0], elements[at])
        if answer is None:
            raise NotKnownError
        if answer:
            return at
    return -1


def _contains(c: Compiler, this: ListObj, elements: list[Value], args: Arguments) -> Value:
    return boolean(_index_of(c, this, elements, args) >= 0)


def _for_each(c: Compiler, this: ListObj, elements: list[Value], args: Arguments) -> Value:  # noqa: ARG001
    action = args[0]
    if not isinstance(action, Closure):
        raise NotKnownError
    before = this.changes
    for one in list(elements):
        action.call([one])
        if this.changes != before:
            raise Stop("a list is changed while it is gone through")
    return VOID


def _to_array(c: Compiler, this: ListObj, elements: list[Value], args: Arguments) -> Value:  # noqa: ARG001
    return c.current.new_array(OBJECT, list(elements))


def _equals(c: Compiler, this: ListObj, elements: list[Value], args: Arguments) -> Value:  # noqa: ARG001
    answer = equal_or_null(c, this, args[0])
    if answer is None:
        raise NotKnownError
    return boolean(answer)


def _hash(c: Compiler, this: ListObj, elements: list[Value], args: Arguments) -> Value:  # noqa: ARG001
    found = hash_of_all(c, list(elements))
    return Prim("int", found) if found is not None else Unknown("int")


ListMethod = Callable[[Compiler, ListObj, list[Value], Arguments], Value]
_READING: dict[tuple[str, int], ListMethod] = {
    ("size", 0): lambda c, this, elements, args: Prim("int", len(elements)),  # noqa: ARG005
    ("isEmpty", 0): lambda c, this, elements, args: boolean(not elements),  # noqa: ARG005
    ("get", 1): _get,
    ("contains", 1): _contains,
    ("indexOf", 1): lambda c, this, elements, args: Prim("int", _index_of(c, this, elements, args)),
    ("lastIndexOf", 1): lambda c, this, elements, args: Prim("int", _index_of(c, this, elements, args, True)),
    ("forEach", 1): _for_each,
    ("toArray", 0): _to_array,
    ("equals", 1): _equals,
    ("hashCode", 0): _hash,
    ("toString", 0): lambda c, this, elements, args: to_string(c, this),  # noqa: ARG005
}


def _add(c: Compiler, this: ListObj, elements: list[Value], args: Arguments) -> Value:
    if len(args) == 1:
        elements.append(c.current.boxed(args[0]))
        return boolean(True)
    at = _checked(c, this, elements, args[0], len(elements) + 1)
    elements.insert(at, c.current.boxed(args[1]))
    return VOID


def _add_all(c: Compiler, this: ListObj, elements: list[Value], args: Arguments) -> Value:
    at = len(elements) if len(args) == 1 else _checked(c, this, elements, c.current.unboxed(args[0]), len(elements) + 1)
    added = list(known_elements(c, args[-1]))
    elements[at:at] = added
    return boolean(bool(added))


def _remove(c: Compiler, this: ListObj, elements: list[Value], args: Arguments) -> Value:
    """By index for a primitive, else the first equal element."""
    if isinstance(args[0], Prim):
        return elements.pop(_checked(c, this, elements, args[0], len(elements)))
    at = _index_of(c, this, elements, args)
    if at >= 0:
        elements.pop(at)
    return boolean(at >= 0)


def _set(c: Compiler, this: ListObj, elements: list[Value], args: Arguments) -> Value:
    at = _checked(c, this, elements, args[0], len(elements))
    old, elements[at] = elements[at], c.current.boxed(args[1])
    return old


def _set_fixed(c: Compiler, array: Arr, args: Arguments) -> Value:
    at = integer(args[0])
    if not 0 <= at < len(array.elements):
        raise c.current.thrown(_AIOOBE)
    new = stored(c, array, c.current.boxed(args[1]))
    old, array.elements[at] = array.elements[at], new
    return old


def _clear(c: Compiler, this: ListObj, elements: list[Value], args: Arguments) -> Value:  # noqa: ARG001
    elements.clear()
    return VOID


def _sort(c: Compiler, this: ListObj, elements: list[Value], args: Arguments) -> Value:  # noqa: ARG001
    if not isinstance(args[0], Null):
        raise NotKnownError
    elements[:] = natural_order(elements)
    return VOID


_CHANGING: dict[tuple[str, int], ListMethod] = {
    ("add", 1): _add,
    ("add", 2): _add,
    ("addAll", 1): _add_all,
    ("addAll", 2): _add_all,
    ("remove", 1): _remove,
    ("set", 2): _set,
    ("clear", 0): _clear,
    ("sort", 1): _sort,
}


def natural_order(values: list[Value]) -> list[Value]:
    """Strings or wrapped integers in their natural order; the sort is stable, as that of the JDK."""
    if all(isinstance(one, Str) for one in values):
        return sorted(values, key=lambda one: one.value if isinstance(one, Str) else "")
    types = {one.type for one in values if isinstance(one, Boxed)}
    if len(types) == 1 and all(isinstance(one, Boxed) and one.prim.type in numbers.INTEGRAL for one in values):
        return sorted(values, key=lambda one: one.prim.value if isinstance(one, Boxed) else 0)
    raise NotKnownError


# -- java.util.Arrays


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
        raise c.current.thrown(_AIOOBE)
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
        value = stored(c, array, args[-1])
        array.elements[start:end] = [value] * (end - start)
    return VOID


def _sort_array(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    array = _array(c, args[0])
    start, end = _range(c, array, args[1:3]) if len(args) == 3 else (0, len(array.elements))
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
    if end - start > run.limits.steps:
        raise Stop("an array is too large to follow")
    run.steps += (end - start) // 16
    found = array.elements[start:end]
    padding = [run.default_of(array.element)] * (end - start - len(found))
    return run.new_array(array.element, [*found, *padding])


def _copy_range(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    array, start, end = _array(c, args[0]), integer(args[1]), integer(args[2])
    if start > end:
        raise c.current.thrown("java.lang.IllegalArgumentException")
    if not 0 <= start <= len(array.elements):
        raise c.current.thrown(_AIOOBE)
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
        raise c.current.thrown(_AIOOBE)
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
    "java.util.List": {("copyOf", 1): _copy_of},
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
        ("emptyList", 0): _empty_list,
        ("sort", 1): _sort_list,
        ("reverse", 1): _reverse_list,
    },
    "java.lang.System": {("arraycopy", 5): array_copy},
}
