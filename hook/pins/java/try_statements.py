"""Exceptions: ``try``, ``catch``, ``finally``, resources (JLS 14.20)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from clausefit.hook.pins.java.classes import TypeRef
from clausefit.hook.pins.java.code import Action, Compiler, Completion, Expr, required, statement
from clausefit.hook.pins.java.heap import unknown_call
from clausefit.hook.pins.java.members import named
from clausefit.hook.pins.java.objects import invoke_virtual
from clausefit.hook.pins.java.scope import Scope
from clausefit.hook.pins.java.statements import sequence
from clausefit.hook.pins.java.text import NOWHERE, own_method
from clausefit.hook.pins.java.values import Env, JavaThrow, Null, Obj, Stop, Value
from tree_sitter import Node


@dataclass(frozen=True)
class _Catch:
    types: tuple[str, ...]
    slot: int
    action: Action


@statement("try_statement", "try_with_resources_statement")
def _try(c: Compiler, node: Node, scope: Scope) -> Action:
    resources = node.child_by_field_name("resources")
    body_node = required(node, "body")
    inner = _with_resources(c, resources, body_node, scope) if resources is not None else c.statement(body_node, scope)
    catches = [_catch(c, one, scope) for one in node.children if one.type == "catch_clause"]
    last = next((named(one)[-1] for one in node.children if one.type == "finally_clause"), None)
    finally_action = c.statement(last, scope) if last is not None else None

    def run(env: Env) -> Completion | None:
        return _run_finally(c, env, finally_action, lambda: _run_catching(c, env, inner, catches))

    return run


def _catch(c: Compiler, node: Node, scope: Scope) -> _Catch:
    parameter = next(one for one in named(node) if one.type == "catch_formal_parameter")
    types_node = next(one for one in named(parameter) if one.type == "catch_type")
    types = tuple(c.world.type_of(one, scope).erased for one in named(types_node))
    inner = scope.block()
    static = types[0] if len(types) == 1 else "java.lang.Throwable"
    local = inner.declare(c.text(required(parameter, "name"), scope), TypeRef(static))
    return _Catch(types, local.slot, c.statement(required(node, "body"), inner))


def _guarded(c: Compiler, action: Callable[[], Completion | None]) -> Completion | None:
    """Run where an exception would be noticed."""
    run = c.current
    run.handlers += 1
    try:
        return action()
    finally:
        run.handlers -= 1


def _run_catching(c: Compiler, env: Env, inner: Action, catches: list[_Catch]) -> Completion | None:
    if not catches:
        return inner(env)
    try:
        return _guarded(c, lambda: inner(env))
    except JavaThrow as thrown:
        for one in catches:
            if _catches(c, thrown.value, one):
                env.locals[one.slot] = thrown.value
                return one.action(env)
        raise


def _catches(c: Compiler, value: Obj, one: _Catch) -> bool:
    answers = [c.current.is_instance(value, name) for name in one.types]
    if True in answers:
        return True
    if None in answers:
        raise Stop("it is not known whether an exception is caught")
    return False


def _run_finally(
    c: Compiler, env: Env, last: Action | None, action: Callable[[], Completion | None]
) -> Completion | None:
    """A finally block that completes abruptly is how the whole completes (JLS 14.20.2)."""
    if last is None:
        return action()
    try:
        completion = _guarded(c, action)
    except JavaThrow:
        override = last(env)
        if override is not None:
            return override
        raise
    override = last(env)
    return override if override is not None else completion


# -- resources


def _with_resources(c: Compiler, resources: Node, body: Node, scope: Scope) -> Action:
    """Resources are closed in reverse order, before any catch clause of the same statement (JLS 14.20.3)."""
    inner = scope.block()
    opened = [_resource(c, one, inner) for one in named(resources) if one.type == "resource"]
    action = sequence(c, named(body), inner.block())

    def run_from(index: int, env: Env) -> Completion | None:
        if index == len(opened):
            return action(env)
        value, slot = opened[index]
        resource = value.run(env)
        if slot is not None:
            env.locals[slot] = resource
        try:
            completion = _guarded(c, lambda: run_from(index + 1, env))
        except JavaThrow as first:
            try:
                _guarded(c, lambda: _close(c, resource))
            except JavaThrow:
                # What closing throws is only added to what was thrown.
                raise first from None
            raise
        _close(c, resource)
        return completion

    return lambda env: run_from(0, env)


def _resource(c: Compiler, node: Node, scope: Scope) -> tuple[Expr, int | None]:
    value = node.child_by_field_name("value")
    if value is None:
        return c.expression(named(node)[0], scope), None
    type_node = required(node, "type")
    expression = c.expression(value, scope)
    is_var = c.text(type_node, scope) == "var"
    ref = TypeRef(expression.type) if is_var else c.world.type_of(type_node, scope)
    return expression, scope.declare(c.text(required(node, "name"), scope), ref).slot


def _close(c: Compiler, resource: Value) -> None:
    if isinstance(resource, Null):
        return
    if isinstance(resource, Obj) and resource.info is not None:
        method = own_method(resource.info, "close", ())
        if method is not None:
            invoke_virtual(c, method, resource, [], NOWHERE)
            return
    unknown_call(c.current, [resource], "void", "a resource of a library is closed")
