"""``java.lang.Math``: what is defined exactly."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from clausefit.hook.pins.java import numbers
from clausefit.hook.pins.java.code import Compiler
from clausefit.hook.pins.java.jdk_strings import Arguments, NotKnownError
from clausefit.hook.pins.java.numbers import converted
from clausefit.hook.pins.java.text import hash_of
from clausefit.hook.pins.java.values import Prim, Value

Function = Callable[[Compiler, Arguments], Value]
_ARITHMETIC = "java.lang.ArithmeticException"


def prim(c: Compiler, value: Value) -> Prim:
    """A primitive argument, unboxed if need be."""
    found = c.current.unboxed(value)
    if isinstance(found, Prim):
        return found
    raise NotKnownError


def promoted(c: Compiler, args: Arguments) -> tuple[str, list[Prim]]:
    """All arguments in the type to which they are promoted."""
    known = [prim(c, one) for one in args]
    type_name = known[0].type
    for one in known[1:]:
        type_name = numbers.promoted_type(type_name, one.type)
    type_name = numbers.unary_promoted_type(type_name)
    return type_name, [converted(one, type_name) for one in known]


def compare(c: Compiler, args: Arguments) -> Value:
    """``compare`` of the wrappers of int, long, boolean, float and double."""
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


def compare_small(c: Compiler, args: Arguments) -> Value:
    """``Character.compare``, ``Short.compare``, ``Byte.compare`` give the difference."""
    return Prim("int", int(prim(c, args[0]).value) - int(prim(c, args[1]).value))


def hash_code(c: Compiler, args: Arguments) -> Value:
    """``hashCode`` of a wrapper."""
    found = hash_of(c, c.current.boxed(prim(c, args[0])))
    if found is None:
        raise NotKnownError
    return Prim("int", found)


def box(c: Compiler, args: Arguments, type_name: str) -> Value:
    """``valueOf`` of a primitive value."""
    return c.current.box(converted(prim(c, args[0]), type_name))


def _abs(c: Compiler, args: Arguments) -> Value:
    type_name, (one,) = promoted(c, args)
    if type_name in numbers.FLOATING:
        return Prim(type_name, abs(one.value))
    return numbers.integer(type_name, abs(int(one.value)))


def extreme(is_max: bool) -> Function:
    """``max`` or ``min``."""

    def function(c: Compiler, args: Arguments) -> Value:
        type_name, (one, other) = promoted(c, args)
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
        type_name, (one, other) = promoted(c, args)
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
        type_name, known = promoted(c, args)
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


MATH: dict[tuple[str, int], Function] = {
    ("abs", 1): _abs,
    ("max", 2): extreme(True),
    ("min", 2): extreme(False),
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
