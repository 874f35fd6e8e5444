"""Java arithmetic on primitive values (JLS 4.2, 5.1, 5.6, 15.14-15.25): exact, with wrap-around and IEEE rounding."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from fractions import Fraction

from clausefit.hook.pins.java.values import FALSE, TRUE, Prim

# Width and whether signed.
INTEGRAL: dict[str, tuple[int, bool]] = {
    "byte": (8, True),
    "short": (16, True),
    "char": (16, False),
    "int": (32, True),
    "long": (64, True),
}
FLOATING = frozenset({"float", "double"})
NUMERIC = frozenset(INTEGRAL) | FLOATING
PRIMITIVES = NUMERIC | {"boolean"}
# JLS 5.1.2: what a primitive type can be widened to.
WIDENING: dict[str, frozenset[str]] = {
    "byte": frozenset({"short", "int", "long", "float", "double"}),
    "short": frozenset({"int", "long", "float", "double"}),
    "char": frozenset({"int", "long", "float", "double"}),
    "int": frozenset({"long", "float", "double"}),
    "long": frozenset({"float", "double"}),
    "float": frozenset({"double"}),
    "double": frozenset(),
    "boolean": frozenset(),
}
WRAPPERS: dict[str, str] = {
    "byte": "java.lang.Byte",
    "short": "java.lang.Short",
    "char": "java.lang.Character",
    "int": "java.lang.Integer",
    "long": "java.lang.Long",
    "float": "java.lang.Float",
    "double": "java.lang.Double",
    "boolean": "java.lang.Boolean",
}
UNBOXED: dict[str, str] = {wrapper: primitive for primitive, wrapper in WRAPPERS.items()}
DEFAULTS: dict[str, Prim] = {
    **{name: Prim(name, 0) for name in INTEGRAL},
    **{name: Prim(name, 0.0) for name in FLOATING},
    "boolean": FALSE,
}


class DivisionByZeroError(ArithmeticError):
    """Integer division or remainder by zero."""


def boolean(value: bool) -> Prim:
    """The Java ``boolean``."""
    return TRUE if value else FALSE


def wrap(value: int, type_name: str) -> int:
    """``value`` reduced to the range of an integral type, as narrowing does (JLS 5.1.3)."""
    width, signed = INTEGRAL[type_name]
    value &= (1 << width) - 1
    return value - (1 << width) if signed and value >> (width - 1) else value


def integer(type_name: str, value: int) -> Prim:
    """A value of an integral type, wrapped into its range."""
    return Prim(type_name, wrap(value, type_name))


def float32(value: float) -> float:
    """The binary32 number nearest to a binary64 one."""
    return float(ctypes.c_float(value).value)


def nearest_float32(value: Fraction) -> float:
    """The binary32 number nearest to an exact number, ties to even (one rounding, not two)."""
    if value == 0:
        return 0.0
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** max(exponent - 23, -149)
    rounded = float(round(magnitude / unit) * unit) if exponent < 200 else math.inf
    rounded = math.inf if rounded >= 2.0**128 else rounded
    return -rounded if value < 0 else rounded


def converted(value: Prim, target: str) -> Prim:
    """A primitive value cast to a primitive type (JLS 5.1.2, 5.1.3); ValueError between boolean and numbers."""
    if value.type == target:
        return value
    if "boolean" in (value.type, target):
        raise ValueError(f"{value.type} to {target}")
    number = value.value
    if target == "double":
        return Prim("double", float(number))
    if target == "float":
        rounded = float32(number) if isinstance(number, float) else nearest_float32(Fraction(number))
        return Prim("float", rounded)
    if isinstance(number, float):
        number = _truncated(number, "long" if target == "long" else "int")
    return integer(target, number)


def _truncated(number: float, target: str) -> int:
    """Rounded towards zero; NaN is 0, and what is too large is the nearest value of the type (JLS 5.1.3)."""
    if math.isnan(number):
        return 0
    width, _ = INTEGRAL[target]
    most = (1 << (width - 1)) - 1
    if number >= most:
        return most
    if number <= -most - 1:
        return -most - 1
    return int(number)


def promoted_type(left: str, right: str) -> str:
    """Binary numeric promotion (JLS 5.6)."""
    return next((name for name in ("double", "float", "long") if name in (left, right)), "int")


def unary_promoted_type(operand: str) -> str:
    """Unary numeric promotion (JLS 5.6)."""
    return operand if operand in ("long", "float", "double") else "int"


def negated(value: Prim) -> Prim:
    """Unary minus."""
    value = converted(value, unary_promoted_type(value.type))
    return Prim(value.type, -value.value) if value.type in FLOATING else integer(value.type, -int(value.value))


def complemented(value: Prim) -> Prim:
    """``~``."""
    type_name = unary_promoted_type(value.type)
    return integer(type_name, ~int(value.value))


def _divide(left: int, right: int) -> int:
    if right == 0:
        raise DivisionByZeroError
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _remainder(left: int, right: int) -> int:
    if right == 0:
        raise DivisionByZeroError
    rest = abs(left) % abs(right)
    return -rest if left < 0 else rest


def _float_divide(left: float, right: float) -> float:
    if right != 0:
        return left / right
    if left == 0 or math.isnan(left) or math.isnan(right):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def _float_remainder(left: float, right: float) -> float:
    if math.isnan(left) or math.isnan(right) or math.isinf(left) or right == 0:
        return math.nan
    return math.fmod(left, right)


_ON_INTEGERS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "%": _remainder,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}
_ON_FLOATS: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _float_divide,
    "%": _float_remainder,
}
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
_ON_BOOLEANS: dict[str, Callable[[bool, bool], bool]] = {
    "&": lambda a, b: a and b,
    "|": lambda a, b: a or b,
    "^": lambda a, b: a != b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
_SHIFTS = ("<<", ">>", ">>>")


def result_type(operator: str, left: str, right: str) -> str:
    """The type of a binary expression of primitive operands (not of a string concatenation)."""
    if operator in _COMPARE or operator in ("&&", "||") or left == "boolean":
        return "boolean"
    return unary_promoted_type(left) if operator in _SHIFTS else promoted_type(left, right)


def binary(operator: str, left: Prim, right: Prim) -> Prim:
    """``left operator right`` for primitives; ``DivisionByZeroError``; ValueError where Java has no such operator."""
    if left.type == "boolean" and right.type == "boolean" and operator in _ON_BOOLEANS:
        return boolean(_ON_BOOLEANS[operator](bool(left.value), bool(right.value)))
    if left.type == "boolean" or right.type == "boolean":
        raise ValueError(operator)
    if operator in _SHIFTS:
        return _shifted(operator, left, right)
    type_name = promoted_type(left.type, right.type)
    one, other = converted(left, type_name).value, converted(right, type_name).value
    if operator in _COMPARE:
        return boolean(_COMPARE[operator](one, other))
    if type_name in FLOATING:
        if operator not in _ON_FLOATS:
            raise ValueError(operator)
        result = _ON_FLOATS[operator](float(one), float(other))
        return Prim(type_name, float32(result) if type_name == "float" else result)
    if operator not in _ON_INTEGERS:
        raise ValueError(operator)
    return integer(type_name, _ON_INTEGERS[operator](int(one), int(other)))


def _shifted(operator: str, left: Prim, right: Prim) -> Prim:
    """Shifts: each operand is promoted for itself, and only the low bits of the distance count (JLS 15.19)."""
    if left.type in FLOATING or right.type in FLOATING:
        raise ValueError(operator)
    type_name = unary_promoted_type(left.type)
    width, _ = INTEGRAL[type_name]
    number, distance = int(left.value), int(right.value) & (width - 1)
    if operator == "<<":
        return integer(type_name, number << distance)
    if operator == ">>":
        return integer(type_name, number >> distance)
    return integer(type_name, (number & ((1 << width) - 1)) >> distance)


# Up to so many digits, and without an exponent, every JDK writes the shortest decimal that is read back as the same
# number (JDK-4511638 is about longer ones).
_SURE_DIGITS = {"double": 12, "float": 6}


def text_of(value: Prim) -> str | None:
    """``String.valueOf``; None for a floating-point number of which JDKs write different texts."""
    if value.type == "boolean":
        return "true" if value.value else "false"
    if value.type == "char":
        return chr(int(value.value))
    if value.type not in FLOATING:
        return str(value.value)
    number = float(value.value)
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if number == 0:
        return "-0.0" if math.copysign(1.0, number) < 0 else "0.0"
    if not 1e-3 <= abs(number) < 1e7:
        return None
    return _shortest(number, value.type)


def _shortest(number: float, type_name: str) -> str | None:
    for digits in range(1, _SURE_DIGITS[type_name] + 1):
        text = f"{number:.{digits}g}"
        again = float(text)
        if (nearest_float32(Fraction(text)) if type_name == "float" else again) == number:
            plain = _plain(text)
            return plain if "." in plain else plain + ".0"
    return None


def _plain(text: str) -> str:
    """A decimal without an exponent (``1e+06`` → ``1000000``)."""
    mantissa, _, exponent = text.partition("e")
    if not exponent:
        return mantissa
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    power = int(exponent)
    digits = whole + fraction
    point = len(whole) + power
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    if point >= len(digits):
        return sign + digits.ljust(point, "0")
    return f"{sign}{digits[:point]}.{digits[point:]}"
