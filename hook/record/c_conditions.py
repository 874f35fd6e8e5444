"""Under which condition each part of a formula of a contract holds, as terms that the part inside gdb can evaluate.

``n > 0 ==> \\valid(a + (0 .. n - 1))`` says that memory is there only where its premise is true; ``p == \\null ||
\\valid(p)`` where the other side is false. What is not understood is ``["?"]``, which is neither true nor false.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from clausefit.hook.contracts.acsl_tokens import BINDERS, Token, closing
from clausefit.hook.record.c_terms import UNKNOWN, Term, TermProblem, joined, roots, term

_DEEPEST = 24
_OPENING = {"(": ")", "[": "]", "{": "}"}
_LOGICAL = ("<==>", "==>", "||", "^^", "&&")


@dataclass(frozen=True)
class Binder:
    """A name that stands for each integer from ``first`` to ``last``."""

    name: str
    first: Term
    last: Term


@dataclass(frozen=True)
class Part:
    """A part of a formula that no logical operator divides, and what must be true for it to be said.

    ``unbound`` are names of quantifiers that stand for nothing that is understood.
    """

    tokens: tuple[Token, ...]
    conditions: tuple[Term, ...] = ()
    binders: tuple[Binder, ...] = ()
    unbound: frozenset[str] = frozenset()


def parts(tokens: Sequence[Token], start: Part | None = None) -> list[Part]:
    """The parts of a formula; ``start`` has the conditions and binders under which the whole of it is said."""
    start = start or Part(())
    return list(_parts(joined(tokens), start, 0))


def _parts(tokens: Sequence[Token], under: Part, depth: int) -> Iterator[Part]:
    tokens = _bare(tokens)
    if depth > _DEEPEST:
        yield _said(tokens, _if(under, UNKNOWN))
        return
    if tokens and tokens[0].text in BINDERS:
        yield from _quantified(tokens, under, depth)
        return
    operator, sides = _divided(tokens)
    if operator == "?:":
        yield from _parts(sides[0], _if(under, UNKNOWN), depth + 1)
        condition = truth(sides[0])
        yield from _parts(sides[1], _if(under, condition), depth + 1)
        yield from _parts(sides[2], _if(under, ["!", condition]), depth + 1)
    elif operator == "==>":
        yield from _parts(sides[0], _if(under, UNKNOWN), depth + 1)
        yield from _parts(sides[1], _if(under, truth(sides[0])), depth + 1)
    elif operator in ("||", "&&"):
        others = [truth(side) for side in sides] if operator == "||" or under.conditions else []
        for index, side in enumerate(sides):
            but = [one for other, one in enumerate(others) if other != index]
            # Where one of two sides is false the other must hold; where a conjunct is false, nothing is asked of it.
            conditions = [["!", one] if operator == "||" else ["maybe", one] for one in but]
            yield from _parts(side, _if(under, *conditions), depth + 1)
    elif operator or (tokens and tokens[0].text == "!"):
        for side in sides or [tokens[1:]]:
            yield from _parts(side, _if(under, UNKNOWN), depth + 1)
    else:
        yield _said(tokens, under)


def _said(tokens: Sequence[Token], under: Part) -> Part:
    return replace(under, tokens=tuple(tokens))


def _if(under: Part, *conditions: Term) -> Part:
    return replace(under, conditions=(*under.conditions, *conditions))


def _quantified(tokens: Sequence[Token], under: Part, depth: int) -> Iterator[Part]:
    end = next((i for i, inner in enumerate(_depths(tokens)) if not inner and tokens[i].text == ";"), None)
    if end is None:
        yield _said(tokens, _if(under, UNKNOWN))
        return
    head, body = tokens[1:end], tokens[end + 1 :]
    names = [t.text for t, n in zip(head, [*head[1:], tokens[end]], strict=True) if n.text in (",", ";", "=")]
    hidden = replace(under, unbound=under.unbound | frozenset(names))
    operator, sides = _divided(_bare(body))
    if tokens[0].text != "\\forall" or operator != "==>" or any(t.text == "*" for t in head):
        yield from _parts(body, _if(hidden, UNKNOWN), depth + 1)
        return
    bounds, rest = _bounds(sides[0], names)
    if len(bounds) < len(names):
        yield from _parts(sides[1], _if(hidden, UNKNOWN), depth + 1)
        return
    inner = replace(under, binders=(*under.binders, *bounds), unbound=under.unbound - frozenset(names))
    yield from _parts(sides[1], _if(inner, *rest), depth + 1)


def _bounds(premise: Sequence[Token], names: Sequence[str]) -> tuple[list[Binder], list[Term]]:
    """The bounds of each name that has both, and what else the premise says."""
    first: dict[str, Term] = {}
    last: dict[str, Term] = {}
    rest: list[Term] = []
    for one in _conjuncts(truth(premise)):
        compared: list[Any] = one if isinstance(one, list) and len(one) == 3 else ["", 0, 0]
        operator, left, right = compared
        if operator in (">", ">="):
            operator, left, right = "<" if operator == ">" else "<=", right, left
        if operator in ("<", "<=") and _is_free(right, names, first):
            first[right[1]] = left if operator == "<=" else ["+", left, 1]
        elif operator in ("<", "<=") and _is_free(left, names, last):
            last[left[1]] = right if operator == "<=" else ["-", right, 1]
        else:
            rest.append(one)
    # A bound may name what was bound before it (0 <= i < n && 0 <= j < i).
    found: list[Binder] = []
    for index, name in enumerate(names):
        later = set(names[index:])
        if name in first and name in last and not (roots(first[name]) | roots(last[name])) & later:
            found.append(Binder(name, first[name], last[name]))
    return found, rest


def _is_free(found: Term, names: Sequence[str], taken: dict[str, Term]) -> bool:
    return isinstance(found, list) and found[0] == "v" and found[1] in names and found[1] not in taken


def _conjuncts(found: Term) -> Iterator[Term]:
    if isinstance(found, list) and found[0] == "&&":
        yield from _conjuncts(found[1])
        yield from _conjuncts(found[2])
    else:
        yield found


def truth(tokens: Sequence[Token], depth: int = 0) -> Term:
    """A formula as a term, in which what is not understood is ``["?"]``."""
    tokens = _bare(joined(tokens))
    if depth > _DEEPEST or not tokens or tokens[0].text in BINDERS:
        return UNKNOWN
    operator, sides = _divided(tokens)
    if not operator:
        if tokens[0].text == "!":
            return ["!", truth(tokens[1:], depth + 1)]
        try:
            return term(tokens)
        except TermProblem:
            return UNKNOWN
    terms = [truth(side, depth + 1) for side in sides]
    if operator in ("||", "&&"):
        found = terms[0]
        for one in terms[1:]:
            found = [operator, found, one]
        return found
    if operator == "==>":
        return ["||", ["!", terms[0]], terms[1]]
    return ["?:", *terms] if operator == "?:" else UNKNOWN


def _bare(tokens: Sequence[Token]) -> Sequence[Token]:
    """Without parentheses around all of it, and without a label before it."""
    for _ in range(_DEEPEST):
        if len(tokens) > 1 and tokens[0].text == "(" and closing(tokens, 0) == len(tokens) - 1:
            tokens = tokens[1:-1]
        elif len(tokens) > 2 and tokens[0].kind == "word" and tokens[1].text == ":":
            tokens = tokens[2:]
        else:
            break
    return tokens


def _depths(tokens: Sequence[Token]) -> list[int]:
    """How many parentheses are open at each token, those of the token itself included."""
    found, depth = [], 0
    for token in tokens:
        is_punct = token.kind == "punct"
        depth += is_punct and token.text in _OPENING
        found.append(depth)
        depth -= is_punct and token.text in _OPENING.values()
    return found


def _divided(tokens: Sequence[Token]) -> tuple[str, list[Sequence[Token]]]:
    """The operator that binds least, and what stands between it; ``("", [])`` where there is none."""
    depths = _depths(tokens)
    # A quantifier takes all that follows it.
    end = next((i for i, t in enumerate(tokens) if not depths[i] and t.text in BINDERS), len(tokens))
    places = [i for i in range(end) if not depths[i] and tokens[i].kind == "punct"]
    question = next((i for i in places if tokens[i].text == "?"), None)
    if question is not None:
        colon = _colon(tokens, [i for i in places if i > question])
        if colon is None:
            return "?", [tokens[:question], tokens[question + 1 :]]
        return "?:", [tokens[:question], tokens[question + 1 : colon], tokens[colon + 1 :]]
    for operator in _LOGICAL:
        at = [i for i in places if tokens[i].text == operator]
        if operator == "==>":
            at = at[:1]
        if at:
            starts, ends = [0, *(i + 1 for i in at)], [*at, len(tokens)]
            return operator, [tokens[a:b] for a, b in zip(starts, ends, strict=True)]
    return "", []


def _colon(tokens: Sequence[Token], places: Sequence[int]) -> int | None:
    inner = 0
    for index in places:
        if tokens[index].text == "?":
            inner += 1
        elif tokens[index].text == ":":
            if not inner:
                return index
            inner -= 1
    return None
