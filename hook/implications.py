"""What stands before the arrows of an implication: where that is false, the clause says nothing (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from clausefit.hook.contracts.acsl_tokens import BINDERS, Token, tokenize

_DEEPEST = 16


def premises(formula: str) -> Iterator[str]:
    """What stands before the arrows of an implication (ACSL 1.17 §2.2: it binds to the right, and looser than ``||``).

    None for a formula that is something else as a whole: an equivalence, a condition with ``?``, a quantified one.
    """
    tokens = tokenize(formula)
    depth, start, arrows = 0, 0, []
    for index, token in enumerate(tokens):
        depth += token.text in ("(", "[", "{")
        depth -= token.text in (")", "]", "}")
        if depth == 0 and token.text == "?":
            return
        if depth == 0 and _is_arrow(tokens, index):
            if index and tokens[index - 1].text == "<":
                return
            arrows.append(token.start)
        if depth == 0 and token.text in BINDERS:
            break  # the rest is its body
    for arrow in arrows:
        yield formula[start:arrow].strip()
        start = arrow + len("==>")


def implications(formula: str) -> tuple[tuple[str, ...], ...]:
    """The premises of each part of a conjunction of implications; empty where a part is no implication.

    Such a clause says nothing where one premise of every part is false.
    """
    found = tuple(tuple(premises(part)) for part in _conjuncts(formula, 0))
    return found if all(found) else ()


def _conjuncts(formula: str, depth: int) -> Iterator[str]:
    text = formula.strip()
    tokens = tokenize(text)
    if depth > _DEEPEST:
        yield text
    elif _is_in_parentheses(tokens):
        yield from _conjuncts(text[1:-1], depth + 1)
    else:
        parts = _parts(text, tokens)
        if len(parts) == 1:
            yield text
        else:
            for part in parts:
                yield from _conjuncts(part, depth + 1)


def _is_in_parentheses(tokens: Sequence[Token]) -> bool:
    depth = 0
    for index, token in enumerate(tokens):
        depth += (token.text == "(") - (token.text == ")")
        if depth == 0:
            return index > 0 and index == len(tokens) - 1
    return False


def _parts(text: str, tokens: Sequence[Token]) -> list[str]:
    """The text between the ``&&`` in no brackets; the whole where something binds looser or a binder takes the rest."""
    depth, cuts = 0, [0]
    for index, token in enumerate(tokens):
        depth += token.text in ("(", "[", "{")
        depth -= token.text in (")", "]", "}")
        if depth or token.start < cuts[-1]:
            continue
        following = text[token.end : token.end + 1]
        if token.text == "?" or token.text in BINDERS or _is_arrow(tokens, index):
            return [text]
        if token.text + following in ("||", "^^"):
            return [text]
        if token.text + following == "&&":
            cuts.append(token.end + 1)
    ends = [*(start - 2 for start in cuts[1:]), len(text)]
    return [text[start:end] for start, end in zip(cuts, ends, strict=True)]


def _is_arrow(tokens: Sequence[Token], index: int) -> bool:
    three = tokens[index : index + 3]
    together = all(one.end == two.start for one, two in pairwise(three))
    return together and [token.text for token in three] == ["=", "=", ">"]
