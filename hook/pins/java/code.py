"""The frame of the translator: a syntax tree becomes Python closures that run it.

Handlers for the kinds of nodes register themselves; what none is registered for is not supported, and running it stops.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from clausefit.hook.pins.java.classes import ClassInfo, FieldInfo, MethodInfo
from clausefit.hook.pins.java.literals import BadLiteralError
from clausefit.hook.pins.java.members import line_of
from clausefit.hook.pins.java.names import World, is_primitive
from clausefit.hook.pins.java.observed import CallSite, Intrinsic, Intrinsics
from clausefit.hook.pins.java.runtime import Run
from clausefit.hook.pins.java.scope import Local, Scope, UnclearNameError
from clausefit.hook.pins.java.values import Env, Stop, Unknown, Value
from tree_sitter import Node

# Deeper nesting is nothing that people write, and the translator is recursive.
_MOST_NESTED = 120
_SMALL_WRAPPERS = re.compile(r"\b(?:Byte|Short|Character)\b")


class UnsupportedError(Exception):
    """The translator does not know this; ``reason`` is one sentence without a final full stop."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Expr:
    """A translated expression. ``type`` is its static type (erased): empty if not known, ``null`` for ``null``.

    ``constant`` is the value of a constant expression (JLS 15.29). ``when_true`` and ``when_false`` are the pattern
    variables that it introduces (JLS 6.3.1).
    """

    run: Callable[[Env], Value]
    type: str
    constant: Value | None = None
    when_true: dict[str, Local] = field(default_factory=dict)
    when_false: dict[str, Local] = field(default_factory=dict)
    lambda_arity: int | None = None


@dataclass(frozen=True)
class Break:
    """A ``break``, to its label if it has one."""

    label: str = ""


@dataclass(frozen=True)
class Continue:
    """A ``continue``, to its label if it has one."""

    label: str = ""


@dataclass(frozen=True)
class Return:
    """A ``return`` with its value."""

    value: Value


@dataclass(frozen=True)
class Yield:
    """A ``yield`` of a switch expression."""

    value: Value


Completion = Break | Continue | Return | Yield
Action = Callable[[Env], Completion | None]


@dataclass
class Body:
    """A translated body: how many slots it needs, and the slots of the parameters."""

    slots: int
    parameters: tuple[int, ...]
    action: Action
    result: str = "void"


class Translator(Protocol):
    """Translates what is run as a whole (``java_bodies``)."""

    def body(self, c: Compiler, method: MethodInfo) -> Body:
        """The body of a method or constructor."""

    def static_initialiser(self, c: Compiler, info: ClassInfo) -> Body:
        """The static parts of a class."""

    def instance_initialiser(self, c: Compiler, info: ClassInfo) -> Body:
        """The field initializers and initializer blocks of a class."""

    def constant(self, c: Compiler, found: FieldInfo) -> Value | None:
        """The value of a constant field."""


