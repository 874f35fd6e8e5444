"""Casts, ``instanceof`` and the creation of arrays (JLS 15.16, 15.20.2, 15.10)."""

from __future__ import annotations

from clausefit.hook.pins.java.code import (
    Compiler,
    Expr,
    UnsupportedError,
    expression,
    required,
)
from clausefit.hook.pins.java.members import named
from clausefit.hook.pins.java.names import is_primitive
from clausefit.hook.pins.java.operators import (
    cast_to_primitive,
    cast_to_reference,
)
from clausefit.hook.pins.java.scope import Scope
from clausefit.hook.pins.java.values import (
    FALSE,
    STRING,
    TRUE,
    Env,
    Null,
    Prim,
    Stop,
    Unknown,
    Value,
)
from tree_sitter import Node

# -- casts and instanceof


@expression("cast_expression")
def _cast(c: Compiler, node: Node, scope: Scope) -> Expr:
    types = [c.world.type_of(one, scope).erased for one in node.children_by_field_name("type")]
    operand = c.expression(required(node, "value"), scope)
    target = types[0]
    if operand.lambda_arity is not None:
        return Expr(lambda env: c.current.convert(operand.run(env), target), target, lambda_arity=operand.lambda_arity)

    def run(env: Env) -> Value:
        value = operand.run(env)
        if is_primitive(target):
            return cast_to_primitive(c.current, value, target, operand.type)
        for one in types:
            value = cast_to_reference(c.current, value, one)
        return value

    value = None
    if operand.constant is not None and is_primitive(target):
        value = cast_to_primitive(c.current, operand.constant, target, operand.type)
    elif operand.constant is not None and target == STRING:
        value = operand.constant
    return Expr(run, target, value)


@expression("instanceof_expression")
def _instanceof(c: Compiler, node: Node, scope: Scope) -> Expr:
    if node.child_by_field_name("pattern") is not None:
        raise UnsupportedError("a record pattern is not followed")
    left = c.expression(required(node, "left"), scope)
    ref = c.world.type_of(required(node, "right"), scope)
    name = node.child_by_field_name("name")
    local = None
    if name is not None:
        # It is put into scope by whoever knows where it holds.
        local = scope.block().declare(c.text(name, scope), ref)

    def run(env: Env) -> Value:
        value = left.run(env)
        answer = c.current.is_instance(value, ref.erased)
        if answer is None:
            return Unknown("boolean")
        if answer and local is not None:
            env.locals[local.slot] = value
        return TRUE if answer else FALSE

    bound = {c.text(name, scope): local} if name is not None and local is not None else {}
    return Expr(run, "boolean", None, when_true=bound)


# -- arrays


def initial_value(c: Compiler, node: Node, type_name: str, scope: Scope) -> Expr:
    """The initializer of a variable of that type: an expression, or an array initializer."""
    if node.type != "array_initializer":
        return c.expression(node, scope)
    if not type_name.endswith("[]"):
        raise UnsupportedError("an array initializer of a type that is not known is not followed")
    element = type_name[:-2]
    parts = [initial_value(c, one, element, scope) for one in named(node)]

    def run(env: Env) -> Value:
        return c.current.new_array(element, [c.current.convert(one.run(env), element) for one in parts])

    return Expr(run, type_name)


@expression("array_creation_expression")
def _array(c: Compiler, node: Node, scope: Scope) -> Expr:
    base = c.world.type_of(required(node, "type"), scope).erased
    sizes = [child for child in node.children if child.type == "dimensions_expr"]
    open_ones = sum(c.text(one, scope).count("[") for one in node.children if one.type == "dimensions")
    if not base:
        raise UnsupportedError("an array of a type that is not known is not followed")
    type_name = base + "[]" * (len(sizes) + open_ones)
    value = node.child_by_field_name("value")
    if value is not None:
        return initial_value(c, value, type_name, scope)
    lengths = [c.expression(named(one)[-1], scope) for one in sizes]

    def run(env: Env) -> Value:
        return _made(c, type_name, [c.current.unboxed(one.run(env)) for one in lengths])

    return Expr(run, type_name)


def _made(c: Compiler, type_name: str, lengths: list[Value]) -> Value:
    """A new array with all its inner arrays (JLS 15.10.2)."""
    run = c.current
    numbers_known = [int(one.value) for one in lengths if isinstance(one, Prim)]
    if any(one < 0 for one in numbers_known):
        raise run.thrown("java.lang.NegativeArraySizeException")
    if len(numbers_known) < len(lengths):
        run.may_throw("an array is made of a length that is not known")
        return Unknown(type_name, is_nonnull=True)
    cells = 1
    for length in numbers_known:
        cells *= max(length, 1)
    run.spend(cells)

    def fill(name: str, left: list[int]) -> Value:
        element = name[:-2]
        if len(left) > 1:
            return run.new_array(element, [fill(element, left[1:]) for _ in range(left[0])])
        return run.new_array(element, [run.default_of(element)] * left[0])

    return fill(type_name, numbers_known)


def index_of(c: Compiler, value: Value) -> int | None:
    """An index or length as a number; None where it is not known."""
    value = c.current.unboxed(value)
    if isinstance(value, Prim):
        return int(value.value)
    if isinstance(value, Null):
        raise Stop("an index is null")
    return None
