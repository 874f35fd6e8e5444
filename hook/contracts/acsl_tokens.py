"""Tokens of ACSL text with their exact places; shared by the readers of clauses and of logic definitions.

The lexical rules are those of the ACSL manual, §2.1: an annotation has the tokens of C plus backslash words,
``@`` is blank, ``//`` comments may stand inside.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from clausefit.hook.contracts.model import Span


class Token(NamedTuple):
    """One token: ``kind`` is ``word``, ``number``, ``string`` or ``punct``; offsets count characters of the file."""

    kind: str
    text: str
    start: int
    end: int


class Problem(NamedTuple):
    """Something that could not be read, at an offset of the file; ``reason`` is a word of ``NotChecked``."""

    offset: int
    detail: str
    reason: str = "parse_error"


# Every branch consumes what it starts on (an unterminated string ends with its line, a comment with the text),
# and all loops are possessive: the cost is linear for any input.
_TOKEN = re.compile(
    r"""
      (?P<blank>(?:[\s@\ufeff]|\\\r?\n|(?!))++)
    | (?P<comment>//[^\n]*+|/\*(?s:.*?)(?:\*/|\Z))
    | (?P<string>L?"(?:[^"\\\n]|\\[^\n]|(?!))*+"?|L?'(?:[^'\\\n]|\\[^\n]|(?!))*+'?)
    | (?P<number>\d(?:[eEpP][+-](?=\d)|\w|\.(?!\.)|(?!))*+)
    | (?P<word>\\?[^\W\d]\w*+)
    | (?P<punct>::|->|\.\.\.?|(?s:.))
    """,
    re.VERBOSE,
)

BINDERS = frozenset({"\\let", "\\forall", "\\exists", "\\lambda"})
_CLOSER = {"(": ")", "[": "]", "{": "}"}
# fmt: off
_KEYWORDS = frozenset({
    "predicate", "logic", "axiomatic", "inductive", "lemma", "axiom", "case", "reads", "writes", "type",
    "invariant", "global", "strong", "weak", "model", "integer", "real", "boolean", "struct", "union", "enum",
    "const", "volatile", "unsigned", "signed", "int", "char", "short", "long", "float", "double", "void",
    "requires", "ensures", "assigns", "assumes", "behavior", "behaviors", "complete", "disjoint", "terminates",
    "decreases", "exits", "frees", "allocates", "check", "admit", "sizeof",
})
# fmt: on


class Places:
    """Turns offsets of a text into lines and columns (lines end with a line feed, whatever stands before it)."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def line(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return bisect_right(self._starts, offset)

    def start(self, line: int) -> int | None:
        """The offset at which a line starts; None where there is no such line."""
        return self._starts[line - 1] if 1 <= line <= len(self._starts) else None

    def span(self, start: int, end: int) -> Span:
        """The stretch from ``start`` to ``end`` (exclusive)."""
        line, end_line = self.line(start), self.line(end)
        column, end_column = start - self._starts[line - 1] + 1, end - self._starts[end_line - 1] + 1
        return Span(line, column, end_line, end_column, start, end)


