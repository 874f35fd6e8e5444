"""What a clause is on a pin in Java's arithmetic, and what in unbounded integers (pure; no judgement).

Only for plain expressions: numbers and booleans of parameters, fields, array elements, ``\\result`` and ``\\old(…)``
under the operators of Java and JML's arrows. For whatever else, and for what the pin does not show, there is no value.
Precedence: JML Reference Manual, 2nd edition, "Expressions"; Java's arithmetic: JLS 15, by ``pins/java/numbers.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from clausefit.hook.contracts.acsl_tokens import Token
from clausefit.hook.contracts.jml_tokens import tokenize_jml
from clausefit.hook.expect.arithmetic import operation, ordered
from clausefit.hook.expect.memory import Undefined
from clausefit.hook.pins import values as pinned
from clausefit.hook.pins.java import numbers
from clausefit.hook.pins.java.literals import BadLiteralError, character_literal, integer_literal
from clausefit.hook.pins.java.values import Prim

_Operand: TypeAlias = Prim | pinned.Value
_Term: TypeAlias = Callable[[], _Operand]

# Nesting costs a few Python frames a level, so what is longer is not read.
_MOST_TOKENS = 200
_UNBOUNDED = "\\bigint"
_OPERATORS = ("<=!=>", "<==>", ">>>", "==>", "<==", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--")
_LEVELS = (
    ("<==>",),
    ("==>",),
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>", ">>>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_BINDING = {operator: level for level, operators in enumerate(_LEVELS) for operator in operators}
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_LIMITS = {
    f"{prefix}{wrapper}.{name}": Prim(type_name, value)
    for wrapper, type_name, half in (("Integer", "int", 1 << 31), ("Long", "long", 1 << 63))
    for name, value in (("MIN_VALUE", -half), ("MAX_VALUE", half - 1))
    for prefix in ("", "java.lang.")
}


class _NoValueError(Exception):
    """The clause is no plain expression, or the pin does not show what it speaks of."""


def value_on(formula: str, pin: pinned.Pin, *, unbounded: bool, is_before: bool = False) -> bool | None:
    """Whether the formula holds on the pin, its integers those of Java or without an end; None if that is not certain.

    It speaks of the state after the call, with ``is_before`` of the one before.
    """
    try:
        found = _Reader(_joined(tokenize_jml(formula)), pin, unbounded, is_before).whole()
        return _truth(found)
    except (_NoValueError, Undefined, BadLiteralError, ArithmeticError, ValueError):
        return None


def _joined(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with operators of several characters as one token."""
    if len(tokens) > _MOST_TOKENS:
        raise _NoValueError
    found: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        width = next((len(one) for one in _OPERATORS if _is_at(tokens, index, one)), 1)
        if token.kind == "punct" and width > 1:
            token = Token("punct", "".join(one.text for one in tokens[index : index + width]), token.start, 0)
            index += width - 1
        found.append(token)
        index += 1
    return found


def _is_at(tokens: Sequence[Token], index: int, operator: str) -> bool:
    several = tokens[index : index + len(operator)]
    return [one.text for one in several] == list(operator) and all(a.end == b.start for a, b in pairwise(several))


def _truth(term: _Term) -> bool:
    value = term()
    if not isinstance(value, Prim) or value.type != "boolean":
        raise _NoValueError
    return bool(value.value)


