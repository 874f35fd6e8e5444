"""Evaluates C expressions of a test as far as their values are certain.

A value that is not certain is a fresh symbol (``c_knowledge``), never a guess. Operands whose order C leaves open
are only combined when the order cannot matter (ISO C11 6.5p2-3).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from clausefit.hook.pins import c_numbers
from clausefit.hook.pins.c_declarations import Enumerator, Types
from clausefit.hook.pins.c_effects import effects, has_impure_call, kind, walk, writes
from clausefit.hook.pins.c_initial import Initializers
from clausefit.hook.pins.c_knowledge import Knowledge, Symbol, known_truth, retyped
from clausefit.hook.pins.c_memory import Memory, is_const
from clausefit.hook.pins.c_operators import Operators
from clausefit.hook.pins.c_places import Places
from clausefit.hook.pins.c_static_types import static_type
from clausefit.hook.pins.c_terms import FunctionName, Place, StopError, Term, Variable
from clausefit.hook.pins.c_types import (
    CHAR,
    CHAR_POINTER,
    INT,
    ULONG,
    VOID,
    ArrayType,
    CType,
    FloatType,
    IntType,
    Node,
    PointerType,
    VoidType,
    leaf_type,
    plain,
)
from clausefit.hook.pins.values import (
    Array,
    Floating,
    FunctionPointer,
    Integer,
    Null,
    Pointer,
    Unknown,
    Value,
)

_MOST_STEPS = 100_000


class CallHandler(Protocol):
    """Evaluates calls."""

    def call(self, node: Node) -> Term:
        """The result of a call."""


class Evaluator:
    """The expressions of one test; ``calls`` must be set before an expression with a call is evaluated."""

    calls: CallHandler

    def __init__(self, poisoned: frozenset[str] = frozenset(), packed: bool = False) -> None:
        self.types = Types(self.constant, poisoned, packed)
        self.knowledge = Knowledge(self.types)
        self.memory = Memory(self.types, self.knowledge)
        self.steps = 0
        self.unordered = 0
        self.noreturn: frozenset[str] = frozenset()
        self.is_cpp = False
        self.initializers = Initializers(self)
        self.operators = Operators(self)
        self.places = Places(self)

    # -- entry points ---------------------------------------------------------------------------------

    def constant(self, node: Node) -> int | None:
        """The value of an integer constant expression, or None."""
        if has_impure_call(node) or writes(node):
            return None
        value = self.eval(node).value
        return value.value if isinstance(value, Integer) else None

    def eval(self, node: Node) -> Term:
        """The value of an expression, with its side effects."""
        self.steps += 1
        if self.steps + self.memory.work // 4 > _MOST_STEPS:
            raise StopError("the test runs too long to be followed")
        handler = self._HANDLERS.get(kind(node))
        term = handler(self, node) if handler else self.uncertain(node, INT)
        return Term(self.knowledge.resolve(term.value), term.ctype)

    def assume(self, node: Node, truth: bool) -> None:
        """The expression is evaluated and is shown to be true (or false)."""
        what = kind(node)
        if what == "UnaryOp" and node.op == "!":
            self.assume(node.expr, not truth)
        elif what == "BinaryOp" and node.op in ("&&", "||"):
            decisive = node.op == "||"
            if truth != decisive:
                self.assume(node.left, truth)
                self.assume(node.right, truth)
                return
            left = known_truth(self.eval(node.left).value)
            if left is None:
                self.maybe(node.right)
            elif left != decisive:
                self.assume(node.right, truth)
        elif what == "ExprList" and node.exprs:
            for expression in node.exprs[:-1]:
                self.eval(expression)
            self.assume(node.exprs[-1], truth)
        else:
            self.knowledge.learn_truth(self.eval(node).value, truth)

    def truth(self, node: Node) -> bool | None:
        """Whether a condition holds; None when it is not known."""
        return known_truth(self.eval(node).value)

    def unknown(self, ctype: CType) -> Term:
        """A value of which nothing is known."""
        plain_type = plain(ctype)
        if isinstance(plain_type, VoidType):
            return Term(Unknown("void"), VOID)
        return Term(self.knowledge.fresh(plain_type), plain_type)

    def uncertain(self, node: Node, ctype: CType) -> Term:
        """A value that is not known, of an expression that may have changed things."""
        self.maybe(node)
        return self.unknown(ctype)

    def maybe(self, node: Node) -> None:
        """The node may or may not be evaluated: what it may change is not known any more."""
        found = effects(node, self.noreturn)
        self.skipped(node)
        self._leak_named(node)
        if found.wild:
            self.memory.forget_all()
        for name in found.names | found.indexed:
            variable = self.types.lookup(name)
            if not isinstance(variable, Variable) or (
                name in found.indexed and not isinstance(variable.ctype, ArrayType)
            ):
                self.memory.forget_all()
            elif variable.block is not None:
                self.memory.forget([variable.block])
        if found.ends or found.leaves:
            raise StopError("it may not be reached", local=not found.ends)

    def _leak_named(self, node: Node) -> None:
        """Addresses that the node may have put somewhere."""
        for inner in walk(node):
            variable = self.types.lookup(inner.name) if kind(inner) == "ID" else None
            if isinstance(variable, Variable) and variable.block in self.memory.cells and variable.block is not None:
                self.memory.leak(*(value for value, _ in self.memory.pointers(variable.block)))
                if isinstance(variable.ctype, ArrayType):
                    self.memory.escape([variable.block])
            elif kind(inner) == "UnaryOp" and inner.op == "&":
                self.memory.escape(
                    found.block
                    for name in walk(inner.expr)
                    if kind(name) == "ID" and isinstance(found := self.types.lookup(name.name), Variable)
                    and found.block in self.memory.cells
                )  # fmt: skip

    def skipped(self, node: Node) -> None:
        """Called with code that is not evaluated (the call handler notes the calls in it)."""

    # -- order of evaluation --------------------------------------------------------------------------

    def together(self, parts: list[tuple[Node, Callable[[], Term | Place]]]) -> list[Term | Place]:
        """Evaluate operands whose order is not fixed; one that depends on the order becomes unknown."""
        calling = [has_impure_call(node) for node, _ in parts]
        if len(parts) < 2 or not any(calling):
            return [evaluate() for _, evaluate in parts]
        changing = [writes(node) for node, _ in parts]
        if sum(calling) > 1 or any(change for change, call in zip(changing, calling, strict=True) if not call):
            self.unordered += 1
            self.memory.forget(self.memory.open_to_calls())
            try:
                results = [evaluate() for _, evaluate in parts]
            finally:
                self.unordered -= 1
            for node, _ in parts:
                if writes(node):
                    self.memory.forget_all()
            return results
        index = calling.index(True)
        before = {i: evaluate() for i, (_, evaluate) in enumerate(parts) if i != index}
        result = parts[index][1]()
        after = {i: evaluate() for i, (_, evaluate) in enumerate(parts) if i != index}
        return [result if i == index else self._agreed(before[i], after[i]) for i in range(len(parts))]

    def _agreed(self, before: Term | Place, after: Term | Place) -> Term | Place:
        if isinstance(before, Term) and isinstance(after, Term):
            if self.knowledge.resolve(before.value) == self.knowledge.resolve(after.value):
                return after
            self.memory.leak(before.value, after.value)
            return self.unknown(after.ctype)
        if before == after:
            return after
        self.memory.escape_all()
        return Place(None, (), after.ctype)

    def terms(self, nodes: list[Node]) -> list[Term]:
        """The operands' values, order not fixed."""

        def later(node: Node) -> Callable[[], Term | Place]:
            return lambda: self.eval(node)

        return [part for part in self.together([(node, later(node)) for node in nodes]) if isinstance(part, Term)]

    # -- conversions ----------------------------------------------------------------------------------

    def converted(self, term: Term, ctype: CType) -> Term:
        """The value converted to a type, as by assignment or a cast (6.3)."""
        target = plain(ctype)
        value = self.knowledge.resolve(term.value)
        if target == plain(term.ctype):
            return Term(value, target)
        if isinstance(target, VoidType):
            return Term(Unknown("void"), VOID)
        if isinstance(target, IntType | FloatType):
            return self._to_number(value, plain(term.ctype), target)
        if isinstance(target, PointerType):
            if isinstance(value, Integer) and value.value == 0:
                return Term(Null(leaf_type(target)), target)
            if isinstance(value, Null | Pointer | FunctionPointer):
                return Term(retyped(value, target), target)
            if isinstance(value, Symbol) and isinstance(term.ctype, PointerType):
                if is_const(term.ctype.target) and not is_const(target.target):
                    self.memory.escape_all()  # a cast that takes const away may open anything
                return Term(self.knowledge.converted_symbol(value, target), target)
        self.memory.leak(value)
        return self.unknown(target)

    def _to_number(self, value: Value, source: CType, target: IntType | FloatType) -> Term:
        if isinstance(value, Integer | Floating):
            number = c_numbers.converted(value, target)
            return self.unknown(target) if number is None else Term(number, target)
        to_bool = isinstance(target, IntType) and target.width == 1
        if isinstance(value, Symbol) and (isinstance(source, IntType | FloatType) or to_bool):
            return Term(self.knowledge.converted_symbol(value, target), target)
        truth = known_truth(value)
        if to_bool and truth is not None:
            return Term(c_numbers.integer(int(truth), target), target)  # type: ignore[arg-type]
        self.memory.leak(value)
        return self.unknown(target)

    # -- operators ------------------------------------------------------------------------------------

    def _constant(self, node: Node) -> Term:
        text = node.value
        if '"' in text and not text.startswith("'"):
            codes = c_numbers.string_literal(text)
            if codes is None:
                return self.unknown(CHAR_POINTER)
            ctype = ArrayType(CHAR, len(codes) + 1)
            elements = tuple(c_numbers.integer(code, CHAR) for code in (*codes, 0))
            block = self.memory.literal(tuple(codes), ctype, Array("char", elements), text[:80])
            return Term(Pointer(block, (0,), "char *"), CHAR_POINTER)
        if "'" in text:
            value: Value | None = c_numbers.character_literal(text)
        else:
            value = c_numbers.integer_literal(text) or c_numbers.float_literal(text)
        if isinstance(value, Integer):
            return Term(value, IntType(value.type, value.width, value.signed))
        if isinstance(value, Floating):
            return Term(value, FloatType(value.type, value.width))
        return self.unknown(static_type(node, self.types) or INT)

    def _name(self, node: Node) -> Term:
        meaning = self.types.lookup(node.name)
        if isinstance(meaning, Enumerator):
            return Term(meaning.value, meaning.ctype)
        if isinstance(meaning, FunctionName):
            pointer = PointerType(meaning.ctype)
            return Term(FunctionPointer(meaning.name, leaf_type(pointer)), pointer)
        return self.places.load(self.places.place(node))

    def _loaded(self, node: Node) -> Term:
        return self.places.load(self.places.place(node))

    def _unary(self, node: Node) -> Term:
        op = node.op
        if op == "*":
            pointer = self.eval(node.expr)
            if isinstance(pointer.value, FunctionPointer):
                return pointer
            return self.places.load(self.places.pointed(pointer))
        if op == "&":
            return self._address(node.expr)
        if op in ("sizeof", "_Alignof"):
            return self._sizeof(node)
        if op in ("++", "--", "p++", "p--"):
            place = self.places.place(node.expr)
            old = self.places.load(place)
            one = Term(c_numbers.integer(1, INT), INT)
            new = self.places.store(place, self.operators.combined("+" if "+" in op else "-", old, one))
            return old if op.startswith("p") else new
        term = self.eval(node.expr)
        if op == "!":
            return self.operators.inverted(term)
        if isinstance(term.ctype, IntType | FloatType):
            result: Value | None = None
            if isinstance(term.value, Integer | Floating):
                if op == "+":
                    return self.converted(term, c_numbers.promoted(term.ctype))
                result = c_numbers.negated(term.value) if op == "-" else c_numbers.complement(term.value)
            ctype = c_numbers.promoted(plain(term.ctype))
            return Term(result, ctype) if result is not None and op in "-~" else self.unknown(ctype)
        return self.unknown(term.ctype)

    def _address(self, node: Node) -> Term:
        if kind(node) == "ID" and isinstance(self.types.lookup(node.name), FunctionName):
            return self.eval(node)
        place = self.places.place(node)
        ctype = PointerType(place.ctype)
        if place.block is None:
            return self.unknown(ctype)
        return Term(Pointer(place.block, place.path, leaf_type(ctype)), ctype)

    def _sizeof(self, node: Node) -> Term:
        operand = node.expr
        if self.is_cpp and kind(operand) not in ("Typename", "ID", "ArrayRef", "StructRef"):
            return self.unknown(ULONG)  # 'a' and (x == y) have other types in C++
        ctype = self.types.resolve(operand) if kind(operand) == "Typename" else static_type(operand, self.types)
        size = self.types.size(ctype) if ctype is not None and node.op == "sizeof" else None
        return self.unknown(ULONG) if size is None else Term(c_numbers.integer(size, ULONG), ULONG)

    def _binary(self, node: Node) -> Term:
        if node.op in ("&&", "||"):
            return self._logical(node)
        left, right = self.terms([node.left, node.right])
        return self.operators.combined(node.op, left, right)

    def _logical(self, node: Node) -> Term:
        decisive = node.op == "||"
        left = self.truth(node.left)
        if left is None:
            self.maybe(node.right)
            return self.unknown(INT)
        if left == decisive:
            self.skipped(node.right)
            return Term(c_numbers.integer(int(decisive), INT), INT)
        return self.operators.inverted(self.operators.inverted(self.eval(node.right)))

    def _assignment(self, node: Node) -> Term:
        op = node.op[:-1]
        place, term = self.together(
            [(node.lvalue, lambda: self.places.place(node.lvalue)), (node.rvalue, lambda: self.eval(node.rvalue))]
        )
        if not isinstance(place, Place) or not isinstance(term, Term):
            return self.unknown(INT)
        if op:
            if has_impure_call(node.rvalue):
                term = self.unknown(term.ctype)  # the old value may be read before or after the call
            term = self.operators.combined(op, self.places.load(place), term)
        return self.places.store(place, term)

    def _ternary(self, node: Node) -> Term:
        truth = self.truth(node.cond)
        ctype = static_type(node, self.types)
        if truth is None:
            self.maybe(node.iftrue)
            self.maybe(node.iffalse)
            return self.unknown(ctype or INT)
        self.skipped(node.iffalse if truth else node.iftrue)
        term = self.eval(node.iftrue if truth else node.iffalse)
        return self.converted(term, ctype) if ctype is not None else term

    def _cast(self, node: Node) -> Term:
        ctype = self.types.resolve(node.to_type)
        return self.converted(self.eval(node.expr), ctype)

    def _call(self, node: Node) -> Term:
        return self.calls.call(node)

    def _comma(self, node: Node) -> Term:
        term = Term(Unknown("void"), VOID)
        for expression in node.exprs:
            term = self.eval(expression)
        return term

    _HANDLERS: dict[str, Callable[[Evaluator, Node], Term]] = {  # noqa: RUF012 -- never written
        "Constant": _constant,
        "ID": _name,
        "ArrayRef": _loaded,
        "StructRef": _loaded,
        "CompoundLiteral": _loaded,
        "UnaryOp": _unary,
        "BinaryOp": _binary,
        "Assignment": _assignment,
        "TernaryOp": _ternary,
        "Cast": _cast,
        "FuncCall": _call,
        "ExprList": _comma,
    }
