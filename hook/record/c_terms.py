"""Terms of ACSL that name memory, as plain lists that the part inside gdb can evaluate without a parser.

A term is an integer, ``["v", name]``, an operator of C with its operands (``["+", a, b]``, ``["!", a]``, ``["?:", c, a,
b]``), ``["->", a, field]``, ``[".", a, field]``, ``["*", a]``, ``["&", a]``, ``["cast", type, a]`` for a pointer to
characters, ``["int", bits, signed, a]`` for an integer's type, ``["sizeof", name]`` or ``["size", a]``. ``["?"]`` is
what is not understood. The product is ``["*", a, b]``, and ``["&&&", a, b]`` the one of bits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from clausefit.hook.contracts.acsl_tokens import Token

Term: TypeAlias = Any

UNKNOWN: Term = ["?"]

_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]{1,16}|[1-9][0-9]{0,18}|0)[uUlL]{0,3}")
_CASTS = {"char": "char", "unsigned char": "unsigned char", "signed char": "signed char", "uint8_t": "unsigned char"}
# fmt: off
_INTEGERS = {
    "char": (8, True), "signed char": (8, True), "unsigned char": (8, False), "int8_t": (8, True),
    "uint8_t": (8, False), "short": (16, True), "unsigned short": (16, False), "int16_t": (16, True),
    "uint16_t": (16, False), "int": (32, True), "unsigned int": (32, False), "unsigned": (32, False),
    "signed": (32, True), "signed int": (32, True), "int32_t": (32, True), "uint32_t": (32, False), "long": (64, True),
    "long int": (64, True), "unsigned long": (64, False), "unsigned long int": (64, False), "long long": (64, True),
    "unsigned long long": (64, False), "int64_t": (64, True), "uint64_t": (64, False), "size_t": (64, False),
    "ssize_t": (64, True), "ptrdiff_t": (64, True), "intptr_t": (64, True), "uintptr_t": (64, False),
}
# fmt: on
_FLOATS = {"float": 4, "double": 8}
# The C operators with two operands, those that bind least first; "<" and its like may be chained.
_LEVELS: tuple[tuple[str, ...], ...] = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>"),
)
_LEVELS += (("+", "-"), ("*", "/", "%"))
_CHAINED = frozenset({"==", "<", "<=", ">", ">="})
_JOINED = ("<==>", "<-->", "==>", "-->", "&&", "||", "^^", "==", "!=", "<=", ">=", "<<", ">>")
_DEEPEST = 24


class TermProblem(Exception):  # noqa: N818 - a state of affairs, not a mistake
    """The text is no term that is understood."""


def joined(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with operators of several characters as one."""
    found: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        for operator in _JOINED if token.kind == "punct" else ():
            parts = tokens[index : index + len(operator)]
            if "".join(p.text for p in parts) == operator and parts[-1].end - token.start == len(operator):
                token = Token("punct", operator, token.start, parts[-1].end)
                index += len(parts) - 1
                break
        found.append(token)
        index += 1
    return found


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
    parser = _Parser(joined(tokens), ranges)
    found = parser.choice(0)
    if not parser.is_done:
        raise TermProblem
    return found


def roots(found: Term) -> set[str]:
    """The names in a term."""
    if not isinstance(found, list):
        return set()
    if found[0] == "v":
        return {found[1]}
    return {name for part in found[1:] for name in roots(part)}


def sizes_in(found: Term) -> set[str]:
    """The names of types, or of objects, whose size a term takes."""
    if not isinstance(found, list):
        return set()
    if found[0] == "sizeof":
        return {found[1]}
    return {name for part in found[1:] for name in sizes_in(part)}


