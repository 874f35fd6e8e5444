"""``StringBuilder`` and ``StringBuffer`` as far as all JDKs since 8 agree, and the constructors of ``String``."""

from __future__ import annotations

from collections.abc import Callable

from clausefit.hook.pins.java.code import Compiler
from clausefit.hook.pins.java.jdk import result_of
from clausefit.hook.pins.java.jdk_strings import (
    METHODS,
    SIOOBE,
    Arguments,
    NotKnownError,
    char_array_text,
    chars,
    integer,
)
from clausefit.hook.pins.java.runtime import NPE
from clausefit.hook.pins.java.text import string_of, unknown_text
from clausefit.hook.pins.java.values import (
    STRING,
    VOID,
    Arr,
    Builder,
    Null,
    Prim,
    Str,
    Unknown,
    Value,
)


def _appended(c: Compiler, value: Value, type_name: str) -> str | None:
    """The text that ``append`` and ``insert`` add; None where it is not known."""
    if isinstance(value, Arr):
        if value.element != "char" or type_name != "char[]":
            return None
        found = char_array_text(c, value, [])
        return found.value if isinstance(found, Str) else None
    made = string_of(c, value)
    return made.value if isinstance(made, Str) else None


def _grown(c: Compiler, this: Builder, new: str | None) -> Value:
    if new is not None:
        c.current.spend(len(new))
    this.text = new
    return this


def _append(c: Compiler, this: Builder, old: str, args: Arguments, types: tuple[str, ...]) -> Value:
    added = _appended(c, args[0], types[0])
    if len(args) == 3 and added is not None:
        start, end = integer(args[1]), integer(args[2])
        if not 0 <= start <= end <= len(added):
            raise NotKnownError
        added = added[start:end]
    return _grown(c, this, old + added if added is not None else None)


def _insert(c: Compiler, this: Builder, old: str, args: Arguments, types: tuple[str, ...]) -> Value:
    at = integer(args[0])
    if not 0 <= at <= len(old):
        raise c.current.thrown(SIOOBE)
    added = _appended(c, args[1], types[1])
    return _grown(c, this, old[:at] + added + old[at:] if added is not None else None)


def _reverse(c: Compiler, this: Builder, old: str, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    if any("\ud800" <= one <= "\udfff" for one in old):
        return _grown(c, this, None)
    return _grown(c, this, old[::-1])


def _delete(c: Compiler, this: Builder, old: str, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    start, end = integer(args[0]), min(integer(args[1]), len(old))
    if not 0 <= start <= end:
        raise c.current.thrown(SIOOBE)
    return _grown(c, this, old[:start] + old[end:])


def _delete_char(c: Compiler, this: Builder, old: str, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    at = integer(args[0])
    if not 0 <= at < len(old):
        raise c.current.thrown(SIOOBE)
    return _grown(c, this, old[:at] + old[at + 1 :])


def _set_char(c: Compiler, this: Builder, old: str, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    at = integer(args[0])
    if not 0 <= at < len(old):
        raise c.current.thrown(SIOOBE)
    this.text = old[:at] + chr(integer(args[1])) + old[at + 1 :]
    return VOID


def _set_length(c: Compiler, this: Builder, old: str, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    length = integer(args[0])
    if length < 0:
        raise c.current.thrown(SIOOBE)
    _grown(c, this, old[:length] + "\0" * (length - len(old)))
    return VOID


def _replace_range(c: Compiler, this: Builder, old: str, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    start, end = integer(args[0]), min(integer(args[1]), len(old))
    new = chars(c, args[2])
    if not 0 <= start <= end:
        raise c.current.thrown(SIOOBE)
    return _grown(c, this, old[:start] + new + old[end:])


_BUILDER_METHODS: dict[tuple[str, int], Callable[[Compiler, Builder, str, Arguments, tuple[str, ...]], Value]] = {
    ("append", 1): _append,
    ("append", 3): _append,
    ("insert", 2): _insert,
    ("reverse", 0): _reverse,
    ("delete", 2): _delete,
    ("deleteCharAt", 1): _delete_char,
    ("setCharAt", 2): _set_char,
    ("setLength", 1): _set_length,
    ("replace", 3): _replace_range,
}
_AS_STRING = frozenset({"length", "isEmpty", "charAt", "substring", "indexOf", "lastIndexOf", "subSequence"})


def builder_method(c: Compiler, this: Builder, name: str, args: Arguments, types: tuple[str, ...]) -> Value:
    """A method of a StringBuilder or StringBuffer."""
    if this.text is not None and name == "toString" and not args:
        return c.current.new_str(this.text)
    changes = _BUILDER_METHODS.get((name, len(args)))
    try:
        if this.text is not None and changes is not None:
            return changes(c, this, this.text, args, types)
        if this.text is not None and name in _AS_STRING:
            return METHODS[name, len(args)](c, this.text, args)
    except (NotKnownError, KeyError):
        pass
    c.current.may_throw(f"{name} of a StringBuilder is called with what is not known")
    if changes is not None:
        this.text = None
        return VOID if name in ("setCharAt", "setLength") else this
    if name not in _AS_STRING and name not in ("toString", "capacity", "compareTo"):
        this.text = None
    result = result_of(this.type, name)
    return Unknown(result, is_nonnull=result == STRING)


def new_builder(c: Compiler, type_name: str, args: Arguments) -> Value:
    """``new StringBuilder(…)``."""
    run = c.current
    content: str | None = ""
    if args and isinstance(args[0], Prim):
        if integer(args[0]) < 0:
            raise run.thrown("java.lang.NegativeArraySizeException")
    elif args:
        try:
            content = chars(c, args[0])
        except NotKnownError:
            run.may_throw("a StringBuilder is made of what is not known")
            content = None
    return Builder(run.next_serial(), type_name, content)


def new_string(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:
    """``new String(…)``: an object that no other reference refers to."""
    run = c.current
    if not args:
        return run.new_str("")
    if isinstance(args[0], Arr) and args[0].element == "char" and len(args) in (1, 3):
        return char_array_text(c, args[0], args[1:])
    if isinstance(args[0], Null):
        raise run.thrown(NPE)
    del types
    if len(args) == 1 and isinstance(args[0], Str | Builder):
        try:
            return run.new_str(chars(c, args[0]))
        except NotKnownError:
            return unknown_text()
    run.may_throw("a String is made of what is not known")
    return unknown_text()
