"""``String`` and ``StringBuilder`` as far as all JDKs since 8 agree, without regular expressions or locales."""

from __future__ import annotations

from collections.abc import Callable

from clausefit.hook.pins.java.code import Compiler
from clausefit.hook.pins.java.jdk import result_of
from clausefit.hook.pins.java.numbers import boolean
from clausefit.hook.pins.java.runtime import NPE
from clausefit.hook.pins.java.snapshots import list_elements
from clausefit.hook.pins.java.text import string_hash, string_of, unknown_text
from clausefit.hook.pins.java.values import (
    STRING,
    Arr,
    Builder,
    ListObj,
    Null,
    Prim,
    Str,
    Unknown,
    Value,
)

SIOOBE = "java.lang.StringIndexOutOfBoundsException"
_META = frozenset(".$|()[{^?*+\\")
_CONTROLS = "".join(map(chr, range(33)))
_BLANKS = " \t\n\x0b\f\r\x1c\x1d\x1e\x1f"

Arguments = list[Value]
Method = Callable[[Compiler, str, Arguments], Value]


class NotKnownError(Exception):
    """What the JDK gives here is not known: the result is unknown, and it may throw."""


def integer(value: Value) -> int:
    """An int or char argument."""
    if isinstance(value, Prim) and isinstance(value.value, int):
        return int(value.value)
    raise NotKnownError


def chars(c: Compiler, value: Value) -> str:
    """The text of a CharSequence argument; NullPointerException for null."""
    if isinstance(value, Str):
        return value.value
    if isinstance(value, Builder) and value.text is not None:
        return value.text
    if isinstance(value, Null):
        raise c.current.thrown(NPE)
    raise NotKnownError


def text(c: Compiler, value: str) -> Value:
    """A string that may be a new object or an old one."""
    return c.current.new_str(value, is_sure=False)


def number(value: int) -> Value:
    """An int."""
    return Prim("int", value)


def _ascii(value: str) -> str:
    if not value.isascii():
        raise NotKnownError
    return value


def _char_at(c: Compiler, this: str, args: Arguments) -> Value:
    (at,) = args
    if not 0 <= integer(at) < len(this):
        raise c.current.thrown(SIOOBE)
    return Prim("char", ord(this[integer(at)]))


def _substring(c: Compiler, this: str, args: Arguments) -> Value:
    start = integer(args[0])
    end = integer(args[1]) if len(args) > 1 else len(this)
    if not 0 <= start <= end <= len(this):
        raise c.current.thrown(SIOOBE)
    return text(c, this[start:end])


def _needle(c: Compiler, value: Value) -> str:
    if isinstance(value, Prim):
        code = integer(value)
        if not 0 <= code <= 0xFFFF:
            raise NotKnownError
        return chr(code)
    return chars(c, value)


def _index_of(c: Compiler, this: str, args: Arguments) -> Value:
    needle = _needle(c, args[0])
    start = max(integer(args[1]), 0) if len(args) > 1 else 0
    if start >= len(this):
        return number(len(this) if not needle else -1)
    return number(this.find(needle, start))


def _last_index_of(c: Compiler, this: str, args: Arguments) -> Value:
    needle = _needle(c, args[0])
    if len(args) == 1:
        return number(this.rfind(needle))
    start = integer(args[1])
    return number(this.rfind(needle, 0, start + len(needle)) if start >= 0 else -1)


def _compare(c: Compiler, this: str, args: Arguments) -> Value:
    other = chars(c, args[0])
    for one, two in zip(this, other, strict=False):
        if one != two:
            return number(ord(one) - ord(two))
    return number(len(this) - len(other))


def _compare_ignoring_case(c: Compiler, this: str, args: Arguments) -> Value:
    lower = c.current.new_str(_ascii(chars(c, args[0])).lower())
    return _compare(c, _ascii(this).lower(), [lower])


def _equals_ignoring_case(c: Compiler, this: str, args: Arguments) -> Value:
    if isinstance(args[0], Null):
        return boolean(False)
    return boolean(_ascii(this).lower() == _ascii(chars(c, args[0])).lower())


def _replace(c: Compiler, this: str, args: Arguments) -> Value:
    old, new = _needle(c, args[0]), _needle(c, args[1])
    return text(c, this.replace(old, new))


def _upper(c: Compiler, this: str, args: Arguments) -> Value:
    """The default locale decides on ``i`` (Turkish)."""
    if args or "i" in this:
        raise NotKnownError
    return text(c, _ascii(this).upper())


def _lower(c: Compiler, this: str, args: Arguments) -> Value:
    if args or "I" in this:
        raise NotKnownError
    return text(c, _ascii(this).lower())


def _repeat(c: Compiler, this: str, args: Arguments) -> Value:
    times = integer(args[0])
    if times < 0:
        raise c.current.thrown("java.lang.IllegalArgumentException")
    c.current.spend(len(this) * times)
    return text(c, this * times)


def _split(c: Compiler, this: str, args: Arguments) -> Value:
    """By one character that is no operator of regular expressions; empty strings at the end are left out."""
    pattern = chars(c, args[0])
    if len(args) > 1 or len(pattern) != 1 or pattern in _META or "\ud800" <= pattern <= "\udfff":
        raise NotKnownError
    parts = this.split(pattern)
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    if pattern in this and parts == [""]:
        parts = []
    return c.current.new_array(STRING, [text(c, one) for one in parts])