@dataclass
class Compiler:
    """Translates, for one machine. ``current`` is the run that the closures work on; a new one starts for each test."""

    world: World
    intrinsics: Intrinsics
    call_intrinsic: Callable[[Intrinsic, CallSite], Value]
    current: Run
    translator: Translator
    nested: int = 0
    method_bodies: dict[MethodInfo, Body] = field(default_factory=dict)
    constants: dict[FieldInfo, Value | None] = field(default_factory=dict)
    static_parts: dict[ClassInfo, Body] = field(default_factory=dict)
    instance_parts: dict[ClassInfo, Body] = field(default_factory=dict)
    implementations: dict[tuple[str, int], MethodInfo | None] = field(default_factory=dict)

    def body(self, method: MethodInfo) -> Body:
        """The translated body of a method or constructor."""
        found = self.method_bodies.get(method)
        if found is None:
            found = self.method_bodies[method] = self._fresh(lambda: self.translator.body(self, method))
        return found

    def static_initialiser(self, info: ClassInfo) -> Body:
        """The translated static parts of a class."""
        if info not in self.static_parts:
            self.static_parts[info] = self._fresh(lambda: self.translator.static_initialiser(self, info))
        return self.static_parts[info]

    def instance_initialiser(self, info: ClassInfo) -> Body:
        """The translated field initializers and initializer blocks of a class."""
        if info not in self.instance_parts:
            self.instance_parts[info] = self._fresh(lambda: self.translator.instance_initialiser(self, info))
        return self.instance_parts[info]

    def constant(self, found: FieldInfo) -> Value | None:
        """The value of a field that is a constant variable (JLS 4.12.4), else None."""
        if found not in self.constants:
            self.constants[found] = None  # a constant that is defined by itself is none
            if is_constant_field(found):
                self.constants[found] = self.translator.constant(self, found)
        return self.constants[found]

    def _fresh(self, translate: Callable[[], Body]) -> Body:
        """Translate a body that is not part of what is being translated."""
        nested, self.nested = self.nested, 0
        try:
            return translate()
        finally:
            self.nested = nested

    def unless_narrowed(self, value: Expr, scope: Scope) -> Expr:
        """``value`` where it is assigned to what is not known to be a type argument.

        A constant may be boxed into a Byte, Short or Character there (JLS 5.2): unknown in a file that names them.
        """
        if value.constant is None or value.type != "int":
            return value
        if not _SMALL_WRAPPERS.search(self.world.java_text(scope.info.file).text):
            return value
        return Expr(lambda env: Unknown("int"), "int")  # noqa: ARG005

    def text(self, node: Node, scope: Scope) -> str:
        """The text of a node."""
        return self.world.text(node, scope.info.file)

    def expression(self, node: Node | None, scope: Scope) -> Expr:
        """Translate an expression; UnsupportedError where that is not possible."""
        if node is None or node.type not in EXPRESSIONS:
            raise UnsupportedError(f"{_kind(node)} is not followed")
        if node.is_missing:
            raise UnsupportedError("the text is broken")
        self.nested += 1
        try:
            if self.nested > _MOST_NESTED:
                raise UnsupportedError("the code is nested too deeply")
            return EXPRESSIONS[node.type](self, node, scope)
        except BadLiteralError as bad:
            raise UnsupportedError(f"the literal {str(bad)[:40]} is not understood") from bad
        except UnclearNameError as unclear:
            raise UnsupportedError(f"it is not known what {unclear} means") from unclear
        finally:
            self.nested -= 1

    def statement(self, node: Node, scope: Scope) -> Action:
        """Translate a statement; where that is not possible, running it stops with the reason."""
        line = line_of(node)
        self.nested += 1
        try:
            if node.type not in STATEMENTS or node.is_missing or self.nested > _MOST_NESTED:
                raise UnsupportedError(f"{_kind(node)} is not followed")
            inner = STATEMENTS[node.type](self, node, scope)
        except UnsupportedError as unsupported:
            return stopping(unsupported.reason, line)
        finally:
            self.nested -= 1

        def action(env: Env) -> Completion | None:
            self.current.tick()
            try:
                return inner(env)
            except Stop as stop:
                stop.line = stop.line or line
                raise

        return action


def stopping(reason: str, line: int) -> Action:
    """An action that stops."""

    def action(env: Env) -> Completion | None:  # noqa: ARG001
        raise Stop(reason, line)

    return action


def _kind(node: Node | None) -> str:
    if node is None or node.type == "ERROR":
        return "a part that cannot be read"
    return f"a {node.type.replace('_', ' ')}" if node.is_named else f"`{node.type}`"


ExpressionHandler = Callable[[Compiler, Node, Scope], Expr]
StatementHandler = Callable[[Compiler, Node, Scope], Action]
EXPRESSIONS: dict[str, ExpressionHandler] = {}
STATEMENTS: dict[str, StatementHandler] = {}


def expression(*kinds: str) -> Callable[[ExpressionHandler], ExpressionHandler]:
    """Register a handler for kinds of expressions."""

    def register(handler: ExpressionHandler) -> ExpressionHandler:
        EXPRESSIONS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def statement(*kinds: str) -> Callable[[StatementHandler], StatementHandler]:
    """Register a handler for kinds of statements."""

    def register(handler: StatementHandler) -> StatementHandler:
        STATEMENTS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def required(node: Node, name: str) -> Node:
    """The child of a field; UnsupportedError where the text is broken."""
    found = node.child_by_field_name(name)
    if found is None or found.is_missing:
        raise UnsupportedError("the text is broken")
    return found


def left_classes(left: tuple[ClassInfo, ...]) -> Callable[[Env], Env]:
    """From what code sees to what is seen around the classes ``left`` (innermost first)."""
    names = tuple(one.qualified for one in left)

    def hop(env: Env) -> Env:
        for name in names:
            around = env.this.enclosing.get(name) if env.this is not None else None
            if around is None:
                raise Stop("it is not known which object is around")
            env = around
        return env

    return hop


def is_constant_field(found: FieldInfo) -> bool:
    """Whether a field can be a constant variable (JLS 4.12.4): final, primitive or String, with an initializer."""
    return found.is_final and found.initializer is not None and is_constant_type(found.type.erased)


def is_constant_type(name: str) -> bool:
    """Whether a constant variable can have a type: a primitive one, or String."""
    return is_primitive(name) or name == "java.lang.String"
