"""Statements (JLS 14)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from clausefit.hook.contracts.java_tree import TYPES
from clausefit.hook.pins.java.casts import initial_value
from clausefit.hook.pins.java.classes import TypeRef
from clausefit.hook.pins.java.code import (
    Action,
    Break,
    Compiler,
    Completion,
    Continue,
    Expr,
    Return,
    UnsupportedError,
    Yield,
    is_constant_type,
    required,
    statement,
)
from clausefit.hook.pins.java.expressions import with_bindings
from clausefit.hook.pins.java.members import modifiers_of, named
from clausefit.hook.pins.java.runtime import NPE
from clausefit.hook.pins.java.scope import Scope
from clausefit.hook.pins.java.values import (
    VOID,
    Env,
    JavaThrow,
    Null,
    Obj,
    Prim,
    Stop,
)
from tree_sitter import Node

# -- blocks and declarations


@statement("block", "constructor_body")
def _block(c: Compiler, node: Node, scope: Scope) -> Action:
    return sequence(c, named(node), scope.block())


def sequence(c: Compiler, nodes: Sequence[Node], scope: Scope) -> Action:
    """Statements one after the other in one scope."""
    actions = [c.statement(one, scope) for one in nodes if one.type != ";"]

    def run(env: Env) -> Completion | None:
        for action in actions:
            completion = action(env)
            if completion is not None:
                return completion
        return None

    return run


@statement("local_variable_declaration")
def _local(c: Compiler, node: Node, scope: Scope) -> Action:
    type_node = required(node, "type")
    is_final = "final" in modifiers_of(node, c.world.java_text(scope.info.file).text)
    is_var = c.text(type_node, scope) == "var"
    steps: list[Callable[[Env], None]] = []
    for one in node.children_by_field_name("declarator"):
        brackets = one.child_by_field_name("dimensions")
        more = c.text(brackets, scope).count("[") if brackets is not None else 0
        ref = c.world.type_of(type_node, scope, more) if not is_var else None
        steps.append(_declarator(c, one, ref, is_final, scope))

    def run(env: Env) -> Completion | None:
        for step in steps:
            step(env)
        return None

    return run


def _declarator(c: Compiler, node: Node, ref: TypeRef | None, is_final: bool, scope: Scope) -> Callable[[Env], None]:
    """One variable. It is in scope in its own initializer, where a lambda's body may name it (JLS 6.3)."""
    name = c.text(required(node, "name"), scope)
    value_node = node.child_by_field_name("value")
    if value_node is None:
        scope.declare(name, ref or TypeRef(""))
        return lambda env: None  # noqa: ARG005
    if ref is None:
        value = c.expression(value_node, scope)
        type_ref = TypeRef("" if value.type == "null" else value.type)
        local = scope.declare(name, type_ref, value.constant if is_final else None)
    else:
        type_ref = ref
        local = scope.declare(name, ref)
        value = initial_value(c, value_node, ref.erased, scope)
        if is_final and value.constant is not None and is_constant_type(ref.erased):
            known = c.current.convert(value.constant, ref.erased)
            scope.locals[name] = local._replace(constant=known)
    slot, type_name = local.slot, type_ref.erased

    def store(env: Env) -> None:
        env.locals[slot] = c.current.convert(value.run(env), type_name)

    return store


@statement(*TYPES)
def _local_class(c: Compiler, node: Node, scope: Scope) -> Action:
    c.world.local_class(node, scope, c.text(required(node, "name"), scope))
    return lambda env: None  # noqa: ARG005


@statement("expression_statement")
def _expression(c: Compiler, node: Node, scope: Scope) -> Action:
    inside = named(node)
    if len(inside) != 1:
        raise UnsupportedError("the text is broken")
    if inside[0].type == "switch_expression":
        return c.statement(inside[0], scope)
    value = c.expression(inside[0], scope)

    def run(env: Env) -> Completion | None:
        value.run(env)
        return None

    return run


@statement(";")
def _empty(c: Compiler, node: Node, scope: Scope) -> Action:  # noqa: ARG001
    return lambda env: None  # noqa: ARG005


# -- branches


