"""Calls of the JDK's methods by the object that they are called on, and its static methods and constructors."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from clausefit.hook.pins.java import jdk_arrays as arrays
from clausefit.hook.pins.java import jdk_builders as builders
from clausefit.hook.pins.java import jdk_lists as lists
from clausefit.hook.pins.java import jdk_numbers
from clausefit.hook.pins.java import jdk_strings as strings
from clausefit.hook.pins.java.code import Compiler
from clausefit.hook.pins.java.heap import unknown_call
from clausefit.hook.pins.java.jdk import is_throwable, result_of
from clausefit.hook.pins.java.jdk_math import Function
from clausefit.hook.pins.java.jdk_strings import Arguments, NotKnownError
from clausefit.hook.pins.java.numbers import UNBOXED, boolean
from clausefit.hook.pins.java.runtime import NPE
from clausefit.hook.pins.java.text import (
    equal,
    equal_or_null,
    hash_of,
    hash_of_all,
    string_of,
    throwable_message,
    to_string,
)
from clausefit.hook.pins.java.values import (
    NULL,
    OBJECT,
    STRING,
    VOID,
    Arr,
    Boxed,
    Builder,
    ClassLit,
    ListObj,
    Null,
    Obj,
    Prim,
    Stop,
    Str,
    Unknown,
    Value,
)

LibraryFunction: TypeAlias = Callable[[Compiler, Arguments, tuple[str, ...]], Value]

_BUILDERS = ("java.lang.StringBuilder", "java.lang.StringBuffer")
_OF_ANY_LENGTH: dict[tuple[str, str], LibraryFunction] = {
    ("java.util.List", "of"): lists.list_of,
    ("java.util.Arrays", "asList"): lists.as_list,
    **strings.STATICS,
}


# -- static methods


def library_static(owner: str, name: str, count: int) -> LibraryFunction | None:
    """What a static method of the JDK does; None where that is not known."""
    found: LibraryFunction | None = _OF_ANY_LENGTH.get((owner, name))
    if found is None:
        found = arrays.FUNCTIONS.get(owner, {}).get((name, count)) or _OBJECTS.get((owner, name, count))
    if found is None:
        number_function = jdk_numbers.FUNCTIONS.get(owner, {}).get((name, count))
        if number_function is not None:
            found = _ignoring_types(number_function)
    if found is None and (owner, name) == ("java.util.Objects", "hash"):
        found = _hash_all
    return _careful(found, owner, name) if found is not None else None


def _ignoring_types(function: Function) -> LibraryFunction:
    return lambda c, args, types: function(c, args)  # noqa: ARG005


def _careful(function: LibraryFunction, owner: str, name: str) -> LibraryFunction:
    """Where an argument is not known, the result is unknown, the call may throw and may write its arguments."""

    def call(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:
        try:
            return function(c, args, types)
        except NotKnownError:
            result = result_of(owner, name)
            found = unknown_call(c.current, args, result, f"{name} is called with what is not known")
            return Unknown(STRING, is_nonnull=True) if result == STRING else found

    return call


def _require(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    if isinstance(args[0], Null):
        message: Value = NULL if len(args) == 1 else args[1]
        raise c.current.thrown(NPE, message if isinstance(message, Str | Null) else None)
    value = c.current.boxed(args[0])
    if isinstance(value, Unknown) and not value.is_nonnull:
        c.current.may_throw("something that is not known must not be null")
    return value


def _require_else(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    first = c.current.boxed(args[0])
    if isinstance(first, Unknown) and not first.is_nonnull:
        raise NotKnownError
    if isinstance(first, Null):
        first = c.current.boxed(args[1])
        if isinstance(first, Null):
            raise c.current.thrown(NPE)
    return first


def _objects_equal(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    answer = equal_or_null(c, c.current.boxed(args[0]), c.current.boxed(args[1]))
    return boolean(answer) if answer is not None else Unknown("boolean")


def _hash_all(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:
    if len(args) == 1 and not isinstance(args[0], Prim | Str | Boxed):
        raise NotKnownError
    found = hash_of_all(c, args)
    del types
    return Prim("int", found) if found is not None else Unknown("int")


def _hash_one(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    if isinstance(args[0], Null):
        return Prim("int", 0)
    found = hash_of(c, c.current.boxed(args[0]))
    return Prim("int", found) if found is not None else Unknown("int")


def _text_or(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    if isinstance(args[0], Null) and len(args) > 1:
        return args[1]
    if isinstance(args[0], Unknown) and len(args) > 1:
        raise NotKnownError
    return string_of(c, args[0])


def _is_null(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    if isinstance(args[0], Unknown):
        return boolean(False) if args[0].is_nonnull else Unknown("boolean")
    return boolean(isinstance(args[0], Null))


def _non_null(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:
    found = _is_null(c, args, types)
    return boolean(not found.value) if isinstance(found, Prim) else found


def _check_index(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    at, length = strings.integer(c.current.unboxed(args[0])), strings.integer(c.current.unboxed(args[1]))
    if not 0 <= at < length:
        raise c.current.thrown("java.lang.IndexOutOfBoundsException")
    return args[0]


def _exit(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    raise Stop("the program exits")


_OBJECTS: dict[tuple[str, str, int], LibraryFunction] = {
    ("java.util.Objects", "requireNonNull", 1): _require,
    ("java.util.Objects", "requireNonNull", 2): _require,
    ("java.util.Objects", "requireNonNullElse", 2): _require_else,
    ("java.util.Objects", "equals", 2): _objects_equal,
    ("java.util.Objects", "hashCode", 1): _hash_one,
    ("java.util.Objects", "toString", 1): _text_or,
    ("java.util.Objects", "toString", 2): _text_or,
    ("java.util.Objects", "isNull", 1): _is_null,
    ("java.util.Objects", "nonNull", 1): _non_null,
    ("java.util.Objects", "checkIndex", 2): _check_index,
    ("java.lang.System", "exit", 1): _exit,
}


# -- constructors


def new_object(c: Compiler, type_name: str, args: Arguments, types: tuple[str, ...]) -> Value:
    """``new`` of a JDK class, or of one that is not known."""
    run = c.current
    if type_name == OBJECT and not args:
        return Obj(run.next_serial(), OBJECT, None)
    try:
        if type_name == STRING:
            return builders.new_string(c, args, types)
        if type_name in _BUILDERS:
            return builders.new_builder(c, type_name, args)
        if type_name == "java.util.ArrayList":
            return lists.new_list(c, args)
        if type_name in UNBOXED and len(args) == 1:
            return jdk_numbers.new_box(c, type_name, args)
    except NotKnownError:
        pass
    unknown_call(run, args, type_name, f"an object of {type_name or 'a type that is not known'} is made")
    return Unknown(type_name, is_nonnull=True)


# -- methods


def library_method(
    c: Compiler, this: Value, name: str, args: Arguments, types: tuple[str, ...], is_super: bool = False
) -> Value:
    """A method that the project has no code of, called on an object that is not null.

    ``is_super``: what the superclass does is asked for, whatever the project overrides.
    """
    run = c.current
    try:
        found = _known_method(c, this, name, args, types, is_super)
        if found is not None:
            return found
    except NotKnownError:
        pass
    receiver = run.type_of(this) if not isinstance(this, Unknown) else this.type
    if receiver == "java.io.PrintStream" and name in ("println", "print", "flush"):
        for one in args:
            string_of(c, one)
        return VOID
    result = result_of(receiver, name)
    return unknown_call(run, [this, *args], result, f"{name} is called, which is not followed")


def _known_method(
    c: Compiler, this: Value, name: str, args: Arguments, types: tuple[str, ...], is_super: bool
) -> Value | None:
    if name == "getClass" and not args and not isinstance(this, Unknown):
        type_name = c.current.type_of(this)
        return c.current.class_literal(type_name) if type_name and not isinstance(this, ListObj) else None
    if name == "equals" and len(args) == 1 and not is_super:
        answer = equal(c, this, c.current.boxed(args[0]))
        return boolean(answer) if answer is not None else Unknown("boolean")
    if isinstance(this, Str):
        return strings.string_method(c, this, name, args)
    if isinstance(this, Builder):
        return builders.builder_method(c, this, name, args, types)
    if isinstance(this, Boxed):
        return jdk_numbers.boxed_method(c, this, name, args)
    if isinstance(this, ListObj):
        return lists.list_method(c, this, name, args)
    if isinstance(this, Arr):
        is_clone = name == "clone" and not args
        return c.current.new_array(this.element, list(this.elements)) if is_clone else _of_object(c, this, name, args)
    if isinstance(this, ClassLit):
        return _of_class(c, this, name, args)
    if isinstance(this, Obj):
        return _of_obj(c, this, name, args, is_super)
    return None


def _of_object(c: Compiler, this: Value, name: str, args: Arguments) -> Value | None:
    """What ``Object`` does: identity decides, hash codes are not known."""
    if name == "hashCode" and not args:
        return Unknown("int")
    if name == "toString" and not args:
        return Unknown(STRING, is_nonnull=True)
    if name == "equals" and len(args) == 1:
        return boolean(this is args[0]) if not isinstance(args[0], Unknown) else Unknown("boolean")
    del c
    return None


def _of_class(c: Compiler, this: ClassLit, name: str, args: Arguments) -> Value | None:
    info = c.world.by_name.get(this.type)
    if args or info is None or info.is_local:
        return None
    if name == "getSimpleName":
        return c.current.new_str(info.simple, is_sure=False)
    if name in ("getName", "getCanonicalName") and info.outer is None:
        return c.current.new_str(this.type, is_sure=False)
    return None


def _of_obj(c: Compiler, this: Obj, name: str, args: Arguments, is_super: bool) -> Value | None:
    if this.info is not None and this.info.has_unknown_supertype:
        return None
    if this.constant is not None:
        found = _of_constant(c, this, name, args)
        if found is not None:
            return found
    above = this.info.library_superclass() if this.info is not None else this.type
    if is_throwable(above):
        found = _of_throwable(c, this, name, args, is_super)
        if found is not None:
            return found
    if is_super:
        return _of_object(c, this, name, args)
    if name == "toString" and not args:
        return to_string(c, this)
    if name == "hashCode" and not args:
        code = hash_of(c, this)
        return Prim("int", code) if code is not None else Unknown("int")
    return None


def _of_constant(c: Compiler, this: Obj, name: str, args: Arguments) -> Value | None:
    if name in ("name", "toString") and not args:
        return c.current.literal(this.constant or "")
    if name == "ordinal" and not args:
        return Prim("int", this.ordinal)
    if name == "getDeclaringClass" and not args:
        return c.current.class_literal(this.type)
    if name == "compareTo" and len(args) == 1:
        other = args[0]
        if isinstance(other, Null):
            raise c.current.thrown(NPE)
        if isinstance(other, Obj) and other.type == this.type:
            return Prim("int", this.ordinal - other.ordinal)
    return None


def _of_throwable(c: Compiler, this: Obj, name: str, args: Arguments, is_super: bool) -> Value | None:
    if name in ("getMessage", "getLocalizedMessage") and not args:
        return this.message if is_super or name == "getMessage" else throwable_message(c, this)
    if name == "getCause" and not args:
        return this.cause
    if name == "initCause" and len(args) == 1 and isinstance(this.cause, Null):
        this.cause = args[0]
        return this
    if name in ("printStackTrace", "setStackTrace") or (name == "addSuppressed" and not isinstance(args[0], Null)):
        return VOID
    if name == "fillInStackTrace":
        return this
    if name == "getStackTrace":
        return Unknown("java.lang.StackTraceElement[]", is_nonnull=True)
    if name == "getSuppressed":
        return Unknown("java.lang.Throwable[]", is_nonnull=True)
    if name == "toString" and not args and not is_super:
        return to_string(c, this)
    return None