def _starts(c: Compiler, this: str, args: Arguments) -> Value:
    prefix = chars(c, args[0])
    start = integer(args[1]) if len(args) > 1 else 0
    return boolean(0 <= start <= len(this) and this.startswith(prefix, start))


def _concat(c: Compiler, this: str, args: Arguments) -> Value:
    return text(c, this + chars(c, args[0]))


def _to_chars(c: Compiler, this: str, args: Arguments) -> Value:  # noqa: ARG001
    return c.current.new_array("char", [Prim("char", ord(one)) for one in this])


def _content_equals(c: Compiler, this: str, args: Arguments) -> Value:
    return boolean(this == chars(c, args[0]))


def _plain(compute: Callable[[str], Value]) -> Method:
    return lambda c, this, args: compute(this)  # noqa: ARG005


def _changed(change: Callable[[str], str]) -> Method:
    return lambda c, this, args: text(c, change(this))  # noqa: ARG005


METHODS: dict[tuple[str, int], Method] = {
    ("length", 0): _plain(lambda this: number(len(this))),
    ("isEmpty", 0): _plain(lambda this: boolean(not this)),
    ("isBlank", 0): _plain(lambda this: boolean(not _ascii(this).strip(_BLANKS))),
    ("charAt", 1): _char_at,
    ("substring", 1): _substring,
    ("substring", 2): _substring,
    ("subSequence", 2): _substring,
    ("indexOf", 1): _index_of,
    ("indexOf", 2): _index_of,
    ("lastIndexOf", 1): _last_index_of,
    ("lastIndexOf", 2): _last_index_of,
    ("contains", 1): lambda c, this, args: boolean(chars(c, args[0]) in this),
    ("startsWith", 1): _starts,
    ("startsWith", 2): _starts,
    ("endsWith", 1): lambda c, this, args: boolean(this.endswith(chars(c, args[0]))),
    ("equalsIgnoreCase", 1): _equals_ignoring_case,
    ("compareTo", 1): _compare,
    ("compareToIgnoreCase", 1): _compare_ignoring_case,
    ("hashCode", 0): _plain(lambda this: number(string_hash(this))),
    ("concat", 1): _concat,
    ("contentEquals", 1): _content_equals,
    ("replace", 2): _replace,
    ("trim", 0): _changed(lambda this: this.strip(_CONTROLS)),
    ("strip", 0): _changed(lambda this: _ascii(this).strip(_BLANKS)),
    ("stripLeading", 0): _changed(lambda this: _ascii(this).lstrip(_BLANKS)),
    ("stripTrailing", 0): _changed(lambda this: _ascii(this).rstrip(_BLANKS)),
    ("toUpperCase", 0): _upper,
    ("toLowerCase", 0): _lower,
    ("toCharArray", 0): _to_chars,
    ("repeat", 1): _repeat,
    ("split", 1): _split,
    ("intern", 0): lambda c, this, args: c.current.literal(this),  # noqa: ARG005
}


def string_method(c: Compiler, this: Str, name: str, args: Arguments) -> Value:
    """A method of a string; unknown where what it gives is not known."""
    if name == "toString" and not args:
        return this
    found = METHODS.get((name, len(args)))
    c.current.spend(len(this.value))
    try:
        if found is None:
            raise NotKnownError
        return found(c, this.value, args)
    except NotKnownError:
        c.current.may_throw(f"String.{name} is called with what is not known")
        result = result_of(STRING, name)
        return Unknown(result, is_nonnull=result == STRING)


# -- static methods


def _value_of(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:
    given = args[0]
    if isinstance(given, Arr) and given.element == "char" and types[0] in ("char[]", ""):
        return char_array_text(c, given, args[1:])
    if isinstance(given, Null) and types[0] in ("char[]", "null"):
        raise c.current.thrown(NPE)
    return string_of(c, given)


def char_array_text(c: Compiler, array: Arr, args: Arguments) -> Value:
    """The string of a char array or of ``count`` of its elements from ``offset`` on."""
    units = [chr(int(one.value)) if isinstance(one, Prim) else None for one in array.elements]
    if args:
        if any(not isinstance(one, Prim) for one in args):
            return unknown_text()
        offset, count = integer(args[0]), integer(args[1])
        if offset < 0 or count < 0 or offset > len(units) - count:
            raise c.current.thrown(SIOOBE)
        units = units[offset : offset + count]
    known = [one for one in units if one is not None]
    return c.current.new_str("".join(known)) if len(known) == len(units) else unknown_text()


def _join(c: Compiler, args: Arguments, types: tuple[str, ...]) -> Value:  # noqa: ARG001
    if any(isinstance(one, Unknown) for one in args):
        return unknown_text()
    between = chars(c, args[0])
    rest: Arguments | None = args[1:]
    if len(args) == 2 and isinstance(args[1], Arr):
        rest = args[1].elements
    elif len(args) == 2 and isinstance(args[1], ListObj):
        rest = list_elements(args[1])
    if rest is None:
        return unknown_text()
    texts = [string_of(c, one) for one in rest]
    if any(isinstance(one, Unknown) for one in texts):
        return unknown_text()
    return c.current.new_str(between.join(one.value for one in texts if isinstance(one, Str)), is_sure=False)


STATICS: dict[tuple[str, str], Callable[[Compiler, Arguments, tuple[str, ...]], Value]] = {
    (STRING, "valueOf"): _value_of,
    (STRING, "copyValueOf"): _value_of,
    (STRING, "join"): _join,
}
