"""Logic definitions of ACSL (manual §2.6, §2.11): predicates, logic functions, axiomatic blocks, lemmas, invariants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from clausefit.hook.contracts.acsl_tokens import (
    Places,
    Problem,
    Token,
    clause_end,
    closing,
    fold,
    identifiers,
    is_name,
    text_at,
)
from clausefit.hook.contracts.model import LogicDefinition

_NAMED = frozenset({"predicate", "logic", "lemma", "axiom", "axiomatic", "inductive", "type", "model"})


@dataclass
class Definitions:
    """What was read at one place: definitions, problems, and the index of the token to go on with."""

    next: int
    definitions: list[LogicDefinition] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def starts_definition(tokens: Sequence[Token], index: int) -> bool:
    """Whether a logic definition can start at ``index``."""
    return _kind(tokens, index) is not None


def read_definition(tokens: Sequence[Token], index: int, file: str, places: Places) -> Definitions:
    """Read the definition that starts at ``index`` (``starts_definition`` holds there); always moves on."""
    return _Reader(tokens, file, places).read(index, nested=False)


def _kind(tokens: Sequence[Token], index: int) -> tuple[str, int] | None:
    """The kind of the definition at ``index`` and the index after its keywords; None when none starts here."""
    word, following = text_at(tokens, index), text_at(tokens, index + 1)
    if word in ("strong", "weak") and following in ("type", "global"):
        return _kind(tokens, index + 1)
    if word in ("check", "admit") and following in ("lemma", "axiom"):
        return _kind(tokens, index + 1)
    if word in ("type", "global") and following == "invariant":
        return (f"{word} invariant", index + 2)
    if word in _NAMED and is_name(tokens, index + 1):
        return (word, index + 1)
    if word == "volatile" and index + 1 < len(tokens) and following not in (":", ";"):
        return (word, index + 1)
    return None


class _Reader:
    def __init__(self, tokens: Sequence[Token], file: str, places: Places) -> None:
        self._tokens = tokens
        self._file = file
        self._places = places

    def read(self, index: int, nested: bool) -> Definitions:
        """Read one definition; ``nested`` when it stands in an axiomatic block."""
        found = _kind(self._tokens, index)
        if found is None:
            return self._unknown(index)
        kind, after = found
        if kind == "axiomatic":
            return self._unknown(index) if nested else self._axiomatic(index, after)
        if kind == "inductive":
            return self._inductive(index, after)
        if kind == "model":
            braces = self._model_braces(after)
            if braces is not None:
                return self._model(index, braces)
        end, problem = clause_end(self._tokens, after, self._restarts)
        if problem is not None:
            return self._broken(index, f"the {kind} cannot be read: {problem}", end)
        return Definitions(end + 1, [self._definition(kind, self._names(kind, after, end), index, end)])

    def _restarts(self, index: int) -> bool:
        # `type` and `model` are likely names of variables; the others are taken as the start of a definition.
        return text_at(self._tokens, index) not in ("type", "model", "volatile") and starts_definition(
            self._tokens, index
        )

    def _definition(self, kind: str, names: Sequence[str], begin: int, last: int) -> LogicDefinition:
        tokens = self._tokens[begin : last + 1]
        span = self._places.span(tokens[0].start, tokens[-1].end)
        return LogicDefinition(kind, tuple(names), fold(tokens), identifiers(tokens), self._file, span)

    def _broken(self, index: int, detail: str, end: int) -> Definitions:
        resumes = index < end < len(self._tokens) and (self._restarts(end) or self._tokens[end].text == "}")
        return Definitions(end if resumes else end + 1, [], [Problem(self._tokens[index].start, detail)])

    def _unknown(self, index: int) -> Definitions:
        end, _ = clause_end(self._tokens, index, self._restarts)
        return self._broken(index, f"`{self._tokens[index].text[:40]}` starts no definition that is known", end)

    def _names(self, kind: str, after: int, end: int) -> list[str]:
        """The names that a definition without a block introduces."""
        if kind == "volatile":
            return []
        if kind == "type":
            return self._type_names(after, end)
        if kind in ("logic", "model"):
            return self._last_name_before_value(after, end)
        return [self._tokens[after].text] if is_name(self._tokens, after) else []

    def _type_names(self, after: int, end: int) -> list[str]:
        """``type list<A> = Nil | Cons(A, list<A>);`` introduces the type and its constructors."""
        names = [self._tokens[after].text]
        names += [
            self._tokens[index].text
            for index in range(after + 1, end)
            if self._tokens[index - 1].text in ("=", "|") and is_name(self._tokens, index)
        ]
        return names

    def _last_name_before_value(self, after: int, end: int) -> list[str]:
        """``logic set<int *> all{L}(int *p) = …``: the last name outside brackets before ``(``, ``=`` or ``reads``."""
        name: list[str] = []
        depth = 0
        for index in range(after, end):
            text = self._tokens[index].text
            if depth == 0 and text in ("(", "=", "reads"):
                break
            depth += text in ("<", "{")
            depth -= text in (">", "}")
            if depth == 0 and is_name(self._tokens, index):
                name = [text]
        return name

    def _axiomatic(self, index: int, after: int) -> Definitions:
        found = Definitions(len(self._tokens))
        names = [self._tokens[after].text]
        if text_at(self._tokens, after + 1) != "{":
            return self._broken(index, "the axiomatic block has no `{`", after + 1)
        position = after + 2
        while position < len(self._tokens) and self._tokens[position].text != "}":
            member = self.read(position, nested=True)
            found.problems += member.problems
            for definition in member.definitions:
                names += definition.names
                if definition.kind == "lemma":
                    found.definitions.append(definition)
            position = member.next
        if position >= len(self._tokens):
            found.problems.append(Problem(self._tokens[index].start, "the axiomatic block is not closed"))
            return found
        found.definitions.insert(0, self._definition("axiomatic", names, index, position))
        found.next = position + 1
        return found

    def _inductive(self, index: int, after: int) -> Definitions:
        """The body is the brace before ``case``; the first brace may hold labels, ``even{L}(…) { case … }``."""
        opening = after
        while opening < len(self._tokens):
            if self._tokens[opening].text == "{" and text_at(self._tokens, opening + 1) in ("case", "}"):
                break
            if self._tokens[opening].text == ";" or (opening > after and self._restarts(opening)):
                return self._broken(index, "the inductive definition has no cases", opening)
            opening += 1
        end = closing(self._tokens, opening)
        if end is None:
            return self._broken(index, "the inductive definition is not closed", len(self._tokens))
        return Definitions(end + 1, [self._definition("inductive", [self._tokens[after].text], index, end)])

    def _model_braces(self, after: int) -> tuple[int, int] | None:
        """The braces of ``model struct S { integer size };``."""
        opening = after + (2 if self._tokens[after].text in ("struct", "union") else 1)
        if text_at(self._tokens, opening) != "{":
            return None
        end = closing(self._tokens, opening)
        return None if end is None else (opening, end)

    def _model(self, index: int, braces: tuple[int, int]) -> Definitions:
        opening, end = braces
        names = [
            self._tokens[inner].text
            for inner in range(opening + 1, end)
            if is_name(self._tokens, inner) and self._tokens[inner + 1].text in (";", "}", ",", "[")
        ]
        last = end + 1 if text_at(self._tokens, end + 1) == ";" else end
        return Definitions(last + 1, [self._definition("model", names, index, last)])
