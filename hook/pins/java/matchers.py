"""Hamcrest matchers: what ``assertThat(actual, matcher)`` says of a value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from clausefit.hook.pins.java import compare
from clausefit.hook.pins.java.evidence import Evidence, Operand
from clausefit.hook.pins.java.machine import CallSite, Intrinsic, Machine
from clausefit.hook.pins.java.throwing import class_named
from clausefit.hook.pins.java.values import NULL, Arr, ClassLit, Native, Prim, Str, Unknown, Value

MATCHER_OWNERS = frozenset(
    {"org.hamcrest.Matchers", "org.hamcrest.CoreMatchers"}
    | {f"org.hamcrest.core.{name}" for name in ("Is", "IsEqual", "IsNull", "IsNot", "IsSame")}
)
_TYPE = "org.hamcrest.Matcher"
_Test = Callable[[Machine, Value], bool | None]


@dataclass(frozen=True)
class Matcher:
    """What a matcher accepts. ``equal_to``: it accepts just what equals this; ``not_equal_to``: all but that."""

    test: _Test
    equal_to: Operand | None = None
    not_equal_to: Operand | None = None
    by_identity: bool = False

    def check(self, machine: Machine, line: int, evidence: Evidence, actual: Operand) -> None:
        """``assertThat(actual, self)``. Raises ``Stop`` when the value does not match."""
        holds = self.test(machine, actual.value)
        if self.equal_to is not None:
            (evidence.same if self.by_identity else evidence.equal)(machine, line, self.equal_to, actual, holds)
        elif self.not_equal_to is not None and holds is None:
            evidence.exclude(machine, actual, self.not_equal_to.value)
        else:
            evidence.true(machine, line, actual, holds)


def matcher_for(name: str) -> Intrinsic | None:
    """What makes the matcher of this name; None for matchers that are not known."""
    make = _MAKERS.get(name)
    if make is None:
        return None

    def intrinsic(machine: Machine, site: CallSite) -> Value:
        operands = [Operand(argument.evaluate(), argument.node) for argument in site.arguments]
        matcher = make(operands)
        if matcher is None:
            return Unknown(_TYPE)
        return machine.native(_TYPE, matcher)

    return intrinsic


def _inner(operand: Operand) -> Matcher | None:
    value = operand.value
    return value.payload if isinstance(value, Native) and isinstance(value.payload, Matcher) else None


def _equal_to(operands: Sequence[Operand]) -> Matcher | None:
    if len(operands) != 1:
        return None
    wanted = operands[0]
    return Matcher(lambda machine, value: _equals(machine, value, wanted.value), equal_to=wanted)


def _equals(machine: Machine, left: Value, right: Value) -> bool | None:
    """``IsEqual``: both sides are boxed, arrays are equal by their contents."""
    if isinstance(left, Arr) and isinstance(right, Arr):
        return compare.arrays_equal(machine, left, right)
    if isinstance(left, Prim) and isinstance(right, Prim) and left.type != right.type:
        # Boxes of different types are never equal, unless the compiler widened one of them first.
        return None if compare.numbers_equal(left, right) is not False else False
    return compare.equal(machine, left, right)


def _is(operands: Sequence[Operand]) -> Matcher | None:
    if len(operands) == 1 and isinstance(operands[0].value, ClassLit | Unknown):
        return None  # is(Class) of old versions is instanceOf; an unknown argument may be a matcher
    inner = _inner(operands[0]) if len(operands) == 1 else None
    return inner or (None if operands and isinstance(operands[0].value, Native) else _equal_to(operands))


def _not(operands: Sequence[Operand]) -> Matcher | None:
    inner = _is(operands)
    if inner is None:
        return None

    def test(machine: Machine, value: Value) -> bool | None:
        found = inner.test(machine, value)
        return None if found is None else not found

    return Matcher(test, inner.not_equal_to, inner.equal_to if not inner.by_identity else None)


def _null(operands: Sequence[Operand]) -> Matcher | None:
    if len(operands) > 1:
        return None
    return Matcher(lambda _machine, value: compare.is_null(value), equal_to=Operand(NULL))


def _not_null(operands: Sequence[Operand]) -> Matcher | None:
    return _not([Operand(value=_native_null())]) if len(operands) < 2 else None


def _native_null() -> Native:
    return Native(0, _TYPE, Matcher(lambda _machine, value: compare.is_null(value), equal_to=Operand(NULL)))


def _same(operands: Sequence[Operand]) -> Matcher | None:
    if len(operands) != 1:
        return None
    wanted = operands[0]
    return Matcher(lambda _m, value: compare.same(value, wanted.value), equal_to=wanted, by_identity=True)


def _instance(operands: Sequence[Operand]) -> Matcher | None:
    type_name = class_named(operands[0].value) if len(operands) == 1 else ""
    if not type_name:
        return None
    return Matcher(lambda machine, value: compare.is_instance(machine, value, type_name))


def _ordered(accepts: Callable[[int], bool]) -> Callable[[Sequence[Operand]], Matcher | None]:
    def make(operands: Sequence[Operand]) -> Matcher | None:
        if len(operands) != 1:
            return None
        bound = operands[0].value

        def test(_machine: Machine, value: Value) -> bool | None:
            found = compare.ordered(value, bound)
            return None if found is None else accepts(found)

        return Matcher(test)

    return make


def _close(operands: Sequence[Operand]) -> Matcher | None:
    delta = compare.unboxed(operands[1].value) if len(operands) == 2 else None
    if not isinstance(delta, Prim):
        return None
    tolerance = float(delta.value)
    return Matcher(lambda _machine, value: compare.within(operands[0].value, value, tolerance))


def _text(accepts: Callable[[str, str], bool]) -> Callable[[Sequence[Operand]], Matcher | None]:
    def make(operands: Sequence[Operand]) -> Matcher | None:
        wanted = operands[0].value if len(operands) == 1 else None
        if not isinstance(wanted, Str):
            return None
        return Matcher(lambda _m, value: accepts(value.value, wanted.value) if isinstance(value, Str) else None)

    return make


def _all(operands: Sequence[Operand]) -> Matcher | None:
    inner = [_inner(one) for one in operands]
    known = [one for one in inner if one is not None]
    if not known or len(known) != len(inner):
        return None

    def test(machine: Machine, value: Value) -> bool | None:
        found = [one.test(machine, value) for one in known]
        return False if False in found else (None if None in found else True)

    return Matcher(test)


def _any(operands: Sequence[Operand]) -> Matcher | None:
    inner = [_inner(one) for one in operands]
    known = [one for one in inner if one is not None]
    if not known or len(known) != len(inner):
        return None

    def test(machine: Machine, value: Value) -> bool | None:
        found = [one.test(machine, value) for one in known]
        return True if True in found else (None if None in found else False)

    return Matcher(test)


def _size(operands: Sequence[Operand]) -> Matcher | None:
    wanted = compare.unboxed(operands[0].value) if len(operands) == 1 else None
    if not isinstance(wanted, Prim):
        return None
    return Matcher(lambda _machine, value: compare.has_size(value, int(wanted.value)))


def _contains(operands: Sequence[Operand]) -> Matcher | None:
    if any(isinstance(one.value, Native | Unknown | Arr) for one in operands):
        return None
    return Matcher(lambda machine, value: compare.sequences_equal(machine, value, [one.value for one in operands]))


def _empty(operands: Sequence[Operand]) -> Matcher | None:
    return None if operands else Matcher(lambda _machine, value: compare.has_size(value, 0))


_MAKERS: dict[str, Callable[[Sequence[Operand]], Matcher | None]] = {
    "is": _is,
    "equalTo": _equal_to,
    "not": _not,
    "nullValue": _null,
    "notNullValue": _not_null,
    "sameInstance": _same,
    "theInstance": _same,
    "instanceOf": _instance,
    "isA": _instance,
    "any": _instance,
    "greaterThan": _ordered(lambda sign: sign > 0),
    "greaterThanOrEqualTo": _ordered(lambda sign: sign >= 0),
    "lessThan": _ordered(lambda sign: sign < 0),
    "lessThanOrEqualTo": _ordered(lambda sign: sign <= 0),
    "comparesEqualTo": _ordered(lambda sign: sign == 0),
    "closeTo": _close,
    "startsWith": _text(str.startswith),
    "endsWith": _text(str.endswith),
    "containsString": _text(str.__contains__),
    "allOf": _all,
    "anyOf": _any,
    "hasSize": _size,
    "contains": _contains,
    "empty": _empty,
    "emptyString": _empty,
    "isEmptyString": _empty,
}
