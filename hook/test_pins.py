"""Pins for the contracts to judge: finds the tests that speak of their functions, and reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from clausefit.hook.compile_commands import CompilerSettings
from clausefit.hook.compiled_code import CompiledCode, compiled_code, why_other
from clausefit.hook.config import Config
from clausefit.hook.contracts.c_project import translation_unit, uses_of
from clausefit.hook.contracts.model import Contract, NotChecked, SourceContracts
from clausefit.hook.pins.c_tests import TestPins, pins_from_c
from clausefit.hook.pins.preprocess import PreprocessError, preprocess
from clausefit.hook.pins.values import Block, Ignored, Pin, Pointer, Returned, Unknown, Value, leaves
from clausefit.hook.prepared import PinTable
from clausefit.hook.record.c_relations import apart, relations_of
from clausefit.hook.recorded_pins import RecordedPins, is_death
from clausefit.hook.snapshots import Snapshot
from clausefit.hook.stand_ins import StandIns
from clausefit.hook.test_macros import other_macros
from clausefit.hook.units import JAVA, FolderLookup, Sources, UnitWork

if TYPE_CHECKING:
    from clausefit.hook.pins.junit_xml import PassedTests

_WORD = re.compile(rb"[A-Za-z_]\w*")
_C = (".c", ".h")
__test__ = False


def as_compiled(
    root: Path, settings: Callable[[str], CompilerSettings], source: str, more: Sequence[str] = ()
) -> str | None:
    """A source below ``root`` as the preprocessor leaves it for Frama-C, with its ``#define`` lines.

    None when it does not preprocess. ``more`` are macros to be defined besides.
    """
    own = settings(source)
    own = replace(own, defines=(*own.defines, "__FRAMAC__", *more))
    text = preprocess(root / source, root, own, directives=True)
    return None if isinstance(text, PreprocessError) else text.text


@dataclass(frozen=True)
class TestReader:
    """Where tests lie and how they are compiled. ``root`` is the folder on the disk that holds the judged state.

    ``as_compiled`` gives a source as the preprocessor leaves it, with its ``#define`` lines; None where it does not.
    ``go_on`` is called before each test, and raises where no more are to be read.
    """

    root: Path
    snapshot: Snapshot
    sources: Sources
    config: Config
    settings: Callable[[str], CompilerSettings]
    include_dirs: FolderLookup
    as_compiled: Callable[[str], str | None]
    passed: PassedTests | None = None
    go_on: Callable[[], None] = lambda: None

    __test__ = False


def collect(reader: TestReader, units: Sequence[UnitWork]) -> PinTable:
    """The pins of all tests that name a function of the units' contracts, then those that were recorded."""
    table = PinTable()
    contracts = [
        (work, changed.contract, uses_of(changed.contract, work.unit)) for work in units for changed in work.changed
    ]
    wanted = {contract.function.encode() for _work, contract, _mentioned in contracts}
    if not wanted:
        return table
    tests = [p for p in reader.snapshot.list() if reader.config.is_test(p) and not p.endswith(JAVA)]
    texts = reader.snapshot.read_many(tests)
    speaking = {p: frozenset(w.decode() for w in wanted.intersection(_WORD.findall(t))) for p, t in texts.items()}
    speaking = {path: names for path, names in speaking.items() if names}
    with ThreadPoolExecutor(max(1, reader.config.jobs)) as pool:
        results = dict(zip(speaking, pool.map(lambda p: _read(reader, p, speaking[p]), speaking), strict=True))
    builds = _Builds(reader)
    for path, result in results.items():
        if isinstance(result, NotChecked):
            table.not_checked.append(result)
            continue
        table.not_checked.extend(result.not_checked)
        unit = builds.of_test(path)
        for work, contract, mentioned in contracts:
            if contract.function in speaking[path] and _is_about(unit, result, work, contract):
                compiled = result.definitions or {}
                compiled_by_test = contract.function in compiled
                refusal = builds.refusal(path, work, contract, mentioned, compiled_by_test=compiled_by_test)
                refusal = refusal or builds.doubt(path, work, contract, compiled, is_named=not compiled_by_test)
                _take(table, reader.passed, result, contract, _fitting(work, contract, mentioned), refusal)
    recorded = RecordedPins(reader.snapshot, reader.config.record)
    for work, contract, mentioned in contracts:
        refuse = _refusing(reader, builds, work, contract, mentioned)
        recorded.add(table, contract, refuse, _fitting(work, contract, mentioned))
    return table


