"""The wrapper classes: their static methods, and those of their objects, as far as all JDKs since 8 agree."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from clausefit.hook.pins.java import numbers
from clausefit.hook.pins.java.code import Compiler
from clausefit.hook.pins.java.jdk_characters import CHARACTER
from clausefit.hook.pins.java.jdk_math import MATH, Function, compare, compare_small, extreme, hash_code, prim
from clausefit.hook.pins.java.jdk_strings import Arguments, NotKnownError, text
from clausefit.hook.pins.java.numbers import UNBOXED, boolean, converted
from clausefit.hook.pins.java.runtime import NPE
from clausefit.hook.pins.java.text import equal, hash_of, string_of
from clausefit.hook.pins.java.values import Boxed, Null, Prim, Str, Value

_NFE = "java.lang.NumberFormatException"
_DECIMAL = re.compile(r"[+-]?(?:\d{1,17}(?:\.\d{0,17})?|\.\d{1,17})(?:[eE][+-]?\d{1,3})?")


def _parsed(c: Compiler, args: Arguments, type_name: str) -> Prim:
    """``Integer.parseInt`` and the like: an optional sign and digits of the radix, in range."""
    given = args[0]
    radix = int(prim(c, args[1]).value) if len(args) > 1 else 10
    if isinstance(given, Null):
        raise c.current.thrown(_NFE)
    if not isinstance(given, Str) or not 2 <= radix <= 36:
        raise NotKnownError
    if not given.value.isascii():
        raise NotKnownError
    digits = given.value[1:] if given.value[:1] in ("+", "-") else given.value
    if not digits or not digits.isalnum() or any(int(one, 36) >= radix for one in digits):
        raise c.current.thrown(_NFE)
    if len(digits) > 200:
        raise NotKnownError
    value = int(digits, radix) * (-1 if given.value[0] == "-" else 1)
    if numbers.wrap(value, type_name) != value:
        raise c.current.thrown(_NFE)
    return Prim(type_name, value)


def _parser(type_name: str) -> Function:
    return lambda c, args: _parsed(c, args, type_name)


def _value_of(type_name: str) -> Function:
    def function(c: Compiler, args: Arguments) -> Value:
        if isinstance(args[0], Str | Null):
            return c.current.box(_parsed(c, args, type_name))
        return c.current.box(converted(prim(c, args[0]), type_name))

    return function


def _parse_double(c: Compiler, args: Arguments) -> Prim:
    given = args[0]
    if isinstance(given, Null):
        raise c.current.thrown(NPE)
    if not isinstance(given, Str) or not _DECIMAL.fullmatch(given.value.strip(" ")) or not given.value.isascii():
        raise NotKnownError
    return Prim("double", float(given.value))


def _to_string(c: Compiler, args: Arguments) -> Value:
    if len(args) == 1:
        return string_of(c, prim(c, args[0]))
    value, radix = prim(c, args[0]), int(prim(c, args[1]).value)
    return text(c, _digits(int(value.value), radix if 2 <= radix <= 36 else 10))


def _digits(value: int, radix: int) -> str:
    digits = ""
    rest = abs(value)
    while rest or not digits:
        rest, one = divmod(rest, radix)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[one] + digits
    return "-" + digits if value < 0 else digits


def _unsigned(c: Compiler, args: Arguments, type_name: str) -> int:
    width, _ = numbers.INTEGRAL[type_name]
    return int(converted(prim(c, args[0]), type_name).value) & ((1 << width) - 1)


def _unsigned_text(type_name: str, radix: int) -> Function:
    return lambda c, args: text(c, _digits(_unsigned(c, args, type_name), radix))


def _bits(type_name: str, compute: Callable[[int, int], int], result: str) -> Function:
    width, _ = numbers.INTEGRAL[type_name]
    target = type_name if result == "same" else result
    return lambda c, args: numbers.integer(target, compute(_unsigned(c, args, type_name), width))


def _sum(type_name: str) -> Function:
    def function(c: Compiler, args: Arguments) -> Value:
        one, other = (converted(prim(c, arg), type_name) for arg in args)
        return numbers.binary("+", one, other)

    return function


def _sign(c: Compiler, args: Arguments) -> Value:
    value = int(prim(c, args[0]).value)
    return Prim("int", (value > 0) - (value < 0))


def _of_integers(type_name: str) -> dict[tuple[str, int], Function]:
    parse = {"int": "parseInt", "long": "parseLong", "short": "parseShort", "byte": "parseByte"}[type_name]
    return {
        (parse, 1): _parser(type_name),
        (parse, 2): _parser(type_name),
        ("valueOf", 1): _value_of(type_name),
        ("valueOf", 2): _value_of(type_name),
        ("toString", 1): _to_string,
        ("hashCode", 1): hash_code,
        ("compare", 2): compare if type_name in ("int", "long") else compare_small,
    }


def _of_wide(type_name: str) -> dict[tuple[str, int], Function]:
    return {
        **_of_integers(type_name),
        ("toString", 2): _to_string,
        ("toBinaryString", 1): _unsigned_text(type_name, 2),
        ("toOctalString", 1): _unsigned_text(type_name, 8),
        ("toHexString", 1): _unsigned_text(type_name, 16),
        ("max", 2): extreme(True),
        ("min", 2): extreme(False),
        ("sum", 2): _sum(type_name),
        ("signum", 1): _sign,
        ("bitCount", 1): _bits(type_name, lambda v, w: v.bit_count(), "int"),  # noqa: ARG005
        ("numberOfLeadingZeros", 1): _bits(type_name, lambda v, w: w - v.bit_length(), "int"),
        ("numberOfTrailingZeros", 1): _bits(type_name, lambda v, w: (v & -v).bit_length() - 1 if v else w, "int"),
        ("highestOneBit", 1): _bits(type_name, lambda v, w: 1 << (v.bit_length() - 1) if v else 0, "same"),  # noqa: ARG005
        ("lowestOneBit", 1): _bits(type_name, lambda v, w: v & -v, "same"),  # noqa: ARG005
        ("reverse", 1): _bits(type_name, lambda v, w: int(f"{v:0{w}b}"[::-1], 2), "same"),
    }


def _parse_boolean(c: Compiler, args: Arguments) -> Prim:  # noqa: ARG001
    if isinstance(args[0], Null):
        return boolean(False)
    if not isinstance(args[0], Str):
        raise NotKnownError
    return boolean(args[0].value.isascii() and args[0].value.lower() == "true")


def _boolean_value(c: Compiler, args: Arguments) -> Value:
    return c.current.box(_parse_boolean(c, args) if isinstance(args[0], Str | Null) else prim(c, args[0]))


def _logical(operator: str) -> Function:
    return lambda c, args: numbers.binary(operator, prim(c, args[0]), prim(c, args[1]))


def _test_float(test: Callable[[float], bool]) -> Function:
    return lambda c, args: boolean(test(float(prim(c, args[0]).value)))


def _of_floats(type_name: str) -> dict[tuple[str, int], Function]:
    found: dict[tuple[str, int], Function] = {
        ("compare", 2): compare,
        ("isNaN", 1): _test_float(math.isnan),
        ("isInfinite", 1): _test_float(math.isinf),
        ("isFinite", 1): _test_float(math.isfinite),
        ("toString", 1): _to_string,
        ("max", 2): extreme(True),
        ("min", 2): extreme(False),
        ("sum", 2): _sum(type_name),
    }
    if type_name == "double":
        found["parseDouble", 1] = _parse_double
        found["valueOf", 1] = lambda c, args: c.current.box(
            _parse_double(c, args) if isinstance(args[0], Str | Null) else converted(prim(c, args[0]), "double")
        )
    return found


FUNCTIONS: dict[str, dict[tuple[str, int], Function]] = {
    "java.lang.Math": MATH,
    "java.lang.StrictMath": MATH,
    "java.lang.Integer": _of_wide("int"),
    "java.lang.Long": _of_wide("long"),
    "java.lang.Short": _of_integers("short"),
    "java.lang.Byte": _of_integers("byte"),
    "java.lang.Double": _of_floats("double"),
    "java.lang.Float": _of_floats("float"),
    "java.lang.Character": CHARACTER,
    "java.lang.Boolean": {
        ("parseBoolean", 1): _parse_boolean,
        ("valueOf", 1): _boolean_value,
        ("toString", 1): _to_string,
        ("compare", 2): compare,
        ("hashCode", 1): hash_code,
        ("logicalAnd", 2): _logical("&"),
        ("logicalOr", 2): _logical("|"),
        ("logicalXor", 2): _logical("^"),
    },
}


# -- methods of wrappers


def boxed_method(c: Compiler, this: Boxed, name: str, args: Arguments) -> Value:
    """A method of a wrapper object; NotKnownError where there is none that is known."""
    if name.endswith("Value") and not args and this.prim.type in numbers.NUMERIC | {"boolean"}:
        target = name.removesuffix("Value")
        if target in ("boolean", "char") and this.prim.type != target:
            raise NotKnownError
        if target in numbers.PRIMITIVES:
            return converted(this.prim, target)
    if name == "equals" and len(args) == 1:
        answer = equal(c, this, args[0])
        if answer is not None:
            return boolean(answer)
    if name in ("compareTo", "compare") and len(args) == 1:
        if isinstance(args[0], Null):
            raise c.current.thrown(NPE)
        small = this.prim.type in ("byte", "short", "char")
        return (compare_small if small else compare)(c, [this.prim, prim(c, args[0])])
    if name == "toString" and not args:
        return string_of(c, this)
    if name == "hashCode" and not args:
        found = hash_of(c, this)
        if found is not None:
            return Prim("int", found)
    if name in ("isNaN", "isInfinite") and not args:
        return boolean((math.isnan if name == "isNaN" else math.isinf)(float(this.prim.value)))
    raise NotKnownError


def new_box(c: Compiler, type_name: str, args: Arguments) -> Value:
    """``new Integer(5)``: always a new object."""
    value = converted(prim(c, args[0]), UNBOXED[type_name])
    return Boxed(c.current.next_serial(), type_name, value)
