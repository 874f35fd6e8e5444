"""Tokens of C source with their places, annotation comments and preprocessor lines kept as tokens of their own."""

from __future__ import annotations

import re

from clausefit.hook.contracts.acsl_tokens import Token

_SPACE = r"(?P<blank>(?:[^\S\n]|\ufeff|\\\r?\n|(?!))++|\n)"
_REST = r"""
    | (?P<string>L?"(?:[^"\\\n]|\\\r?\n|\\[^\n]|(?!))*+"?|L?'(?:[^'\\\n]|\\\r?\n|\\[^\n]|(?!))*+'?)
    | (?P<number>\d(?:[eEpP][+-](?=\d)|[\w.]|(?!))*+)
    | (?P<word>[^\W\d]\w*+)
    | (?P<punct>\.\.\.|(?s:.))
"""
# As in acsl_tokens, each branch consumes what it starts on: linear for any input. A comment in a
# preprocessor line belongs to the line, and can carry it on (C17 §5.1.1.2).
_C_TOKEN = re.compile(
    r"""(?P<directive>(?<![^\n])[^\S\n]*+\#(?:\\\r?\n|/\*(?s:.*?)(?:\*/|\Z)|//[^\n]*+|"(?:[^"\\\n]|\\[^\n]|(?!))*+"|[^\n]|(?!))*+)
    | """
    + _SPACE
    + r"""
    | (?P<annotation>/\*@(?s:.*?)(?:\*/|\Z)|//@(?:[^\n\\]|\\\r?\n|\\|(?!))*+)
    | (?P<comment>/\*(?s:.*?)(?:\*/|\Z)|//(?:[^\n\\]|\\\r?\n|\\|(?!))*+)
    """
    + _REST,
    re.VERBOSE,
)
# Ghost code: the comment's decoration is blank, annotations inside stand between /@ and @/ (ACSL manual §2.12).
_GHOST_TOKEN = re.compile(
    r"""(?P<comment>/@(?s:.*?)(?:@/|\Z)|//[^\n]*+|/\*(?s:.*?)(?:\*/|\Z))
    | (?P<blank>(?:[\s@]|\\\r?\n|(?!))++)"""
    + _REST,
    re.VERBOSE,
)
_DEFINE = re.compile(r"\s*#\s*define\s+([^\W\d]\w*)(\([^()]*\))?")
_INCLUDE = re.compile(r'\s*#\s*include\s*(?:"([^"\n]+)"|(<[^>\n]+>))')
_CONDITION = re.compile(r"\s*#\s*(ifdef|ifndef|if|elifdef|elifndef|elif|else|endif)\b")
_NOISE = re.compile(r'"(?:[^"\\]|\\.|(?!))*+"|\'(?:[^\'\\]|\\.|(?!))*+\'|/\*.*?(?:\*/|\Z)|//[^\n]*+|\b\d\w*', re.DOTALL)
_DEFINED = re.compile(r"(!?)\s*defined\s*(?:\(\s*(\w+)\s*\)|(\w+))")

# What Frama-C's own preprocessing is known to define, and what no C compiler does.
_KNOWN_MACROS = {"__FRAMAC__": True, "__cplusplus": False}


def tokenize_c(text: str) -> list[Token]:
    """The tokens of a C file in order, without blanks and ordinary comments.

    Kinds are ``annotation`` (the whole ``/*@ … */`` or ``//@`` comment), ``directive`` (a whole
    preprocessor line), ``string``, ``number``, ``word`` and ``punct``.
    """
    return _tokens(_C_TOKEN, text, 0, len(text))


def tokenize_ghost(text: str, start: int, end: int) -> list[Token]:
    """The tokens of the C code in a ghost annotation ``text[start:end]`` (without its comment marks)."""
    return _tokens(_GHOST_TOKEN, text, start, end)


def _tokens(pattern: re.Pattern[str], text: str, start: int, end: int) -> list[Token]:
    return [
        Token(match.lastgroup, match.group(), match.start(), match.end())
        for match in pattern.finditer(text, start, end)
        if match.lastgroup is not None and match.lastgroup not in ("blank", "comment")
    ]


def unclosed_comment(text: str) -> int | None:
    """The offset of a block comment that runs into the end of the file; None when there is none."""
    last = None
    for match in _C_TOKEN.finditer(text):
        last = match
    if last is None or not last.group().startswith("/*"):
        return None
    whole = last.group()
    return None if len(whole) >= 4 and whole.endswith("*/") else last.start()


def macro_definition(directive: str) -> tuple[str, frozenset[str]] | None:
    """The name of the macro that a ``#define`` line defines, and the identifiers that it expands to."""
    match = _DEFINE.match(directive)
    if match is None:
        return None
    parameters = set(re.findall(r"\w+", match.group(2) or ""))
    body = _NOISE.sub(" ", directive[match.end() :].replace("\\\r\n", " ").replace("\\\n", " "))
    return match.group(1), frozenset(re.findall(r"(?<![\\\w])[^\W\d]\w*", body)) - parameters


def included_file(directive: str) -> str | None:
    """The target of an ``#include`` line: as written, one in angle brackets with them; None for any other line."""
    match = _INCLUDE.match(directive)
    return (match.group(1) or match.group(2)) if match else None


def conditional(directive: str) -> tuple[str, bool | None] | None:
    """``if``, ``elif``, ``else`` or ``endif``, and what is known of its condition; None for other lines."""
    match = _CONDITION.match(directive)
    if match is None:
        return None
    word = match.group(1)
    condition = _NOISE_COMMENT.sub(" ", directive[match.end() :]).strip()
    base = "elif" if word.startswith("elif") else "if" if word.startswith("if") else word
    if word.endswith("ndef"):
        known = _KNOWN_MACROS.get(condition)
        return base, None if known is None else not known
    if word.endswith("def"):
        return base, _KNOWN_MACROS.get(condition)
    return base, _value(condition) if base in ("if", "elif") else None


_NOISE_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*+", re.DOTALL)


def _value(condition: str) -> bool | None:
    if condition in ("0", "1"):
        return condition == "1"
    match = _DEFINED.fullmatch(condition)
    if match is None:
        return None
    known = _KNOWN_MACROS.get(match.group(2) or match.group(3))
    return None if known is None else known != bool(match.group(1))
