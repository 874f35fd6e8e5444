"""Operators at run time, on values that may be boxed, null or unknown (JLS 15.15-15.24)."""

from __future__ import annotations

from clausefit.hook.pins.java import numbers
from clausefit.hook.pins.java.code import Compiler
from clausefit.hook.pins.java.names import is_primitive
from clausefit.hook.pins.java.runtime import Run
from clausefit.hook.pins.java.text import same, string_of, unknown_text
from clausefit.hook.pins.java.values import (
    FALSE,
    STRING,
    TRUE,
    Heap,
    Null,
    Prim,
    Stop,
    Str,
    Unknown,
    Value,
    Void,
)

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def plus(c: Compiler, left: Value, right: Value, is_text: bool) -> Value:
    """``+``: concatenation if it is known that an operand is a String, or if one turns out to be one."""
    if not is_text and not isinstance(left, Str) and not isinstance(right, Str):
        if _may_be_text(left) or _may_be_text(right):
            return Unknown("")
        return arithmetic(c.current, "+", left, right)
    return concatenation(c, left, right)


def _may_be_text(value: Value) -> bool:
    """Whether a value may be a String of which that is not known: without a static type."""
    return isinstance(value, Null) or (isinstance(value, Unknown) and value.type in ("", STRING, "java.lang.Object"))


def concatenation(c: Compiler, left: Value, right: Value) -> Value:
    """A new string of both texts (JLS 15.18.1)."""
    one = string_of(c, left)
    other = string_of(c, right)
    if isinstance(one, Str) and isinstance(other, Str):
        c.current.spend(len(one.value) + len(other.value))
        return c.current.new_str(one.value + other.value)
    return unknown_text()


def arithmetic(run: Run, operator: str, left: Value, right: Value) -> Value:
    """A numeric, bitwise or shift operator, or a comparison of numbers; both operands are unboxed."""
    one, other = run.unboxed(left), run.unboxed(right)
    if isinstance(one, Prim) and isinstance(other, Prim):
        try:
            return numbers.binary(operator, one, other)
        except numbers.DivisionByZeroError:
            raise run.thrown("java.lang.ArithmeticException", "/ by zero") from None
        except ValueError:
            raise Stop(f"the operator {operator} stands between values that it does not fit") from None
    if operator in ("&", "|"):
        decided = next((side for side in (one, other) if _decides(operator, side)), None)
        if decided is not None:
            return decided
    return _unknown_result(run, operator, one, other)


def _decides(operator: str, side: Value) -> bool:
    return isinstance(side, Prim) and side.type == "boolean" and bool(side.value) == (operator == "|")


def _unknown_result(run: Run, operator: str, one: Value, other: Value) -> Unknown:
    types = [side.type if isinstance(side, Prim | Unknown) else "" for side in (one, other)]
    is_known_divisor = isinstance(other, Prim) and other.value != 0
    if operator in ("/", "%") and not is_known_divisor and "double" not in types and "float" not in types:
        run.may_throw("something is divided by a number that is not known")
    if operator in COMPARISONS:
        return Unknown("boolean")
    if all(is_primitive(name) for name in types):
        return Unknown(numbers.result_type(operator, types[0], types[1]))
    return Unknown("")


def equality(c: Compiler, operator: str, left: Value, right: Value) -> Value:
    """``==`` and ``!=``: numbers if one operand is primitive, else references (JLS 15.21)."""
    if _is_primitive_value(left) or _is_primitive_value(right):
        return arithmetic(c.current, operator, left, right)
    if isinstance(left, Void) or isinstance(right, Void):
        raise Stop("a call without a result is used as a value")
    if (_without_type(left) and isinstance(right, Heap)) or (_without_type(right) and isinstance(left, Heap)):
        return Unknown("boolean")
    answer = same(left, right)
    if answer is None:
        return Unknown("boolean")
    return TRUE if answer == (operator == "==") else FALSE


def _is_primitive_value(value: Value) -> bool:
    return isinstance(value, Prim) or (isinstance(value, Unknown) and is_primitive(value.type))


def _without_type(value: Value) -> bool:
    return isinstance(value, Unknown) and not value.type


def unary(run: Run, operator: str, operand: Value) -> Value:
    """``+``, ``-``, ``~``, ``!``."""
    value = run.unboxed(operand)
    if isinstance(value, Unknown):
        if operator == "!":
            return Unknown("boolean")
        known = is_primitive(value.type) and value.type != "boolean"
        return Unknown(numbers.unary_promoted_type(value.type) if known else "")
    if not isinstance(value, Prim) or (value.type == "boolean") != (operator == "!"):
        raise Stop(f"the operator {operator} stands before a value that it does not fit")
    if operator == "!":
        return FALSE if value.value else TRUE
    if operator == "-":
        return numbers.negated(value)
    if operator == "~":
        return numbers.complemented(value)
    return numbers.converted(value, numbers.unary_promoted_type(value.type))


def cast_to_primitive(run: Run, value: Value, target: str, source: str) -> Value:
    """A cast to a primitive type (JLS 5.5); ``source`` is the static type of the operand."""
    if isinstance(value, Heap | Null) and source not in numbers.UNBOXED:
        # From Object or Number: checked to be the very wrapper, then unboxed.
        wrapper = numbers.WRAPPERS[target]
        if isinstance(value, Heap) and run.type_of(value) != wrapper:
            if not source:
                run.may_throw("an object of a type that is not known is cast")
                return Unknown(target)
            raise run.thrown("java.lang.ClassCastException")
    value = run.unboxed(value)
    if isinstance(value, Prim):
        if (value.type == "boolean") != (target == "boolean"):
            raise Stop("a number and a boolean are mixed up")
        return (
            run.keep_origin(value, numbers.converted(value, target))
            if value.type == target
            else (numbers.converted(value, target))
        )
    return value if isinstance(value, Unknown) and value.type == target else Unknown(target)


def cast_to_reference(run: Run, value: Value, target: str) -> Value:
    """A cast to a reference type: ClassCastException where the object is not of it."""
    value = run.convert(value, target) if isinstance(value, Prim) else run.boxed(value)
    if isinstance(value, Null):
        return value
    if isinstance(value, Unknown):
        if not value.type or run.world.is_subtype(value.type, target) is not True:
            run.may_throw("a value that is not known is cast")
            return run.keep_origin(value, Unknown(target or value.type, value.is_nonnull))
        return value
    answer = run.is_instance(value, target)
    if answer is False:
        raise run.thrown("java.lang.ClassCastException")
    if answer is None:
        run.may_throw("an object is cast to a type that is not known")
    return value
