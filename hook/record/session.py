"""One ``clausefit record`` with its edges open: the workspace, the recorders, the command, the clock, the store."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from clausefit.hook.changes import All, Changes, changes
from clausefit.hook.compilation import Compilation
from clausefit.hook.config import FILE_NAME, Config
from clausefit.hook.contracts.c import decode
from clausefit.hook.pins.junit_xml import passed_tests
from clausefit.hook.pins.pin_folder import PinFolder
from clausefit.hook.pins.stored import StoredProblem
from clausefit.hook.record.bodies import bodies_in
from clausefit.hook.record.builds import Builds
from clausefit.hook.record.command import NOT_POSSIBLE, Edges, Recorder, Request, record
from clausefit.hook.record.excluded import allowed
from clausefit.hook.record.fate import Fates, ctest_inverted, ctest_programs, ctest_runs
from clausefit.hook.record.joining import Digests
from clausefit.hook.record.nameable import nameable
from clausefit.hook.record.run_command import run_command
from clausefit.hook.record.settings import RecordSettings
from clausefit.hook.record.test_files import TestFiles
from clausefit.hook.record.test_reports import Reports, ctest_files, matching, usual_reports
from clausefit.hook.record.watched import LeftOut, WatchedFunction, WatchedMethod
from clausefit.hook.snapshots import Snapshot
from clausefit.hook.units import JAVA, UnitWork, Work, work_of
from clausefit.hook.vain_settings import idle_exclusions
from clausefit.hook.visible import shortened, visible
from clausefit.verifiers.cache import default_folder

_SAY_EVERY = 60.0
"""Seconds between two lines that say that recording goes on."""
_LONGEST_LINE = 2000


@dataclass(frozen=True)
class Options:
    """What the command line says. ``here`` is where ``command`` is run; those of the settings run in the workspace.

    ``junit`` are patterns relative to ``here``; ``limit`` is in seconds.
    """

    command: tuple[str, ...]
    here: Path
    junit: tuple[str, ...] = ()
    limit: float | None = None


def record_project(workspace: Path, config: Config, options: Options) -> int:
    """Record the calls that a command (or those of the settings) makes; the exit status, see ``record``.

    Raises GitProblem and OSError before anything was run.
    """
    commands = (options.command,) if options.command else config.record.commands
    if not commands:
        _say("say what runs your tests: `clausefit record -- CMD…`, or `record:` in .clausefit.yaml")
        return NOT_POSSIBLE
    try:
        store = PinFolder(workspace)
        store.sources()
    except StoredProblem as problem:
        _say(str(problem))
        return NOT_POSSIBLE
    state = changes(All(), workspace)
    watched = _watched(state, workspace, config, with_numbers=True)
    for line in idle_exclusions(state.snapshot.read(FILE_NAME), lambda: watched.names):
        _say(line)
    reports = _Reports(workspace, config, options)
    edges = Edges(
        recorders=_recorders(workspace, watched, config),
        run=partial(run_command, cwd=options.here if options.command else workspace, tick=_Progress()),
        variables=dict(os.environ),
        fates=reports.fates,
        files=partial(_files, workspace, config, state.snapshot),
        digests=partial(_digests, state.snapshot),
        store=store,
        say=_say,
        clock=time.monotonic,
        outdated=Builds(workspace, watched.includes).outdated,
    )
    request = Request(commands, options.limit, left_out=watched.left_out)
    is_clean = _exclude_stored(store, config.record)
    status = record(request, [*watched.functions, *watched.methods], config.record, edges)
    return status if status or is_clean else NOT_POSSIBLE


def _exclude_stored(store: PinFolder, settings: RecordSettings) -> bool:
    """Take what the settings exclude out of what was stored before; False where that could not be done everywhere."""
    if not settings.exclude and not settings.exclude_parameters:
        return True
    is_clean, done = True, False
    for source in store.sources():
        try:
            may = allowed(store.read(source), settings)
            if may.text:
                store.update(source, lambda pins: allowed(pins, settings).pins)
                _say(f"{source}: {may.text} by the settings")
                done = True
        except StoredProblem as problem:
            _say(str(problem))
            is_clean = False
    if done:
        _say("what was committed of them before is still in the history of the repository")
    return is_clean


@dataclass(frozen=True)
class _Watched:
    """What is to be watched, by language, and the methods that cannot be. ``includes`` are the headers of a C file.

    ``names`` are those that the settings can exclude, see ``nameable``.
    """

    functions: Sequence[WatchedFunction]
    methods: Sequence[WatchedMethod]
    left_out: tuple[LeftOut, ...]
    includes: Mapping[str, tuple[str, ...]]
    names: Mapping[str, frozenset[str]]


def _numbers(workspace: Path, lookup: Compilation, work: Work) -> dict[str, Mapping[str, int]]:
    """The names that stand for a number in each source."""
    from clausefit.hook.record.sure_numbers import sure_numbers
    from clausefit.hook.test_pins import as_compiled

    def of(unit: UnitWork) -> Mapping[str, int]:
        source = unit.unit.file
        texts = (work.sources.text(path) or "" for path in (*unit.unit.includes, source))
        return sure_numbers(partial(as_compiled, workspace, lookup.settings, source), texts)

    with ThreadPoolExecutor() as pool:
        return dict(zip((one.unit.file for one in work.units), pool.map(of, work.units), strict=True))


def _watched(state: Changes, workspace: Path, config: Config, *, with_numbers: bool = False) -> _Watched:
    """The functions with contracts of which calls may be recorded: those that ``check --all`` judges.

    ``with_numbers``: with what the names in contracts stand for, which takes time.
    """
    from clausefit.hook.record.c_watched import watched_function

    lookup = Compilation(workspace, config)
    work = work_of(state, config, lookup.include_dirs)
    functions: list[WatchedFunction] = []
    constants = _numbers(workspace, lookup, work) if with_numbers else {}
    for unit in work.units:
        known = constants.get(unit.unit.file, {})
        functions += [watched_function(one.contract, unit.unit, known) for one in unit.changed]
    methods: tuple[WatchedMethod, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    java_work = None
    if any(file.path.endswith(JAVA) for file in state.files):
        from clausefit.hook.java.work import java_work_of
        from clausefit.hook.record.java_watched import watched_java

        java_work = java_work_of(state, config)
        java = watched_java(java_work)
        methods, left_out = java.methods, java.left_out
    excluded = config.record.leaves_out
    return _Watched(
        [one for one in functions if not excluded(one.function)],
        [one for one in methods if not excluded(one.function)],
        tuple(one for one in left_out if not excluded(one.function)),
        {one.contract.file: tuple(unit.unit.includes) for unit in work.units for one in unit.changed},
        nameable([*functions, *methods], java_work),
    )


def excludable(workspace: Path, config: Config) -> Mapping[str, frozenset[str]]:
    """All that the settings can exclude of the recordings of a workspace, see ``nameable``. Raises GitProblem."""
    return _watched(changes(All(), workspace), workspace, config).names


def _recorders(workspace: Path, watched: _Watched, config: Config) -> dict[str, Recorder]:
    cache = default_folder() / "record"
    limits = config.record.limits
    recorders: dict[str, Recorder] = {}
    if watched.functions:
        from clausefit.hook.record.c_recorder import CRecorder

        recorders["C"] = CRecorder(
            workspace, watched.functions, limits, cache, settings=Compilation(workspace, config).settings
        )
    if watched.methods:
        from clausefit.hook.record.java_recorder import JavaRecorder

        recorders["Java"] = JavaRecorder(workspace, watched.methods, limits, cache)
    return recorders


class _Reports:
    """The test reports of a run; made before the run starts."""

    def __init__(self, workspace: Path, config: Config, options: Options) -> None:
        self._patterns = [(pattern, options.here) for pattern in options.junit]
        self._patterns += [(pattern, workspace) for pattern in config.junit]
        self._workspace = workspace
        self._reports = Reports(self._find, time.time())

    def _find(self) -> Iterator[Path]:
        if not self._patterns:
            yield from usual_reports(self._workspace)
        for pattern, folder in self._patterns:
            yield from matching(pattern, folder)

    def fates(self, status: int, programs: Iterable[str]) -> Fates:
        """How the tests of the run ended; what cannot be read of it is told."""
        paths = self._reports.written()
        passed = passed_tests(paths) if paths else None
        for error in passed.errors if passed is not None else ():
            _say(error)
        if self._patterns and not paths:
            patterns = ", ".join(pattern for pattern, _folder in self._patterns)
            _say(
                f"this run wrote no test report that matches {patterns} (older ones do not count): "
                "its exit status decides for all tests; if it should have written one, mend the pattern"
            )
        lists = ctest_files(programs) if passed is not None else []
        return Fates(status, passed, ctest_programs(lists), ctest_runs(lists), ctest_inverted(lists))


def _files(workspace: Path, config: Config, snapshot: Snapshot) -> TestFiles:
    def text(path: str) -> str:
        content = snapshot.read(path)
        return "" if content is None else decode(content)

    tops = dict.fromkeys((str(workspace), str(workspace.resolve())))
    return TestFiles(tops, snapshot.list(), config.is_test, text, config.is_source)


def _digests(snapshot: Snapshot) -> Digests:
    bodies = bodies_in(snapshot)
    return Digests(bodies.function, bodies.test)


class _Progress:
    """Says every now and then that recording goes on: the command's own output may be silent for long."""

    def __init__(self) -> None:
        self._next = _SAY_EVERY

    def __call__(self, seconds: float) -> None:
        if seconds >= self._next:
            _say(f"still recording, {seconds / 60:.0f} min so far")
            self._next += _SAY_EVERY if seconds < 10 * _SAY_EVERY else 5 * _SAY_EVERY


def _say(text: str) -> None:
    print(f"clausefit: {shortened(visible(text), _LONGEST_LINE)}", file=sys.stderr, flush=True)