def tokenize(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens of ``text[start:end]``, without blanks, decoration and comments."""
    stop = len(text) if end is None else end
    return [
        Token(match.lastgroup, match.group(), match.start(), match.end())
        for match in _TOKEN.finditer(text, start, stop)
        if match.lastgroup is not None and match.lastgroup not in ("blank", "comment")
    ]


def fold(tokens: Sequence[Token]) -> str:
    """The text of ``tokens``; whatever stood between two of them becomes one blank."""
    parts: list[str] = []
    for index, token in enumerate(tokens):
        if index and tokens[index - 1].end != token.start:
            parts.append(" ")
        parts.append(token.text)
    return "".join(parts)


def identifiers(tokens: Sequence[Token]) -> frozenset[str]:
    """The names in ``tokens``: words without the backslash words and the keywords of C and ACSL."""
    return frozenset(
        token.text
        for token in tokens
        if token.kind == "word" and not token.text.startswith("\\") and token.text not in _KEYWORDS
    )


def text_at(tokens: Sequence[Token], index: int) -> str:
    """The text of a token, or ``""`` past the end."""
    return tokens[index].text if index < len(tokens) else ""


def is_name(tokens: Sequence[Token], index: int) -> bool:
    """Whether a plain word (no backslash) stands at ``index``."""
    return index < len(tokens) and tokens[index].kind == "word" and not tokens[index].text.startswith("\\")


def is_operand_end(token: Token) -> bool:
    """Whether a term can end with ``token``, so that another term cannot follow at once."""
    return token.kind != "punct" or token.text in (")", "]", "}")


def is_broken_string(token: Token) -> bool:
    """Whether a string or character literal is not closed on its line."""
    body = token.text.removeprefix("L")
    return token.kind == "string" and (len(body) < 2 or body[-1] != body[0])


class End(NamedTuple):
    """Where a clause ends: position of its ``;``, or, with a ``problem``, of the token to go on with."""

    position: int
    problem: str | None


def clause_end(tokens: Sequence[Token], start: int, restarts: Callable[[int], bool]) -> End:
    """The end of the clause or definition whose words start at ``start``.

    A ``;`` ends it unless it stands in brackets or belongs to a binder (``\\let x = 1; …``, ``\\forall int i; …``,
    ACSL manual §2.2). ``restarts`` says where a new clause can start: a clause that lacks its ``;`` or a
    bracket ends there, so that it does not swallow the next one.
    """
    closers: list[str] = []
    binders = [0]
    for index in range(start, len(tokens)):
        token = tokens[index]
        text = token.text
        if is_broken_string(token):
            return End(index, "a string or character literal is not closed")
        if token.kind == "word":
            if text in BINDERS:
                binders[-1] += 1
            elif index > start and not closers and not binders[0] and _follows_operand(tokens, index, restarts):
                return End(index, f"a `;` is missing before `{text}`")
        elif token.kind != "punct":
            continue
        elif text in _CLOSER:
            closers.append(_CLOSER[text])
            binders.append(0)
        elif closers and text == closers[-1]:
            closers.pop()
            binders.pop()
        elif text in (")", "]", "}"):
            return End(index, f"`{text}` without its partner")
        elif text == ";":
            if binders[-1] or (closers and closers[-1] == "}"):
                if restarts(index + 1):
                    return End(index, "the clause is not complete at its `;`")
                binders[-1] = max(0, binders[-1] - 1)
            elif closers:
                return End(index, f"`;` where a `{closers[-1]}` is missing")
            else:
                return End(index, None)
    return End(len(tokens), "a `;` is missing at the end of the annotation")


def _follows_operand(tokens: Sequence[Token], index: int, restarts: Callable[[int], bool]) -> bool:
    """Whether the word at ``index`` stands where only an operator can, and starts a clause."""
    return is_operand_end(tokens[index - 1]) and restarts(index)


def closing(tokens: Sequence[Token], opening: int) -> int | None:
    """The index of the bracket that closes the one at ``opening``; None when there is none."""
    closers: list[str] = []
    for index in range(opening, len(tokens)):
        token = tokens[index]
        if token.kind != "punct":
            continue
        if token.text in _CLOSER:
            closers.append(_CLOSER[token.text])
        elif token.text in (")", "]", "}"):
            if token.text != closers.pop():
                return None
            if not closers:
                return index
    return None


def split_commas(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    """``tokens`` split at the commas outside brackets; empty parts are left out."""
    parts: list[Sequence[Token]] = []
    depth = begin = 0
    for index, token in enumerate(tokens):
        if token.kind == "punct":
            depth += token.text in _CLOSER
            depth -= token.text in (")", "]", "}")
            if token.text == "," and depth == 0:
                parts.append(tokens[begin:index])
                begin = index + 1
    parts.append(tokens[begin:])
    return [part for part in parts if part]
