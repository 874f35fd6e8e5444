"""Literals of Java as old Java writes them (JLS 3.10)."""

from __future__ import annotations

from collections.abc import Callable

from clausefit.hook.java.code_types import NULL, STRING, CannotRender


def _integer(text: str) -> tuple[str, str]:
    plain = text.replace("_", "")
    is_long = plain[-1] in "lL"
    digits = plain.rstrip("lL")
    if digits[:2].lower() == "0b":
        digits = hex(int(digits, 2))
    return (f"{digits}L", "long") if is_long else (digits, "int")


def _floating(text: str) -> tuple[str, str]:
    plain = text.replace("_", "")
    if plain[:2].lower() == "0x":
        raise CannotRender("it uses a hexadecimal floating point number")
    return plain, "float" if plain[-1] in "fF" else "double"


def _string(text: str) -> tuple[str, str]:
    if text.startswith('"""'):
        raise CannotRender("it uses a text block")
    if not text.isascii() or "\\s" in text:
        raise CannotRender("it uses a string that KeY does not read")
    return text, STRING


def _character(text: str) -> tuple[str, str]:
    if not text.isascii() or text == "'\\s'":
        raise CannotRender("it uses a character that KeY does not read")
    return text, "char"


LITERALS: dict[str, Callable[[str], tuple[str, str]]] = {
    "decimal_integer_literal": _integer,
    "hex_integer_literal": _integer,
    "octal_integer_literal": _integer,
    "binary_integer_literal": _integer,
    "decimal_floating_point_literal": _floating,
    "hex_floating_point_literal": _floating,
    "string_literal": _string,
    "character_literal": _character,
    "true": lambda _text: ("true", "boolean"),
    "false": lambda _text: ("false", "boolean"),
    "null_literal": lambda _text: ("null", NULL),
}
