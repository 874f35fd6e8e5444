"""Names that stand for one number all over a translation unit: macros that are a literal, and enumerators (pure)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from clausefit.hook.contracts.acsl_tokens import Token
from clausefit.hook.contracts.c_tokens import tokenize_c

_DEFINE = re.compile(r"^[ \t]*#[ \t]*(?:define|undef)[ \t]+([A-Za-z_]\w*)(.*)$", re.MULTILINE)
_NUMBER = re.compile(
    r"[ \t]++(\(?)[ \t]*+(-?)[ \t]*+(0[xX][0-9a-fA-F]{1,32}|0|[1-9][0-9]{0,38})[uUlL]{0,3}[ \t]*+(\)?)[ \t\r]*+$"
)
_LITERAL = re.compile(r"(?:0[xX][0-9a-fA-F]{1,16}|0|[1-9][0-9]{0,18})[uU]?")
_CHARACTER = re.compile(r"'[^'\\]'", re.ASCII)
_REMEMBERED = 64
_INT_BITS = 31
_MOST_TOKENS = 9

Parts = tuple[tuple[str, ...], ...]
"""The enumerators of one enum, each as its tokens."""


def numbers_named(texts: Iterable[str]) -> dict[str, int]:
    """What macros and enumerators stand for. Names that the texts define twice are not there."""
    found = list(texts)
    macros = numbers_defined(found)
    return {**macros, **enumerators(found, macros)}


def numbers_defined(texts: Iterable[str]) -> dict[str, int]:
    """The macros that always stand for one number: defined once, as a literal (a negative one in parentheses)."""
    found: dict[str, list[str]] = {}
    for text in texts:
        for match in _DEFINE.finditer(text):
            found.setdefault(match.group(1), []).append(match.group(2))
    numbers = {}
    for name, bodies in found.items():
        number = _NUMBER.match(bodies[0]) if len(bodies) == 1 else None
        if number and bool(number.group(1)) == bool(number.group(4)) and (not number.group(2) or number.group(1)):
            digits = number.group(3)
            value = int(digits, 16) if digits[:2] in ("0x", "0X") else int(digits)
            numbers[name] = -value if number.group(2) else value
    return numbers


def enumerators(texts: Iterable[str], numbers: Mapping[str, int]) -> dict[str, int]:
    """What enumerators stand for that are counted on from literals and ``numbers`` (names that may stand in an enum).

    Those that two enums have, that are among ``numbers`` too, or whose value is some other expression are not there.
    """
    seen: Counter[str] = Counter()
    found: dict[str, int] = {}
    for parts in [enum for text in texts if "enum" in text for enum in _enums(text)]:
        value: int | None = -1
        for part in parts:
            if part[1:2] == ("=",):
                value = _value(part[2:], {**numbers, **found})
            elif len(part) != 1:
                value = None  # what follows counts on from what is not understood
            elif value is not None:
                value += 1
            seen[part[0]] += 1
            if value is not None:
                found[part[0]] = value
    return {name: value for name, value in found.items() if seen[name] == 1 and name not in numbers}


@lru_cache(maxsize=_REMEMBERED)
def _enums(text: str) -> tuple[Parts, ...]:
    tokens = tokenize_c(text)
    found = []
    for index, token in enumerate(tokens):
        if token.text == "enum" and token.kind == "word":
            named = tokens[index + 1 : index + 2]
            start = index + 1 + (bool(named) and named[0].kind == "word")
            if [one.text for one in tokens[start : start + 1]] == ["{"]:
                found.append(_parts(tokens, start + 1))
    return tuple(found)


def _parts(tokens: Sequence[Token], start: int) -> Parts:
    """The tokens between the commas, up to what closes the braces; a directive is a token of an enumerator."""
    parts: list[list[str]] = [[]]
    for token in islice(tokens, start, None):
        if token.text in ("}", "{", ";"):
            break
        if token.text == ",":
            parts.append([])
        else:
            parts[-1].append(token.text)
    return tuple(tuple(part) for part in parts if part)


def _value(tokens: Sequence[str], known: Mapping[str, int]) -> int | None:
    """The value of a literal, a name, one with a sign, a shift of such; None for other expressions."""
    if len(tokens) > _MOST_TOKENS:
        return None
    if tokens[:1] == ("(",) and tokens[-1:] == (")",):
        return _value(tokens[1:-1], known)
    if "<<" in "".join(tokens):
        place = next(at for at, one in enumerate(tokens) if one == "<")
        left, right = _value(tokens[:place], known), _value(tokens[place + 2 :], known)
        is_small = left is not None and right is not None and left >= 0 and 0 <= right < _INT_BITS
        return left << right if left is not None and right is not None and is_small else None
    if tokens[:1] == ("-",):
        value = _value(tokens[1:], known)
        return -value if value is not None and tokens[1:2] != ("-",) else None
    if len(tokens) != 1:
        return None
    if _LITERAL.fullmatch(tokens[0]):
        return int(tokens[0].rstrip("uU"), 0)
    return ord(tokens[0][1]) if _CHARACTER.fullmatch(tokens[0]) and tokens[0].isascii() else known.get(tokens[0])
