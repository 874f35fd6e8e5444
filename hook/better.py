"""Better clauses: one small edit of a blamed C clause that fits all that is known of the calls, or none.

It is a suggestion, found by evaluation alone, and so offered only where nothing speaks against it: with the edit the
clause accepts every right outcome of every known call, not only of those that were asked about, and the contract
rejects every wrong one; it is the only edit that does; and of none of the others evaluation is unsure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from clausefit.hook.clause_edits import LOOSER, TIGHTER, Edit, edits, written
from clausefit.hook.clause_fit import Calls, Fit
from clausefit.hook.clause_in_place import lines_with
from clausefit.hook.contracts.model import Clause, Contract
from clausefit.hook.pins.values import Pin, leaves, values_of
from clausefit.hook.report import Better, Finding

TABLES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "CF101": TIGHTER,
    "CF104": {old: tuple(new for new in every if new != "==") for old, every in TIGHTER.items()},
    "CF201": LOOSER,
    "CF202": LOOSER,
}
"""The edits of operators by rule. That all tests call with one equal to the other makes that no precondition."""
FRAME = "CF203"

_LONGEST = 4000
_MOST_EDITS = 24
_MOST_PINS = 100
_MOST_CELLS = 2000


def better(finding: Finding, contract: Contract, calls: Calls, text_of: Callable[[str], str | None]) -> Better | None:
    """The one edit of the finding's clause that fits all calls, in its file; None where there is none for certain.

    ``text_of`` gives the decoded text of a file of the judged state.
    """
    clause = _blamed(finding, contract)
    text = text_of(clause.file) if clause is not None else None
    if clause is None or text is None or clause.span.end - clause.span.start > _LONGEST:
        return None
    if written(text, clause) is None or not _is_bounded(calls.pins):
        return None
    fit = Fit(contract, clause, calls)
    if not fit.is_known:
        return None
    if finding.code == FRAME:
        found = _appended(text, clause, fit.lacking())
    else:
        names = frozenset({"\\result", *(p.name for p in contract.parameters), *fit.variables})
        found = edits(text, clause, TABLES[finding.code], names)
    edit = _only_fitting(found, lambda one: fit.judged(finding.code, written(text, clause, one)))
    edited = written(text, clause, edit) if edit is not None else None
    if edit is None or edited is None:
        return None
    lines = lines_with(text, clause, edit, edited)
    return Better(edited.text, lines, len(calls.pins)) if lines is not None else None


def _blamed(finding: Finding, contract: Contract) -> Clause | None:
    if contract.language != "c" or (finding.code not in TABLES and finding.code != FRAME):
        return None
    place = finding.file, finding.line, finding.column, finding.clause
    found = [
        one
        for one in contract.clauses
        if (one.file, one.span.line, one.span.column, (one.kind, one.text)) == place and not one.implicit
    ]
    return found[0] if len(found) == 1 else None


def _is_bounded(pins: Sequence[Pin]) -> bool:
    """Whether all calls together are few and small enough to be looked at one by one."""
    cells = 0
    for pin in pins:
        for value in values_of(pin):
            for _leaf in leaves(value):
                cells += 1
                if cells > _MOST_CELLS:
                    return False
    return 0 < len(pins) <= _MOST_PINS


def _only_fitting(found: Sequence[Edit], judged: Callable[[Edit], bool | None]) -> Edit | None:
    """The edit that fits, if the others surely do not."""
    if len(found) > _MOST_EDITS:
        return None
    verdicts = [judged(edit) for edit in found]
    if None in verdicts or verdicts.count(True) != 1:
        return None
    return found[verdicts.index(True)]


def _appended(text: str, clause: Clause, locations: Sequence[str]) -> list[Edit]:
    """The ``assigns`` clause with one location more. What a ``\\from`` says belongs to all before it: none then."""
    start, end = clause.span.start, clause.span.end
    if "\\from" in text[start:end]:
        return []
    if clause.locations == ("\\nothing",):
        start = text.index("\\nothing", start, end)
        return [Edit(start, start + len("\\nothing"), location) for location in locations]
    return [Edit(end, end, f", {location}") for location in locations]


def improved(
    findings: Sequence[Finding], contract: Contract, calls: Calls, text_of: Callable[[str], str | None]
) -> tuple[Finding, ...]:
    """The findings about a contract, each with the better clause where one is known; as for ``better``."""
    return tuple(replace(one, better=better(one, contract, calls, text_of)) for one in findings)
