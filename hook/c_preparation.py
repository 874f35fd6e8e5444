"""C contracts made ready to be judged: their pins, their questions, and the files that Frama-C loads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from clausefit.hook import overlay
from clausefit.hook.better import improved
from clausefit.hook.c_numbers import numbers_in
from clausefit.hook.changes import Changes
from clausefit.hook.clause_fit import Calls
from clausefit.hook.compilation import Compilation, moved
from clausefit.hook.compile_commands import CompilerSettings
from clausefit.hook.config import Config
from clausefit.hook.contract_cases import may_reject, reached_cases
from clausefit.hook.contracts.c_project import uses_of
from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.guess import evaluation, guesser
from clausefit.hook.judge import UnitPlan
from clausefit.hook.pins.junit_xml import PassedTests
from clausefit.hook.plans import Limits
from clausefit.hook.prepared import MORE_PINS, PinTable, Prepared, entry_for
from clausefit.hook.questions import first_round
from clausefit.hook.test_pins import TestReader, as_compiled, collect
from clausefit.hook.units import UnitWork, Work


def prepare_c(
    prepared: Prepared,
    work: Work,
    changes: Changes,
    config: Config,
    lookup: Compilation,
    folders: tuple[Path, Callable[[], Path]],
    passed: PassedTests | None,
    go_on: Callable[[], None] = lambda: None,
) -> None:
    """Add the C contracts of ``work``. ``folders``: the workspace, and what gives the judged state on disk.

    ``go_on`` is called before each step, and raises where it is to be the last.
    """
    prepared.not_checked += work.not_checked
    if not work.units:
        return
    workspace, root = folders[0], folders[1]()

    def settings(path: str) -> CompilerSettings:
        return moved(lookup.settings(path), workspace, root)

    compiled = cache(partial(as_compiled, root, settings))
    reader = TestReader(
        root, changes.snapshot, work.sources, config, settings, lookup.include_dirs, compiled, passed, go_on
    )
    table = collect(reader, work.units)
    prepared.not_checked += table.not_checked
    for number, unit_work in enumerate(work.units):
        go_on()
        constants = numbers_in(compiled(unit_work.unit.file) or "")
        _prepare_unit(prepared, number, work, unit_work, table, config, lookup, constants)


def _prepare_unit(
    prepared: Prepared,
    number: int,
    whole: Work,
    work: UnitWork,
    table: PinTable,
    config: Config,
    lookup: Compilation,
    constants: Mapping[str, int],
) -> None:
    sources = whole.sources
    files = overlay.files_for(work.unit, sources.text, sources.contracts, work.include_dirs)
    if isinstance(files, NotChecked):
        prepared.not_checked += [replace(files, function=c.contract.function) for c in work.changed]
        return
    settings = lookup.settings(work.unit.file)
    plans = []
    for index, changed in enumerate(work.changed):
        used = uses_of(changed.contract, work.unit)
        evaluated = evaluation(work.unit, changed.contract, constants)
        entry = entry_for(changed, table, config, reached_cases(changed.contract, evaluated))
        entry.plan = first_round(
            changed.contract,
            entry.pins,
            f"u{number}c{index}",
            Limits(config.pins, MORE_PINS, config.mutants),
            [variable for variable in work.unit.variables if variable.name in used],
            guesser(evaluated),
            uses_logic=any(used.intersection(definition.names) for definition in work.unit.definitions),
        )
        calls = Calls(entry.known, evaluated)
        entry.plan.may_reject = may_reject(changed.contract, calls)
        entry.improve = partial(improved, contract=changed.contract, calls=calls, text_of=sources.text)
        plans.append(entry.plan)
        prepared.entries.append(entry)
    options = overlay.options(work.include_dirs, settings.defines, settings.undefines)
    prepared.units.append(UnitPlan(work.unit.file, files, overlay.prelude(work.unit), options, plans))
