"""Text from hostile files made safe to print: nothing in it can move the cursor, colour, reorder or hide text."""

from __future__ import annotations

_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}


def visible(text: str) -> str:
    """``text`` with every character that does not print as itself written as an escape.

    Control characters (ANSI escapes, new lines), bidirectional and zero-width characters, lone surrogates and
    blanks other than the plain one become ``\\n``, ``\\x1b``, ``\\u202e``, ``\\U000e0001``. Text that prints as
    itself comes back unchanged, backslashes as well.
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else _escape(character) for character in text)


def shortened(text: str, limit: int) -> str:
    """``text`` cut to ``limit`` characters, the cut shown by three dots."""
    return text if len(text) <= limit else text[: max(limit - 3, 0)] + "..."


def _escape(character: str) -> str:
    number = ord(character)
    if character in _SHORT:
        return _SHORT[character]
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
