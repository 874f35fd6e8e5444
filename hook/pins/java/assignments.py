"""Assignment, compound assignment, and ``++`` (JLS 15.14, 15.15, 15.26)."""

from __future__ import annotations

from collections.abc import Callable

from clausefit.hook.pins.java import numbers
from clausefit.hook.pins.java.casts import initial_value
from clausefit.hook.pins.java.code import Compiler, Expr, UnsupportedError, expression, required
from clausefit.hook.pins.java.elements import element_place
from clausefit.hook.pins.java.members import named
from clausefit.hook.pins.java.names import is_primitive
from clausefit.hook.pins.java.operators import arithmetic, plus
from clausefit.hook.pins.java.places import Place, access_place, local_place, own_field_place
from clausefit.hook.pins.java.scope import FoundField, FoundLocal, Scope, variable_named
from clausefit.hook.pins.java.values import (
    STRING,
    Boxed,
    Env,
    Prim,
    Unknown,
    Value,
)
from tree_sitter import Node


def place_of(c: Compiler, node: Node, scope: Scope) -> Place:
    """The variable that an expression names; UnsupportedError where it names none that is known."""
    if node.type == "parenthesized_expression":
        return place_of(c, named(node)[0], scope)
    if node.type == "identifier":
        name = c.text(node, scope)
        found = variable_named(name, scope)
        if isinstance(found, FoundLocal):
            return local_place(found)
        if isinstance(found, FoundField):
            return own_field_place(c, found)
        raise UnsupportedError(f"it is not known what {name[:40]} is")
    if node.type == "array_access":
        return element_place(c, node, scope)
    if node.type == "field_access":
        return access_place(c, node, scope)
    raise UnsupportedError("something that is no variable is assigned")


@expression("assignment_expression")
def _assignment(c: Compiler, node: Node, scope: Scope) -> Expr:
    place = place_of(c, required(node, "left"), scope)
    operator = required(node, "operator").type
    value = initial_value(c, required(node, "right"), place.type, scope)
    if operator == "=":
        if not place.type and required(node, "left").type != "array_access":
            value = c.unless_narrowed(value, scope)

        def run(env: Env) -> Value:
            handle = place.prepare(env)
            result = c.current.convert(value.run(env), place.type)
            place.put(env, handle, result)
            return result

        return Expr(run, place.type)
    compute = _compound(c, operator[:-1], place.type, value.type)

    def run_compound(env: Env) -> Value:
        handle = place.prepare(env)
        old = place.get(env, handle)
        result = narrowed(c, compute(old, value.run(env)), place.type, old)
        place.put(env, handle, result)
        return result

    return Expr(run_compound, place.type)


def _compound(c: Compiler, operator: str, left: str, right: str) -> Callable[[Value, Value], Value]:
    if operator == "+":
        is_text = left == STRING or (right == STRING and left not in numbers.UNBOXED and not is_primitive(left))
        return lambda one, other: plus(c, one, other, is_text)
    return lambda one, other: arithmetic(c.current, operator, one, other)


def narrowed(c: Compiler, value: Value, type_name: str, old: Value) -> Value:
    """The result of a compound assignment cast to the variable's type (JLS 15.26.2).

    A variable whose type is not known is of the type of the primitive or wrapper that it holds: with no other can be
    counted.
    """
    if not type_name and isinstance(value, Prim) and isinstance(old, Prim | Boxed):
        type_name = old.type
    target = numbers.UNBOXED.get(type_name, type_name)
    if isinstance(value, Prim) and is_primitive(target) and value.type != "boolean":
        value = numbers.converted(value, target)
    elif isinstance(value, Prim) and not is_primitive(target) and not target:
        return Unknown("")
    return c.current.convert(value, type_name)


@expression("update_expression")
def _update(c: Compiler, node: Node, scope: Scope) -> Expr:
    """``x++``, ``--x``: the value is cast to the variable's type, boxed again if need be."""
    operand = named(node)[0]
    place = place_of(c, operand, scope)
    is_prefix = node.children[0].type in ("++", "--")
    sign = "+" if "++" in (node.children[0].type, node.children[-1].type) else "-"
    one = Prim("int", 1)

    def run(env: Env) -> Value:
        handle = place.prepare(env)
        old = place.get(env, handle)
        new = narrowed(c, arithmetic(c.current, sign, old, one), place.type, old)
        place.put(env, handle, new)
        return new if is_prefix else old

    return Expr(run, place.type)
