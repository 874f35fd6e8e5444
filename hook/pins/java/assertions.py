"""The assertions of JUnit 3, 4, 5 and TestNG, as calls that the interpreter of tests leaves to this module.

An assertion that holds confirms the call whose result it speaks of; one about a result that is not known shows it; one
that does not hold ends the test there (``java_evidence``). Orders of arguments are those of each library's API.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from clausefit.hook.pins.java import compare
from clausefit.hook.pins.java.evidence import Evidence, Operand
from clausefit.hook.pins.java.fluent import FLUENT_OWNERS, Fluent
from clausefit.hook.pins.java.machine import CallSite, Intrinsic, Machine
from clausefit.hook.pins.java.matchers import MATCHER_OWNERS, Matcher, matcher_for
from clausefit.hook.pins.java.throwing import Throwing, class_named
from clausefit.hook.pins.java.values import (
    NULL,
    VOID,
    Arr,
    Boxed,
    Closure,
    JavaThrow,
    Native,
    Prim,
    Str,
    Unknown,
    Value,
)

_MESSAGE_FIRST = frozenset(
    {"junit.framework.TestCase", "junit.framework.Assert", "org.junit.Assert", "org.testng.AssertJUnit"}
)
_JUPITER = "org.junit.jupiter.api.Assertions"
_TESTNG = "org.testng.Assert"
_ASSERTIONS = _MESSAGE_FIRST | {_JUPITER, _TESTNG}
_ASSUMPTIONS = frozenset({"org.junit.Assume", "org.junit.jupiter.api.Assumptions"})
_STRING = ("java.lang.String", "String")


@dataclass(frozen=True)
class _Call:
    """An assertion with its arguments evaluated, in the library's order, and without its message."""

    machine: Machine
    site: CallSite
    operands: tuple[Operand, ...]
    extra: tuple[Operand, ...] = ()


