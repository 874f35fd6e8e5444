"""Tokens of a formula, and the values of its literals."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

_MAX_TEXT = 20_000
_MAX_LITERAL = 400
_MAX_EXPONENT = 1100

# Longer operators first. The loops are possessive, so the cost is linear in the text.
_TOKEN = re.compile(
    r"""
      (?P<blank>\s++)
    | (?P<number>\.?\d(?:[eEpP][+-](?=\d)|\w|\.(?!\.)|(?!))*+)
    | (?P<character>L?'(?:[^'\\\n]|\\.|(?!))*+')
    | (?P<word>\\?[A-Za-z_]\w*+)
    | (?P<operator><==>|<-->|==>|-->|\.\.|->|<<|>>|<=|>=|==|!=|&&|\|\||\^\^|[-+*/%<>&|^~!?:;,.=()\[\]{}])
    """,
    re.VERBOSE | re.ASCII,
)
# What the lexers of C and ACSL read as one token, but this evaluator does not know.
_FOREIGN = re.compile(r"\+\+|--(?!>)|\*\^|:>|<:|::|\.\.\.|[-+*/%&|^]=(?!=)|<<=|>>=|\[\||\|\]|//|/\*", re.ASCII)
_INTEGER = re.compile(
    r"(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)(?:[uU](?:ll?|LL?)?|(?:ll?|LL?)[uU]?)?", re.ASCII
)
_DECIMAL = re.compile(r"((?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?)([fFlLdD]?)", re.ASCII)
_HEXADECIMAL = re.compile(r"0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d+)([fFlLdD]?)", re.ASCII)
_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "\\": 92, "'": 39, '"': 34, "?": 63}


class NotUnderstood(Exception):  # noqa: N818 - a fact about a text, not a mistake
    """A text that is no formula of the supported part of ACSL; never leaves this package."""


class Token(NamedTuple):
    """One token; ``kind`` is ``number``, ``character``, ``word``, ``operator`` or ``end``."""

    kind: str
    text: str


def tokenize(text: str) -> list[Token]:
    """The tokens of ``text`` and an ``end``; NotUnderstood for anything that is no token of the supported part."""
    if len(text) > _MAX_TEXT:
        raise NotUnderstood("the formula is too long")
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            raise NotUnderstood(f"`{text[position]}` is not understood")
        if match.lastgroup == "operator" and _FOREIGN.match(text, position) and match.group() not in ("<-->", "-->"):
            raise NotUnderstood(f"`{text[position : position + 3]}` is not understood")
        if match.lastgroup != "blank":
            tokens.append(Token(match.lastgroup, match.group()))
        position = match.end()
    tokens.append(Token("end", ""))
    return tokens


def number(text: str) -> int | Fraction:
    """The value of an integer or real literal of C (6.4.4); NotUnderstood for any other text.

    ACSL literals are mathematical (ACSL 1.17 §2.2.4, §2.2.5). A ``float`` literal must be one exactly, for whether
    it is rounded is up to the reader.
    """
    if len(text) > _MAX_LITERAL:
        raise NotUnderstood("the literal is too long")
    if whole := _INTEGER.fullmatch(text):
        digits = whole[1]
        if digits[:2] in ("0x", "0X", "0b", "0B"):
            return int(digits, 0)
        return int(digits, 8) if digits.startswith("0") else int(digits)
    if decimal := _DECIMAL.fullmatch(text):
        _, _, exponent = decimal[1].lower().partition("e")
        if abs(int(exponent or "0")) > _MAX_EXPONENT:
            raise NotUnderstood("the exponent is too large")
        return _of_suffix(Fraction(decimal[1]), decimal[2])
    if hexadecimal := _HEXADECIMAL.fullmatch(text):
        integral, fraction, power, suffix = hexadecimal.groups()
        if not integral + fraction or abs(int(power)) > _MAX_EXPONENT:
            raise NotUnderstood("the literal is not understood")
        mantissa = Fraction(int(integral + fraction, 16), 16 ** len(fraction))
        return _of_suffix(mantissa * Fraction(2) ** int(power), suffix)
    raise NotUnderstood(f"`{text}` is not understood")


def _of_suffix(value: Fraction, suffix: str) -> Fraction:
    if suffix and suffix in "fFdD" and not representable(value, 24 if suffix in "fF" else 53):
        raise NotUnderstood("the literal is not exact in its type")
    return value


def representable(value: Fraction, precision: int) -> bool:
    """Whether a binary floating-point type with that many bits has the value; the far exponents are left out."""
    numerator, denominator = abs(value.numerator), value.denominator
    if numerator == 0:
        return True
    if denominator & (denominator - 1):
        return False
    significant = numerator >> ((numerator & -numerator).bit_length() - 1)
    magnitude = numerator.bit_length() - denominator.bit_length()
    return significant.bit_length() <= precision and abs(magnitude) < (120 if precision == 24 else 1000)


def character(text: str) -> int:
    """The value of a character constant with one ASCII character; NotUnderstood for every other."""
    body = text[1:-1]
    code: int | None = None
    if text[0] == "'" and len(body) == 1:
        code = ord(body)
    elif text[0] == "'" and body.startswith("\\"):
        tail = body[1:]
        if tail in _ESCAPES:
            code = _ESCAPES[tail]
        elif re.fullmatch(r"[0-7]{1,3}", tail, re.ASCII):
            code = int(tail, 8)
        elif re.fullmatch(r"x[0-9a-fA-F]{1,2}", tail, re.ASCII):
            code = int(tail[1:], 16)
    if code is None or code > 127:
        raise NotUnderstood(f"the character {text[:12]} is not understood")
    return code
