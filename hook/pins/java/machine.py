"""A small exact interpreter of Java: it runs a test method and the project's code that the test calls.

A value is what the JVM would compute (JLS 17) or ``Unknown``; where control flow depends on what is not known, the
run stops with a reason. Nothing of the project is ever executed natively.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from clausefit.hook.pins import values as pin_values
from clausefit.hook.pins.java import (
    assignments,
    casts,
    closures,
    creation,
    elements,
    invocations,
    loops,
    switch,
    try_statements,
)
from clausefit.hook.pins.java.bodies import Bodies
from clausefit.hook.pins.java.closures import call_closure, functional_method
from clausefit.hook.pins.java.code import Compiler, UnsupportedError
from clausefit.hook.pins.java.heap import forget, reachable, spoil, static_roots
from clausefit.hook.pins.java.members import line_of
from clausefit.hook.pins.java.names import World
from clausefit.hook.pins.java.objects import Site, initialise, invoke, new_env
from clausefit.hook.pins.java.observed import (
    Argument,
    CallSite,
    Ended,
    Guarded,
    Intrinsic,
    Intrinsics,
    MachineLimits,
    NoIntrinsics,
    ObservedCall,
    Step,
)
from clausefit.hook.pins.java.runtime import Run
from clausefit.hook.pins.java.scope import Code, Scope
from clausefit.hook.pins.java.snapshots import Shot, leaf
from clausefit.hook.pins.java.test_run import TestRun
from clausefit.hook.pins.java.text import equal_or_null
from clausefit.hook.pins.java.values import (
    Closure,
    JavaThrow,
    Native,
    Obj,
    Stop,
    Str,
    Unknown,
    Value,
)
from tree_sitter import Node

if TYPE_CHECKING:
    from clausefit.hook.java.project import JavaProject

__all__ = [
    "Argument",
    "CallSite",
    "Ended",
    "Guarded",
    "Intrinsic",
    "Intrinsics",
    "Machine",
    "MachineLimits",
    "NoIntrinsics",
    "ObservedCall",
    "Step",
]

# These modules register what they translate when they are imported.
_REGISTERED = (
    *(assignments, casts, closures, creation, elements, invocations, loops),
    *(switch, try_statements),
)
# A nested Java call takes some twenty Python frames, an expression in it some more.
_PYTHON_FRAMES = 12_000
MakeValue = Callable[["Machine"], Value]


class Machine:
    """Runs tests. ``watched`` are the signatures of the methods whose calls are observed.

    Every ``run_test`` starts with fresh classes and an empty ``calls``.
    """

    def __init__(
        self,
        project: JavaProject,
        watched: frozenset[str],
        limits: MachineLimits | None = None,
        intrinsics: Intrinsics | None = None,
    ) -> None:
        self.project = project
        self.watched = watched
        self.limits = limits or MachineLimits()
        self.intrinsics = intrinsics or NoIntrinsics()
        self.world = World(project, watched)
        self._compiler = Compiler(
            self.world, self.intrinsics, self._call_intrinsic, Run(self.world, self.limits), Bodies()
        )

    @property
    def calls(self) -> list[ObservedCall]:
        """The observed calls of the last test, in the order in which they began."""
        return self._compiler.current.calls

    @property
    def steps(self) -> int:
        """How many steps the last test took."""
        return self._compiler.current.steps

    @property
    def _run(self) -> Run:
        return self._compiler.current

    def _call_intrinsic(self, intrinsic: Intrinsic, site: CallSite) -> Value:
        return intrinsic(self, site)

    # -- running

    def run_test(
        self,
        file: str,
        class_name: str,
        method: Node,
        arguments: Sequence[MakeValue] = (),
        before: Sequence[Step] = (),
        after: Sequence[Step] = (),
        expects_exception: bool = False,
        constructed_with: Sequence[MakeValue] = (),
        filled: Collection[tuple[str, str]] = (),
    ) -> Ended:
        """Run fixtures and the test on a new object of its class (of an inner class: also of those around it).

        ``arguments`` make the values of the test's parameters, ``constructed_with`` those of its constructor. Static
        methods among ``before`` and ``after`` run without an object. ``filled`` are fields (qualified class, name) that
        a library gives values once the object is made. With ``expects_exception`` a call that is not followed stops the
        test, since it may have thrown. Never raises for what the program or its text is.
        """
        self._compiler.current = self._run.again(file)
        try:
            with _deep_recursion():
                values, made_of = self._bound(arguments), self._bound(constructed_with)
                run = TestRun(self._compiler, file, class_name, before, after, filled)
                run.run(method, values, made_of, expects_exception)
        except JavaThrow as thrown:
            return Ended("threw", "", thrown.line, self._run.type_of(thrown.value), thrown.value)
        except Stop as stop:
            return Ended("stopped", stop.reason, stop.line)
        except UnsupportedError as unsupported:
            return Ended("stopped", unsupported.reason, line_of(method))
        except RecursionError:
            return Ended("stopped", "calls and expressions are nested too deeply", line_of(method))
        return Ended("passed")

    def _bound(self, makers: Sequence[MakeValue]) -> list[Callable[[], Value]]:
        return [partial(make, self) for make in makers]

    def run_closure(self, closure: Value, arguments: Sequence[Value] = ()) -> Guarded:
        """Run a lambda, method reference or object with one method (for ``assertThrows``), and say how it ended."""
        return self.guarded(lambda: self._call(closure, list(arguments)), [closure, *arguments])

    def run_open(self, closure: Value) -> Value:
        """The value of a closure whose exceptions nothing catches (``assertAll``). Raises JavaThrow, Stop."""
        return self._call(closure, [])

    def guarded(self, action: Callable[[], Value], given: Sequence[Value] = ()) -> Guarded:
        """Run something of which an exception is caught, and say how it ended.

        ``given`` are the values that it works on: after ``stopped`` all that can be reached from them is Unknown.
        """
        run = self._run
        first = len(run.calls)
        depth, around, handlers = run.depth, len(run.around), run.handlers
        reach = reachable([*given, *static_roots(run), *run.escaped])
        run.handlers += 1
        try:
            value = action()
        except JavaThrow as thrown:
            return Guarded("threw", None, thrown.value, "", thrown.line, self._since(first))
        except Stop as stop:
            if run.steps > run.limits.steps:
                raise
            for one in reach:
                forget(run, one)
            spoil(run, reach, is_project_code=True)
            return Guarded("stopped", None, None, stop.reason, stop.line, self._since(first))
        finally:
            run.depth, run.around[around:], run.handlers = depth, [], handlers
        return Guarded("returned", value, None, "", 0, self._since(first))

    def _since(self, first: int) -> tuple[int, ...]:
        return tuple(range(first, len(self._run.calls)))

    def _call(self, closure: Value, values: list[Value]) -> Value:
        if isinstance(closure, Closure):
            known = functional_method(self._compiler, closure.type)
            if known is not None and len(known[1]) == len(values):
                return call_closure(self._compiler, closure, known[0], values)
            if closure.arity not in (None, len(values)):
                raise Stop("a lambda has other parameters than its place has")
            return closure.call(values)
        if isinstance(closure, Obj) and closure.info is not None:
            own = [
                method
                for several in closure.info.inside.methods.values()
                for method in several
                if not method.is_static and not method.is_private and len(method.parameters) == len(values)
            ]
            if len(own) == 1:
                return invoke(self._compiler, own[0], closure, values, Site(closure.info.file, 0))
        raise Stop("it is not known what is run here")

    def evaluate(self, file: str, class_name: str, expression: Node) -> Value:
        """The value of an expression in the static context of a class (an annotation's argument), or Unknown."""
        try:
            info = self.world.class_in(file, class_name)
            code = Code(True)
            found = self._compiler.expression(expression, Scope(info, info.scope, code))
            with _deep_recursion():
                return found.run(new_env(None, code.slots))
        except (Stop, UnsupportedError, JavaThrow, RecursionError):
            return Unknown("")

    # -- values

    def call_of(self, value: Value) -> ObservedCall | None:
        """The (last) observed call that returned this very value, as long as it is passed on unchanged."""
        found = self._run.origins.get(id(value))
        return self._run.calls[found[1]] if found is not None and found[0] is value else None

    def is_subtype(self, type_name: str, of: str) -> bool | None:
        """Whether a (qualified) class is ``of`` or a subtype of it; None when that is not known."""
        return self.world.is_subtype(type_name, of)

    def type_named(self, name: str, file: str, class_name: str) -> str:
        """The qualified name of the type that a name means in a class, empty where that is not known."""
        return self.world.named_type(name, self.world.class_in(file, class_name).scope).erased

    def equal(self, left: Value, right: Value) -> bool | None:
        """``Objects.equals(left, right)``, primitives boxed; None when it is not known. Raises JavaThrow, Stop."""
        return equal_or_null(self._compiler, self._run.boxed(left), self._run.boxed(right))

    def convert(self, value: Value, type_name: str) -> Value:
        """``value`` as a variable of that (qualified) type holds it (JLS 5.2). Raises JavaThrow, Stop."""
        return self._run.convert(value, type_name)

    def text(self, value: str) -> Str:
        """The interned string of this text (UTF-16 code units)."""
        return self._run.literal(value)

    def enum_constant(self, file: str, type_text: str, name: str) -> Value:
        """The constant ``name`` of an enum named as it is seen from ``file``; Unknown where there is none."""
        found = self.project.find(type_text, file)
        if found is None:
            return Unknown("")
        info = self.world.info(found)
        if name not in info.inside.constants:
            return Unknown(info.qualified)
        try:
            initialise(self._compiler, info)
        except Stop:
            return Unknown(info.qualified, is_nonnull=True)
        return self._run.statics[info.qualified, name]

    def boxed(self, value: Value) -> Value:
        """``value`` as an ``Object``: a primitive in its wrapper, all else as it is."""
        return self._run.boxed(value)

    def array(self, element: str, values: Sequence[Value]) -> Value:
        """A new array of that (qualified) element type."""
        return self._run.new_array(element, [self._run.convert(one, element) for one in values])

    def native(self, type_name: str, payload: object) -> Native:
        """A new object that intrinsics understand."""
        return Native(self._run.next_serial(), type_name, payload)

    def pin_value(self, value: Value) -> pin_values.Value:
        """The leaf of a value in a pin: primitive, string, enum constant, null, boxed, Unknown, or a Pointer."""
        return leaf(value, self._run.type_of(value))

    def pin_blocks(self, value: Value) -> tuple[pin_values.Block, ...]:
        """The blocks that are reachable from ``value`` now."""
        return Shot(self._run, [("", value)], self.limits.cells).blocks()

    def spoil(self, values: Sequence[Value]) -> None:
        """Make all that an unknown call on ``values`` could have written Unknown."""
        spoil(self._run, values, is_project_code=True)

    def may_throw(self, why: str) -> None:
        """Something may throw, it is not known whether: Stop if that could be noticed."""
        self._run.may_throw(why)

    def throw(self, type_name: str, message: str | None = None) -> Obj:
        """A new JDK exception, to be raised as ``JavaThrow``."""
        return self._run.exception(type_name, message)


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Room for the interpreter's own recursion; Python's frames are on its heap, not on the stack of the process."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _PYTHON_FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
