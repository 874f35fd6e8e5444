"""What a formula is in a situation, as far as that is certain.

It never judges: it guesses which polarity of a question will be proved, and is a cross-check of the proof.
Hence an answer is either right or None. A subterm without a value (a read out of bounds, a division by
zero, a value that the pin does not show) makes the predicate around it unknown; connectives and
quantifiers are Kleene's, so the rest may still decide.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from clausefit.hook.expect.arithmetic import is_integer, is_number, operation
from clausefit.hook.expect.kinds import surely_integer
from clausefit.hook.expect.limits import LIMITS
from clausefit.hook.expect.locations import Locations
from clausefit.hook.expect.memory import Undefined
from clausefit.hook.expect.quantifiers import instances
from clausefit.hook.expect.situation import Situation
from clausefit.hook.expect.syntax import Formula, parse
from clausefit.hook.expect.terms import (
    Aggregate,
    Frame,
    Term,
    at_label,
    cast,
    compared,
    detached,
    labelled,
    part,
    passed,
    truth,
    value_of,
)
from clausefit.hook.expect.tree import (
    All,
    At,
    Binary,
    Call,
    Cast,
    Comparisons,
    Conditional,
    Connective,
    Index,
    Lambda,
    Let,
    Member,
    Name,
    Node,
    Number,
    Quantified,
    SizeOf,
    Some,
    Truth,
    Unary,
)
from clausefit.hook.expect.types import size_of
from clausefit.hook.pins.values import Null

_MAX_STEPS = 400_000
_MAX_DEPTH = 120
_MAX_TERMS = 20_000

_OWN_NAMES = frozenset({"\\result", "\\null", "NULL", *LIMITS})


@dataclass
class Effort:
    """The steps that are left for evaluations; several that share it stop together."""

    steps: int = _MAX_STEPS


class _TooLong(Exception):  # noqa: N818 - a fact about a formula, not a mistake
    """The evaluation takes more steps than it is worth."""


def evaluate(formula: str, situation: Situation, effort: Effort | None = None) -> bool | None:
    """Whether ``formula`` holds after the call in ``situation``; None when that is not certain.

    It takes at most the steps of ``effort``, which are used up; without one as many as a single formula is worth.

    A name that the situation does not have makes the whole answer None: it may be a macro, whose text could
    change the structure of the formula.
    """
    read_formula = parse(formula)
    if read_formula is None:
        return None
    if not _knows_names(read_formula, frozenset(), situation):
        return None
    before, after = situation.before, situation.after
    labels = {"Pre": before, "Old": before, "Here": after, "Post": after}
    try:
        return _Evaluation(situation, effort or Effort()).predicate(read_formula.tree, Frame(after, labels, {}, True))
    except (_TooLong, RecursionError):
        return None


def _knows_names(formula: Formula, bound: Collection[str], situation: Situation) -> bool:
    """Whether every name of ``formula`` has a meaning; one that has none may be a macro."""
    for name in formula.variables:
        if not (
            name in bound
            or name in situation.parameters
            or name in situation.globals
            or name in situation.constants
            or name in situation.definitions
            or name in _OWN_NAMES
        ):
            return False
    return all(name.startswith("\\") or name in situation.definitions for name in formula.applied)


class _Evaluation:
    """One evaluation: ``predicate`` gives Kleene's three values, ``term`` a value or Undefined."""

    def __init__(self, situation: Situation, effort: Effort) -> None:
        self._situation = situation
        self._effort = effort
        self._depth = 0
        self._locations = Locations(self.term, self._block_of, situation.constant)

    def _step(self) -> None:
        self._effort.steps -= 1
        if self._effort.steps < 0:
            raise _TooLong

    # -- predicates ---------------------------------------------------------------------------------------------

    def predicate(self, node: Node, frame: Frame) -> bool | None:
        """The truth of ``node``, None when it is not known."""
        self._step()
        method = _PREDICATES.get(type(node))
        try:
            holds: bool | None = method(self, node, frame) if method else truth(self.term(node, frame))
            return holds
        except Undefined:
            return None

    def _all(self, node: All, frame: Frame) -> bool | None:
        result: bool | None = True
        for each in node.parts:
            value = self.predicate(each, frame)
            if value is False:
                return False
            result = None if value is None else result
        return result

    def _some(self, node: Some, frame: Frame) -> bool | None:
        result: bool | None = False
        for each in node.parts:
            value = self.predicate(each, frame)
            if value is True:
                return True
            result = None if value is None else result
        return result

    def _connective(self, node: Connective, frame: Frame) -> bool | None:
        left = self.predicate(node.left, frame)
        if node.operator == "==>" and left is False:
            return True
        right = self.predicate(node.right, frame)
        if node.operator == "==>":
            return True if right else (None if left is None else right)
        if left is None or right is None:
            return None
        return (left == right) == (node.operator == "<==>")

    def _comparisons(self, node: Comparisons, frame: Frame) -> bool | None:
        values = [self._value_or_none(each, frame) for each in node.terms]
        result: bool | None = True
        for operator, left, right in zip(node.operators, values, values[1:], strict=False):
            holds: bool | None = None
            if left is not None and right is not None:
                with suppress(Undefined):
                    holds = compared(operator, left, right, frame.memory)
            if holds is False:
                return False
            result = None if holds is None else result
        return result

    def _value_or_none(self, node: Node, frame: Frame) -> Term | None:
        try:
            return self.term(node, frame)
        except Undefined:
            return None

    def _quantified(self, node: Quantified, frame: Frame) -> bool | None:
        def limit(term: Node, others: Mapping[str, Term]) -> Term:
            return self.term(term, replace(frame, variables={**frame.variables, **others}))

        inner = replace(frame, variables=dict(frame.variables))
        result: bool | None = node.universal
        for assignment in instances(node, limit):
            inner.variables.update(assignment)
            value = self.predicate(node.body, inner)
            if value is (not node.universal):
                return value
            result = None if value is None else result
        return result

    def _truth(self, node: Truth, _frame: Frame) -> bool | None:
        return node.value

    # -- terms --------------------------------------------------------------------------------------------------

    def term(self, node: Node, frame: Frame) -> Term:
        """The value of ``node``; Undefined when it has none or it is not known."""
        self._step()
        if type(node) in _PREDICATES:
            value = self.predicate(node, frame)
            if value is None:
                raise Undefined("a predicate is not known")
            return value
        method = _TERMS.get(type(node))
        if method is None:
            raise Undefined("not a term that is understood")
        result: Term = method(self, node, frame)
        return result

    def integer(self, node: Node, frame: Frame) -> int:
        """The value of a term that must be an integer."""
        value = self.term(node, frame)
        if not is_integer(value):
            raise Undefined("not an integer")
        return value

    def _number(self, node: Number, _frame: Frame) -> Term:
        return node.value

    def _name(self, node: Name, frame: Frame) -> Term:
        name = node.text
        if name in frame.variables:
            return frame.variables[name]
        if frame.in_contract:
            if name == "\\result":
                if self._situation.result is None:
                    raise Undefined("the call has no result")
                return value_of(self._situation.result, None)
            if name in self._situation.parameters:
                return value_of(self._situation.parameters[name], None)
        if name in ("\\null", "NULL"):
            return Null("void *")
        found = self._locations.variable(name, frame)
        if found is not None:
            return value_of(*found)
        constant = self._situation.constants.get(name, LIMITS.get(name))
        if constant is not None:
            return constant
        return self._apply(Call(name, (), ()), frame)

    def _block_of(self, name: str, frame: Frame) -> str | None:
        """The block of the C variable that ``name`` means in this frame."""
        hidden = name in frame.variables or (frame.in_contract and name in self._situation.parameters)
        return None if hidden else self._situation.globals.get(name)

    def _unary(self, node: Unary, frame: Frame) -> Term:
        if node.operator == "&":
            return self._locations.address(node.operand, frame)
        if node.operator == "!":
            holds = self.predicate(node.operand, frame)
            if holds is None:
                raise Undefined("a predicate is not known")
            return not holds
        value = self.term(node.operand, frame)
        if node.operator == "*":
            return self._locations.load(value, 0, frame)
        if node.operator == "-":
            return operation("-", 0, value)
        return operation("^", -1, value)

    def _binary(self, node: Binary, frame: Frame) -> Term:
        left, right = self.term(node.left, frame), self.term(node.right, frame)
        if node.operator in ("+", "-") and not (is_number(left) and is_number(right)):
            return self._locations.arithmetic(node.operator, left, right, frame)
        on_integers = node.operator == "/" and is_integer(left) and is_integer(right)
        if on_integers and not all(self._is_surely_integer(side, frame) for side in (node.left, node.right)):
            raise Undefined("whether the division is one of reals is not known")
        return operation(node.operator, left, right)

    def _is_surely_integer(self, node: Node, frame: Frame) -> bool:
        def gives_integer(part: Node) -> bool:
            return is_integer(self._value_or_none(part, frame))

        return surely_integer(node, gives_integer, self._situation.definitions)

    def _conditional(self, node: Conditional, frame: Frame) -> Term:
        test = self.predicate(node.test, frame)
        if test is None:
            raise Undefined("the test is not known")
        return self.term(node.yes if test else node.no, frame)

    def _let(self, node: Let, frame: Frame) -> Term:
        value = self.term(node.value, frame)
        if is_integer(value) and not self._is_surely_integer(node.value, frame):
            raise Undefined("whether the value is real is not known")
        return self.term(node.body, replace(frame, variables={**frame.variables, node.name: detached(value)}))

    def _cast(self, node: Cast, frame: Frame) -> Term:
        return cast(self.term(node.operand, frame), node.type)

    def _size_of(self, node: SizeOf, _frame: Frame) -> Term:
        size = size_of(node.type)
        if size is None:
            raise Undefined("the size is not known")
        return size

    def _index(self, node: Index, frame: Frame) -> Term:
        base = self.term(node.base, frame)
        index = self.integer(node.index, frame)
        if isinstance(base, Aggregate):
            return value_of(*part(base, index))
        return self._locations.load(base, index, frame)

    def _member(self, node: Member, frame: Frame) -> Term:
        return value_of(*self._locations.member(node, frame))

    def _at(self, node: At, frame: Frame) -> Term:
        return detached(self.term(node.operand, at_label(node.label, frame)))

    # -- predicates and functions that are applied -----------------------------------------------------------

    def _call(self, node: Call, frame: Frame) -> Term:
        built_in = _BUILT_IN.get(node.name)
        result: Term = self._apply(node, frame) if built_in is None else built_in(self, node, frame)
        return result

    def _apply(self, node: Call, frame: Frame) -> Term:
        function = self._situation.definitions.get(node.name)
        parsed = parse(function.body) if function is not None and function.body is not None else None
        if function is None or parsed is None or len(node.arguments) != len(function.parameters):
            raise Undefined("the definition is not understood")
        inner = labelled(function.labels, node.labels, frame)
        for (name, kind), argument in zip(function.parameters, node.arguments, strict=True):
            inner.variables[name] = passed(self.term(argument, frame), kind)
        if not _knows_names(parsed, inner.variables, self._situation):
            raise Undefined("the definition is not understood")
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise _TooLong
        try:
            if function.result is not None:
                return passed(self.term(parsed.tree, inner), function.result)
            holds = self.predicate(parsed.tree, inner)
        finally:
            self._depth -= 1
        if holds is None:
            raise Undefined("a predicate is not known")
        return holds

    def _number_function(self, node: Call, frame: Frame) -> Term:
        """``\\abs``, ``\\min`` and ``\\max`` of numbers."""
        values = [value for argument in node.arguments if is_number(value := self.term(argument, frame))]
        if len(values) != len(node.arguments) or len(values) != (1 if node.name == "\\abs" else 2):
            raise Undefined("not the arguments of the function")
        if node.name == "\\abs":
            return values[0] if values[0] >= 0 else -values[0]
        chosen: int | Fraction = min(values) if node.name == "\\min" else max(values)
        if any(isinstance(value, Fraction) for value in values):
            return Fraction(chosen)
        return chosen

    def _iterated(self, node: Call, frame: Frame) -> Term:
        """``\\sum`` and ``\\numof`` over a lambda (ACSL 1.17 §2.6.7)."""
        match node.arguments:
            case (low_node, high_node, Lambda(((name, "integer"),), body)):
                low, high = self.integer(low_node, frame), self.integer(high_node, frame)
            case _:
                raise Undefined("not the arguments of the function")
        if high - low > _MAX_TERMS:
            raise Undefined("too many terms")
        total: int | Fraction = 0
        for index in range(low, high + 1):
            inner = replace(frame, variables={**frame.variables, name: index})
            if node.name == "\\numof":
                holds = self.predicate(body, inner)
                if holds is None:
                    raise Undefined("a predicate is not known")
                total += holds
            else:
                total = operation("+", total, self.term(body, inner))
        return total

    def _validity(self, node: Call, frame: Frame) -> Term:
        return self._locations.valid(node, frame)

    def _separation(self, node: Call, frame: Frame) -> Term:
        return self._locations.separated(node, frame)


