"""Expressions without calls: literals, operators, conversions, arrays (JLS 15)."""

from __future__ import annotations

from collections.abc import Callable

from clausefit.hook.pins.java import numbers
from clausefit.hook.pins.java.code import (
    Compiler,
    Expr,
    UnsupportedError,
    expression,
    required,
)
from clausefit.hook.pins.java.heap import escape
from clausefit.hook.pins.java.literals import (
    character_literal,
    floating_literal,
    integer_literal,
    string_literal,
)
from clausefit.hook.pins.java.members import named
from clausefit.hook.pins.java.names import is_primitive
from clausefit.hook.pins.java.operators import (
    COMPARISONS,
    arithmetic,
    equality,
    plus,
    unary,
)
from clausefit.hook.pins.java.scope import Local, Scope
from clausefit.hook.pins.java.values import (
    FALSE,
    NULL,
    STRING,
    TRUE,
    Env,
    Prim,
    Stop,
    Str,
    Unknown,
    Value,
)
from tree_sitter import Node

_SIMPLE = ("identifier", "parenthesized_expression", "binary_expression", "unary_expression", "this", "true", "false")
_NUMBER_OR_BOX = numbers.NUMERIC | (set(numbers.UNBOXED) - {"java.lang.Boolean"})
_HARMLESS = ("&&", "||", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "&", "|", "^")


def constant(value: Value, type_name: str) -> Expr:
    """A constant expression."""
    return Expr(lambda env: value, type_name, value)  # noqa: ARG005


# -- literals


@expression("decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal")
def _integer(c: Compiler, node: Node, scope: Scope) -> Expr:
    value = integer_literal(c.text(node, scope))
    return constant(value, value.type)


@expression("decimal_floating_point_literal", "hex_floating_point_literal")
def _floating(c: Compiler, node: Node, scope: Scope) -> Expr:
    value = floating_literal(c.text(node, scope))
    return constant(value, value.type)


@expression("character_literal")
def _character(c: Compiler, node: Node, scope: Scope) -> Expr:
    return constant(character_literal(c.text(node, scope)), "char")


@expression("string_literal", "text_block")
def _string(c: Compiler, node: Node, scope: Scope) -> Expr:
    return text_constant(c, string_literal(c.text(node, scope)))


def text_constant(c: Compiler, text: str) -> Expr:
    """A constant string; the object is the interned one of the run."""
    return Expr(lambda env: c.current.literal(text), STRING, c.current.literal(text))  # noqa: ARG005


@expression("true", "false")
def _boolean(c: Compiler, node: Node, scope: Scope) -> Expr:  # noqa: ARG001
    return constant(TRUE if node.type == "true" else FALSE, "boolean")


@expression("null_literal")
def _null(c: Compiler, node: Node, scope: Scope) -> Expr:  # noqa: ARG001
    return Expr(lambda env: NULL, "null")  # noqa: ARG005


@expression("class_literal")
def _class(c: Compiler, node: Node, scope: Scope) -> Expr:
    type_name = c.world.type_of(named(node)[0], scope).erased
    if not type_name:
        # Nobody asks for more than that it is some class.
        return Expr(lambda env: Unknown("java.lang.Class", is_nonnull=True), "java.lang.Class")  # noqa: ARG005
    return Expr(lambda env: c.current.class_literal(type_name), "java.lang.Class")  # noqa: ARG005


@expression("parenthesized_expression")
def _parenthesized(c: Compiler, node: Node, scope: Scope) -> Expr:
    inside = named(node)
    if len(inside) != 1:
        raise UnsupportedError("the text is broken")
    return c.expression(inside[0], scope)


# -- operators


@expression("unary_expression")
def _unary(c: Compiler, node: Node, scope: Scope) -> Expr:
    operator = required(node, "operator").type
    operand = c.expression(required(node, "operand"), scope)

    def run(env: Env) -> Value:
        return unary(c.current, operator, operand.run(env))

    known = numbers.UNBOXED.get(operand.type, operand.type)
    type_name = "boolean" if operator == "!" else (numbers.unary_promoted_type(known) if is_primitive(known) else "")
    value = unary(c.current, operator, operand.constant) if operand.constant is not None else None
    swaps = operator == "!"
    return Expr(
        run,
        type_name,
        value,
        when_true=operand.when_false if swaps else {},
        when_false=operand.when_true if swaps else {},
    )


@expression("binary_expression")
def _binary(c: Compiler, node: Node, scope: Scope) -> Expr:
    operator = required(node, "operator").type
    left_node, right_node = required(node, "left"), required(node, "right")
    left = c.expression(left_node, scope)
    if operator in ("&&", "||"):
        inner = with_bindings(scope, left.when_true if operator == "&&" else left.when_false)
        return _conditional(c, operator, left, c.expression(right_node, inner), right_node)
    right = c.expression(right_node, scope)
    compute = _computation(c, operator, left.type, right.type)

    def run(env: Env) -> Value:
        one = left.run(env)
        return compute(one, right.run(env))

    type_name = _binary_type(operator, left.type, right.type)
    divides_by_zero = operator in ("/", "%") and isinstance(right.constant, Prim) and right.constant.value == 0
    if left.constant is None or right.constant is None or (divides_by_zero and type_name in numbers.INTEGRAL):
        return Expr(run, type_name)
    return _folded(c, run, type_name, compute(left.constant, right.constant))


def _folded(c: Compiler, run: Callable[[Env], Value], type_name: str, value: Value) -> Expr:
    """A constant expression with its value; a string is interned (JLS 15.29)."""
    if isinstance(value, Str):
        return text_constant(c, value.value)
    return constant(value, type_name) if isinstance(value, Prim) else Expr(run, type_name)


