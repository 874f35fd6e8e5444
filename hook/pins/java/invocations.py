"""Method calls (JLS 15.12): of the project's code, of what is known of the JDK, of intrinsics, and of the unknown."""

from __future__ import annotations

from collections.abc import Sequence

from clausefit.hook.pins.java.calls import (
    arguments_of,
    is_certain,
    selector,
)
from clausefit.hook.pins.java.classes import ClassInfo, MethodInfo
from clausefit.hook.pins.java.code import Compiler, Expr, UnsupportedError, expression, left_classes, required
from clausefit.hook.pins.java.heap import unknown_call
from clausefit.hook.pins.java.jdk import result_of
from clausefit.hook.pins.java.library import LibraryFunction, library_method, library_static
from clausefit.hook.pins.java.members import named
from clausefit.hook.pins.java.objects import initialise, invoke
from clausefit.hook.pins.java.observed import Intrinsic
from clausefit.hook.pins.java.overloads import implementation, methods_named
from clausefit.hook.pins.java.places import type_named
from clausefit.hook.pins.java.receivers import (
    Call,
    builtin_call,
    call_selected,
    call_site,
    candidates_of,
    on_object,
    result_type_of,
)
from clausefit.hook.pins.java.runtime import NPE
from clausefit.hook.pins.java.scope import Scope
from clausefit.hook.pins.java.values import (
    Env,
    Null,
    Stop,
    Unknown,
    Value,
)
from tree_sitter import Node


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
    return on_object(call, c.expression(object_node, scope))


# -- unqualified and static calls


def _unqualified(call: Call) -> Expr:
    """The innermost class around that has a method of the name is the one that is searched (JLS 15.12.1)."""
    c, is_unclear = call.c, False
    for one, left in call.scope.outward():
        if not one.is_class:
            continue
        candidates = candidates_of(call, one.info)
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
        builtin = builtin_call(call, one.info, left)
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
        return call_selected(call, select, this, call.values(env))

    return Expr(run, result_type_of(select, info))


def _static_of_class(call: Call, info: ClassInfo) -> Expr:
    c = call.c
    if info.kind == "enum" and not methods_named(info, call.name):
        return _enum_static(call, info)
    candidates = [one for one in candidates_of(call, info) if one.is_static]
    if not candidates:
        return _inherited_call(call)
    select = selector(c, candidates, call.arguments)
    if not is_certain(info, select.static, call.arguments):
        return _inherited_call(call)
    return Expr(lambda env: call_selected(call, select, None, call.values(env)), result_type_of(select, None))


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
    return Expr(lambda env: call.c.call_intrinsic(intrinsic, call_site(call, owner, None, env)), "")


def _by_library(call: Call, known: LibraryFunction, owner: str) -> Expr:
    return Expr(lambda env: known(call.c, call.values(env), call.types), result_of(owner, call.name))


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

        return Expr(run, result_type_of(select, info))

    def run_library(env: Env) -> Value:
        if env.this is None:
            raise Stop("super is used without an object")
        return library_method(c, env.this, call.name, call.values(env), call.types, is_super=True)

    return Expr(run_library, result_of("java.lang.Object", call.name))