_Method = Callable[[_Evaluation, Any, Frame], Any]
_PREDICATES: dict[type, _Method] = {
    All: _Evaluation._all,
    Some: _Evaluation._some,
    Connective: _Evaluation._connective,
    Comparisons: _Evaluation._comparisons,
    Quantified: _Evaluation._quantified,
    Truth: _Evaluation._truth,
}
_TERMS: dict[type, _Method] = {
    Number: _Evaluation._number,
    Name: _Evaluation._name,
    Unary: _Evaluation._unary,
    Binary: _Evaluation._binary,
    Conditional: _Evaluation._conditional,
    Let: _Evaluation._let,
    Cast: _Evaluation._cast,
    SizeOf: _Evaluation._size_of,
    Index: _Evaluation._index,
    Member: _Evaluation._member,
    At: _Evaluation._at,
    Call: _Evaluation._call,
}
_BUILT_IN: dict[str, _Method] = {
    "\\abs": _Evaluation._number_function,
    "\\min": _Evaluation._number_function,
    "\\max": _Evaluation._number_function,
    "\\sum": _Evaluation._iterated,
    "\\numof": _Evaluation._iterated,
    "\\valid": _Evaluation._validity,
    "\\valid_read": _Evaluation._validity,
    "\\separated": _Evaluation._separation,
}
