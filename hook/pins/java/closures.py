"""Lambdas and method references (JLS 15.13, 15.27), and calls on them."""

from __future__ import annotations

from collections.abc import Callable

from clausefit.hook.pins.java.calls import converted, selected, selector
from clausefit.hook.pins.java.classes import ClassInfo, MethodInfo, TypeRef
from clausefit.hook.pins.java.code import Action, Compiler, Expr, Return, UnsupportedError, expression, required
from clausefit.hook.pins.java.creation import around_of
from clausefit.hook.pins.java.heap import unknown_call
from clausefit.hook.pins.java.jdk import FUNCTIONAL
from clausefit.hook.pins.java.library import library_method, library_static
from clausefit.hook.pins.java.members import line_of, named, parameter_list
from clausefit.hook.pins.java.objects import Site, construct, initialise, invoke, invoke_virtual
from clausefit.hook.pins.java.overloads import methods_named, possible
from clausefit.hook.pins.java.places import type_named
from clausefit.hook.pins.java.runtime import NPE
from clausefit.hook.pins.java.scope import Scope
from clausefit.hook.pins.java.values import (
    VOID,
    Closure,
    Env,
    Null,
    Obj,
    Prim,
    Stop,
    Value,
    Void,
)
from tree_sitter import Node


@expression("lambda_expression")
def _lambda(c: Compiler, node: Node, scope: Scope) -> Expr:
    """A closure over the frame as it is now: what a lambda captures does not change any more (JLS 15.27.2)."""
    inner = scope.block()
    inner.lambda_depth += 1
    parameters = required(node, "parameters")
    slots = [inner.declare(name, ref) for name, ref in _parameters(c, parameters, scope)]
    body = required(node, "body")
    is_block = body.type == "block"
    action = c.statement(body, inner) if is_block else _returning(c.unless_narrowed(c.expression(body, inner), scope))
    types = [one.type.erased for one in slots]

    def run(env: Env) -> Value:
        captured = Env(env.this, list(env.locals))

        def call(arguments: list[Value]) -> Value:
            frame = Env(captured.this, list(captured.locals))
            for local, value, type_name in zip(slots, arguments, types, strict=True):
                frame.locals[local.slot] = c.current.convert(value, type_name)
            return _result(c, action, frame)

        return Closure(c.current.next_serial(), "", call, captured, len(slots))

    return Expr(run, "", lambda_arity=len(slots))


def _parameters(c: Compiler, node: Node, scope: Scope) -> list[tuple[str, TypeRef]]:
    if node.type == "identifier":
        return [(c.text(node, scope), TypeRef(""))]
    if node.type == "inferred_parameters":
        return [(c.text(one, scope), TypeRef("")) for one in named(node)]
    found: list[tuple[str, TypeRef]] = []
    for one in parameter_list(c.world, node, scope):
        found.append((one.name, one.type))
    return found


def _returning(value: Expr) -> Action:
    return lambda env: Return(value.run(env))


def _result(c: Compiler, action: Action, frame: Env) -> Value:
    run = c.current
    run.tick()
    if run.depth >= run.limits.depth:
        raise Stop(f"calls are nested more than {run.limits.depth} deep")
    run.depth += 1
    try:
        completion = action(frame)
    finally:
        run.depth -= 1
    return completion.value if isinstance(completion, Return) else VOID


@expression("method_reference")
def _reference(c: Compiler, node: Node, scope: Scope) -> Expr:
    parts = named(node)
    is_new = node.children[-1].type == "new"
    name = "" if is_new else c.text(parts[-1], scope)
    site = Site(scope.info.file, line_of(node))
    owner = type_named(c, parts[0], scope)
    if parts[0].type in ("generic_type", "array_type", "integral_type"):
        owner = c.world.type_of(parts[0], scope).erased
    if is_new:
        return _constructor_reference(c, owner, scope, site)
    if owner:
        return _closure(c, lambda env: _type_reference(c, owner, name, site), arity=None)  # noqa: ARG005
    if parts[0].type == "super":
        raise UnsupportedError("a reference to a method of the superclass is not followed")
    receiver = c.expression(parts[0], scope)

    def bound(env: Env) -> Callable[[list[Value]], Value]:
        # The receiver is evaluated, and checked, when the reference is (JLS 15.13.3).
        this = receiver.run(env)
        if isinstance(this, Null):
            raise c.current.thrown(NPE)
        return lambda values: call_on(c, this, name, values, site)

    return _closure(c, bound, arity=None)


def _closure(c: Compiler, make: Callable[[Env], Callable[[list[Value]], Value]], arity: int | None) -> Expr:
    def run(env: Env) -> Value:
        return Closure(c.current.next_serial(), "", make(env), Env(env.this, list(env.locals)), arity)

    return Expr(run, "", lambda_arity=-1)


