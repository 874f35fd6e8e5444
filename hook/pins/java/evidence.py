"""What the assertions of one test show about the calls that it makes, beside what running it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NoReturn

from clausefit.hook.pins import values as pin_values
from clausefit.hook.pins.java.certain import is_literal
from clausefit.hook.pins.java.compare import as_type
from clausefit.hook.pins.java.machine import Machine, ObservedCall
from clausefit.hook.pins.java.values import NULL, Boxed, Heap, Obj, Prim, Stop, Str, Unknown, Value
from tree_sitter import Node

_PRIMITIVES = frozenset({"boolean", "byte", "short", "char", "int", "long", "float", "double"})


@dataclass(frozen=True)
class Operand:
    """One side of an assertion: its value and the expression that it came from (None when there is none)."""

    value: Value
    node: Node | None = None

    @property
    def is_literal(self) -> bool:
        """Whether the text of the test alone gives the value, without any code of the project."""
        return self.node is None or is_literal(self.node)


@dataclass(frozen=True)
class Shown:
    """How a call ended by what an assertion says: it ``returned`` a ``value`` or threw ``thrown``.

    ``thrown`` is qualified, and empty when the test does not say which type.
    """

    value: pin_values.Value | None = None
    thrown: str = ""
    is_exact: bool = False
    returned: bool = True


@dataclass(frozen=True)
class Refuted:
    """An assertion that does not hold for the code as it lies there. ``call`` is the one that ``shown`` speaks of."""

    line: int
    call: int | None = None
    shown: Shown | None = None


@dataclass
class Evidence:
    """What the assertions of one run of a test showed. Calls are named by their index.

    ``open_ended``: it is not known whether these calls returned, since a piece of the test that may throw made them.
    ``end``: from this call on the test does not run, or not in the way that was followed, and why.
    ``count_calls`` tells how many calls there were so far.
    """

    shown: dict[int, Shown] = field(default_factory=dict)
    confirmed: set[int] = field(default_factory=set)
    excluded: dict[int, list[pin_values.Value]] = field(default_factory=dict)
    refuted: Refuted | None = None
    open_ended: set[int] = field(default_factory=set)
    end: tuple[int, str] | None = None
    count_calls: Callable[[], int] = field(default=lambda: 0)

    def reset(self) -> None:
        """Forget everything: another run begins."""
        self.shown.clear()
        self.confirmed.clear()
        self.excluded.clear()
        self.open_ended.clear()
        self.refuted = self.end = None

    def copy(self) -> Evidence:
        """What is known now, to be kept."""
        excluded = {call: list(values) for call, values in self.excluded.items()}
        return Evidence(
            dict(self.shown),
            set(self.confirmed),
            excluded,
            self.refuted,
            set(self.open_ended),
            self.end,
            self.count_calls,
        )

    def equal(self, machine: Machine, line: int, left: Operand, right: Operand, holds: bool | None) -> None:
        """An assertion that two values are equal; ``holds`` is what the values are. Raises ``Stop`` if they differ."""
        self._compared(machine, line, left, right, holds, by_identity=False)

    def same(self, machine: Machine, line: int, left: Operand, right: Operand, holds: bool | None) -> None:
        """An assertion that two references are the same. Raises ``Stop`` if they are not."""
        self._compared(machine, line, left, right, holds, by_identity=True)

    def _compared(
        self, machine: Machine, line: int, left: Operand, right: Operand, holds: bool | None, by_identity: bool
    ) -> None:
        calls = machine.call_of(left.value), machine.call_of(right.value)
        if holds is True:
            self.confirmed.update(call.index for call in calls if call is not None)
            return
        for call, own, other in ((calls[0], left, right), (calls[1], right, left)):
            if call is None or isinstance(other.value, Unknown):
                continue
            if holds is None and isinstance(own.value, Unknown):
                self._show(machine, call, other.value, by_identity)
            elif holds is False and (calls[0] is None or calls[1] is None) and other.is_literal:
                value = as_result(machine, other.value, call, by_identity)
                self.refute(line, call.index, Shown(value) if value is not None else None)
        if holds is False:
            self.refute(line)

    def _show(self, machine: Machine, call: ObservedCall, value: Value, by_identity: bool) -> None:
        shown = as_result(machine, value, call, by_identity)
        if shown is not None and _is_open(call):
            self.shown.setdefault(call.index, Shown(shown))
        elif value is not NULL and not isinstance(value, Prim):
            self.exclude(machine, Operand(Unknown(call.result_type)), NULL, call)

    def exclude(self, machine: Machine, actual: Operand, value: Value, call: ObservedCall | None = None) -> None:
        """An assertion that says what a value is not, of a value that is not known."""
        found = call or machine.call_of(actual.value)
        if found is None or not _is_open(found) or not isinstance(actual.value, Unknown):
            return
        not_equal = as_result(machine, value, found, by_identity=False)
        if not_equal is not None:
            self.excluded.setdefault(found.index, []).append(not_equal)

    def true(self, machine: Machine, line: int, actual: Operand, holds: bool | None) -> None:
        """Any other assertion about a value. Raises ``Stop`` if it does not hold."""
        if holds is True:
            call = machine.call_of(actual.value)
            if call is not None:
                self.confirmed.add(call.index)
        elif holds is False:
            self.refute(line)

    def threw(self, call: int | None, thrown: str, is_exact: bool) -> None:
        """The call, of which it was not known how it ended, threw an exception of this type (empty: of some type)."""
        if call is None:
            return
        before = self.shown.get(call)
        if before is None or (not before.returned and not before.thrown):
            self.shown[call] = Shown(thrown=thrown, is_exact=is_exact, returned=False)

    def expected(self, call: int, line: int, thrown: str) -> None:
        """The test expects this exception, only this call can throw it, and the code as it lies there does not."""
        if self.refuted is None:
            self.refuted = Refuted(line, call, Shown(thrown=thrown, returned=False))

    def refute(self, line: int, call: int | None = None, shown: Shown | None = None) -> NoReturn:
        """An assertion fails for the code as it lies there: the test is not followed any further."""
        if self.refuted is None:
            self.refuted = Refuted(line, call if shown is not None else None, shown)
        self.stop("the code does not give what the test expects", line)

    def stop(self, reason: str, line: int) -> NoReturn:
        """The test ends here. Calls that come nevertheless, since a call around is given up for it, do not count."""
        if self.end is None:
            self.end = self.count_calls(), reason
        raise Stop(reason, line)


def _is_open(call: ObservedCall) -> bool:
    """Whether running the call did not tell its result."""
    return call.status == "unfinished" or isinstance(call.result, pin_values.Unknown)


def as_result(machine: Machine, value: Value, call: ObservedCall, by_identity: bool) -> pin_values.Value | None:
    """A value that equals a call's result, as a value of the call's result type; None when it does not tell which.

    Equal objects need not be the same one: only null, primitive and boxed values, strings (without an identity) and
    enum constants tell the result by equality.
    """
    result_type = call.result_type
    if isinstance(value, Boxed) and result_type in _PRIMITIVES:
        value = value.prim
    if isinstance(value, Prim):
        wanted = as_type(value, result_type)
        if wanted is None:
            return None
        return machine.pin_value(wanted if result_type in _PRIMITIVES else machine.boxed(wanted))
    if result_type in _PRIMITIVES:
        return None
    if value is NULL:
        return pin_values.Null(result_type)
    found = machine.pin_value(value) if isinstance(value, Heap) else None
    if isinstance(found, pin_values.Text):
        return found if by_identity else replace(found, identity="")
    if isinstance(value, Str | Boxed) or (isinstance(value, Obj) and value.constant is not None):
        return found
    if by_identity and isinstance(found, pin_values.Pointer):
        return found if any(block.id == found.block for block in call.blocks) else None
    return None
