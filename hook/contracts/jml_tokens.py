"""JML annotations in Java source, and the tokens of Java and JML text with their exact places.

The lexical rules are those of the JML Reference Manual, chapter "Lexical conventions": an annotation starts with
``//@`` or ``/*@`` (no blank before the ``@``), possibly with keys in between; a run of ``@`` at the start of a
line or before ``*/`` is blank.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from clausefit.hook.contracts.acsl_tokens import Token

# Every branch consumes what it starts on, and all loops are possessive or stop at a fixed text: linear for any input.
_LITERALS = r"""
      (?P<textblock>\"""(?:[^"\\]|\\(?s:.)|"(?!"")|(?!))*+(?:\""")?)
    | (?P<string>"(?:[^"\\\n]|\\[^\n]|(?!))*+"?|'(?:[^'\\\n]|\\[^\n]|(?!))*+'?)
    | (?P<comment>//[^\n]*+|/\*(?s:.*?)(?:\*/|\Z))
"""
_COMMENTS = re.compile(_LITERALS, re.VERBOSE)
_JAVA_BLANK = r"(?P<blank>[\s\ufeff]++)"
_JML_BLANK = r"(?P<blank>(?:\n[^\S\n]*+@*+|[^\S\n]++|\ufeff|(?!))++)"
_INFORMAL = r"(?P<informal>\(\*(?s:.*?)(?:\*\)|\Z))"
_REST = r"""
      (?P<number>\d(?:[eEpP][+-](?=\d)|\w|\.(?![.\s])|(?!))*+)
    | (?P<word>\\?(?:[^\W\d]|\$)[\w$]*+)
    | (?P<punct>\{\||\|\}|\|\||->|::|\.\.\.?|(?s:.))
"""
_JML_TOKEN = re.compile("|".join((_JML_BLANK, _LITERALS, _INFORMAL, _REST)), re.VERBOSE)
_JAVA_TOKEN = re.compile("|".join((_JAVA_BLANK, _LITERALS, _REST)), re.VERBOSE)
_MARK = re.compile(r"(?://|/\*)((?:[+-]\w*+|(?!))*+)@++")
_KEY = re.compile(r"([+-])(\w*)")

_POSITIVE_KEYS = frozenset({"KEY", "OPENJML", "ESC"})


class JmlComment(NamedTuple):
    """An annotation comment that counts: its place with the marks, and that of the text between them."""

    start: int
    end: int
    text_start: int
    text_end: int


class Comments(NamedTuple):
    """What ``jml_comments`` found; ``unclosed`` is the offset of a comment or text block without end."""

    annotations: tuple[JmlComment, ...]
    unclosed: int | None


def keys_allow(keys: str) -> bool:
    """Whether an annotation with these keys (``+KEY-RAC``) is read; keys are not case-sensitive.

    Positive keys: one of them must be KEY, OPENJML or ESC, the tools that judge it later; a bare ``+`` (old JML)
    counts. Negative keys: KEY excludes, and so does a bare ``-``.
    """
    found = [(match[1], match[2].upper()) for match in _KEY.finditer(keys)]
    positive = [name for sign, name in found if sign == "+"]
    negative = [name for sign, name in found if sign == "-"]
    if any(name in ("KEY", "") for name in negative):
        return False
    return not positive or any(name in _POSITIVE_KEYS or not name for name in positive)


def jml_comments(text: str) -> Comments:
    """The annotation comments of a Java file, in order. Strings, characters and text blocks hide what is in them."""
    annotations: list[JmlComment] = []
    unclosed: int | None = None
    for match in _COMMENTS.finditer(text):
        start, end = match.span()
        if match.lastgroup == "textblock" and (end - start < 6 or not text.endswith('"""', start, end)):
            unclosed = start
        if match.lastgroup != "comment":
            continue
        is_block = text.startswith("/*", start)
        is_closed = not is_block or (end - start >= 4 and text.endswith("*/", start, end))
        if not is_closed:
            unclosed = start
        mark = _MARK.match(text, start, end)
        if mark is None or not keys_allow(mark[1]):
            continue
        stop = end - 2 if is_block and is_closed else end
        annotations.append(JmlComment(start, end, mark.end(), _without_decoration(text, mark.end(), stop, is_block)))
    return Comments(tuple(annotations), unclosed)


def _without_decoration(text: str, start: int, stop: int, is_block: bool) -> int:
    """The end of the annotation text without the run of ``@`` before ``*/`` (``@+*/`` in old JML)."""
    if not is_block:
        return max(start, stop)
    end = stop
    if end - 1 > start and text[end - 1] in "+-" and text[end - 2] == "@":
        end -= 1
    while end > start and text[end - 1] == "@":
        end -= 1
    return max(start, end)


def tokenize_jml(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens of the annotation text ``text[start:end]`` without blanks, decoration and comments.

    An informal description ``(* … *)`` is one token of kind ``informal``, a text block one of kind ``string``.
    """
    return list(_tokens(_JML_TOKEN, text, start, end))


def tokens_of_java(text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """The tokens of the Java text ``text[start:end]`` without blanks and comments, one after the other."""
    return _tokens(_JAVA_TOKEN, text, start, end)


def _tokens(pattern: re.Pattern[str], text: str, start: int, end: int | None) -> Iterator[Token]:
    for match in pattern.finditer(text, start, len(text) if end is None else end):
        kind = match.lastgroup
        if kind is not None and kind not in ("blank", "comment"):
            yield Token("string" if kind == "textblock" else kind, match.group(), *match.span())


def is_broken_literal(token: Token) -> bool:
    """Whether a string, character, text block or informal description is not closed."""
    text = token.text
    if token.kind == "informal":
        return len(text) < 4 or not text.endswith("*)")
    if token.kind != "string":
        return False
    quote = '"""' if text.startswith('"""') else text[0]
    return len(text) < 2 * len(quote) or not text.endswith(quote)


def type_text(tokens: Sequence[Token]) -> str:
    """A type with one way of spacing (``Map<String, ? extends List<T>>``), so that equal types are equal texts."""
    parts: list[str] = []
    previous = ""
    for token in tokens:
        text = token.text
        is_wordy = text[0].isalnum() or text[0] in "_$"
        after_word = bool(previous) and (previous[-1].isalnum() or previous[-1] in "_$?")
        if previous in (",", "&") or text == "&" or (is_wordy and after_word):
            parts.append(" ")
        parts.append(text)
        previous = text
    return "".join(parts)