def _constructor_reference(c: Compiler, owner: str, scope: Scope, site: Site) -> Expr:
    info = c.world.by_name.get(owner)
    if info is None:
        raise UnsupportedError("a reference to a constructor of a library is not followed")
    around = around_of(c, info, scope)
    target = info

    def make(env: Env) -> Callable[[list[Value]], Value]:
        outside = around(env) if around is not None else None

        def call(values: list[Value]) -> Value:
            initialise(c, target)
            found = selected(selector(c, target.inside.constructors, [Expr(_never, "") for _ in values]), values)
            return construct(c, target, found.method, converted(c, found.method, found.values), outside, site)

        return call

    return _closure(c, make, None)


def _never(env: Env) -> Value:  # noqa: ARG001
    raise Stop("an argument that has no expression is evaluated")


def _type_reference(c: Compiler, owner: str, name: str, site: Site) -> Callable[[list[Value]], Value]:
    """``Type::method``: a static method, or one of the first argument."""
    info = c.world.by_name.get(owner)

    def call(values: list[Value]) -> Value:
        if info is not None:
            methods = methods_named(info, name)
            statics = [one for one in methods if one.is_static and len(one.parameters) == len(values)]
            others = [one for one in methods if not one.is_static and len(one.parameters) == len(values) - 1]
            if statics and others:
                raise Stop(f"it is not known which {name} is meant")
            if statics:
                return _call_one(c, statics, None, values, site)
        else:
            known = library_static(owner, name, len(values))
            if known is not None and not _is_also_instance(name, values):
                return known(c, values, tuple("" for _ in values))
            if not values:
                return unknown_call(c.current, values, "", f"{name} of a library is called")
        return call_on(c, values[0], name, values[1:], site)

    return call


def _is_also_instance(name: str, values: list[Value]) -> bool:
    """``Integer::toString`` and the like could mean either."""
    return len(values) == 1 and name in ("toString", "hashCode")


def _call_one(c: Compiler, methods: list[MethodInfo], this: Obj | None, values: list[Value], site: Site) -> Value:
    found = possible(c.current, methods, values)
    if found is None or found.is_variable:
        given = [*([this] if this is not None else []), *values]
        return unknown_call(c.current, given, "", "it is not known which method is called")
    if this is None:
        return invoke(c, found.method, None, values, site)
    return invoke_virtual(c, found.method, this, values, site)


def call_on(c: Compiler, this: Value, name: str, values: list[Value], site: Site) -> Value:
    """Call a method by name on a value, as a method reference does."""
    if isinstance(this, Null):
        raise c.current.thrown(NPE)
    if isinstance(this, Closure):
        return call_closure(c, this, name, values)
    this = c.current.boxed(this)
    if isinstance(this, Obj) and this.info is not None:
        methods = [one for one in methods_named(this.info, name) if not one.is_static]
        if methods:
            return _call_one(c, methods, this, values, site)
    return library_method(c, this, name, values, tuple("" for _ in values))


# -- calls


def functional_method(c: Compiler, type_name: str) -> tuple[str, tuple[str, ...], str] | None:
    """Name, parameter types and result type of the one abstract method of an interface; None where it is not known."""
    info = c.world.by_name.get(type_name)
    if info is None:
        return FUNCTIONAL.get(type_name)
    found = [
        method
        for one in info.supertypes()
        for several in one.inside.methods.values()
        for method in several
        if method.is_abstract and not method.is_static and not _is_of_object(method)
    ]
    inherited = [one for one in info.library_supertypes() if one in FUNCTIONAL]
    if len(found) != 1 or not isinstance(info, ClassInfo):
        return FUNCTIONAL[inherited[0]] if not found and len(inherited) == 1 else None
    method = found[0]
    return method.name, tuple(one.type.erased for one in method.parameters), method.result.erased


def _is_of_object(method: MethodInfo) -> bool:
    return (method.name, len(method.parameters)) in (("equals", 1), ("hashCode", 0), ("toString", 0))


def call_closure(c: Compiler, closure: Closure, name: str, values: list[Value]) -> Value:
    """A call on a lambda or method reference: of its one method, else it is not known."""
    run = c.current
    known = functional_method(c, closure.type)
    if known is None and not closure.type:
        known = _by_name(name, values)
    if known is None or known[0] != name or len(known[1]) != len(values) or not _fits(closure, values):
        return unknown_call(run, [closure, *values], "", f"{name} of a lambda is called")
    arguments = [
        run.convert(one, target) if target else run.boxed(one) for one, target in zip(values, known[1], strict=True)
    ]
    result = closure.call(arguments)
    if known[2] == "void":
        return VOID
    if isinstance(result, Void):
        raise Stop("a lambda without a result is used as a value")
    return run.convert(result, known[2]) if known[2] else run.boxed(result)


def _by_name(name: str, values: list[Value]) -> tuple[str, tuple[str, ...], str] | None:
    """The interface's method where only its name is known, if all interfaces of the JDK that it can be agree on it."""
    found = {one[1:] for one in FUNCTIONAL.values() if one[0] == name and len(one[1]) == len(values)}
    if not any(isinstance(one, Prim) for one in values):
        found = {(parameters, result) for parameters, result in found if not any(parameters)} or found
    if len(found) != 1:
        return None
    parameters, result = found.pop()
    return name, parameters, result


def _fits(closure: Closure, values: list[Value]) -> bool:
    return closure.arity is None or closure.arity == len(values)
