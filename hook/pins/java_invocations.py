"""Method calls (JLS 15.12): of the project's code, of what is known of the JDK, of intrinsics, and of the unknown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from clausefit.hook.pins.java_calls import (
    Selector,
    arguments_of,
    arranged,
    inherited_parameter,
    is_certain,
    own_candidates,
    selector,
)
from clausefit.hook.pins.java_classes import ClassInfo, MethodInfo
from clausefit.hook.pins.java_closures import call_closure
from clausefit.hook.pins.java_code import Compiler, Expr, UnsupportedError, expression, left_classes, required
from clausefit.hook.pins.java_heap import unknown_call
from clausefit.hook.pins.java_jdk import result_of
from clausefit.hook.pins.java_library import LibraryFunction, library_method, library_static
from clausefit.hook.pins.java_members import line_of, named
from clausefit.hook.pins.java_objects import Site, initialise, invoke, invoke_virtual
from clausefit.hook.pins.java_observed import Argument, CallSite, Intrinsic
from clausefit.hook.pins.java_overloads import implementation, methods_named, possible
from clausefit.hook.pins.java_places import type_named
from clausefit.hook.pins.java_runtime import NPE
from clausefit.hook.pins.java_scope import Scope
from clausefit.hook.pins.java_values import (
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


@expression("method_invocation")
def _invocation(c: Compiler, node: Node, scope: Scope) -> Expr:
    name = c.text(required(node, "name"), scope)
    arguments_node = required(node, "arguments")
    call = Call(c, node, scope, name, arguments_of(c, node, scope), named(arguments_node))
    object_node = node.child_by_field_name("object")
    is_super = any(child.type == "super" for child in node.children)
    if is_super:
        return _super_call(call, object_node)
    if object_node is None:
        return _unqualified(call)
    owner = type_named(c, object_node, scope)
    if owner:
        info = c.world.by_name.get(owner)
        return _static_of_class(call, info) if info is not None else _static_of_library(call, [owner])
    return _on_object(call, c.expression(object_node, scope))


# -- unqualified and static calls


def _unqualified(call: Call) -> Expr:
    """The innermost class around that has a method of the name is the one that is searched (JLS 15.12.1)."""
    c, is_unclear = call.c, False
    for one, left in call.scope.outward():
        if not one.is_class:
            continue
        candidates = _candidates(call, one.info)
        if candidates:
            if is_unclear:
                raise UnsupportedError(f"it is not known which {call.name} is called")
            return _own_call(call, one.info, candidates, left)
        if one.info.kind == "enum" and (call.name, len(call.arguments)) in (("values", 0), ("valueOf", 1)):
            return _enum_static(call, one.info)
        for library in one.info.library_supertypes():
            if c.intrinsics.find(library, call.name) is not None:
                return _static_of_library(call, [library])
        is_unclear = is_unclear or one.info.has_unknown_supertype
        builtin = _builtin_call(call, one.info, left)
        if builtin is not None:
            return builtin
    owners = _imported_owners(call)
    for owner in owners:
        project = c.world.project.find(owner, call.scope.info.file, call.scope.info.known_as)
        info = c.world.info(project) if project is not None else None
        if info is not None and any(one.is_static for one in methods_named(info, call.name)):
            return _static_of_class(call, info)
    if owners:
        return _static_of_library(call, owners)
    return _inherited_call(call)


def _candidates(call: Call, info: ClassInfo) -> list[MethodInfo]:
    """The methods of the project that may be meant; none if it is one that every object has."""
    if info.inside.trouble:
        raise UnsupportedError(info.inside.trouble)
    found = own_candidates(call.c, info, methods_named(info, call.name), call.name, call.arguments)
    if found is None:
        raise UnsupportedError(f"it is not known which {call.name} is called")
    return found


def _inherited_call(call: Call) -> Expr:
    """A method of a library class that the class extends."""

    def run(env: Env) -> Value:
        values = [*([env.this] if env.this is not None else []), *call.values(env)]
        return unknown_call(call.c.current, values, "", f"{call.name} is called, which is not known")

    return Expr(run, "")


def _imported_owners(call: Call) -> list[str]:
    """The classes of which a method of that name may be imported (JLS 7.5.3, 7.5.4), the surest first."""
    single: list[str] = []
    on_demand: list[str] = []
    for one in call.c.world.imports(call.scope.info.file):
        if one.startswith("static "):
            owner, _, last = one.removeprefix("static ").rpartition(".")
            if last == call.name:
                single.append(owner)
            elif last == "*":
                on_demand.append(owner)
    return [*single, *on_demand]


def _own_call(call: Call, info: ClassInfo, candidates: list[MethodInfo], left: tuple[ClassInfo, ...]) -> Expr:
    c = call.c
    select = selector(c, candidates, call.arguments)
    if not is_certain(info, select.static, call.arguments):
        return _inherited_call(call)
    hop = left_classes(left)
    is_static = all(one.is_static for one in candidates)

    def run(env: Env) -> Value:
        this = None if is_static else hop(env).this
        return _call_selected(call, select, this, call.values(env))

    return Expr(run, _result_type(select, info))


def _call_selected(call: Call, select: Selector, this: Obj | None, values: list[Value]) -> Value:
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


def _result_type(select: Selector, seen_from: ClassInfo | None) -> str:
    """The static type of the result: not known where it is a type variable of another class or of the method."""
    method = select.static
    if method is None:
        return ""
    variable = method.result.variable.rstrip("[]")
    if variable and (variable in method.variables or method.owner is not seen_from):
        return ""
    return method.result.erased


def _static_of_class(call: Call, info: ClassInfo) -> Expr:
    c = call.c
    if info.kind == "enum" and not methods_named(info, call.name):
        return _enum_static(call, info)
    candidates = [one for one in _candidates(call, info) if one.is_static]
    if not candidates:
        return _inherited_call(call)
    select = selector(c, candidates, call.arguments)
    if not is_certain(info, select.static, call.arguments):
        return _inherited_call(call)
    return Expr(lambda env: _call_selected(call, select, None, call.values(env)), _result_type(select, None))


def _enum_static(call: Call, info: ClassInfo) -> Expr:
    c = call.c

    def constants() -> list[Value]:
        initialise(c, info)
        return [c.current.statics[info.qualified, name] for name in info.inside.constants]

    if call.name == "values" and not call.arguments:
        return Expr(lambda env: c.current.new_array(info.qualified, constants()), info.qualified + "[]")  # noqa: ARG005
    if call.name == "valueOf" and len(call.arguments) == 1:

        def value_of(env: Env) -> Value:
            (given,) = call.values(env)
            if isinstance(given, Null):
                raise c.current.thrown(NPE)
            initialise(c, info)
            text = getattr(given, "value", None)
            if not isinstance(text, str):
                c.current.may_throw("an enum constant of a name that is not known is asked for")
                return Unknown(info.qualified, is_nonnull=True)
            if text not in info.inside.constants:
                raise c.current.thrown("java.lang.IllegalArgumentException")
            return c.current.statics[info.qualified, text]

        return Expr(value_of, info.qualified)
    raise UnsupportedError(f"it is not known what {info.simple}.{call.name} is")


def _static_of_library(call: Call, owners: Sequence[str]) -> Expr:
    """A static call of a library: by an intrinsic, by what is known of the JDK, or unknown."""
    c = call.c
    for owner in owners:
        intrinsic = c.intrinsics.find(owner, call.name)
        if intrinsic is not None:
            return _by_intrinsic(call, intrinsic, owner)
    for owner in owners:
        known = library_static(owner, call.name, len(call.arguments))
        if known is not None:
            return _by_library(call, known, owner)

    def run(env: Env) -> Value:
        return unknown_call(c.current, call.values(env), "", f"{call.name} of a library is called")

    return Expr(run, result_of(owners[0], call.name))


def _by_intrinsic(call: Call, intrinsic: Intrinsic, owner: str) -> Expr:
    return Expr(lambda env: call.c.call_intrinsic(intrinsic, _call_site(call, owner, None, env)), "")


def _by_library(call: Call, known: LibraryFunction, owner: str) -> Expr:
    return Expr(lambda env: known(call.c, call.values(env), call.types), result_of(owner, call.name))


def _call_site(call: Call, owner: str, receiver: Value | None, env: Env) -> CallSite:
    def evaluation(one: Expr) -> Callable[[], Value]:
        return lambda: one.run(env)

    arguments = tuple(
        Argument(node, one.type, evaluation(one)) for node, one in zip(call.argument_nodes, call.arguments, strict=True)
    )
    return CallSite(call.node, call.site.file, call.site.line, owner, call.name, receiver, arguments)


# -- super


def _super_call(call: Call, object_node: Node | None) -> Expr:
    """``super.m()``, ``I.super.m()``: the code of the superclass itself (JLS 15.12.4.4)."""
    c, info = call.c, call.scope.info
    above: ClassInfo | str | None = info.inside.superclass
    if object_node is not None and object_node.type != "super":
        qualified = c.world.named_type("".join(c.text(object_node, call.scope).split()), call.scope).erased
        named_type = c.world.by_name.get(qualified)
        above = named_type if named_type is not None and named_type.is_interface else None
    candidates = methods_named(above, call.name) if isinstance(above, ClassInfo) else []
    if isinstance(above, ClassInfo) and candidates:
        select, target = selector(c, candidates, call.arguments), above

        def run(env: Env) -> Value:
            found = select.select(call.values(env))
            code = implementation(found.method, target) if found is not None else None
            if found is None or code is None or env.this is None:
                raise Stop(f"it is not known which {call.name} of the superclass is called")
            return invoke(c, code, None if code.is_static else env.this, found.values, call.site)

        return Expr(run, _result_type(select, info))

    def run_library(env: Env) -> Value:
        if env.this is None:
            raise Stop("super is used without an object")
        return library_method(c, env.this, call.name, call.values(env), call.types, is_super=True)

    return Expr(run_library, result_of("java.lang.Object", call.name))


# -- calls on objects


def _builtin_call(call: Call, info: ClassInfo, left: tuple[ClassInfo, ...]) -> Expr | None:
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


def _on_object(call: Call, receiver: Expr) -> Expr:
    """A call on what an expression gives: virtual if the type is one of the project, else by what the object is."""
    c = call.c
    info = c.world.by_name.get(receiver.type)
    candidates = _candidates(call, info) if info is not None else []
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
                return _call_selected(call, select, None, values)
            raise c.current.thrown(NPE)
        if isinstance(this, Void):
            raise Stop("a call without a result is used as a value")
        if isinstance(this, Closure):
            return call_closure(c, this, call.name, values)
        if isinstance(this, Obj) and this.info is not None:
            if select is not None:
                return _call_selected(call, select, this, values)
            return _by_object(call, receiver.type, this, this.info, values)
        if isinstance(this, Unknown):
            return _on_unknown(call, select, this, values)
        return library_method(c, this, call.name, values, call.types)

    type_name = _result_type(select, None) if select is not None else result_of(receiver.type, call.name)
    return Expr(run, type_name or (result_of("java.lang.Object", call.name) if info is not None else ""))


def _on_native(call: Call, this: Native, env: Env) -> Value:
    intrinsic = call.c.intrinsics.find(this.type, call.name)
    if intrinsic is None:
        raise Stop(f"{call.name} of {this.type.rpartition('.')[2]} is not followed")
    return call.c.call_intrinsic(intrinsic, _call_site(call, this.type, this, env))


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
    return _call_selected(call, Selector(lambda given: arranged(c, found, given), None), this, values)


def _on_unknown(call: Call, select: Selector | None, this: Unknown, values: list[Value]) -> Value:
    """A call on what is not known: a static method is called all the same."""
    method = select.static if select is not None else None
    if select is not None and method is not None and method.is_static:
        return _call_selected(call, select, None, values)
    if method is not None:
        why = f"{call.name} of an unknown object is called"
        return unknown_call(call.c.current, [this, *values], method.result.erased, why)
    return library_method(call.c, this, call.name, values, call.types)