def _fitting(work: UnitWork, contract: Contract, mentioned: frozenset[str]) -> Callable[[Pin], Pin]:
    nameable = frozenset(variable.name for variable in work.unit.variables)
    return lambda pin: renamed(fitted(pin, nameable, mentioned), contract)


def _refusing(
    reader: TestReader,
    builds: _Builds,
    work: UnitWork,
    contract: Contract,
    mentioned: frozenset[str],
) -> Callable[[Pin], str | None]:
    """Why a recorded call of the contract's function does not count, where it does not."""
    relations = relations_of(contract, work.unit.definitions)
    doubt = cache(lambda path: builds.doubt(path, work, contract, {}, is_named=False))

    def refusal(pin: Pin) -> str | None:
        path, test = pin.origin.file, pin.origin.test
        # That the test passed was seen when the call was recorded; a report without it says nothing against that.
        if reader.passed is not None and not is_death(pin) and test in reader.passed.others:
            return _not_passed(test)
        related = apart(pin, relations)
        if related is not None:
            return related
        compiled_by_test = work.unit.file in builds.of_test(path).includes
        why = builds.refusal(path, work, contract, mentioned, compiled_by_test=compiled_by_test)
        return why or doubt(path)

    return refusal


class _Builds:
    """How tests and sources are compiled: what a call of a function that was compiled otherwise says of none."""

    def __init__(self, reader: TestReader) -> None:
        self._reader = reader
        self._units: dict[str, SourceContracts] = {}
        self._compiled: dict[str, CompiledCode | None] = {}
        self._macros: dict[tuple[str, str], str | None] = {}
        self._other: dict[tuple[str, str], str | None] = {}
        files = [path for path in reader.snapshot.list() if path.endswith(_C)]
        self._stand_ins = StandIns(
            files,
            [path for path in files if reader.config.is_test(path)],
            reader.snapshot.read_many,
        )

    def of_test(self, path: str) -> SourceContracts:
        """A test with the headers (and sources) that it includes."""
        if path not in self._units:
            folders = tuple(self._reader.include_dirs(path))
            self._units[path] = translation_unit(path, self._reader.sources.contracts, folders)
        return self._units[path]

    def refusal(
        self, test: str, work: UnitWork, contract: Contract, mentioned: frozenset[str], *, compiled_by_test: bool
    ) -> str | None:
        """Why no call in the test file counts for the contract, where none does."""
        source = work.unit.file
        if compiled_by_test:
            if (test, source) not in self._macros:
                self._macros[test, source] = _refusal(self._reader, self.of_test(test), work)
            if self._macros[test, source] is not None:
                return self._macros[test, source]
        if source not in self._compiled:
            text = self._reader.as_compiled(source)
            # Where it does not preprocess Frama-C will say so, too.
            self._compiled[source] = None if text is None else compiled_code(text)
        code = self._compiled[source]
        if code is None:
            return None
        key = (source, contract.function)
        if key not in self._other:
            self._other[key] = why_other(contract, code, self._reader.sources.text, mentioned)
        return self._other[key]

    def doubt(
        self, test: str, work: UnitWork, contract: Contract, compiled: Mapping[str, str], *, is_named: bool
    ) -> str | None:
        """Why a call in the test file may be none of the contract's function alone; None where it is.

        ``compiled`` are the functions in the test's own unit. ``is_named``: the call is known by the name alone.
        """
        own = contract.file if contract.is_definition else work.unit.file
        if self._reader.config.is_test(own) and any(clause.file not in ("", own) for clause in contract.clauses):
            return f"{own} is a file of tests, and its {contract.function} stands in for the one of the contract"
        if is_named and contract.is_definition and not contract.is_static:
            others = self._stand_ins.other_definitions(contract.function, own)
            if others:
                return (
                    f"{others[0]} defines a function of this name as well, and which of them the test calls is not "
                    "known: `clausefit record` tells them apart"
                )
        stand_ins = self._stand_ins.of_test(test, compiled)
        # Of a recorded call it is known that it is of this file.
        reached = self._stand_ins.reached(own, contract.function, stand_ins, itself=is_named)
        if reached is None:
            return None
        if reached == contract.function:
            return f"{stand_ins[reached]} defines a {reached} of its own, which the test may call instead"
        return f"it may call {reached}, for which {stand_ins[reached]} has a stand-in"


def _read(reader: TestReader, path: str, functions: frozenset[str]) -> TestPins | NotChecked:
    reader.go_on()
    text = preprocess(reader.root / path, reader.root, reader.settings(path))
    if isinstance(text, PreprocessError):
        return NotChecked(path, None, "parse_error", f"the test does not preprocess: {text.reason}")
    return pins_from_c(text.text, text.file, functions)


