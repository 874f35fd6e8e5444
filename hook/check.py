"""One run of ``check``: from contracts to judge to a report. All edges (git, processes, clock) are passed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from clausefit.hook.c_preparation import prepare_c
from clausefit.hook.changes import Changes
from clausefit.hook.compilation import Compilation
from clausefit.hook.config import Config
from clausefit.hook.contracts.model import Contract, NotChecked
from clausefit.hook.findings import Conclusion, conclude
from clausefit.hook.judge import AnyUnitPlan, JavaUnitPlan, UnitPlan, Verifiers, judge
from clausefit.hook.judged import Judged
from clausefit.hook.prepared import Entry, Prepared, by_language
from clausefit.hook.progress import ProgressReporter
from clausefit.hook.report import Finding, Report, Stats, VerifierInfo
from clausefit.hook.rules import RULES
from clausefit.hook.suppressions import Suppression, apply, find
from clausefit.hook.units import Work
from clausefit.verifiers.protocol import Info, VerifierProblem

if TYPE_CHECKING:
    from clausefit.hook.java.work import JavaWork
    from clausefit.hook.pins.junit_xml import PassedTests


@dataclass(frozen=True)
class Services:
    """The edges: the workspace, the verifiers, the clock, and who is told how far we are.

    ``on_disk`` gives the folder that holds the judged state for tools that read files: the workspace, or a copy.
    """

    workspace: Path
    on_disk: Callable[[], Path]
    verifiers: Verifiers
    clock: Callable[[], float]
    progress: ProgressReporter
    passed: PassedTests | None = None


def prepare(
    work: Work,
    changes: Changes,
    config: Config,
    lookup: Compilation,
    services: Services,
    java: JavaWork | None = None,
) -> Prepared:
    """Contracts, pins and questions of the changes; no verifier is started. ``java`` is None without Java files."""
    prepared = Prepared(work.sources.text, work.sources.contracts)
    prepare_c(prepared, work, changes, config, lookup, (services.workspace, services.on_disk), services.passed)
    if java is not None:
        from clausefit.hook.java.preparation import prepare_java

        prepared.text = by_language(work.sources.text, java.project.text)
        prepared.contracts = by_language(work.sources.contracts, java.project.source)
        prepare_java(prepared, java, changes.snapshot, config, services.passed)
    return prepared


def check(
    work: Work,
    changes: Changes,
    config: Config,
    lookup: Compilation,
    services: Services,
    java: JavaWork | None = None,
) -> Report:
    """Judge the changed contracts and report. VerifierProblem when there is something to ask and nobody to answer."""
    start = services.clock()
    progress = services.progress
    progress.message("reading contracts and tests")
    progress.start(None)
    prepared = prepare(work, changes, config, lookup, services, java)
    verifiers: tuple[VerifierInfo, ...] = ()
    asking = [unit for unit in prepared.units if any(plan.asked for plan in unit.plans)]
    if asking:
        total = 0

        def added(count: int) -> None:
            nonlocal total
            total += count
            progress.start(total)

        progress.message("asking the verifiers")
        kinds = {type(unit) for unit in asking}
        asked_of = replace(services.verifiers, is_mixed=len(kinds) > 1)
        judge(asking, asked_of, config.jobs, added, progress.advance)
        verifiers = _infos(asking, asked_of)
    conclusions = _conclude(prepared)
    findings, extra = _suppressed(conclusions, prepared, config)
    asked = sum(plan.count for unit in prepared.units for plan in unit.plans)
    cached = sum(judgement.cached for unit in prepared.units for judgement in unit.judgements.values())
    return Report(
        contracts=tuple(conclusion.report for _entry, conclusion in conclusions),
        findings=tuple(sorted((*findings, *extra), key=lambda f: (f.file, f.line, f.column, f.code))),
        not_checked=_not_checked(prepared, conclusions),
        verifiers=verifiers,
        stats=Stats(asked, asked - cached, cached, sum(c.undecided for _e, c in conclusions), services.clock() - start),
    )


def _infos(units: Sequence[AnyUnitPlan], verifiers: Verifiers) -> tuple[VerifierInfo, ...]:
    found: list[Info] = []
    for kind in (UnitPlan, JavaUnitPlan):
        if any(isinstance(unit, kind) for unit in units):
            try:
                found += (verifiers.c.info(),) if kind is UnitPlan else verifiers.java.infos() if verifiers.java else ()
            except VerifierProblem:
                if not verifiers.is_mixed:
                    raise
    return tuple(VerifierInfo(info.name, info.version, info.provers) for info in found)


def _conclude(prepared: Prepared) -> list[tuple[Entry, Conclusion]]:
    judgements = {key: value for unit in prepared.units for key, value in unit.judgements.items()}
    found = []
    for entry in prepared.entries:
        if entry.plan is not None:
            counts = (entry.static, entry.recorded)
            conclusion = conclude(Judged(entry.plan, judgements), entry.ignored, counts)
            found.append((entry, replace(conclusion, findings=entry.improve(conclusion.findings))))
    return found


def _not_checked(prepared: Prepared, conclusions: Sequence[tuple[Entry, Conclusion]]) -> tuple[NotChecked, ...]:
    entries = list(prepared.not_checked)
    for entry, conclusion in conclusions:
        entries.extend(conclusion.not_checked)
        if entry.plan is not None and not entry.plan.stubs and not conclusion.not_checked:
            entries.append(_without_pins(entry))
    return tuple(dict.fromkeys(entries))


def _without_pins(entry: Entry) -> NotChecked:
    """Why a contract has no pin, with the first reason that a test gave."""
    contract = entry.contract
    reasons = [*entry.ignored, *((i.source, i.reason) for i in (entry.plan.ignored if entry.plan else []))]
    detail = "no test calls it with inputs and an outcome that can be read from the test's text"
    if reasons:
        more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
        detail = f"none of its calls can be used; {reasons[0][0]}: {reasons[0][1]}{more}"
    return NotChecked(contract.file, contract.function, "no_pins", detail, contract.line)


def _suppressed(
    conclusions: Sequence[tuple[Entry, Conclusion]], prepared: Prepared, config: Config
) -> tuple[list[Finding], list[Finding]]:
    """The findings that are left after suppression comments and ``ignore``, and those about the comments."""
    findings = [finding for _entry, conclusion in conclusions for finding in conclusion.findings]
    contracts = [entry.contract for entry in prepared.entries]
    files = {clause.file or contract.file for contract in contracts for clause in contract.clauses}
    files |= {contract.file for contract in contracts}
    found: list[Suppression] = []
    for file in sorted(files):
        found += find(prepared.text(file) or "", file)
    known = [c for file in sorted(files) for c in _contracts_of(prepared, file)]
    # Of a contract that was judged in part it is not known what its suppressions are for.
    judged = {
        (e.contract.file, e.contract.function)
        for e, c in conclusions
        if c.report.used_pins and not c.undecided and not c.not_checked
    }
    applied = apply(findings, found, known, judged=lambda c: (c.file, c.function) in judged)
    kept = [f for f in applied.kept if not _ignored(f.code, config)]
    return kept, [f for f in applied.extra if not _ignored(f.code, config)]


def _contracts_of(prepared: Prepared, file: str) -> tuple[Contract, ...]:
    source = prepared.contracts(file)
    return source.contracts if source else ()


def _ignored(code: str, config: Config) -> bool:
    return code in config.ignore or RULES[code].name in config.ignore
