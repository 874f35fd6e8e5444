"""One test from its fixtures to its end: the objects that it runs on, and the order of its steps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from clausefit.hook.pins.java.calls import converted, selected, selector
from clausefit.hook.pins.java.classes import ClassInfo, MethodInfo
from clausefit.hook.pins.java.code import Compiler, Expr
from clausefit.hook.pins.java.heap import forget, reachable, spoil, static_roots
from clausefit.hook.pins.java.names import World
from clausefit.hook.pins.java.objects import Site, construct, initialise, invoke
from clausefit.hook.pins.java.observed import Step
from clausefit.hook.pins.java.runtime import Run
from clausefit.hook.pins.java.values import Env, JavaThrow, Obj, Stop, Unknown, Value
from tree_sitter import Node

Make = Callable[[], Value]


@dataclass
class TestRun:
    """A test method with the steps around it; ``filled`` are fields to which a library gives values."""

    compiler: Compiler
    file: str
    class_name: str
    before: Sequence[Step]
    after: Sequence[Step]
    filled: Collection[tuple[str, str]]

    @property
    def _world(self) -> World:
        return self.compiler.world

    @property
    def _run(self) -> Run:
        return self.compiler.current

    def run(
        self, method: Node, arguments: Sequence[Make], constructed_with: Sequence[Make], expects_exception: bool
    ) -> None:
        """Run it all; raises JavaThrow for what the test throws, Stop where it is not followed."""
        info = self._world.class_in(self.file, self.class_name)
        objects: list[Obj] = []
        test = self._method(info, method)
        steps = [(self._method(self._world.class_in(one.file, one.class_name), one.method)) for one in self.before]
        later = [(self._method(self._world.class_in(one.file, one.class_name), one.method)) for one in self.after]
        # Static fixtures come before the object is made.
        for one in [one for one in steps if one.is_static]:
            self._run_fixture(one, objects)
        if not test.is_static:
            objects += self._instances(info, constructed_with)
        self._fill(objects)
        for one in [one for one in steps if not one.is_static]:
            self._run_fixture(one, objects)
        values = [make() for make in arguments]
        # Only what the test itself throws is expected, not what its fixtures throw.
        self._run.handlers = 1 if expects_exception else 0
        thrown: JavaThrow | None = None
        try:
            self._invoke_step(test, objects, values)
        except JavaThrow as end:
            thrown = end
        self._run.handlers = 0
        for one in later:
            self._run_fixture(one, objects)
        if thrown is not None:
            raise thrown

    def _fill(self, objects: list[Obj]) -> None:
        """Mocks and injected objects are not known."""
        for one in objects:
            classes = one.info.superclasses() if one.info is not None else ()
            for field in (field for above in classes for field in above.inside.fields.values()):
                if field.key in self.filled and not field.is_static:
                    one.fields[field.key] = Unknown(field.type.erased)
                elif field.key in self.filled:
                    self._run.unknown_static(field.key, field.type.erased)

    def _run_fixture(self, method: MethodInfo, objects: list[Obj]) -> None:
        """Run a fixture; what it can reach is forgotten when it cannot be followed to its end."""
        run = self._run
        reach = reachable([*objects, *static_roots(run), *run.escaped])
        try:
            self._invoke_step(method, objects, ())
        except Stop:
            if run.steps > run.limits.steps:
                raise
            run.depth, run.around[:] = 0, []
            for one in reach:
                forget(run, one)
            spoil(run, reach, is_project_code=True)

    def _invoke_step(self, method: MethodInfo, objects: list[Obj], values: Sequence[Value]) -> None:
        this = None
        if not method.is_static:
            fitting = [one for one in objects if one.info is not None and one.info.is_within(method.owner)]
            if not fitting:
                raise Stop(f"there is no object to run {method.name} on")
            this = fitting[-1]
        if len(values) != len(method.parameters):
            raise Stop(f"{method.name} takes {len(method.parameters)} arguments, not {len(values)}")
        invoke(self.compiler, method, this, values, Site(method.owner.file, 0))

    def _method(self, info: ClassInfo, node: Node) -> MethodInfo:
        for one in info.supertypes():
            for several in one.inside.methods.values():
                for method in several:
                    if method.node is not None and method.node == node:
                        return method
        raise Stop("the test method cannot be found in its class")

    def _instances(self, info: ClassInfo, constructed_with: Sequence[Make]) -> list[Obj]:
        """The test object, behind those of the classes around that it needs."""
        c = self.compiler
        outer = self._instances(info.outer, ()) if info.is_inner and info.outer is not None else []
        env = Env(outer[-1], []) if outer else None
        initialise(c, info)
        values = [make() for make in constructed_with]
        constructors = [one for one in info.inside.constructors if len(one.parameters) == len(values)]
        found = selected(selector(c, constructors, [Expr(_never, "") for _ in values]), values)
        made = construct(c, info, found.method, converted(c, found.method, found.values), env, Site(info.file, 0))
        if not isinstance(made, Obj):
            raise Stop("the constructor of the test class cannot be followed")
        return [*outer, made]


def _never(env: Env) -> Value:  # noqa: ARG001
    raise Stop("an argument that has no expression is evaluated")
