"""Reads ACSL predicates and terms (ACSL 1.17 §2.2, fig. 2.1 and 2.2; precedence as in Frama-C, whose chains of
comparisons are one level and bind tighter than ``&``). What is not understood is refused as a whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from clausefit.hook.expect.bounds import guard_bounds
from clausefit.hook.expect.tokens import NotUnderstood, Token, character, number, tokenize
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
    Range,
    SizeOf,
    Some,
    Truth,
    Unary,
    called_names,
    free_names,
)
from clausefit.hook.expect.types import TYPE_WORDS, normal

_MAX_DEPTH = 80
_MAX_CHAIN = 200
_LOGIC = {"<==>": 1, "==>": 2, "||": 3, "^^": 4, "&&": 5, "<-->": 6, "-->": 7, "|": 8, "^": 9, "&": 10}
_ARITHMETIC = {"<<": 1, ">>": 1, "+": 2, "-": 2, "*": 3, "/": 3, "%": 3}
_RIGHT = frozenset({"==>", "-->"})
_RISING, _FALLING = frozenset({"<", "<=", "=="}), frozenset({">", ">=", "=="})
_RELATIONS = _RISING | _FALLING | {"!="}
_BINDERS = frozenset({"\\forall", "\\exists", "\\let", "\\lambda"})
_CONSTANTS: dict[str, Node] = {
    "\\true": Truth(True),
    "\\false": Truth(False),
    "\\null": Name("\\null"),
    "\\result": Name("\\result"),
}


@dataclass(frozen=True)
class Formula:
    """A formula that was read: its tree, the variables that it leaves free and the names that it applies."""

    tree: Node
    variables: frozenset[str]
    applied: frozenset[str]


@lru_cache(maxsize=4096)
def parse(text: str) -> Formula | None:
    """The formula in ``text``, or None when any part of it is not understood; never an exception."""
    try:
        tree = _Parser(tokenize(text)).whole()
        return Formula(tree, free_names(tree), called_names(tree))
    except (NotUnderstood, RecursionError):
        return None


class _Parser:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._in_branch = False

    # -- tokens -------------------------------------------------------------------------------------------------

    def _peek(self, ahead: int = 0) -> str:
        index = self._at + ahead
        return self._tokens[index].text if index < len(self._tokens) else ""

    def _kind(self, ahead: int = 0) -> str:
        index = self._at + ahead
        return self._tokens[index].kind if index < len(self._tokens) else "end"

    def _take(self) -> str:
        text = self._peek()
        self._at += 1
        return text

    def _accept(self, text: str) -> bool:
        if self._kind() == "operator" and self._peek() == text:
            self._at += 1
            return True
        return False

    def _expect(self, text: str) -> None:
        if not self._accept(text):
            raise NotUnderstood(f"`{text}` expected before `{self._peek()}`")

    def _plain_word(self) -> str:
        if not self._is_plain_word():
            raise NotUnderstood(f"a name expected before `{self._peek()}`")
        return self._take()

    def _is_plain_word(self, ahead: int = 0) -> bool:
        return self._kind(ahead) == "word" and not self._peek(ahead).startswith("\\")

    # -- formulas -----------------------------------------------------------------------------------------------

    def whole(self) -> Node:
        tree = self._formula()
        if self._kind() != "end":
            raise NotUnderstood(f"`{self._peek()}` is not understood here")
        return tree

    def _deeper(self, read: Callable[[], Node], in_branch: bool) -> Node:
        """What ``read`` gives, one level down; in a branch of ``?:`` a colon never ends a label."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise NotUnderstood("the formula is nested too deeply")
        outer, self._in_branch = self._in_branch, in_branch
        try:
            return read()
        finally:
            self._depth -= 1
            self._in_branch = outer

    def _inside_brackets(self) -> Node:
        return self._deeper(self._formula, in_branch=False)

    def _formula(self) -> Node:
        test = self._climb(1, _LOGIC, self._operand)
        if not self._accept("?"):
            return test
        yes = self._deeper(self._formula, in_branch=True)
        self._expect(":")
        return Conditional(test, yes, self._deeper(self._formula, in_branch=True))

    def _climb(self, lowest: int, levels: dict[str, int], operand: Callable[[], Node]) -> Node:
        """Operators of ``levels`` that bind at least as tightly as ``lowest`` (precedence climbing)."""
        left = operand()
        for _ in range(_MAX_CHAIN):
            operator = self._peek()
            level = levels.get(operator, 0) if self._kind() == "operator" else 0
            if level < lowest or level == 0:
                return left
            self._take()
            inner = level if operator in _RIGHT else level + 1

            def rest(lowest: int = inner) -> Node:
                return self._climb(lowest, levels, operand)

            left = _joined(operator, left, self._deeper(rest, self._in_branch))
        raise NotUnderstood("the formula is too long")

    def _operand(self) -> Node:
        if self._is_plain_word() and self._peek(1) == ":" and not self._in_branch:
            self._at += 2
            return self._deeper(self._formula, in_branch=False)
        return self._comparison()

    def _comparison(self) -> Node:
        operators: list[str] = []
        terms = [self._end_of_comparison()]
        while self._kind() == "operator" and self._peek() in _RELATIONS and len(terms) < _MAX_CHAIN:
            operators.append(self._take())
            terms.append(self._end_of_comparison())
        if not operators:
            return terms[0]
        if len(operators) > 1 and not (set(operators) <= _RISING or set(operators) <= _FALLING):
            raise NotUnderstood("the chain of comparisons is not consistent")
        return Comparisons(tuple(operators), tuple(terms))

    def _end_of_comparison(self) -> Node:
        if self._peek() in _BINDERS:
            return self._deeper(self._binder, self._in_branch)
        return self._climb(1, _ARITHMETIC, self._unary)

    # -- binders ------------------------------------------------------------------------------------------------

    def _binder(self) -> Node:
        word = self._take()
        if word == "\\let":
            name = self._plain_word()
            self._expect("=")
            value = self._formula()
            self._expect(";")
            return Let(name, value, self._formula())
        binders = self._binders()
        self._expect(";")
        body = self._formula()
        if word == "\\lambda":
            return Lambda(binders, body)
        universal = word == "\\forall"
        return Quantified(universal, binders, body, guard_bounds(universal, binders, body))

    def _binders(self) -> tuple[tuple[str, str], ...]:
        base = self._base_type()
        found = [self._declared(base)]
        while self._accept(","):
            if self._peek() in TYPE_WORDS or self._is_plain_word(1) or self._peek(1) == "*":
                base = self._base_type()
            found.append(self._declared(base))
        names = [name for name, _ in found]
        if len(set(names)) != len(names):
            raise NotUnderstood("a name is bound twice")
        return tuple(found)

    def _declared(self, base: str) -> tuple[str, str]:
        stars = ""
        while self._accept("*"):
            stars += " *"
        return self._plain_word(), normal(base + stars)

    def _base_type(self) -> str:
        words = [self._plain_word()]
        if words[0] in ("struct", "union", "enum"):
            words.append(self._plain_word())
        elif words[0] in TYPE_WORDS:
            while self._peek() in TYPE_WORDS:
                words.append(self._take())
        return " ".join(words)

    # -- terms --------------------------------------------------------------------------------------------------

    def _unary(self) -> Node:
        return self._deeper(self._prefixed, self._in_branch)

    def _prefixed(self) -> Node:
        operator = self._peek() if self._kind() == "operator" else ""
        if operator == "!" and self._peek(1) in _BINDERS:
            self._take()
            return Unary("!", self._binder())
        if operator in ("-", "~", "!", "*", "&"):
            self._take()
            return Unary(operator, self._unary())
        if operator == "+":
            self._take()
            return self._unary()
        if operator == "(" and self._starts_type(1):
            self._take()
            target = self._type_name()
            self._expect(")")
            return Cast(target, self._unary())
        return self._postfixed(self._primary())

    def _starts_type(self, ahead: int) -> bool:
        """Whether a type stands ``ahead``, after a parenthesis: a known one, ``name *)``, or ``name) operand``."""
        if not self._is_plain_word(ahead):
            return False
        if self._peek(ahead) in TYPE_WORDS:
            return True
        following = ahead + 1
        while self._peek(following) == "*":
            following += 1
        if self._peek(following) != ")":
            return False
        return following > ahead + 1 or self._kind(following + 1) in ("word", "number", "character")

    def _type_name(self) -> str:
        text = self._base_type()
        while self._accept("*"):
            text += " *"
            while self._peek() in ("const", "volatile"):
                self._take()
        return normal(text)

    def _postfixed(self, node: Node) -> Node:
        for _ in range(_MAX_CHAIN):
            if self._accept("["):
                node = Index(node, self._maybe_range("]"))
            elif self._kind() == "operator" and self._peek() in (".", "->"):
                arrow = self._take() == "->"
                node = Member(node, self._plain_word(), arrow)
            else:
                return node
        raise NotUnderstood("the formula is too long")

    def _maybe_range(self, closer: str) -> Node:
        """A formula or a range up to the bracket ``closer``, which is taken as well."""
        low = None if self._peek() == ".." else self._inside_brackets()
        if self._accept(".."):
            high = None if self._peek() == closer else self._inside_brackets()
            self._expect(closer)
            return Range(low, high)
        self._expect(closer)
        if low is None:
            raise NotUnderstood("nothing between the brackets")
        return low

    def _primary(self) -> Node:
        kind = self._kind()
        if kind == "number":
            return Number(number(self._take()))
        if kind == "character":
            return Number(character(self._take()))
        if kind == "word":
            return self._word()
        self._expect("(")
        return self._maybe_range(")")

    def _word(self) -> Node:
        word = self._take()
        if word in _CONSTANTS:
            return _CONSTANTS[word]
        if word in TYPE_WORDS or word in _BINDERS:
            raise NotUnderstood(f"`{word}` is not understood here")
        if word == "sizeof":
            return self._sizeof()
        if word in ("\\old", "\\at"):
            return self._labelled(word)
        labels: list[str] = []
        if self._accept("{"):
            labels.append(self._plain_word())
            while self._accept(","):
                labels.append(self._plain_word())
            self._expect("}")
        arguments: list[Node] = []
        if self._accept("("):
            arguments.append(self._inside_brackets())
            while self._accept(","):
                arguments.append(self._inside_brackets())
            self._expect(")")
        elif word.startswith("\\"):
            raise NotUnderstood(f"`{word}` is not understood")
        return Call(word, tuple(labels), tuple(arguments)) if labels or arguments else Name(word)

    def _sizeof(self) -> Node:
        self._expect("(")
        if self._peek() not in TYPE_WORDS:
            raise NotUnderstood("`sizeof` of a variable is not understood")
        target = self._type_name()
        self._expect(")")
        return SizeOf(target)

    def _labelled(self, word: str) -> Node:
        self._expect("(")
        operand = self._inside_brackets()
        label = "Old"
        if word == "\\at":
            self._expect(",")
            label = self._plain_word()
        self._expect(")")
        return At(operand, label)


def _joined(operator: str, left: Node, right: Node) -> Node:
    if operator in ("&&", "||"):
        kind = All if operator == "&&" else Some
        first = left.parts if isinstance(left, kind) else (left,)
        return kind((*first, right))
    if operator in ("==>", "<==>", "^^"):
        return Connective(operator, left, right)
    return Binary(operator, left, right)
