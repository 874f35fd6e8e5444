"""The baseline: findings that a team knows and accepts for now, so that only new ones fail a build.

A finding is told by its fingerprint, which survives moved lines. One that is there twice needs two entries.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from clausefit.hook.config import ConfigProblem
from clausefit.hook.report import BaselineEntry, ContractReport, Finding, Report
from clausefit.hook.reports.json_reader import CODE, FINGERPRINT
from clausefit.hook.reports.json_report import encodable
from clausefit.hook.reports.order import in_order, of_entry
from clausefit.hook.reports.strict_json import Misfit, many, members, parsed, path_inside, text, whole
from clausefit.hook.visible import shortened, visible, visible_name

DEFAULT_NAME = ".clausefit-baseline.json"
SCHEMA = "clausefit-baseline/1"
MAX_BYTES = 8 << 20
_MOST_ENTRIES = 100_000
_MOST_NAMED = 20

_OF_THE_RUN = frozenset({"interrupted", "budget", "git", "verifier_missing", "crash"})
"""Reasons that, said of no function, leave open what else was not looked at."""


class BaselineProblem(ConfigProblem):
    """The baseline cannot be used; the message is one line: the file, what is wrong, what to do."""


def read(content: bytes, name: str) -> tuple[BaselineEntry, ...]:
    """The entries of a baseline file that messages call ``name``; raises BaselineProblem."""
    try:
        document = parsed(content, MAX_BYTES)
        if not isinstance(document, dict) or document.get("schema") != SCHEMA:
            raise Misfit(f'it does not say that it is one ("schema": "{SCHEMA}")')
        found = _DOCUMENT(document, "")["findings"]
        if sum(one["count"] for one in found) > _MOST_ENTRIES:
            raise Misfit(f"more than {_MOST_ENTRIES} findings")
    except Misfit as misfit:
        raise problem(name, f"no baseline of clausefit: {misfit}") from misfit
    entries: list[BaselineEntry] = []
    for one in found:
        entries += [BaselineEntry(**{key: value for key, value in one.items() if key != "count"})] * one["count"]
    return tuple(entries)


def problem(name: str, what: str, *, is_there: bool = True) -> BaselineProblem:
    """What to raise when the file called ``name`` cannot be used.

    One that is there is never written over: it may be another file, or hold what somebody wants back.
    """
    first = "correct or delete it, then " if is_there else ""
    return BaselineProblem(f"{shortened(visible(name), 200)}: {what}; {first}`clausefit baseline` writes a new one")


def write(entries: Iterable[BaselineEntry]) -> str:
    """The text of a baseline file: sorted, so that the same findings give the same text. ``read`` takes it."""
    found = []
    for entry, count in sorted(Counter(entries).items(), key=lambda item: of_entry(item[0])):
        one: dict[str, object] = {
            "fingerprint": entry.fingerprint,
            "code": entry.code,
            "file": entry.file,
            "function": entry.function,
            "clause": entry.clause,
        }
        found.append(one | ({"count": count} if count > 1 else {}))
    document = encodable({"schema": SCHEMA, "findings": found})
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def entry_of(finding: Finding) -> BaselineEntry:
    """The entry that accepts this finding."""
    clause = finding.clause[1] if finding.clause else ""
    return BaselineEntry(finding.fingerprint, finding.code, finding.file, finding.function, clause)


def apply(report: Report, entries: Sequence[BaselineEntry], *, everything: bool) -> Report:
    """``report`` with the findings that ``entries`` hold moved to ``known``, and the entries without a finding that are
    ``stale``.

    ``everything``: every contract of the project was asked for, so one that is not there is gone. An entry is only
    called stale when its contract was judged completely, or is gone; a test that could not be read leaves a contract
    incomplete only when no pin is left (as for the exit status).
    """
    open_entries = Counter(entry.fingerprint for entry in entries)
    known, new = [], []
    for finding in in_order(report).findings:
        if open_entries[finding.fingerprint] > 0:
            open_entries[finding.fingerprint] -= 1
            known.append(finding)
        else:
            new.append(finding)
    unanswered = _unanswered(entries, open_entries)
    judged = _Judged(report, everything)
    return replace(
        report,
        findings=tuple(new),
        known=(*report.known, *known),
        stale=(*report.stale, *(entry for entry in unanswered if judged.completely(entry))),
    )


def renewed(report: Report, entries: Sequence[BaselineEntry]) -> tuple[BaselineEntry, ...]:
    """What the baseline should be: an entry for each finding of ``report``, which looked at everything, and those of
    ``entries`` whose contracts could not be judged completely."""
    applied = apply(report, entries, everything=True)
    open_entries = Counter(entry.fingerprint for entry in entries)
    open_entries.subtract(finding.fingerprint for finding in applied.known)
    open_entries.subtract(entry.fingerprint for entry in applied.stale)
    return (*(entry_of(finding) for finding in report.findings), *_unanswered(entries, open_entries))


def what_changed(report: Report, old: Sequence[BaselineEntry], new: Sequence[BaselineEntry], name: str) -> list[str]:
    """Lines for people about a baseline ``name`` that held ``old`` and holds ``new`` after ``report``."""
    before, after = Counter(one.fingerprint for one in old), Counter(one.fingerprint for one in new)
    added, gone = after - before, _unanswered(old, before - after)
    found = []
    for finding in in_order(report).findings:
        if added[finding.fingerprint] > 0:
            added[finding.fingerprint] -= 1
            found.append(
                f"{finding.code} {visible_name(finding.file)}:{finding.line} {visible(finding.function)}".rstrip()
            )
    dropped = [f"{one.code} {visible_name(one.file)} {visible(one.function)}".rstrip() for one in gone]
    counts = f"{len(found)} new, {len(dropped)} dropped, {len(new) - len(found)} kept"
    lines = [f"{len(new)} finding{'' if len(new) == 1 else 's'} accepted in {visible(name)}: {counts}"]
    lines += _named("new", found) + _named("dropped", dropped)
    left = _not_judged(report)
    if left:
        contracts = "1 contract" if left == 1 else f"{left} contracts"
        lines.append(
            f"{contracts} could not be judged completely: entries are kept, and `clausefit check --all` says why"
        )
    return lines


def _named(what: str, places: Sequence[str]) -> list[str]:
    more = len(places) - _MOST_NAMED
    return [f"  {what}: {place}" for place in places[:_MOST_NAMED]] + ([f"  and {more} more"] if more > 0 else [])


def _not_judged(report: Report) -> int:
    """How many contracts were not judged, or not completely (a test that could not be read is no contract)."""
    open_ones = {one.function for one in report.not_checked if one.function is not None}
    left = sum(not _was_judged(one) or one.function in open_ones for one in report.contracts)
    return left + len(open_ones - {one.function for one in report.contracts})


def _unanswered(entries: Iterable[BaselineEntry], left: Counter[str]) -> list[BaselineEntry]:
    """The entries of which ``left`` says how many of a fingerprint no finding answers to."""
    still, found = Counter(left), []
    for entry in entries:
        if still[entry.fingerprint] > 0:
            still[entry.fingerprint] -= 1
            found.append(entry)
    return found


class _Judged:
    """Which entries' contracts a report judged completely."""

    def __init__(self, report: Report, everything: bool) -> None:
        whole = [entry for entry in report.not_checked if entry.function is None]
        self._open_functions = {entry.function for entry in report.not_checked}
        self._open_files = {entry.file for entry in whole}
        self._cut_short = any(entry.reason in _OF_THE_RUN for entry in whole)
        self._everything = everything
        self._contracts: dict[str, list[ContractReport]] = {}
        for contract in report.contracts:
            self._contracts.setdefault(contract.function, []).append(contract)

    def completely(self, entry: BaselineEntry) -> bool:
        """Whether a finding of the entry would have been found if there were one."""
        if self._cut_short or entry.function in self._open_functions or entry.file in self._open_files:
            return False
        called_so = self._contracts.get(entry.function, [])
        there = [contract for contract in called_so if entry.file in _files(contract)]
        # A clause may have been moved out of a header, and the finding with it.
        asked = there or (called_so if self._everything else [])
        if not asked:
            return self._everything
        return all(_was_judged(contract) and not _files(contract) & self._open_files for contract in asked)


def _was_judged(contract: ContractReport) -> bool:
    """Whether pins were asked about: nothing else shows that a finding is gone."""
    return bool(contract.used_pins and contract.decided_by)


def _files(contract: ContractReport) -> set[str]:
    return {contract.file} | {clause.file for clause in contract.clauses if clause.file}


_DOCUMENT = members(
    {
        "schema": text,
        "findings": many(
            members(
                {
                    "fingerprint": FINGERPRINT,
                    "code": CODE,
                    "file": path_inside,
                    "function": text,
                    "clause": text,
                    "count": whole(1, _MOST_ENTRIES),
                },
                {"count": 1},
            )
        ),
    }
)
