"""C's operators on evaluated operands: comparisons of values that may be symbols, pointer arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clausefit.hook.pins import c_numbers
from clausefit.hook.pins.c_knowledge import Symbol, known_truth, same_leaf, scalar
from clausefit.hook.pins.c_terms import Term
from clausefit.hook.pins.c_types import (
    INT,
    ArrayType,
    CType,
    FloatType,
    IntType,
    PointerType,
    VoidType,
    plain,
)
from clausefit.hook.pins.values import Floating, Integer, Pointer

if TYPE_CHECKING:
    from clausefit.hook.pins.c_evaluate import Evaluator

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


class Operators:
    """Applies operators with the evaluator's types, memory and knowledge."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._ev = evaluator

    def inverted(self, term: Term) -> Term:
        """``!term``."""
        truth = known_truth(term.value)
        if truth is not None:
            return Term(c_numbers.integer(int(not truth), INT), INT)
        if isinstance(term.value, Symbol):
            return Term(self._ev.knowledge.inverted(term.value), INT)
        return self._ev.unknown(INT)

    def combined(self, op: str, left: Term, right: Term) -> Term:
        """``left op right`` for operands that are already evaluated."""
        if op == "!=":
            return self.inverted(self.equal(left, right))
        if op == "==":
            return self.equal(left, right)
        if isinstance(left.ctype, PointerType) or isinstance(right.ctype, PointerType):
            return self._pointer_arithmetic(op, left, right)
        ctype: CType | None = c_numbers.common(left.ctype, right.ctype)
        if op in ("<<", ">>"):
            ctype = c_numbers.promoted(plain(left.ctype))
        if op in _COMPARISONS:
            ctype = INT
        if isinstance(left.value, Integer | Floating) and isinstance(right.value, Integer | Floating):
            result = c_numbers.binary(op, left.value, right.value)
            if result is not None:
                return Term(result, ctype or INT)
        return self._ev.unknown(ctype or INT)

    def equal(self, left: Term, right: Term) -> Term:
        """``left == right`` after the usual conversions (6.5.9)."""
        number = c_numbers.common(left.ctype, right.ctype)
        if number is not None:
            left, right = self._ev.converted(left, number), self._ev.converted(right, number)
        elif isinstance(left.ctype, PointerType) and isinstance(right.ctype, IntType):
            right = self._ev.converted(right, left.ctype)
        elif isinstance(right.ctype, PointerType) and isinstance(left.ctype, IntType):
            left = self._ev.converted(left, right.ctype)
        one, two = self._ev.knowledge.resolve(left.value), self._ev.knowledge.resolve(right.value)
        if isinstance(one, Integer | Floating) and isinstance(two, Integer | Floating):
            result = c_numbers.binary("==", one, two)
            return Term(result, INT) if result is not None else self._ev.unknown(INT)
        if isinstance(one, Symbol):
            if one == two and not isinstance(left.ctype, FloatType):
                return Term(c_numbers.integer(1, INT), INT)
            return Term(self._ev.knowledge.equality(one, two), INT)
        if isinstance(two, Symbol):
            return Term(self._ev.knowledge.equality(two, one), INT)
        same = same_leaf(one, two) if scalar(one) and scalar(two) else None
        return self._ev.unknown(INT) if same is None else Term(c_numbers.integer(int(same), INT), INT)

    def moved(self, pointer: Term, index: Term, sign: int) -> Term:
        """``pointer + index`` (``sign`` -1: minus); not known outside of the array (6.5.6p8)."""
        base, offset = self._ev.knowledge.resolve(pointer.value), index.value
        if not isinstance(base, Pointer) or not isinstance(pointer.ctype, PointerType):
            return self._ev.unknown(pointer.ctype)
        if not isinstance(offset, Integer):
            self._ev.memory.leak(base)
            return self._ev.unknown(pointer.ctype)
        if offset.value == 0:
            return Term(base, pointer.ctype)
        last = base.path[-1] if base.path else None
        array = self._ev.memory.object_type(base.block, base.path[:-1]) if isinstance(last, int) else None
        if not isinstance(array, ArrayType) or not isinstance(last, int):
            self._ev.memory.leak(base)
            return self._ev.unknown(pointer.ctype)
        step = 1 if isinstance(pointer.ctype.target, VoidType) else self._ev.types.size(pointer.ctype.target)
        alike = plain(array.element) == plain(pointer.ctype.target) or (
            step is not None and step == self._ev.types.size(array.element) and isinstance(array.element, IntType)
        )
        target = last + sign * offset.value
        if not alike or not 0 <= target <= (array.length or 0):
            self._ev.memory.leak(base)
            return self._ev.unknown(pointer.ctype)
        return Term(Pointer(base.block, (*base.path[:-1], target), base.type), pointer.ctype)

    def _pointer_arithmetic(self, op: str, left: Term, right: Term) -> Term:
        if op in ("+", "-") and isinstance(left.ctype, PointerType) and isinstance(right.ctype, IntType):
            return self.moved(left, right, 1 if op == "+" else -1)
        if op == "+" and isinstance(right.ctype, PointerType) and isinstance(left.ctype, IntType):
            return self.moved(right, left, 1)
        ctype: CType = INT if op in _COMPARISONS else IntType("long", 64, True)
        one, two = left.value, right.value
        if (
            isinstance(one, Pointer) and isinstance(two, Pointer) and one.block == two.block
            and one.path and two.path and one.path[:-1] == two.path[:-1]
            and isinstance(one.path[-1], int) and isinstance(two.path[-1], int)
            and plain(left.ctype) == plain(right.ctype)
        ):  # fmt: skip
            result = c_numbers.binary(op, *(c_numbers.integer(path[-1], IntType("long", 64, True))  # type: ignore[arg-type]
                                            for path in (one.path, two.path)))  # fmt: skip
            if result is not None and (op == "-" or op in _COMPARISONS):
                return Term(result, ctype)
        self._ev.memory.leak(one, two)
        return self._ev.unknown(ctype)
