"""``List.of``, ``Arrays.asList`` and ``ArrayList``, as far as all JDKs since 9 agree."""

from __future__ import annotations

from collections.abc import Callable

from clausefit.hook.pins.java import numbers
from clausefit.hook.pins.java.code import Compiler
from clausefit.hook.pins.java.elements import stored
from clausefit.hook.pins.java.heap import escape
from clausefit.hook.pins.java.jdk_strings import Arguments, NotKnownError, integer
from clausefit.hook.pins.java.names import is_primitive
from clausefit.hook.pins.java.numbers import boolean
from clausefit.hook.pins.java.runtime import NPE
from clausefit.hook.pins.java.snapshots import list_elements
from clausefit.hook.pins.java.text import equal, equal_or_null, hash_of_all, same, to_string
from clausefit.hook.pins.java.values import (
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
AIOOBE = "java.lang.ArrayIndexOutOfBoundsException"
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


def empty_list(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    """``Collections.emptyList``."""
    return ListObj(c.current.next_serial(), "java.util.ImmutableCollections.ListN", "immutable", [])


def copy_of(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    """``List.copyOf``."""
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
        raise c.current.thrown(AIOOBE if this.kind == "fixed" else _IOOBE)
    del elements
    return at


def _get(c: Compiler, this: ListObj, elements: list[Value], args: Arguments) -> Value:
    return elements[_checked(c, this, elements, args[0], len(elements))]


def _index_of(c: Compiler, this: ListObj, elements: list[Value], args: Arguments, last: bool = False) -> int:
    if isinstance(args[0], Null) and this.kind == "immutable":
        raise c.current.thrown(NPE)
    positions = range(len(elements))
    for at in reversed(positions) if last else positions:
        # The list asks equals() even of one and the same object.
        is_null = isinstance(args[0], Null)
        answer = same(args[0], elements[at]) if is_null else equal(c, args[0], elements[at])
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
        raise c.current.thrown(AIOOBE)
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
