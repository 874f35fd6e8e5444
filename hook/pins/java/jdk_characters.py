"""``java.lang.Character`` for ASCII: what is beyond depends on the JDK's version of Unicode."""

from __future__ import annotations

from collections.abc import Callable

from clausefit.hook.pins.java.code import Compiler
from clausefit.hook.pins.java.jdk_math import Function, box, compare_small, hash_code, prim
from clausefit.hook.pins.java.jdk_strings import Arguments, NotKnownError
from clausefit.hook.pins.java.numbers import boolean
from clausefit.hook.pins.java.text import string_of
from clausefit.hook.pins.java.values import Prim, Value


def _character(c: Compiler, value: Value) -> str:
    code = int(prim(c, value).value)
    if not 0 <= code < 128:
        raise NotKnownError
    return chr(code)


def _test_character(test: Callable[[str], bool]) -> Function:
    return lambda c, args: boolean(test(_character(c, args[0])))


def _mapped(change: Callable[[str], str]) -> Function:
    def function(c: Compiler, args: Arguments) -> Value:
        value = prim(c, args[0])
        return Prim(value.type if value.type == "char" else "int", ord(change(_character(c, args[0]))))

    return function


def _digit(c: Compiler, args: Arguments) -> Value:
    one = _character(c, args[0])
    radix = int(prim(c, args[1]).value) if len(args) > 1 else 36
    value = int(one, 36) if one.isalnum() else -1
    return Prim("int", value if 2 <= radix <= 36 and value < radix else -1)


def _for_digit(c: Compiler, args: Arguments) -> Value:
    value, radix = int(prim(c, args[0]).value), int(prim(c, args[1]).value)
    is_digit = 2 <= radix <= 36 and 0 <= value < radix
    return Prim("char", ord("0123456789abcdefghijklmnopqrstuvwxyz"[value]) if is_digit else 0)


_BLANKS = " \t\n\x0b\f\r\x1c\x1d\x1e\x1f"
CHARACTER: dict[tuple[str, int], Function] = {
    ("isDigit", 1): _test_character(str.isdigit),
    ("isLetter", 1): _test_character(str.isalpha),
    ("isAlphabetic", 1): _test_character(str.isalpha),
    ("isLetterOrDigit", 1): _test_character(str.isalnum),
    ("isUpperCase", 1): _test_character(str.isupper),
    ("isLowerCase", 1): _test_character(str.islower),
    ("isWhitespace", 1): _test_character(lambda one: one in _BLANKS),
    ("isSpaceChar", 1): _test_character(lambda one: one == " "),
    ("toUpperCase", 1): _mapped(str.upper),
    ("toLowerCase", 1): _mapped(str.lower),
    ("getNumericValue", 1): _digit,
    ("digit", 2): _digit,
    ("forDigit", 2): _for_digit,
    ("toString", 1): lambda c, args: string_of(c, prim(c, args[0])) if prim(c, args[0]).type == "char" else _give_up(),
    ("valueOf", 1): lambda c, args: box(c, args, "char"),
    ("compare", 2): compare_small,
    ("hashCode", 1): hash_code,
}


def _give_up() -> Value:
    raise NotKnownError
