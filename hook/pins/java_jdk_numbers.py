"""``java.lang.Math``, the wrapper classes and ``Character`` as far as all JDKs since 8 agree."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction

from clausefit.hook.pins import java_numbers as numbers
from clausefit.hook.pins.java_code import Compiler
from clausefit.hook.pins.java_jdk_strings import Arguments, NotKnownError, text
from clausefit.hook.pins.java_numbers import UNBOXED, boolean, converted
from clausefit.hook.pins.java_runtime import NPE
from clausefit.hook.pins.java_text import equal, hash_of, string_of
from clausefit.hook.pins.java_values import Boxed, Null, Prim, Str, Value

Function = Callable[[Compiler, Arguments], Value]

_NFE = "java.lang.NumberFormatException"
_ARITHMETIC = "java.lang.ArithmeticException"
_DECIMAL = re.compile(r"[+-]?(?:\d{1,17}(?:\.\d{0,17})?|\.\d{1,17})(?:[eE][+-]?\d{1,3})?")


def prim(c: Compiler, value: Value) -> Prim:
    """A primitive argument, unboxed if need be."""
    found = c.current.unboxed(value)
    if isinstance(found, Prim):
        return found
    raise NotKnownError


def _promoted(c: Compiler, args: Arguments) -> tuple[str, list[Prim]]:
    """All arguments in the type to which they are promoted."""
    known = [prim(c, one) for one in args]
    type_name = known[0].type
    for one in known[1:]:
        type_name = numbers.promoted_type(type_name, one.type)
    type_name = numbers.unary_promoted_type(type_name)
    return type_name, [converted(one, type_name) for one in known]


# -- Math


def _abs(c: Compiler, args: Arguments) -> Value:
    type_name, (one,) = _promoted(c, args)
    if type_name in numbers.FLOATING:
        return Prim(type_name, abs(one.value))
    return numbers.integer(type_name, abs(int(one.value)))


def _extreme(is_max: bool) -> Function:
    def function(c: Compiler, args: Arguments) -> Value:
        type_name, (one, other) = _promoted(c, args)
        if type_name in numbers.FLOATING:
            if math.isnan(one.value) or math.isnan(other.value):
                return Prim(type_name, math.nan)
            if one.value == other.value:
                is_first_less = math.copysign(1.0, one.value) < 0
                return other if is_first_less == is_max else one
        return one if (one.value >= other.value) == is_max else other

    return function


def _floor(is_mod: bool) -> Function:
    def function(c: Compiler, args: Arguments) -> Value:
        type_name, (one, other) = _promoted(c, args)
        if type_name not in numbers.INTEGRAL:
            raise NotKnownError
        if other.value == 0:
            raise c.current.thrown(_ARITHMETIC, "/ by zero")
        if not is_mod:
            return numbers.integer(type_name, int(one.value) // int(other.value))
        if prim(c, args[1]).type != "long":
            type_name = "int"  # floorMod(long, int) is an int
        return numbers.integer(type_name, int(one.value) % int(other.value))

    return function


def _exact(compute: Callable[..., int]) -> Function:
    def function(c: Compiler, args: Arguments) -> Value:
        type_name, known = _promoted(c, args)
        if type_name not in numbers.INTEGRAL:
            raise NotKnownError
        result = compute(*(int(one.value) for one in known))
        if numbers.wrap(result, type_name) != result:
            raise c.current.thrown(_ARITHMETIC, "long overflow" if type_name == "long" else "integer overflow")
        return Prim(type_name, result)

    return function


def _to_int_exact(c: Compiler, args: Arguments) -> Value:
    value = int(prim(c, args[0]).value)
    if numbers.wrap(value, "int") != value:
        raise c.current.thrown(_ARITHMETIC, "integer overflow")
    return Prim("int", value)


def _on_double(compute: Callable[[float], float]) -> Function:
    def function(c: Compiler, args: Arguments) -> Value:
        return Prim("double", compute(float(converted(prim(c, args[0]), "double").value)))

    return function


def _sqrt(value: float) -> float:
    return math.nan if math.isnan(value) or value < 0 else math.sqrt(value)


def _floored(value: float) -> float:
    return value if _is_whole(value) else math.copysign(float(math.floor(value)), value)


def _ceiled(value: float) -> float:
    return value if _is_whole(value) else math.copysign(float(math.ceil(value)), value)


def _rounded_even(value: float) -> float:
    return value if _is_whole(value) else math.copysign(float(round(value)), value)


def _is_whole(value: float) -> bool:
    return math.isnan(value) or math.isinf(value) or value.is_integer()


def _round(c: Compiler, args: Arguments) -> Value:
    """``Math.round``: the floor of the exact value plus a half, within the range of long or int."""
    value = prim(c, args[0])
    target = "long" if value.type in ("double", "long") else "int"
    number = float(value.value)
    if math.isnan(number) or math.isinf(number) or abs(number) >= 2.0**63:
        return converted(Prim("double", number), target)
    rounded = math.floor(Fraction(value.value) + Fraction(1, 2))
    most = (1 << (63 if target == "long" else 31)) - 1
    return Prim(target, max(-most - 1, min(most, rounded)))


def _pow(c: Compiler, args: Arguments) -> Value:
    """Exact where both are integers and so is the result (Math.pow's documentation); else JDKs may differ."""
    base, exponent = (float(converted(prim(c, one), "double").value) for one in args)
    if not (base.is_integer() and exponent.is_integer()) or not 0 <= exponent <= 1100 or abs(base) > 2**53:
        raise NotKnownError
    if base == 0 or (abs(base) > 1 and exponent * math.log2(abs(base)) > 53):
        raise NotKnownError
    return Prim("double", float(int(base) ** int(exponent)))


def _signum(c: Compiler, args: Arguments) -> Value:
    value = prim(c, args[0])
    type_name = "float" if value.type in ("float", "int", "short", "byte", "char", "long") else "double"
    if value.type not in numbers.FLOATING:
        raise NotKnownError
    number = float(value.value)
    return Prim(type_name, number if number == 0 or math.isnan(number) else math.copysign(1.0, number))


_MATH: dict[tuple[str, int], Function] = {
    ("abs", 1): _abs,
    ("max", 2): _extreme(True),
    ("min", 2): _extreme(False),
    ("floorMod", 2): _floor(True),
    ("floorDiv", 2): _floor(False),
    ("addExact", 2): _exact(lambda a, b: a + b),
    ("subtractExact", 2): _exact(lambda a, b: a - b),
    ("multiplyExact", 2): _exact(lambda a, b: a * b),
    ("negateExact", 1): _exact(lambda a: -a),
    ("incrementExact", 1): _exact(lambda a: a + 1),
    ("decrementExact", 1): _exact(lambda a: a - 1),
    ("toIntExact", 1): _to_int_exact,
    ("sqrt", 1): _on_double(_sqrt),
    ("floor", 1): _on_double(_floored),
    ("ceil", 1): _on_double(_ceiled),
    ("rint", 1): _on_double(_rounded_even),
    ("round", 1): _round,
    ("pow", 2): _pow,
    ("signum", 1): _signum,
}


# -- wrappers


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


def _compare(c: Compiler, args: Arguments) -> Value:
    one, other = prim(c, args[0]), prim(c, args[1])
    if numbers.FLOATING & {one.type, other.type}:
        return Prim("int", compare_floats(float(one.value), float(other.value)))
    if one.type == "boolean":
        return Prim("int", int(one.value) - int(other.value))
    return Prim("int", (one.value > other.value) - (one.value < other.value))


def compare_floats(one: float, other: float) -> int:
    """``Double.compare``: -0.0 is below 0.0, and NaN above all."""

    def key(value: float) -> tuple[bool, float, bool]:
        return math.isnan(value), 0.0 if math.isnan(value) else value, math.copysign(1.0, value) > 0

    return (key(one) > key(other)) - (key(one) < key(other)) if not (math.isnan(one) and math.isnan(other)) else 0


def _compare_small(c: Compiler, args: Arguments) -> Value:
    """``Character.compare``, ``Short.compare``, ``Byte.compare`` give the difference."""
    return Prim("int", int(prim(c, args[0]).value) - int(prim(c, args[1]).value))


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


def _hash(c: Compiler, args: Arguments) -> Value:
    found = hash_of(c, c.current.boxed(prim(c, args[0])))
    if found is None:
        raise NotKnownError
    return Prim("int", found)


def _box(c: Compiler, args: Arguments, type_name: str) -> Value:
    return c.current.box(converted(prim(c, args[0]), type_name))


def _of_integers(type_name: str) -> dict[tuple[str, int], Function]:
    parse = {"int": "parseInt", "long": "parseLong", "short": "parseShort", "byte": "parseByte"}[type_name]
    return {
        (parse, 1): _parser(type_name),
        (parse, 2): _parser(type_name),
        ("valueOf", 1): _value_of(type_name),
        ("valueOf", 2): _value_of(type_name),
        ("toString", 1): _to_string,
        ("hashCode", 1): _hash,
        ("compare", 2): _compare if type_name in ("int", "long") else _compare_small,
    }


def _of_wide(type_name: str) -> dict[tuple[str, int], Function]:
    return {
        **_of_integers(type_name),
        ("toString", 2): _to_string,
        ("toBinaryString", 1): _unsigned_text(type_name, 2),
        ("toOctalString", 1): _unsigned_text(type_name, 8),
        ("toHexString", 1): _unsigned_text(type_name, 16),
        ("max", 2): _extreme(True),
        ("min", 2): _extreme(False),
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
        ("compare", 2): _compare,
        ("isNaN", 1): _test_float(math.isnan),
        ("isInfinite", 1): _test_float(math.isinf),
        ("isFinite", 1): _test_float(math.isfinite),
        ("toString", 1): _to_string,
        ("max", 2): _extreme(True),
        ("min", 2): _extreme(False),
        ("sum", 2): _sum(type_name),
    }
    if type_name == "double":
        found["parseDouble", 1] = _parse_double
        found["valueOf", 1] = lambda c, args: c.current.box(
            _parse_double(c, args) if isinstance(args[0], Str | Null) else converted(prim(c, args[0]), "double")
        )
    return found


# -- Character


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
_CHARACTER: dict[tuple[str, int], Function] = {
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
    ("valueOf", 1): lambda c, args: _box(c, args, "char"),
    ("compare", 2): _compare_small,
    ("hashCode", 1): _hash,
}


def _give_up() -> Value:
    raise NotKnownError


FUNCTIONS: dict[str, dict[tuple[str, int], Function]] = {
    "java.lang.Math": _MATH,
    "java.lang.StrictMath": _MATH,
    "java.lang.Integer": _of_wide("int"),
    "java.lang.Long": _of_wide("long"),
    "java.lang.Short": _of_integers("short"),
    "java.lang.Byte": _of_integers("byte"),
    "java.lang.Double": _of_floats("double"),
    "java.lang.Float": _of_floats("float"),
    "java.lang.Character": _CHARACTER,
    "java.lang.Boolean": {
        ("parseBoolean", 1): _parse_boolean,
        ("valueOf", 1): _boolean_value,
        ("toString", 1): _to_string,
        ("compare", 2): _compare,
        ("hashCode", 1): _hash,
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
        return (_compare_small if small else _compare)(c, [this.prim, prim(c, args[0])])
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