def _is_about(unit: SourceContracts, result: TestPins, work: UnitWork, contract: Contract) -> bool:
    """Whether the test's calls of this name are calls of this contract's function, and not of a namesake or a fake.

    ``unit`` is the test with the headers that it includes.
    """
    definitions: Mapping[str, str] = result.definitions or {}
    defined = definitions.get(contract.function)
    if defined is not None:
        return defined == contract.file or not contract.is_definition
    if contract.is_static:
        return False
    seen = {*unit.includes}
    own = {work.unit.file, contract.file, *work.unit.includes}
    if seen & own:
        return True
    # The test declares the function by itself, or through a header that the source does not include.
    return any(one.function == contract.function for one in (*unit.contracts, *unit.bare))


def _refusal(reader: TestReader, unit: SourceContracts, work: UnitWork) -> str | None:
    """Why no call of what the test itself compiles counts: it does so with other macros than the source has."""
    mine = (work.unit.file, *work.unit.includes)
    macros = other_macros(
        reader.sources.text(unit.file) or "",
        [reader.sources.text(path) or "" for path in unit.includes if path not in mine],
        [reader.sources.text(path) or "" for path in mine],
        (reader.settings(unit.file), reader.settings(work.unit.file)),
    )
    if not macros:
        return None
    return f"the test compiles the function with other macros than the source: {', '.join(macros[:3])}"


def fitted(pin: Pin, nameable: frozenset[str], mentioned: frozenset[str]) -> Pin:
    """The pin as the source sees it: variables that it cannot name (those of the test) are plain memory.

    So are variables that the contract does not mention, where the test does not show what they point to
    afterwards. Memory that is then out of reach of the call is left out.
    """
    after = dict(pin.outcome.after) if isinstance(pin.outcome, Returned) else {}

    def named(block: Block) -> bool:
        return block.program in nameable and (block.program in mentioned or not _loose(after.get(block.id)))

    blocks = tuple(b if named(b) else replace(b, program=None) for b in pin.blocks)
    values = {b.id: [b.value, *([after[b.id]] if b.id in after else [])] for b in blocks}
    reached = {b.id for b in blocks if b.program is not None}
    queue = [v for _name, v in pin.arguments] + [v for block in reached for v in values[block]]
    if isinstance(pin.outcome, Returned) and pin.outcome.result is not None:
        queue.append(pin.outcome.result)
    while queue:
        for _path, leaf in leaves(queue.pop()):
            if isinstance(leaf, Pointer) and leaf.block not in reached:
                reached.add(leaf.block)
                queue.extend(values.get(leaf.block, ()))
    outcome = pin.outcome
    if isinstance(outcome, Returned):
        outcome = replace(outcome, after=tuple((b, v) for b, v in outcome.after if b in reached))
    return replace(pin, blocks=tuple(b for b in blocks if b.id in reached), outcome=outcome)


def renamed(pin: Pin, contract: Contract) -> Pin:
    """The pin with its arguments called as the contract calls them: a test's own declaration may have other names."""
    if len(pin.arguments) != len(contract.parameters):
        return pin
    pairs = zip(contract.parameters, pin.arguments, strict=True)
    return replace(pin, arguments=tuple((parameter.name or name, value) for parameter, (name, value) in pairs))


def _loose(value: Value | None) -> bool:
    """Whether the value holds an address that is not known."""
    found = leaves(value) if value is not None else ()
    return any(isinstance(leaf, Unknown) and "*" in leaf.type for _path, leaf in found)


def _take(
    table: PinTable,
    passed: PassedTests | None,
    result: TestPins,
    contract: Contract,
    fit: Callable[[Pin], Pin],
    refusal: str | None,
) -> None:
    key = (contract.file, contract.function)
    for pin in result.pins:
        if pin.function != contract.function:
            continue
        test, reason = pin.origin.test, refusal
        if passed is not None and not passed.allows(test, run_by_main=test in result.run_by_main):
            reason = _not_passed(test)
        if reason is not None:
            source = f"{pin.origin.file}:{pin.origin.line}"
            table.ignored.setdefault(key, []).append(Ignored(contract.function, source, reason))
        else:
            table.pins.setdefault(key, []).append(fit(pin))
    for ignored in result.ignored:
        if ignored.function == contract.function:
            table.ignored.setdefault(key, []).append(ignored)


def _not_passed(test: str) -> str:
    return f"the test report does not say that {test} passed"
