"""Where a JML clause ends, and where a new one starts: also for clauses that lack their ``;`` or a bracket."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clausefit.hook.contracts.acsl_tokens import End, Token, is_operand_end
from clausefit.hook.contracts.jml_tokens import is_broken_literal
from clausefit.hook.contracts.jml_words import (
    ALWAYS_STARTERS,
    HARD_STARTERS,
    KEY_BINDERS,
    QUANTIFIERS,
    STARTERS,
    VISIBILITIES,
)

_CLOSER = {"(": ")", "[": "]", "{": "}"}
_MARKS = frozenset({"{|", "|}"})


@dataclass
class _Level:
    """One bracket level: what closes it, and how many ``;`` of quantifiers must and may still come in it."""

    closer: str
    must: int = 0
    may: int = 0


def restarts(tokens: Sequence[Token], index: int) -> bool:
    """Whether something new can start at ``index``, told by its first word; also at the end of the tokens."""
    return index >= len(tokens) or tokens[index].text in STARTERS or tokens[index].text in _MARKS


def starts_clause(tokens: Sequence[Token], index: int, text: str) -> bool:
    """Whether reading can go on at ``index`` after text that is no JML (prose, say): told more strictly."""
    word = tokens[index].text
    if word in _MARKS or word in ALWAYS_STARTERS:
        return True
    return word in STARTERS and "\n" in text[tokens[index - 1].end : tokens[index].start]


def clause_end(tokens: Sequence[Token], start: int, text: str) -> End:
    r"""The end of the clause whose words start at ``start``; ``text`` is the file, to see line ends.

    The ``;`` of a quantifier do not end it: ``(\forall D; R; P)``, ``(\forall D; P)``, ``(\let D; E)``. A
    quantifier without parentheres around it is read as well, as some projects write it: there the ``;`` after its
    first part ends the clause when something new starts behind it.
    """
    levels = [_Level("")]
    for index in range(start, len(tokens)):
        token = tokens[index]
        level = levels[-1]
        if is_broken_literal(token):
            return End(index, "a literal or informal description is not closed")
        if token.kind == "word":
            parts = _parts(tokens, index)
            if parts:
                level.must += 1
                level.may += parts - 1
            elif index > start and not level.must and _breaks_off(tokens, index, text):
                return End(index, f"a `{level.closer or ';'}` is missing before `{token.text}`")
        elif token.kind != "punct":
            continue
        elif token.text in _MARKS:
            return End(index, f"a `{level.closer or ';'}` is missing before `{token.text}`")
        elif token.text in _CLOSER:
            is_binder = index > start and token.text == "(" and tokens[index - 1].text in KEY_BINDERS
            levels.append(_Level(_CLOSER[token.text], may=3 if is_binder else 0))
        elif token.text in (")", "]", "}"):
            if token.text != level.closer:
                return End(index, f"`{token.text}` without its partner")
            levels.pop()
        elif token.text == ";":
            if level.must:
                level.must -= 1
            elif level.may and not _new_after(tokens, index, level.closer):
                level.may -= 1
            elif not level.closer:
                return End(index, None)
            elif level.closer != "}":
                return End(index, f"`;` where a `{level.closer}` is missing")
    return End(len(tokens), "a `;` is missing at the end of the annotation")


def _parts(tokens: Sequence[Token], index: int) -> int:
    """How many ``;`` the quantifier at ``index`` can have; 0 where none stands there."""
    word = tokens[index].text
    if word == "\\let":
        return 1
    # ``\max(s)`` is a function (OpenJML); a quantifier is followed by a type.
    if index + 1 >= len(tokens) or tokens[index + 1].text == "(":
        return 0
    return 3 if word in KEY_BINDERS else 2 if word in QUANTIFIERS else 0


def _breaks_off(tokens: Sequence[Token], index: int, text: str) -> bool:
    """Whether a word that can only start something new stands where just an operator can follow."""
    before, token = tokens[index - 1], tokens[index]
    if not is_operand_end(before):
        return False
    if token.text in ALWAYS_STARTERS:
        return True
    is_first = "\n" in text[before.end : token.start]
    if before.text == ")":  # after a cast a name may follow, and many of these words may be names
        return token.text in VISIBILITIES or (is_first and token.text in HARD_STARTERS)
    return token.text in HARD_STARTERS or (is_first and token.text in STARTERS)


def _new_after(tokens: Sequence[Token], index: int, closer: str) -> bool:
    """Whether something new starts behind the ``;`` at ``index``; in brackets only what can be no name counts."""
    if closer and index + 1 < len(tokens):
        return tokens[index + 1].text in ALWAYS_STARTERS
    return restarts(tokens, index + 1)
