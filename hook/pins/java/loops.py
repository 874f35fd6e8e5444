"""Loops (JLS 14.12, 14.13, 14.14)."""

from __future__ import annotations

from collections.abc import Iterator

from clausefit.hook.pins.java.classes import TypeRef
from clausefit.hook.pins.java.code import (
    Action,
    Break,
    Compiler,
    Completion,
    Continue,
    required,
    statement,
)
from clausefit.hook.pins.java.expressions import with_bindings
from clausefit.hook.pins.java.members import line_of, named
from clausefit.hook.pins.java.objects import Site, invoke_virtual
from clausefit.hook.pins.java.runtime import NPE
from clausefit.hook.pins.java.scope import Scope
from clausefit.hook.pins.java.snapshots import list_elements
from clausefit.hook.pins.java.text import own_method
from clausefit.hook.pins.java.values import (
    Arr,
    Env,
    ListObj,
    Null,
    Obj,
    Stop,
    Value,
)
from tree_sitter import Node


def _after_body(completion: Completion | None, labels: tuple[str, ...]) -> tuple[bool, Completion | None]:
    """Whether a loop goes on after its body completed so, and its completion if not."""
    if completion is None:
        return True, None
    if isinstance(completion, Continue) and (not completion.label or completion.label in labels):
        return True, None
    if isinstance(completion, Break) and not completion.label:
        return False, None
    return False, completion


def _labels(node: Node, c: Compiler, scope: Scope) -> tuple[str, ...]:
    """The labels that stand right before a loop."""
    found: list[str] = []
    around = node.parent
    while around is not None and around.type == "labeled_statement":
        found.append(c.text(named(around)[0], scope))
        around = around.parent
    return tuple(found)


@statement("while_statement")
def _while(c: Compiler, node: Node, scope: Scope) -> Action:
    condition = c.expression(required(node, "condition"), scope)
    body = c.statement(required(node, "body"), with_bindings(scope, condition.when_true))
    labels = _labels(node, c, scope)
    if not _has_break(required(node, "body")):
        scope.locals.update(condition.when_false)

    def run(env: Env) -> Completion | None:
        while c.current.truth(condition.run(env)):
            c.current.tick()
            goes_on, completion = _after_body(body(env), labels)
            if not goes_on:
                return completion
        return None

    return run


def _has_break(node: Node) -> bool:
    todo = [node]
    while todo:
        one = todo.pop()
        if one.type == "break_statement":
            return True
        todo += one.named_children
    return False


@statement("do_statement")
def _do(c: Compiler, node: Node, scope: Scope) -> Action:
    body = c.statement(required(node, "body"), scope.block())
    condition = c.expression(required(node, "condition"), scope)
    labels = _labels(node, c, scope)

    def run(env: Env) -> Completion | None:
        while True:
            c.current.tick()
            goes_on, completion = _after_body(body(env), labels)
            if not goes_on:
                return completion
            if not c.current.truth(condition.run(env)):
                return None

    return run


@statement("for_statement")
def _for(c: Compiler, node: Node, scope: Scope) -> Action:
    inner = scope.block()
    starts = [_part(c, one, inner) for one in node.children_by_field_name("init")]
    condition_node = node.child_by_field_name("condition")
    condition = c.expression(condition_node, inner) if condition_node is not None else None
    bound = with_bindings(inner, condition.when_true) if condition is not None else inner
    updates = [c.expression(one, bound) for one in node.children_by_field_name("update")]
    body = c.statement(required(node, "body"), bound.block())
    labels = _labels(node, c, scope)

    def run(env: Env) -> Completion | None:
        for start in starts:
            start(env)
        while condition is None or c.current.truth(condition.run(env)):
            c.current.tick()
            goes_on, completion = _after_body(body(env), labels)
            if not goes_on:
                return completion
            for update in updates:
                update.run(env)
        return None

    return run


def _part(c: Compiler, node: Node, scope: Scope) -> Action:
    if node.type == "local_variable_declaration":
        return c.statement(node, scope)
    value = c.expression(node, scope)

    def run(env: Env) -> Completion | None:
        value.run(env)
        return None

    return run


@statement("enhanced_for_statement")
def _for_each(c: Compiler, node: Node, scope: Scope) -> Action:
    values = c.expression(required(node, "value"), scope)
    inner = scope.block()
    type_node = required(node, "type")
    if c.text(type_node, scope) == "var":
        ref = TypeRef(values.type[:-2] if values.type.endswith("[]") else "")
    else:
        ref = c.world.type_of(type_node, scope)
    local = inner.declare(c.text(required(node, "name"), scope), ref)
    body = c.statement(required(node, "body"), inner)
    labels = _labels(node, c, scope)
    slot, type_name = local.slot, ref.erased
    site = Site(scope.info.file, line_of(node))

    def run(env: Env) -> Completion | None:
        position = 0
        over = values.run(env)
        iterator = _iterator(c, over, site) if isinstance(over, Obj) else None
        changes = over.changes if isinstance(over, ListObj) else 0
        while True:
            if isinstance(over, ListObj) and over.changes != changes:
                # By details of ArrayList's iterator this throws, or ends early.
                raise Stop("a list is changed while it is gone through")
            found = _next(c, over, position) if iterator is None else next(iterator, None)
            if found is None:
                return None
            env.locals[slot] = c.current.convert(found, type_name)
            position += 1
            c.current.tick()
            goes_on, completion = _after_body(body(env), labels)
            if not goes_on:
                return completion

    return run


def _next(c: Compiler, over: Value, position: int) -> Value | None:
    """The element at a position of what is gone through; None at its end."""
    if isinstance(over, Null):
        raise c.current.thrown(NPE)
    if isinstance(over, Arr):
        return over.elements[position] if position < len(over.elements) else None
    if isinstance(over, ListObj):
        elements = list_elements(over)
        if elements is None:
            raise Stop("a list that is not known is gone through")
        return elements[position] if position < len(elements) else None
    raise Stop("something that is not known is gone through")


def _iterator(c: Compiler, over: Obj, site: Site) -> Iterator[Value]:
    """The elements of an Iterable of the project, by its iterator (JLS 14.14.2)."""
    iterator = _called(c, over, "iterator", site)
    while True:
        if not c.current.truth(_called(c, iterator, "hasNext", site)):
            return
        yield _called(c, iterator, "next", site)


def _called(c: Compiler, this: Value, name: str, site: Site) -> Value:
    if isinstance(this, Null):
        raise c.current.thrown(NPE)
    method = own_method(this.info, name, ()) if isinstance(this, Obj) and this.info is not None else None
    if method is None or not isinstance(this, Obj):
        raise Stop("something that is not known is gone through")
    return invoke_virtual(c, method, this, [], site)
