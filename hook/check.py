"""One run of ``check``: from contracts to judge to a report. All edges (git, processes, clock) are passed in."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field, replace
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
from clausefit.hook.unreached import broken_clauses, not_reached, place_of, selected, without_pins
from clausefit.verifiers.process import Cancelled
from clausefit.verifiers.protocol import Info, VerifierProblem

if TYPE_CHECKING:
    from clausefit.hook.java.work import JavaWork
    from clausefit.hook.judge_in_time import Course, Memory
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
    asking: Asking = field(default_factory=lambda: Asking())


@dataclass(frozen=True)
class Asking:
    """Whether verifiers are asked, or only the cache; and what ends the run before its end, if anything can.

    ``memory`` keeps where a run was ended, for the next one.
    """

    verifiers: bool = True
    stop: threading.Event | None = None
    memory: Memory | None = None

    def go_on(self) -> None:
        """Raises Cancelled when the run is to end."""
        if self.stop is not None and self.stop.is_set():
            raise Cancelled


def prepare(
    work: Work,
    changes: Changes,
    config: Config,
    lookup: Compilation,
    services: Services,
    java: JavaWork | None = None,
) -> Prepared:
    """Contracts, pins and questions of the changes; no verifier is started. ``java`` is None without Java files."""
    prepared = _empty(work, java)
    _fill(prepared, work, changes, config, lookup, services, java)
    return prepared


def _empty(work: Work, java: JavaWork | None) -> Prepared:
    if java is None:
        return Prepared(work.sources.text, work.sources.contracts)
    return Prepared(
        by_language(work.sources.text, java.project.text),
        by_language(work.sources.contracts, java.project.source),
    )


def _fill(
    prepared: Prepared,
    work: Work,
    changes: Changes,
    config: Config,
    lookup: Compilation,
    services: Services,
    java: JavaWork | None,
) -> None:
    folders, go_on = (services.workspace, services.on_disk), services.asking.go_on
    prepare_c(prepared, work, changes, config, lookup, folders, services.passed, go_on)
    if java is not None:
        from clausefit.hook.java.preparation import prepare_java

        prepare_java(prepared, java, changes.snapshot, config, services.passed, go_on)


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
    prepared = _empty(work, java)
    with contextlib.ExitStack() as stopping:
        if services.asking.stop is not None:
            # What was prepared when the time was up is looked up in the cache; the rest is said to be not reached.
            stopping.enter_context(contextlib.suppress(Cancelled))
        _fill(prepared, work, changes, config, lookup, services, java)
    unreached: list[NotChecked] = []
    verifiers: tuple[VerifierInfo, ...] = ()
    asking = [unit for unit in prepared.units if any(plan.asked for plan in unit.plans)]
    asked_of = replace(services.verifiers, is_mixed=len({type(unit) for unit in asking}) > 1)
    if services.asking.verifiers and services.asking.stop is None:
        if asking:
            progress.message("asking the verifiers")
            judge(asking, asked_of, config.jobs, _growing(progress), progress.advance)
            verifiers = _infos(asking, asked_of)
    else:
        courses = _judge_some(prepared, asked_of, config.jobs, services)
        if services.asking.verifiers and asking:
            with contextlib.suppress(Cancelled):
                verifiers = _infos(asking, asked_of)
        unreached = not_reached(selected(work, java), prepared, courses, is_asked=services.asking.verifiers)
    conclusions = _conclude(prepared, {(one.file, one.function) for one in unreached})
    broken = broken_clauses(selected(work, java), [(entry.contract, one) for entry, one in conclusions])
    findings, extra, hidden = _suppressed(conclusions, prepared, config)
    answers = [judgement for unit in prepared.units for judgement in unit.judgements.values()]
    cached = sum(judgement.cached for judgement in answers)
    asked = sum(plan.count for unit in prepared.units for plan in unit.plans)
    return Report(
        contracts=tuple(conclusion.report for _entry, conclusion in conclusions),
        findings=tuple(sorted((*findings, *extra), key=lambda f: (f.file, f.line, f.column, f.code))),
        not_checked=(*_not_checked(prepared, conclusions), *broken, *unreached),
        verifiers=verifiers,
        stats=Stats(
            asked,
            len(answers) - cached if unreached else asked - cached,
            cached,
            sum(c.undecided for _e, c in conclusions),
            services.clock() - start,
        ),
        suppressed=hidden,
        ignored=sum(len(c.findings) for _e, c in conclusions) - hidden - len(findings),
    )


def _growing(progress: ProgressReporter) -> Callable[[int], None]:
    total = 0

    def added(count: int) -> None:
        nonlocal total
        total += count
        progress.start(total)

    return added


def _judge_some(prepared: Prepared, verifiers: Verifiers, jobs: int, services: Services) -> list[Course]:
    """Judge what the cache knows and, where verifiers are asked, as much of the rest as there is time for."""
    from clausefit.hook.judge_in_time import judge_in_time, look_up

    courses = look_up(prepared.units, verifiers)
    stop, memory, progress = services.asking.stop, services.asking.memory, services.progress
    if services.asking.verifiers and memory is not None and not (stop is not None and stop.is_set()):
        progress.message("asking the verifiers")
        judge_in_time(courses, verifiers, jobs, memory, _growing(progress), progress.advance)
    return courses


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


def _conclude(prepared: Prepared, unreached: Set[tuple[str, str | None]]) -> list[tuple[Entry, Conclusion]]:
    """What is to be said of each contract but those that were not judged to the end: half a judgement is none."""
    judgements = {key: value for unit in prepared.units for key, value in unit.judgements.items()}
    found = []
    for entry in prepared.entries:
        if entry.plan is not None and (place_of(entry.contract)[0], entry.contract.function) not in unreached:
            counts = (entry.static, entry.recorded)
            conclusion = conclude(Judged(entry.plan, judgements), entry.ignored, counts)
            found.append((entry, replace(conclusion, findings=entry.improve(conclusion.findings))))
    return found


def _not_checked(prepared: Prepared, conclusions: Sequence[tuple[Entry, Conclusion]]) -> tuple[NotChecked, ...]:
    entries = list(prepared.not_checked)
    for entry, conclusion in conclusions:
        entries.extend(conclusion.not_checked)
        if entry.plan is not None and not entry.plan.stubs and not conclusion.not_checked:
            entries.append(without_pins(entry))
    return tuple(dict.fromkeys(entries))


def _suppressed(
    conclusions: Sequence[tuple[Entry, Conclusion]], prepared: Prepared, config: Config
) -> tuple[list[Finding], list[Finding], int]:
    """The findings that are left after suppression comments and ``ignore``, those about the comments, and how many the
    comments hide."""
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
        (file, e.contract.function)
        for e, c in conclusions
        if c.report.used_pins and not c.undecided and not c.not_checked
        for file in {e.contract.file, *(clause.file or e.contract.file for clause in e.contract.clauses)}
    }
    applied = apply(findings, found, known, judged=lambda c: (c.file, c.function) in judged)
    kept = [f for f in applied.kept if not _ignored(f.code, config)]
    return kept, [f for f in applied.extra if not _ignored(f.code, config)], applied.suppressed


def _contracts_of(prepared: Prepared, file: str) -> tuple[Contract, ...]:
    source = prepared.contracts(file)
    return source.contracts if source else ()


def _ignored(code: str, config: Config) -> bool:
    return code in config.ignore or RULES[code].name in config.ignore
