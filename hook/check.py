"""One run of ``check``: from contracts to judge to a report. All edges (git, processes, clock) are passed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from clausefit.hook import overlay
from clausefit.hook.changed_contracts import ChangedContract
from clausefit.hook.changes import Changes
from clausefit.hook.compilation import Compilation, moved
from clausefit.hook.config import Config
from clausefit.hook.contracts.c_project import uses_of
from clausefit.hook.contracts.model import Contract, NotChecked
from clausefit.hook.findings import Conclusion, conclude
from clausefit.hook.guess import guesser
from clausefit.hook.judge import UnitPlan, judge
from clausefit.hook.judged import Judged
from clausefit.hook.pins.ranking import ranked
from clausefit.hook.pins.values import Ignored, Pin
from clausefit.hook.progress import ProgressReporter
from clausefit.hook.questions import Limits, Plan, first_round
from clausefit.hook.report import Finding, Report, Stats, VerifierInfo
from clausefit.hook.rules import RULES
from clausefit.hook.suppressions import Suppression, apply, find
from clausefit.hook.test_pins import PinTable, TestReader, collect
from clausefit.hook.units import Sources, UnitWork, Work
from clausefit.verifiers.protocol import Verifier

if TYPE_CHECKING:
    from clausefit.hook.pins.junit_xml import PassedTests

MORE_PINS = 15
"""Pins beyond the scoring ones that are only asked about the right outcome."""


@dataclass(frozen=True)
class Services:
    """The edges: the workspace, the verifier, the clock, and who is told how far we are.

    ``on_disk`` gives the folder that holds the judged state for tools that read files: the workspace, or a copy.
    """

    workspace: Path
    on_disk: Callable[[], Path]
    verifier: Verifier
    clock: Callable[[], float]
    progress: ProgressReporter
    passed: PassedTests | None = None


@dataclass
class _Entry:
    """A contract on its way through the pipeline."""

    work: UnitWork
    changed: ChangedContract
    pins: tuple[Pin, ...]
    ignored: list[tuple[str, str]]
    found: int
    plan: Plan | None = None

    @property
    def contract(self) -> Contract:
        return self.changed.contract


@dataclass
class Prepared:
    """Everything up to the verifier: what ``check`` judges and what ``stubs`` shows."""

    work: Work
    units: list[UnitPlan] = field(default_factory=list)
    entries: list[_Entry] = field(default_factory=list)
    not_checked: list[NotChecked] = field(default_factory=list)


def prepare(work: Work, changes: Changes, config: Config, lookup: Compilation, services: Services) -> Prepared:
    """Contracts, pins and questions of the changes; no verifier is started."""
    prepared = Prepared(work, not_checked=list(work.not_checked))
    root = services.on_disk()
    reader = TestReader(
        root,
        changes.snapshot,
        work.sources,
        config,
        lambda path: moved(lookup.settings(path), services.workspace, root),
        lookup.include_dirs,
        services.passed,
    )
    table = collect(reader, work.units)
    prepared.not_checked += table.not_checked
    for number, unit_work in enumerate(work.units):
        _prepare_unit(prepared, number, unit_work, table, config, lookup)
    return prepared


def _prepare_unit(
    prepared: Prepared, number: int, work: UnitWork, table: PinTable, config: Config, lookup: Compilation
) -> None:
    sources = prepared.work.sources
    files = overlay.files_for(work.unit, sources.text, sources.contracts, work.include_dirs)
    if isinstance(files, NotChecked):
        prepared.not_checked += [replace(files, function=c.contract.function) for c in work.changed]
        return
    settings = lookup.settings(work.unit.file)
    plans = []
    for index, changed in enumerate(work.changed):
        entry = _entry(work, changed, table, config)
        limits = Limits(config.pins, MORE_PINS, config.mutants)
        used = uses_of(changed.contract, work.unit)
        entry.plan = first_round(
            changed.contract,
            entry.pins,
            f"u{number}c{index}",
            limits,
            [variable for variable in work.unit.variables if variable.name in used],
            guesser(work.unit, changed.contract, sources.text),
            uses_logic=any(used.intersection(definition.names) for definition in work.unit.definitions),
        )
        plans.append(entry.plan)
        prepared.entries.append(entry)
    options = overlay.options(work.include_dirs, settings.defines, settings.undefines)
    prepared.units.append(UnitPlan(work.unit.file, files, overlay.prelude(work.unit), options, plans))


def _entry(work: UnitWork, changed: ChangedContract, table: PinTable, config: Config) -> _Entry:
    key = (changed.contract.file, changed.contract.function)
    found = table.pins.get(key, [])
    chosen = ranked(found, config.array_limit, config.pins + MORE_PINS)
    ignored = [(i.source, i.reason) for i in _distinct(table.ignored.get(key, []))]
    if chosen.too_large:
        ignored.append((changed.contract.file, f"{chosen.too_large} calls with more than {config.array_limit} cells"))
    left = len(found) - chosen.repeats - chosen.too_large - len(chosen.pins)
    if left > 0:
        ignored.append((changed.contract.file, f"{left} further calls beyond the first {len(chosen.pins)}"))
    return _Entry(work, changed, chosen.pins, ignored, len(found))


def _distinct(ignored: Sequence[Ignored]) -> list[Ignored]:
    return list(dict.fromkeys(ignored))


def check(work: Work, changes: Changes, config: Config, lookup: Compilation, services: Services) -> Report:
    """Judge the changed contracts and report. VerifierProblem when there is something to ask and nobody to answer."""
    start = services.clock()
    progress = services.progress
    progress.message("reading contracts and tests")
    progress.start(None)
    prepared = prepare(work, changes, config, lookup, services)
    verifiers: tuple[VerifierInfo, ...] = ()
    if any(plan.asked for unit in prepared.units for plan in unit.plans):
        total = 0

        def added(count: int) -> None:
            nonlocal total
            total += count
            progress.start(total)

        progress.message("asking Frama-C/WP")
        judge(prepared.units, services.verifier, config.jobs, added, progress.advance)
        info = services.verifier.info()
        verifiers = (VerifierInfo(info.name, info.version, info.provers),)
    conclusions = _conclude(prepared)
    findings, extra = _suppressed(conclusions, prepared, config)
    asked = sum(len(plan.asked) for unit in prepared.units for plan in unit.plans)
    cached = sum(judgement.cached for unit in prepared.units for judgement in unit.judgements.values())
    return Report(
        contracts=tuple(conclusion.report for _entry, conclusion in conclusions),
        findings=tuple(sorted((*findings, *extra), key=lambda f: (f.file, f.line, f.column, f.code))),
        not_checked=_not_checked(prepared, conclusions),
        verifiers=verifiers,
        stats=Stats(asked, asked - cached, cached, sum(c.undecided for _e, c in conclusions), services.clock() - start),
    )


def _conclude(prepared: Prepared) -> list[tuple[_Entry, Conclusion]]:
    judgements = {key: value for unit in prepared.units for key, value in unit.judgements.items()}
    found = []
    for entry in prepared.entries:
        if entry.plan is not None:
            recorded = sum(pin.origin.kind == "recorded" for pin in entry.pins)
            counts = (entry.found - recorded, recorded)
            found.append((entry, conclude(Judged(entry.plan, judgements), entry.ignored, counts)))
    return found


def _not_checked(prepared: Prepared, conclusions: Sequence[tuple[_Entry, Conclusion]]) -> tuple[NotChecked, ...]:
    entries = list(prepared.not_checked)
    for entry, conclusion in conclusions:
        entries.extend(conclusion.not_checked)
        if entry.plan is not None and not entry.plan.stubs and not conclusion.not_checked:
            entries.append(_without_pins(entry))
    return tuple(dict.fromkeys(entries))


def _without_pins(entry: _Entry) -> NotChecked:
    """Why a contract has no pin, with the first reason that a test gave."""
    contract = entry.contract
    reasons = [*entry.ignored, *((i.source, i.reason) for i in (entry.plan.ignored if entry.plan else []))]
    detail = "no test calls it with inputs and an outcome that can be read from the test's text"
    if reasons:
        detail = f"none of its {len(reasons)} calls in tests can be used; {reasons[0][0]}: {reasons[0][1]}"
    return NotChecked(contract.file, contract.function, "no_pins", detail, contract.line)


def _suppressed(
    conclusions: Sequence[tuple[_Entry, Conclusion]], prepared: Prepared, config: Config
) -> tuple[list[Finding], list[Finding]]:
    """The findings that are left after suppression comments and ``ignore``, and those about the comments."""
    findings = [finding for _entry, conclusion in conclusions for finding in conclusion.findings]
    contracts = [entry.contract for entry in prepared.entries]
    files = {clause.file or contract.file for contract in contracts for clause in contract.clauses}
    files |= {contract.file for contract in contracts}
    found: list[Suppression] = []
    for file in sorted(files):
        found += find(prepared.work.sources.text(file) or "", file)
    known = [c for file in sorted(files) for c in _contracts_of(prepared.work.sources, file)]
    judged = {(e.contract.file, e.contract.function) for e, c in conclusions if c.report.used_pins}
    applied = apply(findings, found, known, judged=lambda c: (c.file, c.function) in judged)
    kept = [f for f in applied.kept if not _ignored(f.code, config)]
    return kept, [f for f in applied.extra if not _ignored(f.code, config)]


def _contracts_of(sources: Sources, file: str) -> tuple[Contract, ...]:
    source = sources.contracts(file)
    return source.contracts if source else ()


def _ignored(code: str, config: Config) -> bool:
    return code in config.ignore or RULES[code].name in config.ignore
