"""A secret taken out of text, also where a server sends it back in another form or in parts. Pure."""

from __future__ import annotations

import base64
from collections.abc import Iterator

_PART = 8
"""So many characters in a row of a secret are one: fewer are words, or there by chance."""


def masked(text: str, secret: str) -> str:
    """``text`` with ``***`` in place of every part of ``secret``: as it is, and in Base64 (both alphabets).

    A part has at least eight characters, or is the whole of a shorter secret. What stands before the secret in the text
    that was encoded (as in ``user:secret``) does not hide it.
    """
    if not secret:
        return text
    parts = {form[at : at + _PART] for form in _forms(secret) for at in range(max(len(form) - _PART, 0) + 1)}
    sizes = sorted({len(part) for part in parts}, reverse=True)
    shown: list[str] = []
    hidden_to = 0
    for at, letter in enumerate(text):
        size = next((size for size in sizes if text[at : at + size] in parts), 0)
        if size:
            if at >= hidden_to:
                shown.append("***")
            hidden_to = max(hidden_to, at + size)
        if at >= hidden_to:
            shown.append(letter)
    return "".join(shown)


def _forms(secret: str) -> Iterator[str]:
    """The secret, and what Base64 makes of it at each of the three places in a group (RFC 4648): without the letters
    at its ends, which hold bits of its neighbours."""
    yield secret
    content = secret.encode("utf-8", "surrogateescape")
    for before in range(3):
        # Every letter holds six bits: those from the secret's first whole one to its last are the same each time.
        first, end = -(-8 * before // 6), 8 * (before + len(content)) // 6
        for encoded in (base64.b64encode, base64.urlsafe_b64encode):
            inner = encoded(b"\0" * before + content + b"\0\0").decode("ascii")[first:end]
            if len(inner) >= _PART:
                yield inner