class _Reader:
    """Reads an expression into closures: what a connective does not need is not computed (JLS 15.23-15.25)."""

    def __init__(self, tokens: Sequence[Token], pin: pinned.Pin, unbounded: bool, is_before: bool) -> None:
        self._tokens = tokens
        self._at = 0
        self._unbounded = unbounded
        self._is_before = is_before
        self._arguments = dict(pin.arguments)
        self._before = {block.id: block.value for block in pin.blocks}
        self._after = dict(pin.outcome.after)
        self._result = pin.outcome.result if isinstance(pin.outcome, pinned.Returned) else None
        self._receiver = self._arguments.get("this")
        if self._receiver is None and _is_constructor(pin):
            self._receiver = self._result

    def whole(self) -> _Term:
        """The expression; there must be nothing after it."""
        term = self._conditional()
        if self._peek():
            raise _NoValueError
        return term

    # -- tokens

    def _peek(self) -> str:
        return self._tokens[self._at].text if self._at < len(self._tokens) else ""

    def _take(self) -> Token:
        if self._at >= len(self._tokens):
            raise _NoValueError
        self._at += 1
        return self._tokens[self._at - 1]

    def _expect(self, text: str) -> None:
        if self._take().text != text:
            raise _NoValueError

    def _takes(self, text: str) -> bool:
        if self._peek() == text:
            self._at += 1
            return True
        return False

    # -- operators

    def _conditional(self) -> _Term:
        condition = self._binary(0)
        if not self._takes("?"):
            return condition
        yes = self._conditional()
        self._expect(":")
        no = self._conditional()

        def run() -> _Operand:
            # The type of the other arm counts too (JLS 15.25), so that one must have a value as well.
            one, other = _primitive(yes()), _primitive(no())
            chosen = one if _truth(condition) else other
            if one.type == other.type:
                return chosen
            return self._converted(chosen, numbers.promoted_type(one.type, other.type))

        return run

    def _binary(self, level: int) -> _Term:
        left = self._unary()
        while (binding := _BINDING.get(self._peek(), -1)) >= level:
            operator = self._take().text
            # All are read from left to right, but for the implication.
            right = self._binary(binding if operator == "==>" else binding + 1)
            left = self._applied(operator, left, right)
        return left

    def _applied(self, operator: str, left: _Term, right: _Term) -> _Term:
        match operator:
            case "&&":
                return lambda: numbers.boolean(_truth(left) and _truth(right))
            case "||":
                return lambda: numbers.boolean(_truth(left) or _truth(right))
            case "==>":
                return lambda: numbers.boolean(not _truth(left) or _truth(right))
            case "<==>":
                return lambda: numbers.boolean(_truth(left) == _truth(right))
        return lambda: self._computed(operator, left(), right())

    def _computed(self, operator: str, left: _Operand, right: _Operand) -> Prim:
        if operator in ("==", "!=") and pinned.Null in (type(left), type(right)):
            return numbers.boolean(_are_both_null(left, right) == (operator == "=="))
        one, other = _primitive(left), _primitive(right)
        if one.type != _UNBOUNDED or other.type != _UNBOUNDED:
            return numbers.binary(operator, one, other)
        if operator in _COMPARISONS:
            return numbers.boolean(ordered(operator, int(one.value), int(other.value)))
        return Prim(_UNBOUNDED, int(operation(operator, int(one.value), int(other.value))))

    def _unary(self) -> _Term:
        match self._peek():
            case "-":
                self._at += 1
                if self._at < len(self._tokens) and self._tokens[self._at].kind == "number":
                    return self._constant(self._number("-" + self._take().text))
                operand = self._unary()
                return lambda: self._negated(_primitive(operand()))
            case "+":
                self._at += 1
                operand = self._unary()
                return lambda: self._computed("+", self._prim(Prim("int", 0)), operand())
            case "~":
                self._at += 1
                operand = self._unary()
                return lambda: self._computed("^", self._prim(Prim("int", -1)), operand())
            case "!":
                self._at += 1
                operand = self._unary()
                return lambda: numbers.boolean(not _truth(operand))
        return self._cast() or self._postfix()

    def _negated(self, operand: Prim) -> Prim:
        if operand.type == "boolean":
            raise _NoValueError
        return self._computed("-", self._prim(Prim("int", 0)), operand)

    def _cast(self) -> _Term | None:
        following = [one.text for one in self._tokens[self._at : self._at + 3]]
        if len(following) < 3 or following[0] != "(" or following[1] not in numbers.INTEGRAL or following[2] != ")":
            return None
        self._at += 3
        operand = self._unary()
        return lambda: self._converted(_primitive(operand()), following[1])

    def _converted(self, operand: Prim, type_name: str) -> Prim:
        if operand.type == "boolean":
            raise _NoValueError
        return self._prim(numbers.integer(type_name, int(operand.value)))

    # -- operands

    def _postfix(self) -> _Term:
        term = self._primary()
        while self._peek() in (".", "["):
            if self._take().text == ".":
                term = self._field(term, self._take().text)
            else:
                index = self._conditional()
                self._expect("]")
                term = self._element(term, index)
        if self._peek() in ("(", "++", "--"):
            raise _NoValueError
        return term

    def _primary(self) -> _Term:
        token = self._take()
        if token.text == "(":
            inner = self._conditional()
            self._expect(")")
            return inner
        if token.text in ("\\old", "\\pre"):
            return self._old()
        if token.kind == "number":
            return self._constant(self._number(token.text))
        if token.kind == "string" and token.text.startswith("'"):
            return self._constant(self._prim(character_literal(token.text)))
        if token.kind != "word":
            raise _NoValueError
        return self._named(token.text)

    def _old(self) -> _Term:
        around, self._is_before = self._is_before, True
        self._expect("(")
        inner = self._conditional()
        self._expect(")")
        self._is_before = around
        return inner

    def _constant(self, value: _Operand) -> _Term:
        return lambda: value

    def _number(self, text: str) -> Prim:
        sign = -1 if text.startswith("-") else 1
        read = integer_literal(text.removeprefix("-"))
        digits = text.removeprefix("-").replace("_", "").rstrip("lL")
        value = int(read.value)
        if digits.isdecimal() and (digits == "0" or not digits.startswith("0")):
            value = int(digits)
            if numbers.wrap(sign * value, read.type) != sign * value:
                raise _NoValueError  # no literal of Java (JLS 3.10.1)
        return self._prim(Prim(read.type, sign * value if self._unbounded else numbers.wrap(sign * value, read.type)))

    def _named(self, name: str) -> _Term:
        """A name; that the pin does not show its value matters only where that is needed."""
        memory = self._memory()
        match name:
            case "true" | "false":
                return self._constant(numbers.boolean(name == "true"))
            case "null":
                return self._constant(pinned.Null(""))
            case "this":
                return lambda: self._leaf(self._receiver)
            case "\\result":
                return lambda: self._leaf(self._result)
        if name in self._arguments:
            return lambda: self._leaf(self._arguments[name])
        if name in ("Integer", "Long", "java"):
            while self._takes("."):
                name += "." + self._take().text
            if name not in _LIMITS:
                raise _NoValueError
            return self._constant(self._prim(_LIMITS[name]))
        return lambda: self._field_of(self._leaf(self._receiver), name, memory)

    def _memory(self) -> Mapping[str, pinned.Value]:
        return self._before if self._is_before else self._after

    def _field(self, owner: _Term, name: str) -> _Term:
        memory = self._memory()
        return lambda: self._field_of(owner(), name, memory)

    def _field_of(self, owner: _Operand, name: str, memory: Mapping[str, pinned.Value]) -> _Operand:
        whole = _object(owner, memory)
        if isinstance(whole, pinned.Array) and whole.form == "array" and name == "length":
            return self._prim(Prim("int", len(whole.elements)))
        # Of two fields with one name (one hides the other) neither can be meant by the name.
        known = [value for one, value in whole.fields if one == name] if isinstance(whole, pinned.Struct) else []
        if len(known) != 1:
            raise _NoValueError
        return self._leaf(known[0])

    def _element(self, owner: _Term, index: _Term) -> _Term:
        memory = self._memory()

        def run() -> _Operand:
            whole, number = _object(owner(), memory), _primitive(index())
            is_array = isinstance(whole, pinned.Array) and whole.form == "array" and number.type != "boolean"
            if not isinstance(whole, pinned.Array) or not is_array or not 0 <= number.value < len(whole.elements):
                raise _NoValueError
            return self._leaf(whole.elements[int(number.value)])

        return run

    def _leaf(self, value: pinned.Value | None) -> _Operand:
        if isinstance(value, pinned.Integer) and value.type == "boolean":
            return numbers.boolean(bool(value.value))
        if isinstance(value, pinned.Integer) and value.type in numbers.INTEGRAL:
            return self._prim(Prim(value.type, value.value))
        if isinstance(value, pinned.Pointer | pinned.Null):
            return value
        raise _NoValueError  # not shown, of a library, a floating-point number, or boxed: compared as an object

    def _prim(self, value: Prim) -> Prim:
        return Prim(_UNBOUNDED, value.value) if self._unbounded and value.type != "boolean" else value


def _is_constructor(pin: pinned.Pin) -> bool:
    """Whether ``A.B.B(int)`` was called."""
    parts = pin.function.partition("(")[0].split(".")
    return len(parts) > 1 and parts[-1] == parts[-2]


def _primitive(value: _Operand) -> Prim:
    if not isinstance(value, Prim):
        raise _NoValueError
    return value


def _are_both_null(left: _Operand, right: _Operand) -> bool:
    if isinstance(left, Prim) or isinstance(right, Prim):
        raise _NoValueError
    return isinstance(left, pinned.Null) and isinstance(right, pinned.Null)


def _object(value: _Operand, memory: Mapping[str, pinned.Value]) -> pinned.Value:
    if not isinstance(value, pinned.Pointer) or value.path or value.block not in memory:
        raise _NoValueError
    return memory[value.block]
