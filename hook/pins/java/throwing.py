"""Assertions that run a piece of the test and say how it must end: ``assertThrows``, ``assertAll`` and their like."""

from __future__ import annotations

from clausefit.hook.pins.java.certain import is_one_call
from clausefit.hook.pins.java.evidence import Evidence, Shown
from clausefit.hook.pins.java.machine import Argument, CallSite, Guarded, Machine
from clausefit.hook.pins.java.values import VOID, ClassLit, Closure, JavaThrow, Stop, Str, Unknown, Value
from tree_sitter import Node


class Throwing:
    """Runs the pieces and tells the evidence what their ends show."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence

    def stop_if_refuted(self) -> None:
        """End the test when an assertion inside of the piece did not hold."""
        if self._evidence.end is not None:
            raise Stop(self._evidence.end[1])

    def run(self, machine: Machine, closure: Value) -> Guarded:
        """How a piece ends; ``Stop`` when an assertion in it does not hold."""
        guarded = machine.run_closure(closure)
        self.stop_if_refuted()
        if guarded.kind == "stopped":
            self._evidence.open_ended.update(guarded.calls)
        return guarded

    def must_throw(
        self, machine: Machine, line: int, guarded: Guarded, node: Node | None, wanted: str, is_exact: bool
    ) -> None:
        """The piece must end with an exception of the type ``wanted`` (empty: of any); ``node`` is the piece's text."""
        outer = _outermost(machine, guarded.calls)
        shown = Shown(thrown=wanted, is_exact=is_exact, returned=False)
        if guarded.kind == "threw" and guarded.thrown is not None:
            fits = fits_type(machine, guarded.thrown.type, wanted, is_exact)
            if fits is False:
                self._evidence.refute(line, outer[0] if len(outer) == 1 else None, shown)
            elif fits and outer and machine.calls[outer[-1]].status == "threw":
                self._evidence.confirmed.add(outer[-1])
        elif guarded.kind == "returned":
            self._evidence.refute(line, outer[0] if len(outer) == 1 else None, shown)
        elif len(outer) == 1 and node is not None and machine.calls[outer[0]].status == "unfinished":
            is_thrower = is_one_call(node)
            self._evidence.threw(outer[0] if is_thrower else None, wanted, is_exact)

    # -- JUnit 4.13, JUnit 5, TestNG

    def assert_throws(self, machine: Machine, site: CallSite) -> Value:
        """``assertThrows(type, piece)`` with a message before or behind; ``assertThrows(piece)`` of TestNG."""
        values = [(argument, argument.evaluate()) for argument in site.arguments]
        piece = next((pair for pair in values if isinstance(pair[1], Closure)), None)
        wanted = next((class_named(value) for _argument, value in values if isinstance(value, ClassLit)), None)
        if piece is None:
            machine.spoil([value for _argument, value in values])
            return Unknown()
        guarded = self.run(machine, piece[1])
        if wanted is None and len(values) > 1:
            return Unknown()
        is_exact = site.name == "assertThrowsExactly"
        self.must_throw(machine, site.line, guarded, piece[0].node, wanted or "", is_exact)
        return guarded.thrown if guarded.thrown is not None else Unknown(wanted or "", is_nonnull=True)

    def assert_all(self, machine: Machine, site: CallSite) -> Value:
        """``assertAll(pieces…)``: all of them run, and each must end normally."""
        pieces: list[Closure] = []
        for argument in site.arguments:
            value = argument.evaluate()
            if isinstance(value, Closure):
                pieces.append(value)
            elif not isinstance(value, Str):
                machine.spoil([value])
        for piece in pieces:
            # An exception in a piece fails the test, so it may as well end it here.
            machine.run_open(piece)
        return VOID

    def assert_does_not_throw(self, machine: Machine, site: CallSite) -> Value:
        """``assertDoesNotThrow(piece)``; the value of the piece."""
        piece = self._first(machine, site.arguments)
        try:
            return machine.run_open(piece) if piece is not None else Unknown()
        except JavaThrow:
            self._evidence.refute(site.line)

    def assert_timeout(self, machine: Machine, site: CallSite) -> Value:
        """``assertTimeout(duration, piece)``: the piece runs in the same thread, its exceptions pass through."""
        piece = self._first(machine, site.arguments)
        return machine.run_open(piece) if piece is not None else Unknown()

    def _first(self, machine: Machine, arguments: tuple[Argument, ...]) -> Closure | None:
        values = [argument.evaluate() for argument in arguments]
        piece = next((value for value in values if isinstance(value, Closure)), None)
        if piece is None:
            machine.spoil(values)
        return piece


def class_named(value: Value) -> str:
    """The qualified type of a class literal; empty for all else."""
    return value.type if isinstance(value, ClassLit) else ""


def fits_type(machine: Machine, thrown: str, wanted: str, is_exact: bool) -> bool | None:
    """Whether an exception of the exact type ``thrown`` is one that the test wants."""
    if not wanted or thrown == wanted:
        return True
    return False if is_exact else machine.is_subtype(thrown, wanted)


def _outermost(machine: Machine, calls: tuple[int, ...]) -> list[int]:
    """Those of the calls that no other of them made."""
    inside = set(calls)
    return [index for index in calls if machine.calls[index].parent not in inside]
