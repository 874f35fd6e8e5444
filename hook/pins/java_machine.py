"""A small exact interpreter of Java: it runs a test method and the project's code that the test calls.

A value is what the JVM would compute (JLS 17) or ``Unknown``; where control flow depends on what is not known, the
run stops with a reason. Nothing of the project is ever executed natively.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from clausefit.hook.pins import values as pin_values
from clausefit.hook.pins.java_values import Native, Obj, Str, Value
from tree_sitter import Node

if TYPE_CHECKING:
    from clausefit.hook.java_project import JavaProject


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
    it ended; ``result`` and every cell of ``after`` are Unknown then.
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


@dataclass
class Machine:
    """Runs tests. ``watched`` are the signatures of the methods whose calls are observed.

    Every ``run_test`` starts with fresh classes and an empty ``calls``.
    """

    project: JavaProject
    watched: frozenset[str]
    limits: MachineLimits = field(default_factory=MachineLimits)
    intrinsics: Intrinsics = field(default_factory=NoIntrinsics)
    calls: list[ObservedCall] = field(default_factory=list)

    def run_test(
        self,
        file: str,
        class_name: str,
        method: Node,
        arguments: Sequence[Callable[[Machine], Value]] = (),
        before: Sequence[Step] = (),
        after: Sequence[Step] = (),
        expects_exception: bool = False,
        constructed_with: Sequence[Callable[[Machine], Value]] = (),
    ) -> Ended:
        """Run fixtures and the test on a new object of its class (of an inner class: also of those around it).

        ``arguments`` make the values of the test's parameters, ``constructed_with`` those of its constructor. Static
        methods among ``before`` and ``after`` run without an object. With ``expects_exception`` a call that is not followed stops the test, since it may have thrown.
        Never raises for what the program or its text is.
        """
        raise NotImplementedError

    def run_closure(self, closure: Value, arguments: Sequence[Value] = ()) -> Guarded:
        """Run a lambda, method reference or object with one method (for ``assertThrows``), and say how it ended."""
        raise NotImplementedError

    def evaluate(self, file: str, class_name: str, expression: Node) -> Value:
        """The value of an expression in the static context of a class (an annotation's argument), or Unknown."""
        raise NotImplementedError

    def call_of(self, value: Value) -> ObservedCall | None:
        """The (last) observed call that returned this very value, as long as it is passed on unchanged."""
        raise NotImplementedError

    def is_subtype(self, type_name: str, of: str) -> bool | None:
        """Whether a (qualified) class is ``of`` or a subtype of it; None when that is not known."""
        raise NotImplementedError

    def equal(self, left: Value, right: Value) -> bool | None:
        """``Objects.equals(left, right)``, primitives boxed; None when it is not known. Raises ``JavaThrow``, ``Stop``."""
        raise NotImplementedError

    def text(self, value: str) -> Str:
        """The interned string of this text (UTF-16 code units)."""
        raise NotImplementedError

    def enum_constant(self, file: str, type_text: str, name: str) -> Value:
        """The constant ``name`` of an enum named as it is seen from ``file``; Unknown where there is none."""
        raise NotImplementedError

    def boxed(self, value: Value) -> Value:
        """``value`` as an ``Object``: a primitive in its wrapper, all else as it is."""
        raise NotImplementedError

    def array(self, element: str, values: Sequence[Value]) -> Value:
        """A new array of that (qualified) element type."""
        raise NotImplementedError

    def native(self, type_name: str, payload: object) -> Native:
        """A new object that intrinsics understand."""
        raise NotImplementedError

    def pin_value(self, value: Value) -> pin_values.Value:
        """The leaf of a value in a pin: primitive, string, enum constant, null, boxed, Unknown, or Pointer to a block."""
        raise NotImplementedError

    def pin_blocks(self, value: Value) -> tuple[pin_values.Block, ...]:
        """The blocks that are reachable from ``value`` now."""
        raise NotImplementedError

    def spoil(self, values: Sequence[Value]) -> None:
        """Make all that an unknown call on ``values`` could have written Unknown."""
        raise NotImplementedError

    def throw(self, type_name: str, message: str | None = None) -> Obj:
        """A new JDK exception, to be raised as ``JavaThrow``."""
        raise NotImplementedError
