"""Where a formula takes what a pointer leads to, and nothing beside it: ``*p``, ``p[0]``, ``p->x`` (pure)."""

from __future__ import annotations

from collections.abc import Sequence

from clausefit.hook.contracts.acsl_tokens import Token, is_operand_end, tokenize


def is_field(tokens: Sequence[Token], index: int) -> bool:
    """Whether a name is that of a field: one stands before it whose part it is."""
    return index > 0 and tokens[index - 1].text in (".", "->")


def is_one_cell(tokens: Sequence[Token], index: int) -> bool:
    """``*p`` or ``p[0]``, but not the address of it."""
    after = [token.text for token in tokens[index + 1 : index + 4]]
    if index and tokens[index - 1].text == "*" and not (index > 1 and is_operand_end(tokens[index - 2])):
        return after[:1] not in (["["], ["->"], ["."], ["("]) and not _is_addressed(tokens, index - 1)
    return after == ["[", "0", "]"] and not _is_addressed(tokens, index)


def takes_one_cell_only(formula: str, name: str) -> bool:
    """Whether each use of a pointer in the formula is of the object that it leads to, or of a field of that."""
    tokens = tokenize(formula)
    used = [i for i, t in enumerate(tokens) if t.kind == "word" and t.text == name and not is_field(tokens, i)]
    return all(
        is_one_cell(tokens, i)
        or (tokens[i + 1 : i + 2] and tokens[i + 1].text == "->" and not _is_addressed(tokens, i))
        for i in used
    )


def _is_addressed(tokens: Sequence[Token], index: int) -> bool:
    """Whether a ``&`` that is no ``&&`` stands before."""
    start = index
    while start and tokens[start - 1].text == "&" and (start == index or tokens[start - 1].end == tokens[start].start):
        start -= 1
    return index - start not in (0, 2)