def _computation(c: Compiler, operator: str, left: str, right: str) -> Callable[[Value, Value], Value]:
    if operator == "+":
        is_text = STRING in (left, right)
        if left and right and not is_text:
            return lambda one, other: arithmetic(c.current, operator, one, other)
        return lambda one, other: plus(c, one, other, is_text)
    if operator in ("==", "!="):
        return lambda one, other: equality(c, operator, one, other)
    return lambda one, other: arithmetic(c.current, operator, one, other)


def _binary_type(operator: str, left: str, right: str) -> str:
    if operator == "+" and STRING in (left, right):
        return STRING
    if operator in COMPARISONS:
        return "boolean"
    left, right = numbers.UNBOXED.get(left, left), numbers.UNBOXED.get(right, right)
    return numbers.result_type(operator, left, right) if is_primitive(left) and is_primitive(right) else ""


def with_bindings(scope: Scope, bindings: dict[str, Local]) -> Scope:
    """A scope inside of ``scope`` in which pattern variables are known."""
    inner = scope.block()
    inner.locals.update(bindings)
    return inner


def _conditional(c: Compiler, operator: str, left: Expr, right: Expr, right_node: Node) -> Expr:
    """``&&`` and ``||``. If the left side is not known the right one runs only where it cannot have an effect."""
    decided = operator == "||"
    is_harmless = _is_harmless(right_node)

    def run(env: Env) -> Value:
        one = c.current.unboxed(left.run(env))
        if isinstance(one, Prim):
            return one if bool(one.value) == decided else c.current.unboxed(right.run(env))
        if not is_harmless:
            raise Stop("a condition depends on a value that is not known")
        other = right.run(env)
        return other if isinstance(other, Prim) and bool(other.value) == decided else Unknown("boolean")

    value = None
    if isinstance(left.constant, Prim) and isinstance(right.constant, Prim):
        value = left.constant if bool(left.constant.value) == decided else right.constant
    both, either = {**left.when_true, **right.when_true}, {**left.when_false, **right.when_false}
    return Expr(run, "boolean", value, both if operator == "&&" else {}, either if operator == "||" else {})


def _is_harmless(node: Node) -> bool:
    """Whether an expression has no effect and cannot throw."""
    todo = [node]
    while todo:
        one = todo.pop()
        literal = one.type.endswith("_literal")
        if not one.is_named:
            continue
        if one.type == "binary_expression":
            operator = one.child_by_field_name("operator")
            if operator is None or operator.type not in _HARMLESS:
                return False
        elif one.type not in _SIMPLE and not literal:
            return False
        todo += one.named_children
    return True


# -- conditional expressions


@expression("ternary_expression")
def _ternary(c: Compiler, node: Node, scope: Scope) -> Expr:
    condition = c.expression(required(node, "condition"), scope)
    yes_node, no_node = required(node, "consequence"), required(node, "alternative")
    yes = c.expression(yes_node, with_bindings(scope, condition.when_true))
    no = c.expression(no_node, with_bindings(scope, condition.when_false))
    type_name = unified(yes, no)
    is_harmless = _is_harmless(yes_node) and _is_harmless(no_node)

    def run(env: Env) -> Value:
        test = c.current.unboxed(condition.run(env))
        if isinstance(test, Prim):
            return arm_value(c, (yes if test.value else no).run(env), type_name)
        if not is_harmless:
            raise Stop("a condition depends on a value that is not known")
        escape(c.current, [yes.run(env), no.run(env)])
        return Unknown(type_name or "")

    value = None
    if isinstance(condition.constant, Prim) and yes.constant is not None and no.constant is not None and type_name:
        value = c.current.convert(yes.constant if condition.constant.value else no.constant, type_name)
    return Expr(run, type_name or "", value)


def arm_value(c: Compiler, value: Value, type_name: str | None) -> Value:
    """The value of an arm as the whole has it; without a type that is known (None) only what boxing leaves alone."""
    if type_name is not None:
        return c.current.convert(value, type_name)
    if isinstance(value, Prim) or c.current.type_of(value) in numbers.UNBOXED:
        return Unknown("")
    return value


def unified(yes: Expr, no: Expr) -> str | None:
    """The type of ``c ? yes : no`` as far as it changes values (JLS 15.25): empty for references, None if not known."""
    one, other = yes.type, no.type
    if one == other and one:
        return one
    if "null" in (one, other):
        known = other if one == "null" else one
        return numbers.WRAPPERS.get(known, known) if known else None
    if not one or not other:
        known = one or other
        return "java.lang.Object" if known and known not in _NUMBER_OR_BOX and "oolean" not in known else None
    first, second = numbers.UNBOXED.get(one, one), numbers.UNBOXED.get(other, other)
    if first in numbers.NUMERIC and second in numbers.NUMERIC:
        return _numeric(yes, no, first, second)
    if first == second == "boolean":
        return "boolean"
    return "java.lang.Object"


def _numeric(yes: Expr, no: Expr, first: str, second: str) -> str:
    """A numeric conditional expression: small types stay small where a constant fits (JLS 15.25.2)."""
    if first == second:
        return first
    if {first, second} == {"byte", "short"}:
        return "short"
    small = ("byte", "short", "char")
    for name, other_expr, other in ((first, no, second), (second, yes, first)):
        value = other_expr.constant
        fits = isinstance(value, Prim) and other == "int" and name in small and other_expr.type == "int"
        if fits and isinstance(value, Prim) and numbers.wrap(int(value.value), name) == value.value:
            return name
    return numbers.promoted_type(first, second)
