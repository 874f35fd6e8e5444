"""Text from hostile files made safe to print: nothing in it can move the cursor, colour, reorder or hide text."""

from __future__ import annotations

import re

_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
# The code points that str.isprintable lets pass and that still show nothing: Default_Ignorable_Code_Point of Unicode
# (DerivedCoreProperties.txt, all that is or may become one: joiners, fillers, variation selectors, tags), and the
# Braille pattern without dots.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def visible(text: str) -> str:
    """``text`` with every character that shows nothing, or something else than itself, written as an escape.

    Control characters (ANSI escapes, new lines), bidirectional, zero-width and other ignorable characters (an emoji's
    variation selector as well), fillers, lone surrogates and blanks other than the plain one become ``\\n``, ``\\x1b``,
    ``\\u202e``, ``\\U000e0001``. All other text comes back unchanged, backslashes as well: see ``visible_name`` for
    what must not be taken for something else. Letters that look alike, and marks that stack, stay what they are.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(one) if not one.isprintable() or _UNSEEN.match(one) else one for one in text)


def visible_name(name: str) -> str:
    """A name (of a file) as ``visible`` shows it, with backslashes doubled: no two names are shown alike."""
    return visible(name.replace("\\", "\\\\"))


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
