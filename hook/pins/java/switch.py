"""``switch`` statements and expressions, old and new (JLS 14.11, 15.28)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from clausefit.hook.pins.java import numbers
from clausefit.hook.pins.java.code import (
    Action,
    Break,
    Compiler,
    Completion,
    Expr,
    UnsupportedError,
    Yield,
    expression,
    required,
    statement,
)
from clausefit.hook.pins.java.expressions import unified
from clausefit.hook.pins.java.members import named
from clausefit.hook.pins.java.runtime import NPE
from clausefit.hook.pins.java.scope import Scope
from clausefit.hook.pins.java.values import Boxed, Env, Null, Obj, Prim, Stop, Str, Value
from tree_sitter import Node

_POLY = ("variable_declarator", "assignment_expression", "return_statement", "yield_statement")


@dataclass(frozen=True)
class _Group:
    """Labels and what follows them. ``is_rule``: an arrow, which does not fall through."""

    matches: tuple[Callable[[Value], bool], ...]
    is_default: bool
    takes_null: bool
    actions: tuple[Action, ...]
    is_rule: bool


@statement("switch_expression", "switch_statement")
def _statement(c: Compiler, node: Node, scope: Scope) -> Action:
    subject, groups = _parts(c, node, scope, None)

    def run(env: Env) -> Completion | None:
        completion = _run(c, subject.run(env), groups, env)
        return None if isinstance(completion, Break) and not completion.label else completion

    return run


@expression("switch_expression")
def _expression(c: Compiler, node: Node, scope: Scope) -> Expr:
    results: list[Expr] = []
    subject, groups = _parts(c, node, scope, results)
    type_name = _type(c, node, scope, results, groups)

    def run(env: Env) -> Value:
        completion = _run(c, subject.run(env), groups, env)
        if not isinstance(completion, Yield):
            raise Stop("no case of a switch expression matches")
        return c.current.convert(completion.value, type_name) if type_name else completion.value

    return Expr(run, type_name)


def _is_var(c: Compiler, declarator: Node, scope: Scope) -> bool:
    """Whether a variable gets its type from its initializer."""
    declared = declarator.parent.child_by_field_name("type") if declarator.parent is not None else None
    return declared is not None and c.text(declared, scope) == "var"


def _type(c: Compiler, node: Node, scope: Scope, results: list[Expr], groups: list[_Group]) -> str:
    """The type of a switch expression that stands alone; in a place that has a type, its results get that one."""
    types = {one.type for one in results}
    has_yields = len(results) < len(groups)
    if len(types) == 1 and not has_yields:
        return results[0].type if results[0].type != "null" else ""
    around = node.parent
    while around is not None and around.type == "parenthesized_expression":
        around = around.parent
    is_poly = around is not None and around.type in _POLY and not _is_var(c, around, scope)
    known = [numbers.UNBOXED.get(one, one) for one in types]
    if is_poly or not any(one in numbers.NUMERIC or not one for one in known):
        return ""
    is_argument = around is not None and around.type == "argument_list"
    if is_argument or has_yields or not all(one in numbers.NUMERIC for one in known):
        # An argument gets the type of the parameter, on which the choice of the method depends.
        raise UnsupportedError("a switch expression of a type that is not known is not followed")
    whole = results[0]
    for one in results[1:]:
        whole = Expr(whole.run, unified(whole, one) or "")
    return whole.type


def _parts(c: Compiler, node: Node, scope: Scope, results: list[Expr] | None) -> tuple[Expr, list[_Group]]:
    """The subject and the groups; the values of an expression's rules are added to ``results``."""
    subject = c.expression(required(node, "condition"), scope)
    inner = scope.block()
    groups: list[_Group] = []
    for child in named(required(node, "body")):
        if child.type == "switch_rule":
            groups.append(_rule(c, child, subject, inner, results))
        elif child.type == "switch_block_statement_group":
            labels = [one for one in named(child) if one.type == "switch_label"]
            others = [one for one in named(child) if one.type != "switch_label"]
            actions = tuple(c.statement(one, inner) for one in others)
            groups.append(_group(c, labels, actions, subject, inner, is_rule=False))
        else:
            raise UnsupportedError("the text is broken")
    return subject, groups


def _rule(c: Compiler, node: Node, subject: Expr, scope: Scope, results: list[Expr] | None) -> _Group:
    inside = named(node)
    labels, body = inside[:1], inside[-1]
    inner = scope.block()
    if body.type == "expression_statement" and results is not None:
        value = c.expression(named(body)[0], inner)
        results.append(value)
        action: Action = _yielding(value)
    else:
        action = c.statement(body, inner)
        if body.type == "throw_statement" and results is not None:
            results.append(Expr(_nothing, "null"))
    return _group(c, labels, (action,), subject, inner, is_rule=True)


def _nothing(env: Env) -> Value:  # noqa: ARG001
    raise Stop("a case that throws has no value")


def _yielding(value: Expr) -> Action:
    return lambda env: Yield(value.run(env))


def _group(
    c: Compiler, labels: list[Node], actions: tuple[Action, ...], subject: Expr, scope: Scope, is_rule: bool
) -> _Group:
    matches: list[Callable[[Value], bool]] = []
    is_default = takes_null = False
    for label in labels:
        inside = named(label)
        is_default = is_default or not inside or any(child.type == "default" for child in label.children)
        for one in inside:
            if one.type in ("pattern", "guard", "record_pattern", "type_pattern"):
                raise UnsupportedError("a pattern in a switch is not followed")
            if one.type == "null_literal":
                takes_null = True
            else:
                matches.append(_match(c, one, subject, scope))
    return _Group(tuple(matches), is_default, takes_null, actions, is_rule)


def _match(c: Compiler, node: Node, subject: Expr, scope: Scope) -> Callable[[Value], bool]:
    """Whether the subject has the value of a label: a constant, or the name of an enum constant."""
    name = c.text(node, scope).rpartition(".")[2]
    try:
        value = c.expression(node, scope).constant
    except UnsupportedError:
        value = None
    info = c.world.by_name.get(subject.type)
    is_enum = info is not None and info.kind == "enum"

    def matches(given: Value) -> bool:
        if isinstance(given, Obj):
            if given.constant is None:
                raise Stop("a switch on an object is not followed")
            return given.constant == name
        if isinstance(given, Str) and isinstance(value, Str):
            return given.value == value.value
        if isinstance(given, Prim) and isinstance(value, Prim):
            return given.value == value.value
        raise Stop("a case of a switch is not known")

    if value is None and not is_enum and node.type != "identifier":
        raise UnsupportedError("a case of a switch is not known")
    return matches


def _run(c: Compiler, value: Value, groups: list[_Group], env: Env) -> Completion | None:
    if isinstance(value, Boxed):
        value = value.prim
    start: int | None = None
    if isinstance(value, Null):
        start = next((index for index, one in enumerate(groups) if one.takes_null), None)
        if start is None:
            raise c.current.thrown(NPE)
    elif not isinstance(value, Prim | Str | Obj):
        raise Stop("a switch depends on a value that is not known")
    else:
        for index, one in enumerate(groups):
            if start is None and any(match(value) for match in one.matches):
                start = index
        if start is None:
            start = next((index for index, one in enumerate(groups) if one.is_default), None)
    return _run_from(groups, start, env) if start is not None else None


def _run_from(groups: list[_Group], start: int, env: Env) -> Completion | None:
    for group in groups[start:]:
        for action in group.actions:
            completion = action(env)
            if completion is not None:
                return completion
        if group.is_rule:
            return None
    return None
