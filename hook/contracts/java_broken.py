"""Whether a text can be Java at all, of any version.

Our grammar is older than the newest Java, so an ``ERROR`` node alone says nothing: it may be syntax that the grammar
does not know. Two things are wrong in every version: brackets and literals that are not closed, and a text that the
grammar reads to its end but for one token that is missing (new syntax never looks like that: it gives ``ERROR``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clausefit.hook.contracts.acsl_tokens import Places, Problem, Token
from clausefit.hook.contracts.java_tree import JavaText
from clausefit.hook.contracts.jml_tokens import is_broken_literal, tokens_of_java
from tree_sitter import Node

HOW_TO_MEND = "correct the syntax there (javac says more)"
# Unicode escapes (JLS 3.3) of brackets, quotes, what comments are made of, and line ends; a carriage return of its own.
_ESCAPED = re.compile(r"\\u+00(?:2[27AaFf89]|5[BbCcDd]|7[BbDd]|0[AaDd])|\r(?!\n)")
_CLOSERS = {"(": ")", "[": "]", "{": "}"}


def broken_place(java: JavaText) -> Problem | None:
    """The first place where the text can be no Java, with what is wrong there; None where it may be right."""
    if _ESCAPED.search(java.text):
        return None  # where brackets, quotes and lines end is another question then
    if java.unclosed is not None:
        return Problem(java.unclosed, f"a comment or text block is not closed: {HOW_TO_MEND}")
    found = _unbalanced(java) or _missing(java)
    return found and found._replace(detail=f"the file is broken: {found.detail}; {HOW_TO_MEND}")


def first_error(node: Node) -> Node | None:
    """The first part of ``node`` that the grammar does not know or that is missing; None where there is none."""
    return next(_errors(node), None)


def _errors(node: Node) -> Iterator[Node]:
    """In the order of the text."""
    todo = [node]
    while todo:
        one = todo.pop()
        if one.is_error or one.is_missing:
            yield one
        elif one.has_error:
            todo += reversed(one.children)


def _missing(java: JavaText) -> Problem | None:
    """The token that is missing where the grammar knows all the rest."""
    errors = list(_errors(java.root))
    if not errors or not all(one.is_missing for one in errors):
        return None
    start = errors[0].start_byte
    before = java.text[:start].rstrip()
    what = "a name or value" if errors[0].is_named else f"a `{errors[0].type}`"
    return Problem(max(0, len(before) - 1), f"{what} is missing")


def _unbalanced(java: JavaText) -> Problem | None:
    """The first bracket without its partner, or literal without its end."""
    opened: list[Token] = []
    suspect: Token | None = None
    indents = _Indents(java.text)
    for token in tokens_of_java(java.text):
        if token.text.startswith("\\"):
            return None  # a Unicode escape (JLS 3.3) may be a bracket
        if is_broken_literal(token):
            return Problem(token.start, "a string or character literal is not closed")
        bracket = token.text if token.kind == "punct" else ""
        if bracket in _CLOSERS:
            opened.append(token)
        elif bracket in (")", "]", "}"):
            if not opened or (opened[-1].text == "{" and bracket != "}"):
                return Problem(token.start, f"`{bracket}` closes nothing")
            opener = opened.pop()
            if _CLOSERS[opener.text] != bracket:
                return Problem(opener.start, f"`{opener.text}` is not closed")
            if suspect is None and bracket == "}" and indents.differ(opener.start, token.start):
                suspect = opener
    if not opened:
        return None
    # A `}` that is missing shows only at the end of the file; the layout tells which `{` took another's.
    return Problem((suspect or opened[-1]).start, "`{` is not closed")


class _Indents:
    """How far in the lines of a text start."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._places = Places(text)

    def differ(self, opening: int, closing: int) -> bool:
        """Whether a ``}`` that starts its line stands further out than the line of its ``{``."""
        line, end_line = self._places.line(opening), self._places.line(closing)
        inner = self._width(line)
        outer = self._width(end_line)
        start = self._places.start(end_line) or 0
        return line < end_line and outer < inner and not self._text[start:closing].strip()

    def _width(self, line: int) -> int:
        start = self._places.start(line) or 0
        end = self._text.find("\n", start)
        row = self._text[start : len(self._text) if end < 0 else end].expandtabs(4)
        return len(row) - len(row.lstrip())
