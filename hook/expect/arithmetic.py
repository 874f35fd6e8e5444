"""Integers and reals of ACSL: mathematical, with the division of C (ACSL 1.17 §2.2.4)."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TypeGuard

from clausefit.hook.expect.memory import Undefined
from clausefit.hook.expect.tokens import representable
from clausefit.hook.expect.types import number_type, wrapped
from clausefit.hook.pins.c_types import FloatType, IntType

_MAX_BITS = 4096
_MAX_REAL_BITS = 2400


def is_integer(value: object) -> TypeGuard[int]:
    """Whether a value is an ACSL integer (a Python ``bool`` is an ACSL boolean)."""
    return type(value) is int


def is_number(value: object) -> TypeGuard[int | Fraction]:
    """Whether a value is an ACSL integer or real."""
    return type(value) in (int, Fraction)


def operation(operator: str, left: object, right: object) -> int | Fraction:
    """``left operator right`` on numbers; Undefined for other operands, division by zero and huge values."""
    if not (is_number(left) and is_number(right)):
        raise Undefined("arithmetic on something that is no number")
    if isinstance(left, int) and isinstance(right, int):
        return _on_integers(operator, left, right)
    return _on_reals(operator, Fraction(left), Fraction(right))


def _check_size(value: int, bits: int) -> None:
    if value.bit_length() > bits:
        raise Undefined("the number is too large")


def _on_integers(operator: str, left: int, right: int) -> int:
    _check_size(left, _MAX_BITS)
    _check_size(right, _MAX_BITS)
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" | "%":
            if right == 0:
                raise Undefined("division by zero")
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return quotient if operator == "/" else left - quotient * right
        case "<<" | ">>":
            if not 0 <= right <= _MAX_BITS:
                raise Undefined("the shift has no value or is too wide")
            return left << right if operator == "<<" else left >> right
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case "-->":
            return ~left | right
        case "<-->":
            return ~(left ^ right)
    raise Undefined(f"{operator} is not understood")


def _on_reals(operator: str, left: Fraction, right: Fraction) -> Fraction:
    for side in (left, right):
        _check_size(side.numerator, _MAX_REAL_BITS)
        _check_size(side.denominator, _MAX_REAL_BITS)
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" if right != 0:
            return left / right
    raise Undefined(f"{operator} has no value on reals")


def ordered(operator: str, left: int | Fraction, right: int | Fraction) -> bool:
    """A comparison of two numbers of the same kind or of different ones."""
    match operator:
        case "==":
            return left == right
        case "!=":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
    return left >= right


def converted(value: object, target: str) -> int | Fraction:
    """The cast of a number or boolean to a numeric type; Undefined where C or ACSL leave its value open.

    Casts to integer types wrap; reals are cut off towards zero; a cast to a floating-point type must be exact,
    for the rounding mode is not part of the formula.
    """
    known = number_type(target)
    if isinstance(known, IntType) and isinstance(value, int | Fraction):
        return _to_machine(value, known)
    if is_number(value) and target == "integer":
        return math.trunc(value)
    if is_number(value) and (target == "real" or isinstance(known, FloatType)):
        exact = Fraction(value)
        if known is None or representable(exact, 24 if known.width == 32 else 53):
            return exact
    raise Undefined("the cast is not understood")


def _to_machine(value: int | Fraction, target: IntType) -> int:
    whole = math.trunc(value)
    cut = wrapped(whole, target)
    if cut != whole and (target.width == 1 or isinstance(value, Fraction)):
        raise Undefined("the cast is not understood")
    return cut


def in_range(value: object, target: str) -> int | Fraction:
    """``value`` as an argument of a numeric type, without a change; Undefined where it does not fit."""
    given = converted(value, target)
    if type(value) is bool or given != value:
        raise Undefined("the value does not fit its type")
    return given
