"""Which contracts have other suppression comments than before (pure): what they accepted may be open now, and what they
accept may be nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from clausefit.hook.changed_contracts import tokens
from clausefit.hook.contracts.model import Clause, Contract

if TYPE_CHECKING:
    from clausefit.hook.suppressions import Suppression

MARK = "clausefit:"
"""What every suppression begins with: a text without it has none."""
_Said: TypeAlias = tuple[object, ...]


@dataclass(frozen=True)
class State:
    """A file at one time: its text (None: it is not there), and the contracts of what is judged with it."""

    text: str | None
    contracts: Sequence[Contract]


def changed_suppressions(file: str, old: State, new: State) -> frozenset[str]:
    """The functions of ``new`` at whose contracts or clauses a suppression was added, removed or edited.

    Where a comment stands in the text does not count, only at what. A new one that stands at no contract is taken for
    the next one's, or else the last one's: it is reported with a contract of its file, so one has to be looked at.
    """
    if MARK not in (old.text or "") and MARK not in (new.text or ""):
        return frozenset()
    before, after = _by_function(file, old), _by_function(file, new)
    count_before, count_after = _counted(before), _counted(after)
    functions = {function for function, _ in (count_before - count_after) + (count_after - count_before) if function}
    added = count_after - count_before
    for function, at, one in after:
        if not function and added["", _said(at, one)]:
            functions.add(_near(file, one.line, new.contracts))
    return frozenset(functions & {contract.function for contract in new.contracts})


_Row: TypeAlias = "tuple[str, Clause | None, Suppression]"


def _by_function(file: str, state: State) -> list[_Row]:
    """(function, or "" at no contract; the one clause, if it is about one; the request) in order."""
    # Few files have a suppression, and what finds them takes longer to load than a small change to be looked through.
    from clausefit.hook.suppressions import find, targets

    found = find(state.text or "", file)
    rows: list[_Row] = []
    for one, target in zip(found, targets(found, state.contracts), strict=True):
        rows.append(("", None, one) if target is None else (target[0].function, target[1], one))
    return rows


def _counted(rows: Iterable[_Row]) -> Counter[tuple[str, _Said]]:
    return Counter((function, _said(clause, one)) for function, clause, one in rows)


def _said(clause: Clause | None, one: Suppression) -> _Said:
    at = None if clause is None else (clause.kind, clause.behavior, tokens(clause.formula))
    return at, one.codes, " ".join(one.reason.split())


def _near(file: str, line: int, contracts: Iterable[Contract]) -> str:
    here = sorted((one.line, one.function) for one in contracts if one.file == file)
    behind = [function for at, function in here if at >= line]
    return behind[0] if behind else here[-1][1] if here else ""
