"""An edit of a clause put into its file: the lines with it, where nothing but the clause changes."""

from __future__ import annotations

from dataclasses import replace

from clausefit.hook.clause_edits import Edit
from clausefit.hook.contracts.c import read_c
from clausefit.hook.contracts.model import Clause, Contract, SourceContracts, Span

_NOWHERE = Span(0, 0, 0, 0, 0, 0)
_LONGEST = 4000


def lines_with(text: str, clause: Clause, edit: Edit, edited: Clause) -> str | None:
    """The lines that hold the clause in the file's ``text``, with the edit and without the last line end.

    None unless the file then holds ``edited`` in place of the clause and else what it held before, and where the lines
    cannot be told byte for byte from the decoded text: with letters beyond ASCII, control characters, carriage returns.
    """
    lines = text.split("\n")
    first, last = clause.span.line, clause.span.end_line
    whole = "\n".join(lines[first - 1 : last])
    is_plain = whole.isascii() and whole.replace("\n", "").replace("\t", "").isprintable()
    if "\n" in edit.text or not is_plain or len(whole) > _LONGEST:
        return None
    changed = edit.applied(text)
    if _with(read_c(text, clause.file), clause, edited) != _placeless(read_c(changed, clause.file)):
        return None
    return "\n".join(changed.split("\n")[first - 1 : last])


def _with(source: SourceContracts, clause: Clause, edited: Clause) -> SourceContracts | None:
    """What the file holds, with ``edited`` for the clause and without places; None where it is not in the file once."""
    held = [
        one for contract in source.contracts for one in contract.clauses if one.span == clause.span and one == clause
    ]
    if len(held) != 1:
        return None
    contracts = tuple(
        replace(contract, clauses=tuple(edited if one == clause else one for one in contract.clauses))
        for contract in source.contracts
    )
    return _placeless(replace(source, contracts=contracts))


def _placeless(source: SourceContracts) -> SourceContracts:
    return replace(
        source,
        contracts=tuple(_contract(one) for one in source.contracts),
        bare=tuple(_contract(one) for one in source.bare),
        definitions=tuple(replace(one, span=_NOWHERE) for one in source.definitions),
    )


def _contract(contract: Contract) -> Contract:
    clauses = tuple(replace(clause, span=_NOWHERE) for clause in contract.clauses)
    return replace(contract, span=None, clauses=clauses)
