"""Pins for the contracts to judge: finds the tests that speak of their functions, and reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from clausefit.hook.compile_commands import CompilerSettings
from clausefit.hook.config import Config
from clausefit.hook.contracts.c_project import translation_unit
from clausefit.hook.contracts.model import Contract, NotChecked
from clausefit.hook.pins.c_tests import TestPins, pins_from_c
from clausefit.hook.pins.junit_xml import PassedTests
from clausefit.hook.pins.preprocess import PreprocessError, preprocess
from clausefit.hook.pins.values import Ignored, Pin
from clausefit.hook.snapshots import Snapshot
from clausefit.hook.units import FolderLookup, Sources, UnitWork

_WORD = re.compile(rb"[A-Za-z_]\w*")
__test__ = False


@dataclass
class PinTable:
    """Pins and ignored calls by (contract's file, function), and what could not be read."""

    pins: dict[tuple[str, str], list[Pin]] = field(default_factory=dict)
    ignored: dict[tuple[str, str], list[Ignored]] = field(default_factory=dict)
    not_checked: list[NotChecked] = field(default_factory=list)


@dataclass(frozen=True)
class TestReader:
    """Where tests lie and how they are compiled. ``root`` is the folder on the disk that holds the judged state."""

    root: Path
    snapshot: Snapshot
    sources: Sources
    config: Config
    settings: Callable[[str], CompilerSettings]
    include_dirs: FolderLookup
    passed: PassedTests | None = None

    __test__ = False


def collect(reader: TestReader, units: Sequence[UnitWork]) -> PinTable:
    """The pins of all tests that name a function of the units' contracts."""
    table = PinTable()
    contracts = [(work, changed.contract) for work in units for changed in work.changed]
    wanted = {contract.function.encode() for _work, contract in contracts}
    if not wanted:
        return table
    tests = [path for path in reader.snapshot.list() if reader.config.is_test(path)]
    texts = reader.snapshot.read_many(tests)
    speaking = {p: frozenset(w.decode() for w in wanted.intersection(_WORD.findall(t))) for p, t in texts.items()}
    speaking = {path: names for path, names in speaking.items() if names}
    with ThreadPoolExecutor(max(1, reader.config.jobs)) as pool:
        results = dict(zip(speaking, pool.map(lambda p: _read(reader, p, speaking[p]), speaking), strict=True))
    for path, result in results.items():
        if isinstance(result, NotChecked):
            table.not_checked.append(result)
            continue
        table.not_checked.extend(result.not_checked)
        for work, contract in contracts:
            if contract.function in speaking[path] and _is_about(reader, path, result, work, contract):
                _take(table, reader.passed, result, contract)
    return table


def _read(reader: TestReader, path: str, functions: frozenset[str]) -> TestPins | NotChecked:
    text = preprocess(reader.root / path, reader.root, reader.settings(path))
    if isinstance(text, PreprocessError):
        return NotChecked(path, None, "parse_error", f"the test does not preprocess: {text.reason}")
    return pins_from_c(text.text, text.file, functions)


def _is_about(reader: TestReader, test: str, result: TestPins, work: UnitWork, contract: Contract) -> bool:
    """Whether the test's calls of this name are calls of this contract's function, and not of a namesake or a fake."""
    definitions: Mapping[str, str] = result.definitions or {}
    defined = definitions.get(contract.function)
    if defined is not None:
        return defined == contract.file or not contract.is_definition
    if contract.is_static:
        return False
    unit = translation_unit(test, reader.sources.contracts, tuple(reader.include_dirs(test)))
    seen = {*unit.includes}
    own = {work.unit.file, contract.file, *work.unit.includes}
    if seen & own:
        return True
    # The test declares the function by itself, or through a header that the source does not include.
    return any(one.function == contract.function for one in (*unit.contracts, *unit.bare))


def _take(table: PinTable, passed: PassedTests | None, result: TestPins, contract: Contract) -> None:
    key = (contract.file, contract.function)
    for pin in result.pins:
        if pin.function != contract.function:
            continue
        test = pin.origin.test
        if passed is not None and not passed.allows(test, run_by_main=test in result.run_by_main):
            source = f"{pin.origin.file}:{pin.origin.line}"
            reason = f"the test report does not say that {test} passed"
            table.ignored.setdefault(key, []).append(Ignored(contract.function, source, reason))
        else:
            table.pins.setdefault(key, []).append(pin)
    for ignored in result.ignored:
        if ignored.function == contract.function:
            table.ignored.setdefault(key, []).append(ignored)
