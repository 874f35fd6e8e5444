"""Texts and places as SARIF 2.1.0 writes them."""

from __future__ import annotations

import re
from urllib.parse import quote

from clausefit.hook.visible import shortened, visible

LONGEST_TEXT = 8000
_PLACEHOLDER = re.compile(r"\{(\d+)\}")
_DOUBLED = re.compile(r"(\{|\})(?=\1)")


def plain(text: str) -> str:
    """``text`` as a plain text message in which nothing is a link, a placeholder or an escape.

    ``[…](…)`` is a link (§3.11.6), ``{0}`` a placeholder and ``{{`` an escaped brace (§3.11.5). Escapes of the standard
    are shown as they are by some viewers, GitHub among them, so what would mean something is taken apart by a blank:
    ``{7}``, a C array, becomes ``{ 7 }``.
    """
    shown = _PLACEHOLDER.sub(r"{ \1 }", shortened(visible(text), LONGEST_TEXT))
    return _DOUBLED.sub(r"\1 ", shown).replace("](", "] (")


def artifact(path: str, folder: str = "") -> dict[str, str]:
    """The artifactLocation of a file of the project, which lies in ``folder`` of the repository (§3.4).

    A file elsewhere (a system header) is named by itself.
    """
    if path.startswith("/"):
        return {"uri": "file://" + _encoded(path)}
    whole = f"{folder.strip('/')}/{path}" if folder.strip("/") else path
    return {"uri": _encoded(whole), "uriBaseId": "%SRCROOT%"}


def _encoded(path: str) -> str:
    # A byte of a name that is not UTF-8 is a lone surrogate in Python's text: it is encoded as the byte that it was.
    try:
        raw = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raw = path.encode("utf-8", "backslashreplace")
    return quote(raw, safe="/")
