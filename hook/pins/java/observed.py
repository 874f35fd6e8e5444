"""The records that the interpreter exchanges with the reader of tests: limits, observed calls, calls of frameworks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from clausefit.hook.pins import values as pin_values
from clausefit.hook.pins.java.values import Obj, Value
from tree_sitter import Node

if TYPE_CHECKING:
    from clausefit.hook.pins.java.machine import Machine


@dataclass(frozen=True)
class MachineLimits:
    """How far a test is followed: executed steps, nested calls, observed calls, cells in one snapshot."""

    steps: int = 200_000
    depth: int = 150
    calls: int = 300
    cells: int = 8_000


@dataclass
class ObservedCall:
    """One call of a watched method.

    ``signature`` is that of the contract (``JavaMethod.signature``). ``arguments`` and ``blocks`` are the state before
    the call in the shape of a ``Pin`` (``this`` first for an instance method; static fields that are no constants
    as blocks with ``program``), ``after`` the blocks after it, those that the call made too. ``file`` and ``line`` are
    the call site; ``depth`` is 0 for a call that stands in the test's file, ``parent`` the observed call around it.
    ``status``: ``returned`` (``result`` is None for void, ``Unknown`` if not known), ``threw`` (``thrown`` is the
    qualified type, exact), or ``unfinished``: the body could not be followed (``reason``), so that it is not known how
    it ended; ``result`` and every cell of ``after`` are Unknown then. ``declared_in`` is the file of the method.
    """

    index: int
    signature: str
    file: str
    line: int
    depth: int
    parent: int | None
    arguments: tuple[tuple[str, pin_values.Value], ...]
    blocks: tuple[pin_values.Block, ...]
    result_type: str
    is_constructor: bool
    status: Literal["running", "returned", "threw", "unfinished"] = "running"
    result: pin_values.Value | None = None
    after: tuple[tuple[str, pin_values.Value], ...] = ()
    thrown: str = ""
    reason: str = ""
    declared_in: str = ""


@dataclass(frozen=True)
class Argument:
    """An argument of a call to an intrinsic, not evaluated yet. ``type`` is its static type, empty if not known.

    ``evaluate`` runs it (once!, in the order that Java does); it may raise ``JavaThrow`` and ``Stop``.
    """

    node: Node
    type: str
    evaluate: Callable[[], Value]


@dataclass(frozen=True)
class CallSite:
    """A call that an intrinsic answers. ``owner`` is the qualified library class of a static call, else the type of the
    receiver; ``receiver`` is None for a static call."""

    node: Node
    file: str
    line: int
    owner: str
    name: str
    receiver: Value | None
    arguments: tuple[Argument, ...]


Intrinsic = Callable[["Machine", CallSite], Value]


class Intrinsics(Protocol):
    """The calls of test frameworks that someone else understands."""

    def find(self, owner: str, name: str) -> Intrinsic | None:
        """What answers ``owner.name(…)`` (a static method, or a method of a ``Native``), or None."""


class NoIntrinsics:
    """No test framework is known."""

    def find(self, owner: str, name: str) -> Intrinsic | None:  # noqa: ARG002
        """Always None."""
        return None


@dataclass(frozen=True)
class Step:
    """A fixture or test method to run: where its class is, the class's name in the file (``Outer.Inner``), its node."""

    file: str
    class_name: str
    method: Node


@dataclass(frozen=True)
class Ended:
    """How a test ended: ``passed``, ``stopped`` with a reason, or ``threw`` an exception of that qualified type."""

    kind: Literal["passed", "stopped", "threw"]
    reason: str = ""
    line: int = 0
    type: str = ""
    thrown: Obj | None = None


@dataclass(frozen=True)
class Guarded:
    """How a closure ended: ``returned`` its value, ``threw`` an object, or ``stopped`` (not followed to its end).

    ``calls`` are the observed calls that it made, by index. After ``stopped`` everything that it could have written
    is Unknown.
    """

    kind: Literal["returned", "threw", "stopped"]
    value: Value | None = None
    thrown: Obj | None = None
    reason: str = ""
    line: int = 0
    calls: tuple[int, ...] = ()
