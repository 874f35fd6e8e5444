"""Fluent assertions: AssertJ (``assertThat(x).isEqualTo(5)``, ``assertThatThrownBy``) and Google Truth."""

from __future__ import annotations

from dataclasses import dataclass

from clausefit.hook.pins.java.evidence import Evidence, Operand
from clausefit.hook.pins.java.fluent_checks import CHECKS
from clausefit.hook.pins.java.machine import CallSite, Guarded, Intrinsic, Machine
from clausefit.hook.pins.java.throwing import Throwing, class_named
from clausefit.hook.pins.java.values import NULL, Closure, JavaThrow, Native, Obj, Unknown, Value
from tree_sitter import Node

_ASSERTJ = frozenset(
    f"org.assertj.core.api.{name}"
    for name in ("Assertions", "BDDAssertions", "AssertionsForClassTypes", "AssertionsForInterfaceTypes")
)
_TRUTH = "com.google.common.truth.Truth"
_SUBJECT = "org.assertj.core.api.AbstractAssert"
_TRUTH_SUBJECT = "com.google.common.truth.Subject"
_THROWN = "org.assertj.core.api.AbstractThrowableAssert"
_THROWER = "org.assertj.core.api.ThrowableTypeAssert"
FLUENT_OWNERS = _ASSERTJ | {_TRUTH, _SUBJECT, _TRUTH_SUBJECT, _THROWN, _THROWER}
_OF_TYPE = {
    "assertThatException": "java.lang.Exception",
    "assertThatRuntimeException": "java.lang.RuntimeException",
    "assertThatNullPointerException": "java.lang.NullPointerException",
    "assertThatIllegalArgumentException": "java.lang.IllegalArgumentException",
    "assertThatIllegalStateException": "java.lang.IllegalStateException",
    "assertThatIndexOutOfBoundsException": "java.lang.IndexOutOfBoundsException",
    "assertThatIOException": "java.io.IOException",
}
_SAYS_NOTHING = frozenset({"as", "describedAs", "withFailMessage", "overridingErrorMessage", "inOrder"})
# Of an exception's message and causes nothing is taken.
_ABOUT_MESSAGES = frozenset(
    {
        "hasMessage",
        "hasMessageContaining",
        "hasMessageStartingWith",
        "hasMessageEndingWith",
        "hasMessageMatching",
        "hasNoCause",
        "hasCauseInstanceOf",
        "hasRootCauseInstanceOf",
        "withMessage",
        "withMessageContaining",
        "withMessageStartingWith",
        "withMessageEndingWith",
        "withMessageMatching",
        "withNoCause",
        "withCauseInstanceOf",
        "isNotNull",
    }
)


@dataclass(frozen=True)
class _Thrown:
    """How a piece of the test ended, for assertions about its exception."""

    guarded: Guarded
    node: Node | None


@dataclass(frozen=True)
class _Thrower:
    """``assertThatExceptionOfType(wanted)``: what a piece that follows must throw; None: nothing."""

    wanted: str | None


