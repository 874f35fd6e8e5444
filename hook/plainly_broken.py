r"""What of a clause's formula no verifier of ACSL or JML could read, seen without one (pure).

Only what is certain: brackets that do not fit together, an operator with nothing before or behind it or with another
one there that needs something before it, and a word with ``\`` that the language does not have. Everything else, and
names above all, is a verifier's matter.
"""

from __future__ import annotations

import re
from collections.abc import Set

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
_RELATIONS = frozenset(
    ("<==>", "==>", "<==", "<=!=>", "<-->", "-->", "^^", "&&", "||", "==", "!=", "<=", ">=", "<", "<<", "<:", "<#")
)
_NEVER_LAST = _RELATIONS | {"+", "-", "/", "%", "!", "~"}
"""Operators that need an operand behind them; not those that also end a type or a range (``*``, ``>``, ``..``)."""
_NEVER_AT_THE_END = _NEVER_LAST | {"*", "&", "|", "^", "->"}
"""Those that no formula ends with: a type stands in brackets, but for ``a.*``, all fields of JML."""
_NEEDS_LESS = _RELATIONS - {"<:", "<#"} | {"/", "%", ">", ">>", ">>>", "^"}
"""Operators that need an operand before them: none of these also begins one, or a type."""
_BINARY_IN_JML = frozenset("*&|")
"""The same for JML, where no pointer is followed and no address taken."""
_CLOSES_TYPES = frozenset((">", ">>", ">>>"))
"""Operators where no arguments of a type were opened, or more than that."""
_IN_TYPES = frozenset(("<", ",", "?", ".", "[", "]", "*", "&", "@"))
"""What may stand between a type's ``<`` and ``>``, words apart."""
_MACRO = re.compile(r"[A-Z][A-Z0-9_]*")


def plainly_broken(formula: str, language: Language = "c") -> str | None:
    """Why the formula cannot be read, as a part of a sentence; None where that is not plain to see."""
    waiting: list[str] = []
    read = _Read(language)
    macros = 0
    for match in (_ACSL if language == "c" else _JML).finditer(formula):
        word = match[0]
        if word.startswith(("//", "/*")):
            continue
        if word.startswith("(*"):  # prose: as good as an operand
            read.take(word)
            continue
        if word[0] == "\\" and (why := unknown_word(word, language) if len(word) > 1 else None):
            return why
        if not macros and (why := read.why_not(word)):
            return why
        if word in _CLOSES:
            if not waiting or waiting.pop() != _CLOSES[word]:
                return f"a `{word}` closes nothing"
            macros -= bool(macros)
        elif word in _CLOSES.values():
            # A macro can be given an operator; whatever is in its brackets counts as its own.
            macros += bool(macros or (word == "(" and language == "c" and _MACRO.fullmatch(read.last)))
            waiting.append(word)
        read.take(word)
    if read.lacks_more(_NEVER_AT_THE_END) and (read.last, read.last_but_one) != ("*", "."):
        return f"nothing follows `{read.last}`"
    return f"a `{waiting[-1]}` is not closed" if waiting else None


class _Read:
    """What was read of a formula: its last two words, and whether arguments of a type are open or were closed."""

    def __init__(self, language: Language) -> None:
        self._needs_less = _NEEDS_LESS if language == "c" else _NEEDS_LESS | _BINARY_IN_JML
        self._open_types = 0
        self._closed_type = False
        self.last = ""
        self.last_but_one = ""

    def take(self, word: str) -> None:
        """Go on behind ``word``."""
        self._closed_type = word in _CLOSES_TYPES and self._open_types >= len(word)
        if word == "<":
            self._open_types += 1
        elif self._closed_type:
            self._open_types -= len(word)
        elif not (word in _IN_TYPES or word[0].isalpha() or word[0] in "_\\"):
            self._open_types = 0
        self.last, self.last_but_one = word, self.last

    def lacks_more(self, never_last: Set[str]) -> bool:
        """Whether the last word is an operator that needs something behind it."""
        return self.last in never_last or (self.last in _CLOSES_TYPES and not self._closed_type)

    def why_not(self, word: str) -> str | None:
        """Why ``word`` cannot follow."""
        is_alone = self.last_but_one in ("(", ",")  # an operator as the argument of a macro
        if (word in _CLOSES or word == ";" or (word == "," and not is_alone)) and self.lacks_more(_NEVER_LAST):
            return f"nothing follows `{self.last}`"
        if word in self._needs_less:
            if not self.last:
                return f"nothing stands before `{word}`"
            is_diamond = (self.last, word) == ("<", ">")
            if not is_diamond and self.lacks_more(_NEVER_LAST):
                return f"nothing stands between `{self.last}` and `{word}`"
        if word[0].isdigit() and self.last in ("*", "&") and self.last_but_one in _RELATIONS | _CLOSES_TYPES:
            # No number is a pointer, nor has it an address.
            return f"nothing stands between `{self.last_but_one}` and `{self.last}`"
        return None
