"""What a contract says of the extents of memory: ``\\valid(a + (0 .. n - 1))``, and when it says it.

Each is a base with its first and last element, as terms. Where something of it is not understood the extent is *vague*:
a call whose pointers it may speak of is left out, since an object that is too small makes a right clause look wrong.
What an ``ensures`` says is no extent of what is recorded: it is only compared with that when the call is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from clausefit.hook.contracts.acsl_tokens import BINDERS, Token, closing, split_commas, tokenize
from clausefit.hook.contracts.model import Contract, LogicDefinition
from clausefit.hook.record.c_conditions import Binder, Part, parts, truth
from clausefit.hook.record.c_terms import (
    UNKNOWN,
    Term,
    TermProblem,
    extent,
    joined,
    reads_memory,
    roots,
    sizes_in,
    term,
)

VALID = frozenset({"\\valid", "\\valid_read", "\\initialized", "\\dangling"})
_STRINGS = frozenset({"valid_string", "valid_read_string", "valid_string_or_null", "\\valid_string"})
# Frama-C's libc (share/libc/__fc_string_axiomatic.h): what these read ends with the string.
_OF_STRINGS = frozenset({"strlen", "strcmp", "strncmp", "strchr", "wcslen", "wcscmp", "wcsncmp"})
_WHOLE_BLOCKS = frozenset({"\\block_length", "\\offset", "\\base_addr", "\\allocation", "\\allocable", "\\freeable"})
_SPEAKS_OF_MEMORY = VALID | _STRINGS | _WHOLE_BLOCKS | {"\\fresh", "\\separated"}
_INNERMOST = 5
_MOST = 200


@dataclass(frozen=True)
class Names:
    """What names stand for: ``formals`` are parameters, ``known`` those and variables, ``constants`` numbers.

    Of the pointers in ``single`` the contract speaks as of one object.
    """

    formals: frozenset[str]
    known: frozenset[str]
    constants: Mapping[str, int]
    single: frozenset[str]
    definitions: Mapping[str, LogicDefinition]


@dataclass(frozen=True)
class Extent:
    """One extent. A base of None: which pointer is meant is not understood, it may be any in ``names``.

    ``first`` and ``last`` are ``["?"]`` where they are not understood; ``exact``: no more can be meant (``\\valid(s)``
    is also said where a string is); ``soft``: a predicate of which it is not known whether it speaks of memory;
    ``after``: it is said of the state after the call.
    """

    base: Term | None
    first: Term = 0
    last: Term = 0
    exact: bool = False
    soft: bool = False
    after: bool = False
    conditions: tuple[Term, ...] = ()
    binders: tuple[Binder, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def is_vague(self) -> bool:
        """Whether something of it is not understood."""
        return UNKNOWN in (self.base, self.first, self.last) or self.base is None or self.conditions == (UNKNOWN,)

    def data(self) -> dict[str, Any]:
        """The extent ready for JSON."""
        return {
            "base": self.base,
            "first": self.first,
            "last": self.last,
            "exact": self.exact,
            "soft": self.soft,
            "after": self.after,
            "conditions": list(self.conditions),
            "binders": [[one.name, one.first, one.last] for one in self.binders],
            "names": list(self.names),
        }


@dataclass
class Extents:
    """What a contract says of memory. ``whole``: of whole blocks; ``sizes``: names of types whose size it takes."""

    all: list[Extent] = field(default_factory=list)
    whole: bool = False
    sizes: list[str] = field(default_factory=list)

    @property
    def sized(self) -> list[tuple[Term, Term, Term]]:
        """The (base, first, last) of those before the call that are understood and always said."""
        found = (e for e in self.all if not e.after and not e.is_vague and not e.conditions and not e.binders)
        return [(e.base, e.first, e.last) for e in found]

    @property
    def vague(self) -> list[str]:
        """The names in those before the call that are not understood."""
        return list(dict.fromkeys(name for e in self.all if e.is_vague and not e.after for name in e.names))


def collected(contract: Contract, names: Names) -> Extents:
    """What the clauses of a contract say of the extents of memory."""
    found = Extents()
    for clause in contract.clauses:
        if clause.kind not in ("requires", "assumes", "ensures"):
            continue
        collector = _Collector(found, names, clause.kind == "ensures")
        conditions: tuple[Term, ...] = ()
        if clause.kind == "assumes":
            conditions = (UNKNOWN,)
        elif clause.behavior is not None:
            assumed = [c for c in contract.clauses if c.kind == "assumes" and c.behavior == clause.behavior]
            conditions = tuple(["old", truth(tokenize(one.formula))] for one in assumed)
        collector.formula(tokenize(clause.formula), Part((), conditions), 0)
    terms = [t for e in found.all for t in (e.base, e.first, e.last, *e.conditions)]
    terms += [t for e in found.all for b in e.binders for t in (b.first, b.last)]
    found.sizes = sorted({name for one in terms for name in sizes_in(one)})
    return found


class _Collector:
    """Adds what one clause says to ``found``."""

    def __init__(self, found: Extents, names: Names, after: bool) -> None:
        self._found = found
        self._names = names
        self._after = after

    def formula(self, tokens: Sequence[Token], under: Part, depth: int) -> None:
        """Take what a formula says under some conditions."""
        for part in parts(tokens, under):
            self._part(part, depth)

    def _part(self, part: Part, depth: int) -> None:
        tokens = part.tokens
        for index, token in enumerate(tokens):
            if token.kind != "word":
                continue
            if token.text in _WHOLE_BLOCKS:
                self._found.whole = True
            arguments = arguments_of(tokens, index)
            if arguments is None or token.text in self._names.known or token.text == "sizeof":
                continue
            # Inside of something else it need not be true.
            under = part if index == 0 else replace(part, conditions=(*part.conditions, UNKNOWN))
            if token.text in VALID:
                here = ("", "Here", "Post") if self._after else ("", "Here", "Pre")
                for one in arguments:
                    self._extent(one, under, is_here=_label(tokens, index) in here)
            elif not token.text.startswith("\\") and token.text not in _STRINGS | _OF_STRINGS:
                self._predicate(token.text, arguments, under, depth)

    def _extent(self, tokens: Sequence[Token], part: Part, *, is_here: bool) -> None:
        binders = part.binders
        is_range = any(one.text == ".." for one in tokens)
        try:
            if not is_here:
                raise TermProblem
            base, first, last = (self._resolved(one, part) for one in extent(tokens))
            if UNKNOWN in (base, first, last):
                raise TermProblem
        except TermProblem:
            base, first, last = self._base(tokens, part), UNKNOWN, UNKNOWN
        else:
            steps = _steps(base, binders)
            if not is_range and steps is not None and not _mentions(part, binders[-1].name):
                base, first, last = (
                    steps,
                    self._resolved(binders[-1].first, part),
                    self._resolved(binders[-1].last, part),
                )
                binders, is_range = binders[:-1], True
        exact = is_range or (isinstance(base, list) and base[0] == "v" and base[1] in self._names.single)
        self._add(Extent(base, first, last, exact), tokens, replace(part, binders=binders))

    def _base(self, tokens: Sequence[Token], part: Part) -> Term | None:
        """The pointer of ``base + (something)``, where that is all that is not understood."""
        tokens = joined(tokens)
        pluses = [i for i, inner in enumerate(_depth_at(tokens)) if not inner and tokens[i].text == "+"]
        try:
            found = self._resolved(term(tokens[: pluses[0]]), part) if len(pluses) == 1 else UNKNOWN
        except TermProblem:
            return None
        return None if found == UNKNOWN else found

    def _add(self, extent: Extent, tokens: Sequence[Token], part: Part) -> None:
        words = {t.text for t in tokens if t.kind == "word"}
        binders = tuple(
            Binder(b.name, self._resolved(b.first, part), self._resolved(b.last, part)) for b in part.binders
        )
        made = replace(
            extent,
            after=self._after,
            conditions=tuple(self._resolved(one, part) for one in part.conditions),
            binders=binders,
            names=tuple(name for name in sorted(self._names.known) if name in words),
        )
        if len(self._found.all) >= _MOST:
            made = Extent(None, after=self._after, names=tuple(sorted(self._names.known)))
            self._found.all[-1] = made
        elif made not in self._found.all:
            self._found.all.append(made)

    def _resolved(self, found: Term, part: Part) -> Term:
        """A term with the numbers of names in it; ``["?"]`` in place of what is not known."""
        if not isinstance(found, list):
            return found
        if found[0] == "v":
            bound = any(one.name == found[1] for one in part.binders)
            if found[1] in part.unbound:
                return UNKNOWN
            if bound or found[1] in self._names.known or (self._after and found[1] == "\\result"):
                return found
            return self._names.constants.get(found[1], UNKNOWN)
        if found[0] == "old":
            inner = self._resolved(found[1], part)
            changes = reads_memory(inner) or roots(inner) - self._names.formals - {b.name for b in part.binders}
            return UNKNOWN if self._after and changes else inner
        if found[0] == "sizeof" and found[1] in self._names.known:
            return ["size", ["v", found[1]]]
        parts_of = [self._resolved(p, part) if isinstance(p, list) else p for p in found[1:]]
        logical = found[0] in ("&&", "||", "!", "?:", "maybe")
        return UNKNOWN if UNKNOWN in parts_of and not logical else [found[0], *parts_of]

    def _predicate(self, name: str, arguments: Sequence[Sequence[Token]], part: Part, depth: int) -> None:
        """A predicate or logic function of the project: what it says of memory, where it says anything."""
        definitions = self._names.definitions
        if name in definitions and not _speaks_of_memory(name, definitions):
            return
        body = _body(definitions.get(name), name, arguments)
        if body is not None and depth < _INNERMOST:
            self.formula(body, replace(part, tokens=()), depth + 1)
            return
        for one in arguments:
            self._add(Extent(None, soft=name not in definitions), one, part)


def _steps(base: Term, binders: Sequence[Binder]) -> Term | None:
    """The pointer ``a`` of ``a + i`` or ``&a[i]``, where ``i`` is the last that is bound."""
    if isinstance(base, list) and base[0] == "&" and base[1][0] == "*" and len(base[1]) == 2:
        base = base[1][1]
    if not binders or not isinstance(base, list) or base[0] != "+" or base[2] != ["v", binders[-1].name]:
        return None
    return base[1] if binders[-1].name not in roots(base[1]) else None


def _mentions(part: Part, name: str) -> bool:
    return any(name in roots(one) for one in part.conditions)


def _label(tokens: Sequence[Token], index: int) -> str:
    """The label of ``\\valid{L}``."""
    return tokens[index + 2].text if [t.text for t in tokens[index + 1 : index + 2]] == ["{"] else ""


def _depth_at(tokens: Sequence[Token]) -> Iterator[int]:
    depth = 0
    for token in tokens:
        depth += token.kind == "punct" and token.text in ("(", "[", "{")
        yield depth
        depth -= token.kind == "punct" and token.text in (")", "]", "}")


def _speaks_of_memory(name: str, definitions: Mapping[str, LogicDefinition]) -> bool:
    waiting, seen = [name], {name}
    while waiting:
        definition = definitions.get(waiting.pop())
        if definition is None:
            continue
        words = {t.text for t in tokenize(definition.text) if t.kind == "word"}
        if words & _SPEAKS_OF_MEMORY:
            return True
        more = {w for w in words & definitions.keys() if w not in seen}
        seen |= more
        waiting += more
    return False


def _body(definition: LogicDefinition | None, name: str, arguments: Sequence[Sequence[Token]]) -> list[Token] | None:
    """The body of ``predicate name{L}(T a, …) = body;`` with the arguments in place of its parameters."""
    if definition is None or definition.kind not in ("predicate", "logic"):
        return None
    tokens = tokenize(definition.text)
    start = next((i for i, t in enumerate(tokens) if t.text == name), None)
    if start is None or any(t.text == name for t in tokens[start + 1 :]):
        return None
    opening = start + 1
    if opening < len(tokens) and tokens[opening].text == "{":
        opening = (closing(tokens, opening) or opening) + 1
    formals = arguments_of(tokens, opening - 1)
    end = closing(tokens, opening) if formals is not None else None
    if formals is None or end is None or end + 1 >= len(tokens) or tokens[end + 1].text != "=":
        return None
    names = [next((t.text for t in reversed(one) if t.kind == "word"), "") for one in formals]
    if len(names) != len(arguments):
        return None
    if any(t.text in BINDERS for t in tokens[end:]):
        own = {t.text for t in tokens[end:]} - set(names)
        if any(t.kind == "word" and t.text in own for one in arguments for t in one):
            return None  # a name of an argument may be bound in the body
    given = dict(zip(names, arguments, strict=True))
    return list(_substituted(tokens[end + 2 :], given))


def _substituted(tokens: Sequence[Token], given: Mapping[str, Sequence[Token]]) -> Iterator[Token]:
    for index, token in enumerate(tokens):
        is_field = index > 0 and tokens[index - 1].text in (".", "->")
        if token.kind == "word" and token.text in given and not is_field:
            yield Token("punct", "(", token.start, token.start)
            yield from given[token.text]
            yield Token("punct", ")", token.end, token.end)
        else:
            yield token


def arguments_of(tokens: Sequence[Token], index: int) -> list[Sequence[Token]] | None:
    """The arguments of the call whose name (and ``{L}``) ends at ``index``; None where it is no call."""
    opening = index + 1
    if opening < len(tokens) and tokens[opening].text == "{":
        opening = (closing(tokens, opening) or opening) + 1
    if opening >= len(tokens) or tokens[opening].text != "(":
        return None
    end = closing(tokens, opening)
    return None if end is None else list(split_commas(tokens[opening + 1 : end]))