class Fluent:
    """Answers the calls of AssertJ and Truth."""

    def __init__(self, evidence: Evidence, throwing: Throwing) -> None:
        self._evidence = evidence
        self._throwing = throwing

    def find(self, owner: str, name: str) -> Intrinsic | None:
        """What answers ``owner.name(…)``, or None."""
        if owner in (_SUBJECT, _TRUTH_SUBJECT):
            # Truth's containsExactly does not look at the order.
            return _not_read if owner == _TRUTH_SUBJECT and name == "containsExactly" else self._subject(name)
        if owner == _THROWN:
            return self._thrown(name)
        if owner == _THROWER:
            return self._is_thrown_by if name == "isThrownBy" else _not_read
        if owner == _TRUTH:
            return self._assert_that if name == "assertThat" else None
        if name in ("assertThat", "then"):
            return self._assert_that
        if name in ("assertThatThrownBy", "assertThatCode", "thenThrownBy", "thenCode"):
            return self._assert_thrown
        if name in ("catchThrowable", "catchException"):
            return self._catch
        if name in ("assertThatExceptionOfType", "assertThatNoException") or name in _OF_TYPE:
            return self._exception_of_type
        return _fail if name == "fail" else None

    # -- subjects

    def _assert_that(self, machine: Machine, site: CallSite) -> Value:
        operands = [Operand(argument.evaluate(), argument.node) for argument in site.arguments]
        if len(operands) != 1 or isinstance(operands[0].value, Closure):
            machine.spoil([one.value for one in operands])
            return Unknown()
        if isinstance(operands[0].value, Obj) and machine.is_subtype(operands[0].value.type, "java.lang.Throwable"):
            guarded = Guarded("threw", thrown=operands[0].value)
            return machine.native(_THROWN, _Thrown(guarded, None)) if site.owner != _TRUTH else Unknown()
        return machine.native(_TRUTH_SUBJECT if site.owner == _TRUTH else _SUBJECT, operands[0])

    def _subject(self, name: str) -> Intrinsic | None:
        if name in _SAYS_NOTHING:
            return _same_receiver
        check = CHECKS.get(name)
        if check is None:
            return _not_read

        def intrinsic(machine: Machine, site: CallSite) -> Value:
            receiver = site.receiver
            operands = [Operand(argument.evaluate(), argument.node) for argument in site.arguments]
            if isinstance(receiver, Native) and isinstance(receiver.payload, Operand):
                check(machine, site.line, self._evidence, receiver.payload, operands)
                return receiver
            return Unknown()

        return intrinsic

    # -- exceptions

    def _assert_thrown(self, machine: Machine, site: CallSite) -> Value:
        values = [argument.evaluate() for argument in site.arguments]
        if not values or not isinstance(values[0], Closure):
            machine.spoil(values)
            return Unknown()
        thrown = _Thrown(self._throwing.run(machine, values[0]), site.arguments[0].node)
        if site.name.endswith("ThrownBy"):
            self._throwing.must_throw(machine, site.line, thrown.guarded, thrown.node, "", False)
        return machine.native(_THROWN, thrown)

    def _thrown(self, name: str) -> Intrinsic | None:
        if name in _SAYS_NOTHING or name in _ABOUT_MESSAGES:
            return _same_receiver
        if name in ("isInstanceOf", "isExactlyInstanceOf"):
            return self._thrown_is
        return self._not_thrown if name == "doesNotThrowAnyException" else _not_read

    def _thrown_is(self, machine: Machine, site: CallSite) -> Value:
        values = [argument.evaluate() for argument in site.arguments]
        receiver = site.receiver
        wanted = class_named(values[0]) if len(values) == 1 else ""
        if isinstance(receiver, Native) and isinstance(receiver.payload, _Thrown) and wanted:
            found = receiver.payload
            is_exact = site.name == "isExactlyInstanceOf"
            self._throwing.must_throw(machine, site.line, found.guarded, found.node, wanted, is_exact)
        return receiver if receiver is not None else Unknown()

    def _not_thrown(self, _machine: Machine, site: CallSite) -> Value:
        receiver = site.receiver
        thrown = receiver.payload if isinstance(receiver, Native) else None
        if isinstance(thrown, _Thrown) and thrown.guarded.kind == "threw":
            self._evidence.refute(site.line)
        return receiver if receiver is not None else Unknown()

    def _catch(self, machine: Machine, site: CallSite) -> Value:
        values = [argument.evaluate() for argument in site.arguments]
        if len(values) != 1 or not isinstance(values[0], Closure):
            machine.spoil(values)
            return Unknown()
        guarded = self._throwing.run(machine, values[0])
        if guarded.kind == "returned":
            return NULL
        return guarded.thrown if guarded.thrown is not None else Unknown("java.lang.Throwable")

    def _exception_of_type(self, machine: Machine, site: CallSite) -> Value:
        values = [argument.evaluate() for argument in site.arguments]
        if site.name == "assertThatNoException":
            return machine.native(_THROWER, _Thrower(None))
        wanted = _OF_TYPE.get(site.name) or (class_named(values[0]) if len(values) == 1 else "")
        return machine.native(_THROWER, _Thrower(wanted)) if wanted else Unknown()

    def _is_thrown_by(self, machine: Machine, site: CallSite) -> Value:
        values = [argument.evaluate() for argument in site.arguments]
        receiver = site.receiver
        if not values or not isinstance(values[0], Closure) or not isinstance(receiver, Native):
            machine.spoil(values)
            return Unknown()
        guarded = self._throwing.run(machine, values[0])
        node = site.arguments[0].node
        if isinstance(receiver.payload, _Thrower) and receiver.payload.wanted is not None:
            self._throwing.must_throw(machine, site.line, guarded, node, receiver.payload.wanted, False)
        elif guarded.kind == "threw":
            self._evidence.refute(site.line)
        return machine.native(_THROWN, _Thrown(guarded, node))


def _same_receiver(_machine: Machine, site: CallSite) -> Value:
    for argument in site.arguments:
        argument.evaluate()
    return site.receiver if site.receiver is not None else Unknown()


def _not_read(machine: Machine, site: CallSite) -> Value:
    """A check that is not read: it shows nothing, and neither does what follows it in the chain."""
    machine.spoil([argument.evaluate() for argument in site.arguments])
    return Unknown("", is_nonnull=True)


def _fail(machine: Machine, site: CallSite) -> Value:
    for argument in site.arguments:
        argument.evaluate()
    raise JavaThrow(machine.throw("java.lang.AssertionError"), site.line)