class Assertions:
    """Answers the calls of test libraries, and keeps what those of one run of a test showed in ``evidence``."""

    def __init__(self) -> None:
        self.evidence = Evidence()
        self._throwing = Throwing(self.evidence)
        self._fluent = Fluent(self.evidence, self._throwing)

    def find(self, owner: str, name: str) -> Intrinsic | None:
        """What answers ``owner.name(…)``; None for everything that is not known to the last detail."""
        if owner in _ASSERTIONS or owner == "org.hamcrest.MatcherAssert":
            return self._assertion(owner, name)
        if owner in _ASSUMPTIONS:
            return self._assume
        if owner in MATCHER_OWNERS:
            return matcher_for(name)
        if owner in FLUENT_OWNERS:
            return self._fluent.find(owner, name)
        return None

    def _assertion(self, owner: str, name: str) -> Intrinsic | None:
        if name == "assertThat" and owner in ("org.junit.Assert", "org.hamcrest.MatcherAssert"):
            return self._assert_that
        if owner == "org.hamcrest.MatcherAssert":
            return None
        if name in ("assertThrows", "assertThrowsExactly", "expectThrows"):
            return self._throwing.assert_throws
        if owner == _JUPITER and name in ("assertAll", "assertDoesNotThrow", "assertTimeout"):
            return {
                "assertAll": self._throwing.assert_all,
                "assertDoesNotThrow": self._throwing.assert_does_not_throw,
                "assertTimeout": self._throwing.assert_timeout,
            }[name]
        if name == "fail":
            return _fail
        found = _CHECKS.get(name)
        if found is None:
            return None
        count, check = found
        return lambda machine, site: self._run(owner, count, check, machine, site)

    def _run(self, owner: str, count: int, check: _Check, machine: Machine, site: CallSite) -> Value:
        operands = [Operand(argument.evaluate(), argument.node) for argument in site.arguments]
        if len(operands) < count or len(operands) > count + 2:
            return VOID
        call = _Call(machine, site, *_arranged(owner, count, operands, [one.type for one in site.arguments]))
        check(self, owner, call)
        return VOID

    # -- checks

    def equals(self, owner: str, call: _Call) -> None:
        """``assertEquals``, with a tolerance as well."""
        left, right = call.operands
        if call.extra:
            self._close(call, left, right, call.extra[0])
            return
        self.evidence.equal(call.machine, call.site.line, left, right, _equal(owner, call, left.value, right.value))

    def _close(self, call: _Call, left: Operand, right: Operand, delta: Operand) -> None:
        tolerance = compare.unboxed(delta.value)
        if not isinstance(tolerance, Prim):
            return
        holds = compare.within(left.value, right.value, float(tolerance.value))
        for one in (left, right):
            self.evidence.true(call.machine, call.site.line, one, holds)

    def not_equals(self, owner: str, call: _Call) -> None:
        """``assertNotEquals``."""
        left, right = call.operands
        if call.extra:
            return
        holds = _equal(owner, call, left.value, right.value)
        if holds is None:
            self.evidence.exclude(call.machine, left, right.value)
            self.evidence.exclude(call.machine, right, left.value)
        elif holds:
            self.evidence.refute(call.site.line)

    def is_true(self, _owner: str, call: _Call) -> None:
        """``assertTrue``."""
        self.boolean(call.machine, call.site.line, call.operands[0], True)

    def is_false(self, _owner: str, call: _Call) -> None:
        """``assertFalse``."""
        self.boolean(call.machine, call.site.line, call.operands[0], False)

    def boolean(self, machine: Machine, line: int, actual: Operand, expected: bool) -> None:
        """A condition (or a supplier of one) that must have a value."""
        if isinstance(actual.value, Closure):
            actual = Operand(machine.run_open(actual.value), actual.node)
        value = compare.unboxed(actual.value)
        holds = bool(value.value) == expected if isinstance(value, Prim) else None
        self.evidence.equal(machine, line, Operand(Prim("boolean", expected)), actual, holds)

    def is_null(self, _owner: str, call: _Call) -> None:
        """``assertNull``."""
        actual = call.operands[0]
        self.evidence.equal(call.machine, call.site.line, Operand(NULL), actual, compare.is_null(actual.value))

    def is_not_null(self, _owner: str, call: _Call) -> None:
        """``assertNotNull``."""
        actual = call.operands[0]
        null = compare.is_null(actual.value)
        if null is None:
            self.evidence.exclude(call.machine, actual, NULL)
        elif null:
            self.evidence.refute(call.site.line)

    def same(self, _owner: str, call: _Call) -> None:
        """``assertSame``."""
        left, right = call.operands
        holds = compare.same(left.value, right.value)
        self.evidence.same(call.machine, call.site.line, left, right, holds)

    def not_same(self, _owner: str, call: _Call) -> None:
        """``assertNotSame``."""
        left, right = call.operands
        if compare.same(left.value, right.value):
            self.evidence.refute(call.site.line)

    def arrays(self, _owner: str, call: _Call) -> None:
        """``assertArrayEquals``, with a tolerance as well."""
        left, right = call.operands
        delta = compare.unboxed(call.extra[0].value) if call.extra else None
        if delta is not None and not isinstance(delta, Prim):
            return
        tolerance = float(delta.value) if delta is not None else None
        holds = compare.arrays_equal(call.machine, left.value, right.value, tolerance)
        for one in (left, right):
            self.evidence.true(call.machine, call.site.line, one, holds)

    def sequences(self, _owner: str, call: _Call) -> None:
        """``assertIterableEquals``."""
        left, right = call.operands
        elements = compare.list_elements(right.value)
        holds = compare.sequences_equal(call.machine, left.value, elements) if elements is not None else None
        self.evidence.true(call.machine, call.site.line, right, holds)

    def instance(self, _owner: str, call: _Call) -> None:
        """``assertInstanceOf``."""
        wanted, actual = call.operands
        null = compare.is_null(actual.value)
        type_name = class_named(wanted.value)
        if null or (
            null is False and type_name and compare.is_instance(call.machine, actual.value, type_name) is False
        ):
            self.evidence.refute(call.site.line)

    def _assume(self, machine: Machine, site: CallSite) -> Value:
        """An assumption: the test goes on only where it holds."""
        values = [argument.evaluate() for argument in site.arguments]
        expected = {"assumeTrue": True, "assumeFalse": False}.get(site.name)
        conditions = [one for one in map(compare.unboxed, values) if isinstance(one, Prim)]
        pieces = [one for one in values if isinstance(one, Closure)]
        if expected is not None and not conditions and pieces:
            value = compare.unboxed(machine.run_open(pieces[0]))
            conditions = [value] if isinstance(value, Prim) else []
        if expected is None or not conditions:
            self.evidence.stop("it is not known whether the test's assumption holds", site.line)
        if bool(conditions[0].value) != expected:
            self.evidence.stop("the test's assumption does not hold", site.line)
        return VOID

    # -- Hamcrest

    def _assert_that(self, machine: Machine, site: CallSite) -> Value:
        """``assertThat([reason,] actual, matcher)`` or ``assertThat(reason, condition)``."""
        operands = [Operand(argument.evaluate(), argument.node) for argument in site.arguments]
        if len(operands) == 2 and isinstance(compare.unboxed(operands[1].value), Prim):
            self.boolean(machine, site.line, operands[1], True)
        elif len(operands) in (2, 3):
            matcher = operands[-1].value
            if isinstance(matcher, Native) and isinstance(matcher.payload, Matcher):
                matcher.payload.check(machine, site.line, self.evidence, operands[-2])
        return VOID


