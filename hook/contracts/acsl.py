"""The clause reader: the text of one annotation comment → clauses, behaviors, logic definitions, exact spans.

Clauses are those of function contracts (ACSL manual §2.3) in any order: Frama-C drops a contract whose clauses
are out of order, but each clause can still be judged. What cannot be read is a ``Problem`` with its place;
the clauses around it are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from clausefit.hook.contracts.acsl_logic import read_definition, starts_definition
from clausefit.hook.contracts.acsl_tokens import (
    Places,
    Problem,
    Token,
    clause_end,
    fold,
    is_name,
    split_commas,
    text_at,
    tokenize,
)
from clausefit.hook.contracts.model import Clause, LogicDefinition, Modality
from clausefit.hook.contracts.near_words import no_clause

AnnotationKind = Literal["contract", "logic", "ghost", "code", "mark", "unknown"]

STATEMENT_ONLY = frozenset({"breaks", "continues", "returns"})
_PREDICATES = frozenset({"requires", "ensures", "assumes", "terminates", "exits"}) | STATEMENT_ONLY
_CLAUSES = _PREDICATES | {"assigns", "decreases", "frees", "allocates"}
_KEYWORDS = _CLAUSES | {"behavior", "complete", "disjoint"}
_CODE = frozenset({"loop", "assert", "invariant", "for", "calls", "slice", "impact", "\\ghost"})
_MODALITIES: dict[str, Modality] = {"check": "check", "admit": "admit"}
_PREFIX_OPERATORS = frozenset({"(", "!", "*", "{", "-", "+", "~", "&"})


@dataclass(frozen=True)
class Annotation:
    """What one annotation comment holds.

    ``kind`` tells a function contract (or a statement contract: the place decides) from logic definitions,
    ghost code, annotations of statements, marks of other tools (``/*@%*/``, ``/*@-x@*/``) and text that is
    none of these.
    """

    kind: AnnotationKind
    clauses: tuple[Clause, ...] = ()
    behaviors: tuple[str, ...] = ()
    definitions: tuple[LogicDefinition, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass
class _Found:
    clauses: list[Clause] = field(default_factory=list)
    behaviors: list[str] = field(default_factory=list)
    definitions: list[LogicDefinition] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def annotation_tokens(text: str, start: int, end: int) -> list[Token]:
    """The tokens of the annotation comment ``text[start:end]``, without the comment marks."""
    stop = end - 2 if text.startswith("/*", start) and text.endswith("*/", start + 3, end) else end
    return tokenize(text, start + 3, stop)


def annotation_kind(tokens: Sequence[Token]) -> AnnotationKind:
    """What an annotation is, told by its first words."""
    if not tokens or tokens[0].kind not in ("word", "string"):
        return "mark"
    first = tokens[0].text
    if first == "ghost":
        return "ghost"
    if _starts_clause(tokens, 0):
        return "contract"
    if starts_definition(tokens, 0):
        return "logic"
    if first in _CODE or (first in _MODALITIES and len(tokens) > 1):
        return "code"
    return "unknown"


def read_annotation(text: str, start: int, end: int, file: str, places: Places) -> Annotation:
    """Read the annotation comment ``text[start:end]`` (with its ``/*@ … */`` or ``//@`` marks).

    Contracts and logic definitions are read in full; of anything else only the kind is told. Never raises.
    """
    tokens = annotation_tokens(text, start, end)
    kind = annotation_kind(tokens)
    if kind in ("ghost", "code", "mark"):
        return Annotation(kind)
    found = _Found()
    _Reader(tokens, file, places, found).run()
    if kind == "unknown" and found.clauses:
        kind = "contract"
    if found.clauses and found.definitions:
        # Frama-C 25: "unexpected token 'requires'" after a logic definition, and the other way round.
        found.problems.append(Problem(start, "a contract and logic definitions cannot share one annotation"))
    return Annotation(
        kind,
        tuple(found.clauses),
        tuple(dict.fromkeys(found.behaviors)),
        tuple(found.definitions),
        tuple(found.problems),
    )


def _starts_clause(tokens: Sequence[Token], index: int) -> bool:
    """Whether a clause can start here. Its words are no reserved words, so what follows is looked at, too."""
    word = text_at(tokens, index)
    if word in _MODALITIES:
        index += 1
        word = text_at(tokens, index)
    following = text_at(tokens, index + 1)
    if word == "behavior":
        return is_name(tokens, index + 1) and text_at(tokens, index + 2) == ":"
    if word in ("complete", "disjoint"):
        return following == "behaviors"
    if word not in _CLAUSES:
        return False
    if index + 1 >= len(tokens):
        return True
    return tokens[index + 1].kind != "punct" or following in _PREFIX_OPERATORS or following == ";"


class _Reader:
    """Reads the clauses and definitions of one annotation, from left to right."""

    def __init__(self, tokens: list[Token], file: str, places: Places, found: _Found) -> None:
        self._tokens = tokens
        self._file = file
        self._places = places
        self._found = found
        self._behavior: str | None = None

    def run(self) -> None:
        """Read everything into the ``_Found`` that the reader was given."""
        index = 0
        while index < len(self._tokens):
            if starts_definition(self._tokens, index):
                result = read_definition(self._tokens, index, self._file, self._places)
                self._found.definitions += result.definitions
                self._found.problems += result.problems
                index = result.next
            elif _starts_clause(self._tokens, index):
                index = self._clause(index)
            else:
                index = self._skip(index)

    def _restarts(self, index: int) -> bool:
        return _starts_clause(self._tokens, index)

    def _problem(self, index: int, detail: str) -> None:
        token = self._tokens[min(index, len(self._tokens) - 1)]
        self._found.problems.append(Problem(token.start, detail))

    def _skip(self, index: int) -> int:
        """Pass over words that start no clause; the index to go on with."""
        word, following = self._tokens[index].text, text_at(self._tokens, index + 1)
        if word in _CLAUSES:
            self._problem(index, f"the `{word}` clause cannot be read: nothing stands before `{following}`")
        else:
            self._problem(index, no_clause(word, _KEYWORDS))
        end, _ = clause_end(self._tokens, index, self._restarts)
        stops_here = end < len(self._tokens) and (end > index and self._restarts(end))
        return end if stops_here else end + 1

    def _clause(self, index: int) -> int:
        """Read the clause or behavior header at ``index``; the index to go on with."""
        begin = index
        modality = _MODALITIES.get(self._tokens[index].text, "assert")
        index += modality != "assert"
        keyword = self._tokens[index].text
        if keyword == "behavior":
            if modality != "assert":
                self._problem(begin, f"`{modality}` cannot stand before `behavior`")
            self._behavior = self._tokens[index + 1].text
            self._found.behaviors.append(self._behavior)
            return index + 3
        after = index + (2 if keyword in ("complete", "disjoint") else 1)
        end, problem = clause_end(self._tokens, after, self._restarts)
        if problem is None and end == after and keyword not in ("complete", "disjoint"):
            problem = "the clause is empty"
        if problem is not None:
            self._problem(begin, f"the `{keyword}` clause cannot be read: {problem}")
            return end if end < len(self._tokens) and self._restarts(end) else end + 1
        self._add(keyword, modality, begin, after, end)
        return end + 1

    def _add(self, keyword: str, modality: Modality, begin: int, after: int, end: int) -> None:
        tokens = self._tokens
        names: list[str] = []
        locations: tuple[str, ...] = ()
        if keyword in _PREDICATES or keyword == "decreases":
            while after + 2 < end and text_at(tokens, after + 1) == ":":
                if not is_name(tokens, after) and tokens[after].kind != "string":
                    break
                names.append(_label(tokens[after]))
                after += 2
        elif keyword == "assigns":
            locations = _assigned(tokens[after:end])
        elif keyword in ("complete", "disjoint"):
            locations = tuple(fold(part) for part in split_commas(tokens[after:end]))
            self._behavior = None
        self._found.clauses.append(
            Clause(
                kind=keyword,
                text=fold(tokens[begin:end]),
                formula=fold(tokens[after:end]),
                span=self._places.span(tokens[begin].start, tokens[end - 1].end),
                names=tuple(names),
                behavior=self._behavior,
                modality=modality,
                locations=locations,
                file=self._file,
            )
        )


def _label(token: Token) -> str:
    """The name that a label gives: a quoted one without its quotes."""
    return token.text.removeprefix("L")[1:-1] if token.kind == "string" else token.text


def _assigned(tokens: Sequence[Token]) -> tuple[str, ...]:
    """The locations of an ``assigns`` clause; what follows ``\\from`` are only its dependencies."""
    for index, token in enumerate(tokens):
        if token.text == "\\from":
            tokens = tokens[:index]
            break
    return tuple(fold(part) for part in split_commas(tokens))