def reads_memory(found: Term) -> bool:
    """Whether a term reads memory, so that its value may change in a call."""
    if not isinstance(found, list):
        return False
    return found[0] in ("->", "?") or (found[0] == "*" and len(found) == 2) or any(reads_memory(p) for p in found[1:])


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
        self._position = 0

    @property
    def is_done(self) -> bool:
        return self._position == len(self._tokens)

    def _text(self, ahead: int = 0) -> str:
        index = self._position + ahead
        return self._tokens[index].text if index < len(self._tokens) else ""

    def _take(self, text: str) -> bool:
        if self._text() == text:
            self._position += 1
            return True
        return False

    def _need(self, text: str) -> None:
        if not self._take(text):
            raise TermProblem

    def choice(self, depth: int) -> Term:
        if depth > _DEEPEST:
            raise TermProblem
        condition = self._level(0, depth)
        if not self._take("?"):
            return condition
        first = self.choice(depth + 1)
        self._need(":")
        return ["?:", condition, first, self.choice(depth + 1)]

    def _level(self, level: int, depth: int) -> Term:
        if level == len(_LEVELS):
            return self._unary(depth)
        left = self._level(level + 1, depth)
        before: Term = None
        while self._text() in _LEVELS[level]:
            operator = self._text()
            self._position += 1
            right = self._level(level + 1, depth)
            if operator in _CHAINED and before is not None:
                left = ["&&", left, [operator, before, right]]  # ACSL: a <= b < c
            else:
                left = ["&&&" if operator == "&" else operator, left, right]
            before = right if operator in _CHAINED else None
        return left

    def _unary(self, depth: int) -> Term:
        if depth > _DEEPEST:
            raise TermProblem
        if self._take("-"):
            return ["-", 0, self._unary(depth + 1)]
        for operator in ("!", "~", "*", "&"):
            if self._take(operator):
                return [operator, self._unary(depth + 1)]
        if self._take("sizeof"):
            return self._size(depth)
        cast = self._cast()
        if cast is not None:
            inner = self._unary(depth + 1)
            return [*cast, inner] if cast else inner
        return self._postfix(depth)

    def _words(self) -> tuple[str, int, int]:
        """The words of a type after an opening parenthesis, the stars after them, and where it is closed (or 0)."""
        end = self._position + 1
        while end < len(self._tokens) and self._tokens[end].kind == "word":
            end += 1
        words = " ".join(t.text for t in self._tokens[self._position + 1 : end] if t.text != "const")
        stars = end
        while end < len(self._tokens) and self._tokens[end].text == "*":
            end += 1
        closed = end < len(self._tokens) and self._tokens[end].text == ")"
        return words, end - stars, end if closed and words else 0

    def _cast(self) -> list[Any] | None:
        if self._text() != "(":
            return None
        words, stars, end = self._words()
        found: list[Any] | None = None
        if end and stars == 1 and words in _CASTS:
            found = ["cast", _CASTS[words]]
        elif end and not stars and words in _INTEGERS:
            found = ["int", *_INTEGERS[words]]
        elif end and not stars and words == "integer":
            found = []
        if found is not None:
            self._position = end + 1
        return found

    def _size(self, depth: int) -> Term:
        if self._text() != "(":
            return ["size", self._unary(depth + 1)]
        words, stars, end = self._words()
        if not end:
            return ["size", self._unary(depth + 1)]
        self._position = end + 1
        if stars:
            return 8
        if words in _INTEGERS or words in _FLOATS:
            return _INTEGERS[words][0] // 8 if words in _INTEGERS else _FLOATS[words]
        return ["sizeof", words]

    def _postfix(self, depth: int) -> Term:
        found = self._primary(depth)
        while True:
            if self._text() in ("->", ".") and self._position + 1 < len(self._tokens):
                if self._tokens[self._position + 1].kind != "word":
                    raise TermProblem
                found = [self._text(), found, self._text(1)]
                self._position += 2
            elif self._take("["):
                found = ["*", ["+", found, self._maybe_range(depth + 1)]]
                self._need("]")
            else:
                return found

    def _maybe_range(self, depth: int) -> Term:
        first = self.choice(depth)
        if self._text() != "..":
            return first
        if not self._ranges:
            raise TermProblem
        self._position += 1
        return ["..", first, self.choice(depth)]

    def _primary(self, depth: int) -> Term:
        if self.is_done:
            raise TermProblem
        token = self._tokens[self._position]
        self._position += 1
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
            found = self.choice(depth + 1)
            if token.text == "\\at":
                self._need(",")
                if self._text() not in ("Pre", "Old"):
                    raise TermProblem
                self._position += 1
            self._need(")")
            return ["old", found]
        if token.text in ("\\null", "\\false", "NULL", "\\true"):
            return int(token.text == "\\true")
        if token.text == "\\result":
            return ["v", token.text]
        if token.kind != "word" or token.text.startswith("\\") or self._text() == "(":
            raise TermProblem
        return ["v", token.text]