@statement("if_statement")
def _if(c: Compiler, node: Node, scope: Scope) -> Action:
    condition = c.expression(required(node, "condition"), scope)
    then_node, else_node = required(node, "consequence"), node.child_by_field_name("alternative")
    then = c.statement(then_node, with_bindings(scope, condition.when_true))
    otherwise = c.statement(else_node, with_bindings(scope, condition.when_false)) if else_node is not None else None
    # JLS 6.3.2.2: where the one branch never comes to its end, the other's variables hold behind the statement.
    if not completes(then_node):
        scope.locals.update(condition.when_false)
    if else_node is not None and not completes(else_node):
        scope.locals.update(condition.when_true)

    def run(env: Env) -> Completion | None:
        if c.current.truth(condition.run(env)):
            return then(env)
        return otherwise(env) if otherwise is not None else None

    return run


def completes(node: Node) -> bool:
    """Whether a statement can complete normally (JLS 14.22); true in doubt."""
    if node.type in ("return_statement", "throw_statement", "break_statement", "continue_statement", "yield_statement"):
        return False
    if node.type == "block":
        inside = named(node)
        return not inside or completes(inside[-1])
    if node.type == "if_statement":
        then, otherwise = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        return then is None or otherwise is None or completes(then) or completes(otherwise)
    return True


# -- jumps


@statement("labeled_statement")
def _labeled(c: Compiler, node: Node, scope: Scope) -> Action:
    inside = named(node)
    label = c.text(inside[0], scope)
    body = c.statement(inside[1] if len(inside) > 1 else node.children[-1], scope)

    def run(env: Env) -> Completion | None:
        completion = body(env)
        return None if isinstance(completion, Break) and completion.label == label else completion

    return run


def _jump(c: Compiler, node: Node, scope: Scope, make: type[Break] | type[Continue]) -> Action:
    inside = named(node)
    completion = make(c.text(inside[0], scope) if inside else "")
    return lambda env: completion  # noqa: ARG005


@statement("break_statement")
def _break(c: Compiler, node: Node, scope: Scope) -> Action:
    return _jump(c, node, scope, Break)


@statement("continue_statement")
def _continue(c: Compiler, node: Node, scope: Scope) -> Action:
    return _jump(c, node, scope, Continue)


@statement("return_statement")
def _return(c: Compiler, node: Node, scope: Scope) -> Action:
    inside = named(node)
    if not inside:
        return lambda env: Return(VOID)  # noqa: ARG005
    value = c.expression(inside[0], scope)
    if scope.lambda_depth:
        value = c.unless_narrowed(value, scope)
    return lambda env: Return(value.run(env))


@statement("yield_statement")
def _yield(c: Compiler, node: Node, scope: Scope) -> Action:
    value = c.expression(named(node)[0], scope)
    return lambda env: Yield(value.run(env))


@statement("throw_statement")
def _throw(c: Compiler, node: Node, scope: Scope) -> Action:
    value = c.expression(named(node)[0], scope)

    def run(env: Env) -> Completion | None:
        thrown = value.run(env)
        if isinstance(thrown, Null):
            raise c.current.thrown(NPE)
        if not isinstance(thrown, Obj):
            raise Stop("an exception that is not known is thrown")
        raise JavaThrow(thrown)

    return run


@statement("assert_statement")
def _assert(c: Compiler, node: Node, scope: Scope) -> Action:
    """Whether assertions are on is the test runner's affair: one that holds does nothing either way."""
    condition = c.expression(named(node)[0], scope)

    def run(env: Env) -> Completion | None:
        value = c.current.unboxed(condition.run(env))
        if not isinstance(value, Prim) or not value.value:
            raise Stop("an assert statement does not hold, or it is not known whether it does")
        return None

    return run


@statement("synchronized_statement")
def _synchronized(c: Compiler, node: Node, scope: Scope) -> Action:
    lock: Expr = c.expression(next(one for one in named(node) if one.type == "parenthesized_expression"), scope)
    body = c.statement(required(node, "body"), scope)

    def run(env: Env) -> Completion | None:
        if isinstance(lock.run(env), Null):
            raise c.current.thrown(NPE)
        return body(env)

    return run