_Check = Callable[[Assertions, str, _Call], None]
_CHECKS: dict[str, tuple[int, _Check]] = {
    "assertEquals": (2, Assertions.equals),
    "assertNotEquals": (2, Assertions.not_equals),
    "assertTrue": (1, Assertions.is_true),
    "assertFalse": (1, Assertions.is_false),
    "assertNull": (1, Assertions.is_null),
    "assertNotNull": (1, Assertions.is_not_null),
    "assertSame": (2, Assertions.same),
    "assertNotSame": (2, Assertions.not_same),
    "assertArrayEquals": (2, Assertions.arrays),
    "assertIterableEquals": (2, Assertions.sequences),
    "assertInstanceOf": (2, Assertions.instance),
}


def _arranged(
    owner: str, count: int, operands: Sequence[Operand], types: Sequence[str]
) -> tuple[tuple[Operand, ...], tuple[Operand, ...]]:
    """The operands without the message, and the tolerance, if any.

    JUnit 3 and 4 have the message first, JUnit 5 and TestNG last; a tolerance is a number after the operands.
    """
    more = len(operands) - count
    if more and owner in _MESSAGE_FIRST and (more == 2 or _is_message(operands[0].value, types[0], operands[-1].value)):
        operands = operands[1:]
        more -= 1
    extra = tuple(operands[count : count + 1]) if more and count == 2 else ()
    if extra and not isinstance(compare.unboxed(extra[0].value), Prim | Unknown):
        extra = ()
    if extra and isinstance(extra[0].value, Unknown) and types[count : count + 1] and types[count] in _STRING:
        extra = ()
    return tuple(operands[:count]), extra


def _is_message(first: Value, static_type: str, last: Value) -> bool:
    """Whether the first of one argument more than needed is a message, and not the last one a tolerance."""
    if static_type in _STRING or isinstance(first, Str):
        return True
    return not isinstance(compare.unboxed(last), Prim) if first is NULL else False


def _equal(owner: str, call: _Call, left: Value, right: Value) -> bool | None:
    """Equality as ``assertEquals`` of this library has it."""
    machine = call.machine
    if isinstance(left, Arr) and isinstance(right, Arr):
        # TestNG compares contents, JUnit 4 those of two Object[] (deprecated), all others compare references.
        is_objects = not ({left.element, right.element} & compare.PRIMITIVES)
        if owner == _TESTNG or (owner == "org.junit.Assert" and is_objects):
            return compare.arrays_equal(machine, left, right)
        return left is right
    both = isinstance(left, Prim) and isinstance(right, Prim)
    if both and owner == "org.junit.Assert" and _is_floating(left, right):
        return None  # assertEquals(double, double) of JUnit 4 always fails
    if owner == _TESTNG and isinstance(left, Prim | Boxed) and isinstance(right, Prim | Boxed):
        return compare.loosely_equal(machine, left, right)
    return compare.equal(machine, left, right)


def _is_floating(left: Value, right: Value) -> bool:
    return any(isinstance(one, Prim) and one.type in ("float", "double") for one in (left, right))


def _fail(machine: Machine, site: CallSite) -> Value:
    for argument in site.arguments:
        argument.evaluate()
    raise JavaThrow(machine.throw("java.lang.AssertionError"), site.line)
