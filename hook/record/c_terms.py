"""Terms of ACSL that name memory, as plain lists that the part inside gdb can evaluate without a parser.

A term is an integer, or ``["v", name]``, ``["+", a, b]`` (also ``-`` and ``*``), ``["->", a, field]``,
``[".", a, field]``, ``["*", a]``, ``["&", a]``, ``["cast", type, a]``. Everything else is not understood.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from clausefit.hook.contracts.acsl_tokens import Token

Term: TypeAlias = Any

_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]{1,16}|[1-9][0-9]{0,18}|0)[uUlL]{0,3}")
_CASTS = {"char": "char", "unsigned char": "unsigned char", "signed char": "signed char", "uint8_t": "unsigned char"}
_DEEPEST = 40


class TermProblem(Exception):  # noqa: N818 - a state of affairs, not a mistake
    """The text is no term that is understood."""


def extent(tokens: Sequence[Token]) -> tuple[Term, Term, Term]:
    """What ``\\valid(…)`` speaks of: (base, first, last). Raises TermProblem."""
    whole = term(tokens, ranges=True)
    if isinstance(whole, list) and whole[0] == "+" and _is_range(whole[2]):
        base, (_, first, last) = whole[1], whole[2]
    elif isinstance(whole, list) and whole[0] == "&" and whole[1][0] == "*" and _has_range(whole[1][1]):
        base, (_, first, last) = whole[1][1][1], whole[1][1][2]
    else:
        base, first, last = whole, 0, 0
    if any(_has_range(one, inside=True) for one in (base, first, last)):
        raise TermProblem
    return base, first, last


def term(tokens: Sequence[Token], *, ranges: bool = False) -> Term:
    """The term that the tokens are. ``ranges``: ``(a .. b)`` may stand in it. Raises TermProblem."""
    parser = _Parser(tokens, ranges)
    found = parser.sum(0)
    if parser.position != len(tokens):
        raise TermProblem
    return found


def roots(found: Term) -> set[str]:
    """The names in a term."""
    if not isinstance(found, list):
        return set()
    if found[0] == "v":
        return {found[1]}
    return {name for part in found[1:] for name in roots(part)}


def _is_range(found: Term) -> bool:
    return isinstance(found, list) and found[0] == ".."


def _has_range(found: Term, *, inside: bool = False) -> bool:
    if not inside:
        return isinstance(found, list) and found[0] == "+" and _is_range(found[2])
    return isinstance(found, list) and (found[0] == ".." or any(_has_range(p, inside=True) for p in found[1:]))


class _Parser:
    def __init__(self, tokens: Sequence[Token], ranges: bool) -> None:
        self._tokens = tokens
        self._ranges = ranges
        self.position = 0

    def _text(self, ahead: int = 0) -> str:
        index = self.position + ahead
        return self._tokens[index].text if index < len(self._tokens) else ""

    def _take(self, text: str) -> bool:
        if self._text() == text:
            self.position += 1
            return True
        return False

    def _need(self, text: str) -> None:
        if not self._take(text):
            raise TermProblem

    def sum(self, depth: int) -> Term:
        if depth > _DEEPEST:
            raise TermProblem
        left = self._product(depth)
        while self._text() in ("+", "-"):
            sign = self._text()
            self.position += 1
            left = [sign, left, self._product(depth)]
        return left

    def _product(self, depth: int) -> Term:
        left = self._unary(depth)
        while self._take("*"):
            left = ["*", left, self._unary(depth)]
        return left

    def _unary(self, depth: int) -> Term:
        if depth > _DEEPEST:
            raise TermProblem
        if self._take("-"):
            return ["-", 0, self._unary(depth + 1)]
        if self._take("*"):
            return ["*", self._unary(depth + 1)]
        if self._take("&"):
            return ["&", self._unary(depth + 1)]
        cast = self._cast()
        if cast is not None:
            return ["cast", cast, self._unary(depth + 1)]
        return self._postfix(depth)

    def _cast(self) -> str | None:
        if self._text() != "(":
            return None
        end = self.position + 1
        while end < len(self._tokens) and self._tokens[end].kind == "word":
            end += 1
        words = [t.text for t in self._tokens[self.position + 1 : end] if t.text != "const"]
        if [t.text for t in self._tokens[end : end + 2]] == ["*", ")"] and " ".join(words) in _CASTS:
            self.position = end + 2
            return _CASTS[" ".join(words)]
        if " ".join(words) == "size_t" and self._tokens[end : end + 1] and self._tokens[end].text == ")":
            raise TermProblem
        return None

    def _postfix(self, depth: int) -> Term:
        found = self._primary(depth)
        while True:
            if self._text() in ("->", ".") and self.position + 1 < len(self._tokens):
                if self._tokens[self.position + 1].kind != "word":
                    raise TermProblem
                found = [self._text(), found, self._text(1)]
                self.position += 2
            elif self._take("["):
                found = ["*", ["+", found, self._maybe_range(depth + 1)]]
                self._need("]")
            else:
                return found

    def _maybe_range(self, depth: int) -> Term:
        first = self.sum(depth)
        if self._text() != "..":
            return first
        if not self._ranges:
            raise TermProblem
        self.position += 1
        return ["..", first, self.sum(depth)]

    def _primary(self, depth: int) -> Term:
        if self.position >= len(self._tokens):
            raise TermProblem
        token = self._tokens[self.position]
        self.position += 1
        if token.kind == "number":
            match = _NUMBER.fullmatch(token.text)
            if match is None:
                raise TermProblem
            return int(match[1], 0)
        if token.text == "(":
            found = self._maybe_range(depth + 1)
            self._need(")")
            return found
        if token.text in ("\\old", "\\at") and self._take("("):
            found = self.sum(depth + 1)
            if token.text == "\\at":
                self._need(",")
                if self._text() not in ("Pre", "Old"):
                    raise TermProblem
                self.position += 1
            self._need(")")
            return found
        if token.kind != "word" or token.text.startswith("\\") or self._text() == "(":
            raise TermProblem
        return ["v", token.text]
