"""Calls on objects: virtual calls of the project's code, calls by what the object is (JLS 15.12.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from clausefit.hook.pins.java.calls import (
    Selector,
    arranged,
    inherited_parameter,
    is_certain,
    own_candidates,
    selector,
)
from clausefit.hook.pins.java.classes import ClassInfo, MethodInfo
from clausefit.hook.pins.java.closures import call_closure
from clausefit.hook.pins.java.code import Compiler, Expr, UnsupportedError, left_classes
from clausefit.hook.pins.java.heap import unknown_call
from clausefit.hook.pins.java.jdk import result_of
from clausefit.hook.pins.java.library import library_method
from clausefit.hook.pins.java.members import line_of
from clausefit.hook.pins.java.objects import Site, invoke, invoke_virtual
from clausefit.hook.pins.java.observed import Argument, CallSite
from clausefit.hook.pins.java.overloads import methods_named, possible
from clausefit.hook.pins.java.runtime import NPE
from clausefit.hook.pins.java.scope import Scope
from clausefit.hook.pins.java.values import (
    Closure,
    Env,
    Native,
    Null,
    Obj,
    Stop,
    Unknown,
    Value,
    Void,
)
from tree_sitter import Node


@dataclass(frozen=True)
class Call:
    """A call that is being translated."""

    c: Compiler
    node: Node
    scope: Scope
    name: str
    arguments: list[Expr]
    argument_nodes: list[Node]

    @property
    def site(self) -> Site:
        """Where it stands."""
        return Site(self.scope.info.file, line_of(self.node))

    @property
    def types(self) -> tuple[str, ...]:
        """The static types of the arguments."""
        return tuple(one.type for one in self.arguments)

    def values(self, env: Env) -> list[Value]:
        """Evaluate the arguments."""
        found = [one.run(env) for one in self.arguments]
        if any(isinstance(one, Void) for one in found):
            raise Stop("a call without a result is used as a value")
        return found


def candidates_of(call: Call, info: ClassInfo) -> list[MethodInfo]:
    """The methods of the project that may be meant; none if it is one that every object has."""
    if info.inside.trouble:
        raise UnsupportedError(info.inside.trouble)
    found = own_candidates(call.c, info, methods_named(info, call.name), call.name, call.arguments)
    if found is None:
        raise UnsupportedError(f"it is not known which {call.name} is called")
    return found


def call_selected(call: Call, select: Selector, this: Obj | None, values: list[Value]) -> Value:
    """Call the method that is selected for these values; an unknown call where that is not known."""
    c = call.c
    found = select.select(values)
    if found is None:
        known = [*([this] if this is not None else []), *values]
        return unknown_call(c.current, known, "", f"it is not known which {call.name} is called")
    if found.method.is_static:
        return invoke(c, found.method, None, found.values, call.site)
    if this is None:
        raise Stop(f"{call.name} is called without an object")
    return invoke_virtual(c, found.method, this, found.values, call.site)


def result_type_of(select: Selector, seen_from: ClassInfo | None) -> str:
    """The static type of the result: not known where it is a type variable of another class or of the method."""
    method = select.static
    if method is None:
        return ""
    variable = method.result.variable.rstrip("[]")
    if variable and (variable in method.variables or method.owner is not seen_from):
        return ""
    return method.result.erased


def call_site(call: Call, owner: str, receiver: Value | None, env: Env) -> CallSite:
    """The call as intrinsics see it, its arguments not evaluated yet."""

    def evaluation(one: Expr) -> Callable[[], Value]:
        return lambda: one.run(env)

    arguments = tuple(
        Argument(node, one.type, evaluation(one)) for node, one in zip(call.argument_nodes, call.arguments, strict=True)
    )
    return CallSite(call.node, call.site.file, call.site.line, owner, call.name, receiver, arguments)


def builtin_call(call: Call, info: ClassInfo, left: tuple[ClassInfo, ...]) -> Expr | None:
    """An unqualified call of what Object, Enum, Throwable … give every object."""
    above = info.library_superclass() or "java.lang.Object"
    if not result_of(above, call.name):
        return None
    hop = left_classes(left)

    def run(env: Env) -> Value:
        this = hop(env).this
        if this is None:
            raise Stop(f"{call.name} is called without an object")
        return library_method(call.c, this, call.name, call.values(env), call.types)

    return Expr(run, result_of(above, call.name))


def on_object(call: Call, receiver: Expr) -> Expr:
    """A call on what an expression gives: virtual if the type is one of the project, else by what the object is."""
    c = call.c
    info = c.world.by_name.get(receiver.type)
    candidates = candidates_of(call, info) if info is not None else []
    select = selector(c, candidates, call.arguments) if candidates else None
    if info is not None and select is not None and not is_certain(info, select.static, call.arguments):
        select = None

    def run(env: Env) -> Value:
        this = receiver.run(env)
        if isinstance(this, Native):
            return _on_native(call, this, env)
        values = call.values(env)
        if isinstance(this, Null):
            if select is not None and select.static is not None and select.static.is_static:
                return call_selected(call, select, None, values)
            raise c.current.thrown(NPE)
        if isinstance(this, Void):
            raise Stop("a call without a result is used as a value")
        if isinstance(this, Closure):
            return call_closure(c, this, call.name, values)
        if isinstance(this, Obj) and this.info is not None:
            if select is not None:
                return call_selected(call, select, this, values)
            return _by_object(call, receiver.type, this, this.info, values)
        if isinstance(this, Unknown):
            return _on_unknown(call, select, this, values)
        return library_method(c, this, call.name, values, call.types)

    type_name = result_type_of(select, None) if select is not None else result_of(receiver.type, call.name)
    return Expr(run, type_name or (result_of("java.lang.Object", call.name) if info is not None else ""))


def _on_native(call: Call, this: Native, env: Env) -> Value:
    intrinsic = call.c.intrinsics.find(this.type, call.name)
    if intrinsic is None:
        raise Stop(f"{call.name} of {this.type.rpartition('.')[2]} is not followed")
    return call.c.call_intrinsic(intrinsic, call_site(call, this.type, this, env))


def _by_object(call: Call, static: str, this: Obj, info: ClassInfo, values: list[Value]) -> Value:
    """A call whose static type is not known, or one of the JDK: what the object has is more than what is seen of it."""
    c = call.c
    candidates = methods_named(info, call.name)
    inherited = inherited_parameter(info, call.name, len(values))
    if inherited and static:
        # A method of a JDK type is meant: what has other parameters only overloads it.
        candidates = [one for one in candidates if [p.type.erased for p in one.parameters] == [inherited]]
    if not candidates or (info.has_unknown_members and not static):
        return library_method(c, this, call.name, values, call.types)
    is_open = inherited and not any([p.type.erased for p in one.parameters] == [inherited] for one in candidates)
    found = possible(c.current, candidates, values)
    if found is None or is_open:
        return unknown_call(c.current, [this, *values], "", f"it is not known which {call.name} is called")
    return call_selected(call, Selector(lambda given: arranged(c, found, given), None), this, values)


def _on_unknown(call: Call, select: Selector | None, this: Unknown, values: list[Value]) -> Value:
    """A call on what is not known: a static method is called all the same."""
    method = select.static if select is not None else None
    if select is not None and method is not None and method.is_static:
        return call_selected(call, select, None, values)
    if method is not None:
        why = f"{call.name} of an unknown object is called"
        return unknown_call(call.c.current, [this, *values], method.result.erased, why)
    return library_method(call.c, this, call.name, values, call.types)
