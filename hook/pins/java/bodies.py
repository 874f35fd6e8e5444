"""Bodies: methods, constructors, and the initializers of classes, as they are run."""

from __future__ import annotations

from collections.abc import Callable

from clausefit.hook.contracts.java_broken import first_error
from clausefit.hook.pins.java.calls import arguments_of, converted, selected, selector
from clausefit.hook.pins.java.casts import initial_value
from clausefit.hook.pins.java.classes import ClassInfo, FieldInfo, MethodInfo, Part
from clausefit.hook.pins.java.code import (
    Action,
    Body,
    Compiler,
    Completion,
    Expr,
    Return,
    UnsupportedError,
    is_constant_field,
    stopping,
)
from clausefit.hook.pins.java.creation import around_of, enum_constant
from clausefit.hook.pins.java.members import line_of, named
from clausefit.hook.pins.java.objects import library_super, run_constructor, run_instance_parts
from clausefit.hook.pins.java.scope import Code, Scope
from clausefit.hook.pins.java.values import Env, Obj, Stop, Value
from tree_sitter import Node

Step = Callable[[Env], None]


class Bodies:
    """The translator of bodies."""

    def body(self, c: Compiler, method: MethodInfo) -> Body:
        """The body of a method or constructor; one that is broken stops when it is run."""
        code = Code(method.is_static)
        scope = Scope(method.owner, method.owner.scope, code, variables=dict(method.variables))
        slots = tuple(scope.declare(one.name, one.type).slot for one in method.parameters)
        error = first_error(method.node) if method.node is not None else None
        if error is not None:
            action = stopping(f"the text of {method.name} cannot be read there", line_of(error))
        elif method.component is not None:
            action = _accessor(method.component)
        elif method.is_constructor:
            action = _constructor(c, method, scope, slots)
        elif method.body is not None:
            action = c.statement(method.body, scope)
        else:
            action = stopping(f"{method.name} has no code", 0)
        return Body(code.slots, slots, action)

    def static_initialiser(self, c: Compiler, info: ClassInfo) -> Body:
        """The static parts of a class in order; enum constants are the first."""
        code = Code(True)
        scope = Scope(info, info.scope, code)
        steps = [_part(c, part, scope) for part in info.inside.static_parts]
        return Body(code.slots, (), _sequence(steps))

    def instance_initialiser(self, c: Compiler, info: ClassInfo) -> Body:
        """The instance parts of a class in order."""
        code = Code(False)
        scope = Scope(info, info.scope, code)
        steps = [_part(c, part, scope) for part in info.inside.instance_parts]
        return Body(code.slots, (), _sequence(steps))

    def constant(self, c: Compiler, found: FieldInfo) -> Value | None:
        """The value of a constant field; None where its initializer is no constant expression."""
        scope = Scope(found.owner, found.owner.scope, Code(found.is_static))
        try:
            value = c.expression(found.initializer, scope).constant
        except UnsupportedError:
            return None
        return c.current.convert(value, found.type.erased) if value is not None else None


def _sequence(steps: list[Step]) -> Action:
    def action(env: Env) -> Completion | None:
        for step in steps:
            step(env)
        return None

    return action


def _part(c: Compiler, part: Part, scope: Scope) -> Step:
    """A field's initializer, an initializer block, or an enum constant."""
    error = first_error(part.node)
    line = line_of(error or part.node)
    try:
        if error is not None:
            raise UnsupportedError("the text cannot be read there")
        if part.field is None:
            return _block(c, part, scope)
        value = (
            enum_constant(c, part.field, part.node, scope)
            if part.is_constant
            else initial_value(c, part.node, part.field.type.erased, scope)
        )
    except UnsupportedError as unsupported:
        reason = unsupported.reason

        def stop(env: Env) -> None:  # noqa: ARG001
            raise Stop(reason, line)

        return stop
    return _store(c, part.field, value, line)


def _block(c: Compiler, part: Part, scope: Scope) -> Step:
    action = c.statement(part.node, scope)

    def run_block(env: Env) -> None:
        action(env)

    return run_block


def _store(c: Compiler, field: FieldInfo, value: Expr, line: int) -> Step:
    key, type_name = field.key, field.type.erased

    def store(env: Env) -> None:
        c.current.tick()
        try:
            result = c.current.convert(value.run(env), type_name)
        except Stop as stop:
            stop.line = stop.line or line
            raise
        if field.is_static:
            c.current.statics[key] = result
        elif env.this is not None:
            env.this.fields[key] = result

    if is_constant_field(field) and field.is_static and c.constant(field) is not None:
        return lambda env: None  # noqa: ARG005  (it has its value before the class is initialised)
    return store


def _accessor(component: FieldInfo) -> Action:
    return lambda env: Return(_this(env).fields[component.key])


# -- constructors


def _constructor(c: Compiler, method: MethodInfo, scope: Scope, slots: tuple[int, ...]) -> Action:
    """First this(…) or super(…), then the instance parts unless this(…) ran them, then the rest (JLS 12.5)."""
    info = method.owner
    statements = named(method.body) if method.body is not None else []
    explicit = next((one for one in statements[:1] if one.type == "explicit_constructor_invocation"), None)
    is_this = explicit is not None and any(child.type == "this" for child in explicit.children)
    try:
        if explicit is not None and is_this:
            first = _call_own(c, method, explicit, scope)
        else:
            first = _call_super(c, info, explicit, scope)
    except UnsupportedError as unsupported:
        return stopping(unsupported.reason, line_of(explicit) if explicit is not None else 0)
    rest = [c.statement(one, scope) for one in statements[1 if explicit is not None else 0 :]]
    assigned = [(field.key, slot) for field, slot in zip(info.inside.components, slots, strict=False)]
    assigns = info.kind == "record" and (method.is_compact or method.node is None)

    def action(env: Env) -> Completion | None:
        made = _this(env)
        first(env)
        if not is_this:
            run_instance_parts(c, made, info)
        for statement in rest:
            completion = statement(env)
            if completion is not None:
                return completion if isinstance(completion, Return) else None
        for key, slot in assigned if assigns else ():
            made.fields[key] = env.locals[slot]
        return None

    return action


def _this(env: Env) -> Obj:
    if env.this is None:
        raise Stop("a constructor runs without an object")
    return env.this


def _call_own(c: Compiler, method: MethodInfo, node: Node, scope: Scope) -> Step:
    arguments = arguments_of(c, node, scope)
    select = selector(c, method.owner.inside.constructors, arguments)

    def call(env: Env) -> None:
        constructor, values = selected(select, [one.run(env) for one in arguments])
        run_constructor(c, _this(env), constructor, converted(c, constructor, values))

    return call


def _call_super(c: Compiler, info: ClassInfo, node: Node | None, scope: Scope) -> Step:
    arguments = arguments_of(c, node, scope) if node is not None else []
    above = info.inside.superclass
    if isinstance(above, str):

        def call_library(env: Env) -> None:
            library_super(c, _this(env), above, [one.run(env) for one in arguments])

        return call_library
    qualifier = node.child_by_field_name("object") if node is not None else None
    around = around_of(c, above, scope, c.expression(qualifier, scope) if qualifier is not None else None)
    select = selector(c, above.inside.constructors, arguments)

    def call(env: Env) -> None:
        made = _this(env)
        outside = around(env) if around is not None else None
        constructor, values = selected(select, [one.run(env) for one in arguments])
        if outside is not None:
            made.enclosing[above.qualified] = outside
        run_constructor(c, made, constructor, converted(c, constructor, values))

    return call
