"""Logic definitions with a body, ready to be applied (ACSL 1.17 §2.6.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from clausefit.hook.contracts.model import LogicDefinition
from clausefit.hook.expect.tokens import NotUnderstood, Token, tokenize
from clausefit.hook.expect.types import normal


@dataclass(frozen=True)
class LogicFunction:
    """A predicate or logic function.

    ``parameters`` are (name, type in normal spelling); ``result`` is the type of the value, None for a
    predicate. ``body`` is None where the definition is known to exist but cannot be evaluated: one without
    a body, an inductive one, one of several with the same name.
    """

    parameters: tuple[tuple[str, str], ...] = ()
    labels: tuple[str, ...] = ()
    body: str | None = None
    result: str | None = None


UNKNOWN = LogicFunction()


def definitions_from(definitions: Iterable[LogicDefinition]) -> Mapping[str, LogicFunction]:
    """What each name of ``definitions`` means. A name with several definitions (overloading), or with none by a
    body, has no body; the same text read twice (from a header) is one definition."""
    found: dict[str, LogicFunction] = {}
    named = {d.text: d for d in definitions if d.kind not in ("lemma", "axiom", "type invariant", "global invariant")}
    kept = list(named.values())
    times = Counter(name for definition in kept for name in set(definition.names))
    for definition in kept:
        for name in definition.names:
            usable = definition.kind in ("predicate", "logic") and times[name] == 1
            found[name] = _read(definition, name) if usable else UNKNOWN
    return found


def _read(definition: LogicDefinition, name: str) -> LogicFunction:
    head, equals, body = definition.text.partition("=")
    body = body.rstrip().removesuffix(";").strip()
    if not equals or not body:
        return UNKNOWN
    try:
        return _Head(tokenize(head), definition.kind, name).read(body)
    except NotUnderstood:
        return UNKNOWN


class _Head:
    """The words before the ``=``: ``logic integer f{L}(int *a, integer n)``."""

    def __init__(self, tokens: list[Token], kind: str, name: str) -> None:
        self._tokens = tokens
        self._kind = kind
        self._name = name
        self._at = 0

    def _peek(self) -> str:
        return self._tokens[self._at].text if self._at < len(self._tokens) else ""

    def _take(self, expected: str) -> None:
        if self._peek() != expected or not expected:
            raise NotUnderstood(f"`{expected}` expected")
        self._at += 1

    def _up_to(self, stops: tuple[str, ...]) -> list[str]:
        words: list[str] = []
        while self._peek() not in stops:
            if self._peek() == "":
                raise NotUnderstood("the head of the definition is not closed")
            words.append(self._peek())
            self._at += 1
        return words

    def read(self, body: str) -> LogicFunction:
        self._take(self._kind)
        result = _type(self._up_to((self._name,))) if self._kind == "logic" else None
        self._take(self._name)
        labels: list[str] = []
        if self._peek() == "{":
            self._at += 1
            labels = [word for word in self._up_to(("}",)) if word != ","]
            self._take("}")
        parameters: list[tuple[str, str]] = []
        if self._peek() == "(":
            closer = ","
            while closer == ",":
                self._at += 1
                words = self._up_to((",", ")"))
                closer = self._peek()
                parameters.append(_parameter(words))
            self._at += 1
        if self._at != len(self._tokens) - 1:
            raise NotUnderstood("the head of the definition is not understood")
        if len({name for name, _ in parameters}) != len(parameters):
            raise NotUnderstood("two parameters have one name")
        return LogicFunction(tuple(parameters), tuple(labels), body, result)


def _parameter(words: list[str]) -> tuple[str, str]:
    if len(words) < 2 or not words[-1].isidentifier():
        raise NotUnderstood("the parameter is not understood")
    return words[-1], _type(words[:-1])


def _type(words: list[str]) -> str:
    """The type in normal spelling; only names with stars are understood."""
    if not words or not all(word == "*" or word.isidentifier() for word in words):
        raise NotUnderstood("the type is not understood")
    return normal(" ".join(words))
