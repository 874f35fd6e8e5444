"""What the checks of AssertJ and Truth say of the value that they are called on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from clausefit.hook.pins.java import compare
from clausefit.hook.pins.java.evidence import Evidence, Operand
from clausefit.hook.pins.java.machine import Machine
from clausefit.hook.pins.java.throwing import class_named
from clausefit.hook.pins.java.values import NULL, Arr, Prim, Str, Unknown, Value

Check = Callable[[Machine, int, Evidence, Operand, Sequence[Operand]], None]


def _equal(machine: Machine, line: int, evidence: Evidence, actual: Operand, others: Sequence[Operand]) -> None:
    if len(others) == 1:
        holds = compare.loosely_equal(machine, actual.value, others[0].value)
        evidence.equal(machine, line, others[0], actual, holds)


def _not_equal(machine: Machine, line: int, evidence: Evidence, actual: Operand, others: Sequence[Operand]) -> None:
    if len(others) != 1:
        return
    holds = compare.loosely_equal(machine, actual.value, others[0].value)
    if holds is None:
        evidence.exclude(machine, actual, others[0].value)
    elif holds:
        evidence.refute(line)


def _equals(value: Value) -> Check:
    def check(machine: Machine, line: int, evidence: Evidence, actual: Operand, others: Sequence[Operand]) -> None:
        if not others:
            _equal(machine, line, evidence, actual, [Operand(value)])

    return check


def _null(machine: Machine, line: int, evidence: Evidence, actual: Operand, _others: Sequence[Operand]) -> None:
    evidence.equal(machine, line, Operand(NULL), actual, compare.is_null(actual.value))


def _not_null(machine: Machine, line: int, evidence: Evidence, actual: Operand, _others: Sequence[Operand]) -> None:
    null = compare.is_null(actual.value)
    if null is None:
        evidence.exclude(machine, actual, NULL)
    elif null:
        evidence.refute(line)


def _same(machine: Machine, line: int, evidence: Evidence, actual: Operand, others: Sequence[Operand]) -> None:
    if len(others) == 1:
        evidence.same(machine, line, others[0], actual, compare.same(actual.value, others[0].value))


def _not_same(_machine: Machine, line: int, evidence: Evidence, actual: Operand, others: Sequence[Operand]) -> None:
    if len(others) == 1 and compare.same(actual.value, others[0].value):
        evidence.refute(line)


def _is_zero(machine: Machine, line: int, evidence: Evidence, actual: Operand, _others: Sequence[Operand]) -> None:
    value = compare.unboxed(actual.value)
    if isinstance(value, Prim):
        evidence.true(machine, line, actual, value.value == 0)
    else:
        evidence.equal(machine, line, Operand(Prim("int", 0)), actual, None)


def _says(holds: Callable[[Machine, Value, Sequence[Value]], bool | None]) -> Check:
    def check(machine: Machine, line: int, evidence: Evidence, actual: Operand, others: Sequence[Operand]) -> None:
        evidence.true(machine, line, actual, holds(machine, actual.value, [one.value for one in others]))

    return check


def _ordered(accepts: Callable[[int], bool], bound: int | None = None) -> Check:
    def holds(_machine: Machine, value: Value, others: Sequence[Value]) -> bool | None:
        wanted = [Prim("int", bound)] if bound is not None else others
        if len(wanted) != 1 or (bound is not None and others):
            return None
        found = compare.ordered(value, wanted[0])
        return None if found is None else accepts(found)

    return _says(holds)


def _between(_machine: Machine, value: Value, others: Sequence[Value]) -> bool | None:
    if len(others) != 2:
        return None
    low, high = compare.ordered(value, others[0]), compare.ordered(value, others[1])
    return None if low is None or high is None else low >= 0 >= high


def _sequence(machine: Machine, value: Value, others: Sequence[Value]) -> bool | None:
    if len(others) == 1 and isinstance(others[0], Arr | Unknown):
        return compare.arrays_equal(machine, value, others[0]) if isinstance(value, Arr) else None
    return compare.sequences_equal(machine, value, others)


def _size(_machine: Machine, value: Value, others: Sequence[Value]) -> bool | None:
    wanted = compare.unboxed(others[0]) if len(others) == 1 else None
    return compare.has_size(value, int(wanted.value)) if isinstance(wanted, Prim) else None


def _text(accepts: Callable[[str, str], bool]) -> Check:
    def holds(_machine: Machine, value: Value, others: Sequence[Value]) -> bool | None:
        if len(others) != 1 or not isinstance(value, Str) or not isinstance(others[0], Str):
            return None
        return accepts(value.value, others[0].value)

    return _says(holds)


def _instance(machine: Machine, value: Value, others: Sequence[Value]) -> bool | None:
    wanted = class_named(others[0]) if len(others) == 1 else ""
    return compare.is_instance(machine, value, wanted) if wanted else None


def _not_empty(_machine: Machine, value: Value, _others: Sequence[Value]) -> bool | None:
    found = compare.has_size(value, 0)
    return None if found is None else not found


CHECKS: dict[str, Check] = {
    "isEqualTo": _equal,
    "isNotEqualTo": _not_equal,
    "isTrue": _equals(Prim("boolean", True)),
    "isFalse": _equals(Prim("boolean", False)),
    "isNull": _null,
    "isNotNull": _not_null,
    "isSameAs": _same,
    "isSameInstanceAs": _same,
    "isNotSameAs": _not_same,
    "isNotSameInstanceAs": _not_same,
    "isZero": _is_zero,
    "isPositive": _ordered(lambda sign: sign > 0, 0),
    "isNegative": _ordered(lambda sign: sign < 0, 0),
    "isNotNegative": _ordered(lambda sign: sign >= 0, 0),
    "isNotPositive": _ordered(lambda sign: sign <= 0, 0),
    "isGreaterThan": _ordered(lambda sign: sign > 0),
    "isGreaterThanOrEqualTo": _ordered(lambda sign: sign >= 0),
    "isAtLeast": _ordered(lambda sign: sign >= 0),
    "isLessThan": _ordered(lambda sign: sign < 0),
    "isLessThanOrEqualTo": _ordered(lambda sign: sign <= 0),
    "isAtMost": _ordered(lambda sign: sign <= 0),
    "isBetween": _says(_between),
    "isInstanceOf": _says(_instance),
    "containsExactly": _says(_sequence),
    "hasSize": _says(_size),
    "hasLength": _says(_size),
    "isEmpty": _says(lambda _machine, value, _others: compare.has_size(value, 0)),
    "isNotEmpty": _says(_not_empty),
    "startsWith": _text(str.startswith),
    "endsWith": _text(str.endswith),
    "contains": _text(str.__contains__),
}
