"""What a run did not come to: contracts that were to be judged and were not, or not to the end (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from clausefit.hook.budget import NOT_ASKED, REASON
from clausefit.hook.contracts.model import Clause, Contract, NotChecked
from clausefit.hook.plainly_broken import plainly_broken
from clausefit.hook.prepared import Entry, Prepared
from clausefit.hook.scores import unaskable
from clausefit.hook.units import Work

if TYPE_CHECKING:
    from clausefit.hook.findings import Conclusion
    from clausefit.hook.java.work import JavaWork
    from clausefit.hook.judge_in_time import Course

_SAID = frozenset({"dropped", "parse_error"})
"""Reasons by which a verifier has said that a clause is broken."""


def selected(work: Work, java: JavaWork | None) -> list[Contract]:
    """The contracts that are to be judged."""
    methods = java.methods if java is not None else ()
    return [one.contract for unit in work.units for one in unit.changed] + [one.changed.contract for one in methods]


def not_reached(
    contracts: Iterable[Contract], prepared: Prepared, courses: Sequence[Course], *, is_asked: bool
) -> list[NotChecked]:
    """An entry for each of ``contracts`` that was not judged to the end, with ``courses`` for those that were begun.

    ``is_asked``: verifiers were asked, and the time was up. Else what can be said without them is said as well: that
    a clause cannot be asked about, that a contract has no pins.
    """
    by_plan = {id(course.plan): course for course in courses}
    entries = {(entry.contract.file, entry.contract.function): entry for entry in prepared.entries}
    said = {(one.file, one.function) for one in prepared.not_checked}
    found: list[NotChecked] = []
    for contract in contracts:
        entry = entries.get((contract.file, contract.function))
        course = by_plan.get(id(entry.plan)) if entry is not None else None
        if course is not None and course.is_done and (is_asked or course.plan.asked):
            continue
        if entry is None and (contract.file, contract.function) in said:
            continue
        if entry is not None and not is_asked:
            found += _plain_to_see(entry)
        reason, detail = (REASON, _how_far(course)) if is_asked else (NOT_ASKED, "")
        file, line = place_of(contract)
        found.append(NotChecked(file, contract.function, reason, detail, line))
    return found


def broken_clauses(
    contracts: Iterable[Contract], conclusions: Iterable[tuple[Contract, Conclusion]]
) -> list[NotChecked]:
    """An entry for each clause of ``contracts`` that no verifier could read, whatever the tests show.

    ``conclusions`` are those of contracts that were judged to the end: where a verifier has judged such a clause after
    all it is right, and where it has called it broken that is enough.
    """
    reached = {(contract.file, contract.function): conclusion for contract, conclusion in conclusions}
    found: list[NotChecked] = []
    for contract in contracts:
        conclusion = reached.get((contract.file, contract.function))
        for clause in contract.clauses:
            why = None if clause.implicit else plainly_broken(clause.formula, contract.language)
            if why is not None and (conclusion is None or _is_open(clause, conclusion)):
                file, detail = clause.file or contract.file, f"`{clause.text}`: {why}"
                found.append(NotChecked(file, contract.function, "parse_error", detail, clause.span.line))
    return list(dict.fromkeys(found))  # a header's contract belongs to every unit that includes it


def _is_open(clause: Clause, conclusion: Conclusion) -> bool:
    """Whether nothing has judged the clause, nor said that it is broken."""
    decided = sum(
        one.accepts_right + one.rejects_right + one.accepts_wrong + one.rejects_wrong
        for one in conclusion.report.clauses
        if (one.kind, one.text, one.span) == (clause.kind, clause.text, clause.span)
    )
    named = f"`{clause.text}`"
    said = any(one.reason in _SAID and one.detail.startswith(named) for one in conclusion.not_checked)
    return not decided and not said


def cut_short(contracts: Sequence[Contract], files: Sequence[str]) -> list[NotChecked]:
    """What to say when nothing came back in time: each of ``contracts``, or ``files`` where these were not read."""
    if contracts:
        detail = "there was no time to judge it to the end"
        places = [(*place_of(one), one.function) for one in contracts]
        return [NotChecked(file, function, REASON, detail, line) for file, line, function in places]
    detail = "there was no time to read what is to be judged"
    return [NotChecked(file, None, REASON, detail) for file in files or (".",)]


def place_of(contract: Contract) -> tuple[str, int]:
    """File and line where people look for the contract, as findings say it: in C perhaps in a header."""
    files = {clause.file or contract.file for clause in contract.clauses}
    if contract.language == "java" or contract.file in files or not files:
        return contract.file, contract.line
    first = contract.clauses[0]
    return first.file or contract.file, first.span.line


def _how_far(course: Course | None) -> str:
    if course is None:
        return "there was no time to read its tests"
    asked = len(course.plan.asked)
    more = ", and more follow from the answers" if course.answered == asked else ""
    return f"{course.answered} of {asked} questions are answered{more}"


def _plain_to_see(entry: Entry) -> Iterable[NotChecked]:
    if entry.plan is None:
        return
    yield from unaskable(entry.plan)
    if not entry.plan.stubs:
        yield without_pins(entry)


def without_pins(entry: Entry) -> NotChecked:
    """Why a contract has no pin, with the first reason that a test gave."""
    contract = entry.contract
    reasons = [*entry.ignored, *((i.source, i.reason) for i in (entry.plan.ignored if entry.plan else []))]
    detail = "no test calls it with inputs and an outcome that can be read from the test's text"
    if reasons:
        more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
        detail = f"none of its calls can be used; {reasons[0][0]}: {reasons[0][1]}{more}"
    file, line = place_of(contract)
    return NotChecked(file, contract.function, "no_pins", detail, line)
