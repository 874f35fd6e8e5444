r"""What of a clause's formula no verifier of ACSL or JML could read, seen without one (pure).

Only what is certain: brackets that do not fit together, an operator with nothing behind it or with another one there
that needs something before it, and a word with ``\`` that the language does not have. Everything else, and names above
all, is a verifier's matter.
"""

from __future__ import annotations

import re

from clausefit.hook.backslash_words import unknown_word
from clausefit.hook.contracts.model import Language

# What is between (* and *) is prose in JML; a comment can be left in a clause of it, too.
_PROSE = r"\(\*(?s:.*?)\*\) | "
_PATTERN = r"""
      "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' | //[^\n]* | /\*(?s:.*?)(?:\*/|\Z)
    | <=!=> | <==> | ==> | <== | <--> | --> | \^\^ | \*\^ | && | \|\| | == | != | <= | >= | <: | :> | <\# | ->
    | \+\+ | -- | >>> | << | >> | \.\. | \\?\w+ | \S
    """
_ACSL = re.compile(_PATTERN, re.VERBOSE)
_JML = re.compile(_PROSE + _PATTERN, re.VERBOSE)
_CLOSES = {")": "(", "]": "[", "}": "{"}
_NEVER_LAST = frozenset(("<==>", "==>", "^^", "&&", "||", "==", "!=", "<=", "+", "-", "/", "%", "!", "~"))
"""Operators that need an operand behind them; not those that also end a type or a range (``*``, ``>``, ``..``)."""
_NEEDS_MORE = _NEVER_LAST | {">=", "<<", "<=!=>", "<"}
_NEEDS_LESS = frozenset(
    ("<==>", "==>", "<=!=>", "^^", "&&", "||", "==", "!=", "<=", ">=", "/", "%", "<", ">", "<<", ">>")
)
"""Operators that need an operand before them: none of these also begins one, or a type."""
_SHIFTS = frozenset((">", ">>", ">>>"))
"""Operators where nothing was opened by a ``<``, as the arguments of a type are."""
_MACRO = re.compile(r"[A-Z][A-Z0-9_]*")


def plainly_broken(formula: str, language: Language = "c") -> str | None:
    """Why the formula cannot be read, as a part of a sentence; None where that is not plain to see."""
    waiting: list[str] = []
    before = ""
    macros = 0
    may_be_type = False
    for match in (_ACSL if language == "c" else _JML).finditer(formula):
        word = match[0]
        if word.startswith(("//", "/*", "(*")) and len(word) > 2:
            continue
        if word[0] == "\\" and (why := unknown_word(word, language) if len(word) > 1 else None):
            return why
        if not macros and _lacks_operand(before, word, may_be_type=may_be_type):
            return f"nothing stands between `{before}` and `{word}`"
        may_be_type = may_be_type or word == "<"
        if word in _CLOSES:
            if before in _NEVER_LAST and not macros:
                return f"nothing follows `{before}`"
            if not waiting or waiting.pop() != _CLOSES[word]:
                return f"a `{word}` closes nothing"
            macros -= bool(macros)
        elif word in _CLOSES.values():
            # A macro can be given an operator; whatever is in its brackets counts as its own.
            macros += bool(macros or (word == "(" and language == "c" and _MACRO.fullmatch(before)))
            waiting.append(word)
        before = word
    if before in _NEVER_LAST:
        return f"nothing follows `{before}`"
    return f"a `{waiting[-1]}` is not closed" if waiting else None


def _lacks_operand(before: str, word: str, *, may_be_type: bool) -> bool:
    if word not in _NEEDS_LESS or (before, word) == ("<", ">"):
        return False
    return before in _NEEDS_MORE or (before in _SHIFTS and not may_be_type)
