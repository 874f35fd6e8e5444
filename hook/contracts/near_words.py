"""What to say of a word that should start a clause and is none, with the one that was perhaps meant."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

_LONGEST = 40


def no_clause(word: str, known: Collection[str]) -> str:
    """The problem with ``word`` where one of ``known`` should stand, as a sentence about it."""
    shown = word[:_LONGEST]
    near = get_close_matches(shown, sorted(known), 1, 0.75) if len(word) <= _LONGEST else []
    hint = f"; did you mean `{near[0]}`?" if near else ""
    return f"`{shown}` starts no clause that is known{hint}"
