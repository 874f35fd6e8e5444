"""Small edits of a C clause's own text, each in one place, and what the clause is with one of them.

A comparison that is off by its border, a bound where the value is meant, an implication that holds both ways. The
constants and names of a clause stay as they are: an edit never brings in a value of a test.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from clausefit.hook.contracts.acsl import read_annotation
from clausefit.hook.contracts.acsl_tokens import Places, Token, tokenize
from clausefit.hook.contracts.model import Clause

LOOSER = {"<": ("<=",), ">": (">=",), "<=": ("<",), ">=": (">",)}
"""For a clause that is too strong; the last two loosen what stands in the guard of a quantifier or to the left of
``==>``."""
TIGHTER = {"<=": ("==", "<"), ">=": ("==", ">"), "<": ("<=",), ">": (">=",), "==>": ("<==>",)}
"""For a clause that is too weak, likewise."""

_OPERATORS = ("<-->", "<==>", "-->", "==>", "<=", ">=", "==", "!=", "->", "<<", ">>", "&&", "||", "^^")
_RELATIONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
_ENDS = _RELATIONS | {"&&", "||", "^^", "==>", "<==>", "?", ":", ";", ",", "!"}
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


@dataclass(frozen=True)
class Edit:
    """``text`` in place of what stands between two offsets of the file."""

    start: int
    end: int
    text: str

    def applied(self, text: str) -> str:
        """``text`` with the edit."""
        return text[: self.start] + self.text + text[self.end :]


class _Part(NamedTuple):
    text: str
    start: int
    end: int
    is_word: bool


def edits(text: str, clause: Clause, table: Mapping[str, tuple[str, ...]], varying: frozenset[str]) -> list[Edit]:
    """The edits of the clause in the file's ``text`` that replace one operator as ``table`` says.

    ``varying`` are the names whose value differs from call to call; see ``_is_likely``.
    """
    parts = list(_parts(tokenize(text, clause.span.start, clause.span.end)))
    found = []
    for index, part in enumerate(parts):
        for operator in table.get(part.text, ()):
            if _is_likely(parts, index, operator, table, varying):
                found.append(Edit(part.start, part.end, operator))
    return found


def _is_likely(
    parts: Sequence[_Part],
    index: int,
    operator: str,
    table: Mapping[str, tuple[str, ...]],
    varying: frozenset[str],
) -> bool:
    """Whether the operator can be what was meant, and does not only fit the tests that happen to be there.

    ``==`` with a constant would repeat the value of the tests; a guard that is loosened at a constant (``0 <= i``)
    leaves out the one element on which they happen to fail.
    """
    left, right = _sides(parts, index)
    if operator == "==":
        return not (varying.isdisjoint(left) or varying.isdisjoint(right))
    if operator == "<==>":
        return not _is_guard(parts, index)
    return table is not LOOSER or operator in ("<=", ">=") or bool(left and right)


def _parts(tokens: Sequence[Token]) -> Iterator[_Part]:
    """The tokens with the operators of several characters in one piece."""
    index = 0
    while index < len(tokens):
        token = tokens[index]
        operator = _operator(tokens, index) if token.kind == "punct" else ""
        last = tokens[index + max(len(operator), 1) - 1]
        yield _Part(operator or token.text, token.start, last.end, token.kind == "word")
        index += max(len(operator), 1)


def _operator(tokens: Sequence[Token], index: int) -> str:
    """The operator of several one-character tokens without a blank between them, empty for another token."""
    for operator in _OPERATORS:
        run = tokens[index : index + len(operator)]
        is_one = len(run) == len(operator) and run[-1].end - run[0].start == len(operator)
        if is_one and "".join(token.text for token in run) == operator:
            return operator
    return ""


def _sides(parts: Sequence[_Part], index: int) -> tuple[list[str], list[str]]:
    """The words of the terms to the left and to the right of a comparison."""
    return _words(reversed(parts[:index]), _CLOSING, _OPENING), _words(parts[index + 1 :], _OPENING, _CLOSING)


def _words(parts: Iterable[_Part], down: frozenset[str], up: frozenset[str]) -> list[str]:
    depth = 0
    words = []
    for part in parts:
        depth += (part.text in down) - (part.text in up)
        if depth < 0 or (depth == 0 and part.text in _ENDS):
            break
        if part.is_word:
            words.append(part.text)
    return words


def _is_guard(parts: Sequence[_Part], index: int) -> bool:
    """Whether ``==>`` may end the guard of a quantifier: both ways, it would speak of everything outside of it."""
    depth = 0
    for part in reversed(parts[:index]):
        depth += (part.text in _CLOSING) - (part.text in _OPENING)
        if depth < 0:
            return False
        if depth == 0 and part.text == "\\forall":
            return True
    return False


def written(text: str, clause: Clause, edit: Edit | None = None) -> Clause | None:
    """The clause as its place in the file's ``text`` has it, with the edit.

    None where that is no clause of its kind, or where the contract does not have it as the file does (it was merged
    from a declaration with other parameter names).
    """
    start, end = clause.span.start, clause.span.end
    alone = _alone(text[start:end], clause)
    if alone != clause or edit is None:
        return alone if alone == clause else None
    if not start <= edit.start <= edit.end <= end:
        return None
    return _alone(edit.applied(text)[start : end + len(edit.text) - (edit.end - edit.start)], clause)


def _alone(text: str, clause: Clause) -> Clause | None:
    whole = f"/*@ {text};*/"
    read = read_annotation(whole, 0, len(whole), clause.file, Places(whole))
    if len(read.clauses) != 1 or read.problems or read.definitions or read.behaviors:
        return None
    return replace(read.clauses[0], span=clause.span, behavior=clause.behavior)
