"""Where lvalues are, and reading and writing there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clausefit.hook.pins.c_effects import kind
from clausefit.hook.pins.c_static_types import static_type
from clausefit.hook.pins.c_terms import Place, StopError, Term, Variable
from clausefit.hook.pins.c_types import (
    INT,
    ArrayType,
    CType,
    FunctionType,
    IntType,
    Node,
    PointerType,
    StructType,
    leaf_type,
    plain,
)
from clausefit.hook.pins.values import Pointer, Struct, Value

if TYPE_CHECKING:
    from clausefit.hook.pins.c_evaluate import Evaluator


class Places:
    """Finds, reads and writes the objects that lvalue expressions name."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._ev = evaluator

    def place(self, node: Node) -> Place:
        """Where an lvalue is."""
        what = kind(node)
        if what == "ID":
            variable = self._ev.types.lookup(node.name)
            if isinstance(variable, Variable):
                return Place(variable.block, (), variable.ctype, apart=variable.block is None)
            return Place(None, (), INT)
        if what == "ArrayRef":
            base, index = self._ev.terms([node.name, node.subscript])
            if isinstance(index.ctype, PointerType):
                base, index = index, base
            return self.pointed(self._ev.operators.moved(base, index, 1))
        if what == "UnaryOp" and node.op == "*":
            return self.pointed(self._ev.eval(node.expr))
        if what == "StructRef":
            return self._member(node)
        if what == "CompoundLiteral":
            return self._compound_literal(node)
        if what == "Constant" and node.type == "string":
            pointer = self._ev.eval(node).value
            if isinstance(pointer, Pointer):
                return Place(pointer.block, (), self._ev.memory.cells[pointer.block].ctype)
        if what in ("FuncCall", "Assignment", "TernaryOp"):
            term = self._ev.eval(node)  # a struct rvalue: a member of it can be read
            if isinstance(term.value, Struct):
                return Place(self._ev.memory.new("(value)", term.ctype, term.value), (), term.ctype)
            return Place(None, (), term.ctype, apart=True)
        self._ev.maybe(node)
        return Place(None, (), static_type(node, self._ev.types) or INT)

    def _member(self, node: Node) -> Place:
        base = self.pointed(self._ev.eval(node.name)) if node.type == "->" else self.place(node.name)
        members = dict(self._ev.types.fields(base.ctype) or ()) if isinstance(base.ctype, StructType) else {}
        member = members.get(node.field.name)
        if member is None:
            return Place(None, (), INT, apart=base.apart)
        if base.block is None or self._ev.memory.object_type(base.block, base.path) != base.ctype:
            actual = self._ev.memory.object_type(base.block, base.path) if base.block is not None else None
            if actual is None or plain(actual) != plain(base.ctype):
                return Place(None, (), member, apart=base.apart)
        return Place(base.block, (*base.path, node.field.name), member)

    def _compound_literal(self, node: Node) -> Place:
        ctype, value = self._ev.initializers.initial(self._ev.types.resolve(node.type), node.init)
        if value is None:
            return Place(None, (), ctype, apart=True)
        return Place(self._ev.memory.new("(literal)", ctype, value), (), ctype)

    def pointed(self, pointer: Term) -> Place:
        """Where a pointer points."""
        target: CType = pointer.ctype.target if isinstance(pointer.ctype, PointerType) else INT
        if isinstance(pointer.value, Pointer) and pointer.value.block in self._ev.memory.cells:
            return Place(pointer.value.block, pointer.value.path, target)
        return Place(None, (), target)

    def load(self, place: Place) -> Term:
        """The value at a place; an array becomes a pointer to its first element (6.3.2.1p3)."""
        ctype = plain(place.ctype)
        if isinstance(ctype, ArrayType):
            pointer = PointerType(ctype.element)
            if place.block is None:
                return self._ev.unknown(pointer)
            return Term(Pointer(place.block, (*place.path, 0), leaf_type(pointer)), pointer)
        if isinstance(ctype, FunctionType):
            return self._ev.unknown(PointerType(ctype))
        if place.block is None or place.ctype.volatile:
            return self._ev.unknown(ctype)
        actual = self._ev.memory.object_type(place.block, place.path)
        value = self._ev.memory.read(place.block, place.path)
        if actual is None or value is None:
            return self._ev.unknown(ctype)
        if plain(actual) == ctype:
            return Term(self._ev.knowledge.resolve(value), ctype)
        if isinstance(actual, IntType) and isinstance(ctype, IntType) and actual.width == ctype.width:
            return self._ev.converted(Term(self._ev.knowledge.resolve(value), plain(actual)), ctype)
        self._ev.memory.leak(*(pointer for pointer, _ in self._ev.memory.pointers(place.block)))
        return self._ev.unknown(ctype)

    def load_whole(self, place: Place) -> Value:
        """The value of an object, an array as a whole."""
        value = self._ev.memory.read(place.block, place.path) if place.block is not None else None
        return self._ev.knowledge.fresh(place.ctype) if value is None else value

    def store(self, place: Place, term: Term) -> Term:
        """Put a value at a place, converted to its type; returns what the place then holds."""
        term = self._ev.converted(term, place.ctype)
        if place.block is None:
            self._ev.memory.leak(term.value)
            if not place.apart:
                self._ev.memory.forget(self._ev.memory.open_to_calls())
            return term
        actual = self._ev.memory.object_type(place.block, place.path)
        if actual is not None and plain(actual) != plain(place.ctype):
            same_size = isinstance(actual, IntType) and isinstance(place.ctype, IntType)
            if not same_size or actual.width != place.ctype.width:  # type: ignore[union-attr]
                self._ev.memory.leak(term.value)
                self._ev.memory.forget([place.block])
                return term
        stored = self._ev.converted(term, actual).value if actual is not None else term.value
        if not self._ev.memory.write(place.block, place.path, stored):
            raise StopError("it writes where there is no object")
        return term
