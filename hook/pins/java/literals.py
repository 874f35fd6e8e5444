"""The values of Java literals (JLS 3.10), from their text."""

from __future__ import annotations

import re
from fractions import Fraction

from clausefit.hook.pins.java.numbers import integer, nearest_float32
from clausefit.hook.pins.java.values import Prim

_SIMPLE = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "s": " ", '"': '"', "'": "'", "\\": "\\"}
_UNICODE = re.compile(r"\\(\\|u+([0-9a-fA-F]{4}))")
_ESCAPE = re.compile(r"\\(?:([0-3][0-7]{0,2}|[4-7][0-7]?)|(\r\n|[\s\S]))")


class BadLiteralError(ValueError):
    """The text is no literal that is understood."""


def integer_literal(text: str) -> Prim:
    """``0x_FFL``, ``017``, ``1_000`` …; a hexadecimal one may be a negative number."""
    digits = text.replace("_", "").lower()
    type_name = "long" if digits.endswith("l") else "int"
    digits = digits.rstrip("l")
    try:
        if digits.startswith(("0x", "0b")):
            value = int(digits[2:], 16 if digits[1] == "x" else 2)
        elif len(digits) > 1 and digits.startswith("0"):
            value = int(digits, 8)
        else:
            value = int(digits)
    except ValueError as bad:
        raise BadLiteralError(text) from bad
    return integer(type_name, value)


def floating_literal(text: str) -> Prim:
    """``1.5``, ``1e3f``, ``2d``, ``0x1p3``."""
    digits = text.replace("_", "").lower()
    is_hexadecimal = digits.startswith("0x")
    suffix = digits[-1] if digits[-1] in "fd" and not (is_hexadecimal and "p" not in digits) else ""
    digits = digits.removesuffix(suffix)
    try:
        if is_hexadecimal:
            if suffix == "f":
                raise BadLiteralError(text)
            return Prim("double", float.fromhex(digits))
        if suffix != "f":
            return Prim("double", float(digits))
        exponent = digits.partition("e")[2] or "0"
        if abs(int(exponent)) > 1000:
            raise BadLiteralError(text)
        return Prim("float", nearest_float32(Fraction(digits)))
    except (ValueError, OverflowError) as bad:
        raise BadLiteralError(text) from bad


def character_literal(text: str) -> Prim:
    """``'a'``, ``'\\n'``, ``'\\u0041'``."""
    value = utf16(_unescaped(_with_unicode(text[1:-1])))
    if len(value) != 1:
        raise BadLiteralError(text)
    return Prim("char", ord(value))


def string_literal(text: str) -> str:
    """The UTF-16 code units of a string literal or text block."""
    if text.startswith('"""'):
        return utf16(_text_block(text))
    return utf16(_unescaped(_with_unicode(text[1:-1])))


def utf16(text: str) -> str:
    """``text`` with a pair of surrogates for each character above U+FFFF, as Java has them."""
    if text.isascii() or max(text, default="") <= "\uffff":
        return text
    return "".join(
        one
        if one <= "\uffff"
        else chr(0xD800 + ((ord(one) - 0x10000) >> 10)) + chr(0xDC00 + ((ord(one) - 0x10000) & 0x3FF))
        for one in text
    )


def _with_unicode(text: str) -> str:
    """Unicode escapes replaced (JLS 3.3). One that stands for a quote, a backslash or a line end is refused."""

    def character(match: re.Match[str]) -> str:
        if match.group(2) is None:
            return match.group()
        found = chr(int(match.group(2), 16))
        if found in "\"'\\\r\n":
            raise BadLiteralError(text)
        return found

    return _UNICODE.sub(character, text)


def _unescaped(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        if match.group(1):
            return chr(int(match.group(1), 8))
        if match.group(2) in ("\n", "\r\n", "\r"):
            return ""
        if match.group(2) not in _SIMPLE:
            raise BadLiteralError(text)
        return _SIMPLE[match.group(2)]

    return _ESCAPE.sub(character, text)


def _text_block(text: str) -> str:
    """The three steps of JLS 3.10.6: line ends, incidental white space, escapes."""
    inside = _with_unicode(text[3:-3]).replace("\r\n", "\n").replace("\r", "\n")
    _, line_end, content = inside.partition("\n")
    if not line_end:
        raise BadLiteralError(text)
    lines = content.split("\n")
    significant = [line for line in lines[:-1] if line.strip(" \t\f")] + [lines[-1]]
    indent = min(len(line) - len(line.lstrip(" \t\f")) for line in significant)
    stripped = [line[indent:].rstrip(" \t\f") if line.strip(" \t\f") else "" for line in lines]
    return _unescaped("\n".join(stripped))
