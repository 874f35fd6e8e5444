"""What stands before the arrows of an implication: where that is false, the clause says nothing (pure).

ACSL 1.17 §2.2: ``==>`` binds to the right, looser than ``||`` and tighter than ``<==>``. JML's ``<==`` (JML Reference
Manual §12.6.3) is the same the other way round and binds to the left; it is not mixed with ``==>`` on one level.
JML's ``<=!=>`` is an equivalence as ``<==>`` is, and such a thing always says something.
"""

from __future__ import annotations

from collections.abc import Iterator

from clausefit.hook.contracts.acsl_tokens import BINDERS, tokenize

_DEEPEST = 16
# The longer ones first: each of them begins with a shorter one, or holds it.
_OPERATORS = ("<=!=>", "<==>", "==>", "<==", "&&", "||", "^^")
_SPEAKS: list[tuple[str, ...]] = [()]


def premises(formula: str) -> tuple[str, ...]:
    """The premises of a single implication; empty for a formula that is something else as a whole."""
    found = implications(formula)
    return found[0] if len(found) == 1 else ()


def implications(formula: str) -> tuple[tuple[str, ...], ...]:
    """The premises of each implication that the formula comes to; empty where a part of it is none.

    Such a clause says nothing where one premise of each is false: ``a ==> ((b ==> c) && (d ==> e))`` comes to those
    with the premises ``a, b`` and ``a, d``.
    """
    found = _premises(formula, 0)
    return tuple(dict.fromkeys(found)) if () not in found else ()


def _premises(formula: str, depth: int) -> list[tuple[str, ...]]:
    """The premises of each part; one empty tuple alone for what always says something."""
    text = formula.strip()
    if depth > _DEEPEST:
        return _SPEAKS
    if _is_in_parentheses(text):
        return _premises(text[1:-1], depth + 1)
    operators = list(_operators(text))
    kinds = {kind for kind, _ in operators}
    if kinds & {"?", "<==>", "<=!=>"} or {"==>", "<=="} <= kinds:
        return _SPEAKS
    for arrow in ("==>", "<=="):
        if arrow in kinds:
            before = _cut(text, [at for kind, at in operators if kind == arrow], len(arrow))
            before = before if arrow == "==>" else before[::-1]
            return [(*before[:-1], *more) for more in _premises(before[-1], depth + 1)]
    if "&&" not in kinds or kinds & {"||", "^^"}:
        return _SPEAKS
    parts = _cut(text, [at for kind, at in operators if kind == "&&"], len("&&"))
    found = [one for part in parts for one in _premises(part, depth + 1)]
    return found if () not in found else _SPEAKS


def _operators(text: str) -> Iterator[tuple[str, int]]:
    """The connectives outside of brackets with their places, up to a binder: the rest is its body."""
    depth, end = 0, 0
    for token in tokenize(text):
        depth += token.text in ("(", "[", "{")
        depth -= token.text in (")", "]", "}")
        if depth or token.start < end:
            continue
        if token.text in BINDERS:
            return
        found = next((one for one in _OPERATORS if text.startswith(one, token.start)), None)
        if token.kind == "punct" and (found is not None or token.text == "?"):
            yield found or "?", token.start
            end = token.start + len(found or "?")


def _cut(text: str, places: list[int], length: int) -> list[str]:
    starts, ends = [0, *(at + length for at in places)], [*places, len(text)]
    return [text[start:end].strip() for start, end in zip(starts, ends, strict=True)]


def _is_in_parentheses(text: str) -> bool:
    depth, tokens = 0, tokenize(text)
    for index, token in enumerate(tokens):
        depth += (token.text == "(") - (token.text == ")")
        if depth == 0:
            return index > 0 and index == len(tokens) - 1
    return False
