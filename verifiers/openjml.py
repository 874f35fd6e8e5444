"""OpenJML as a verifier for Java: what KeY leaves open is asked of it, where somebody has installed it.

Many questions are put into one method and many methods into one process (OpenJML waits a second for every solver that
it starts, and a process costs two). Only what OpenJML proves decides; a rejection is the proof of the negation.
There was no OpenJML on the machine where this was written: what it prints is known from recorded runs, what it accepts
from its documentation and its own tests. Therefore ``openjml_probe`` is asked first: an installation that does not
prove what is true, or proves what is false, is not used.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from clausefit.verifiers import openjml_formulas, openjml_output, openjml_probe, openjml_tools
from clausefit.verifiers.cache import VerdictCache
from clausefit.verifiers.key_verdicts import from_text, question_keys, to_text
from clausefit.verifiers.openjml_formulas import Arithmetic, Names, NotTaken
from clausefit.verifiers.openjml_rounds import CHECKS_PER_STUB, LATE, NAME, Asking, Ran, Result, Task, results_of
from clausefit.verifiers.openjml_stubs import Composed, Skeleton, Stub, without_library
from clausefit.verifiers.openjml_tools import OpenJmlInstallation, Runner
from clausefit.verifiers.process import Completed, ToolMissing
from clausefit.verifiers.protocol import Hooks, Info, JavaScene, JavaUnit, Judgement, Question, Tally, VerifierProblem

_LAYOUT = "openjml-1"
"""Goes into every key of the cache: change it with what is asked, or how answers are read."""
_START_SECONDS = 30.0
_METHOD_SECONDS = 2.0
_LEAST_METHODS = 4
_USUAL_ENDINGS = (0, 6)
_BAD_USAGE = 2


@dataclass(frozen=True)
class OpenJmlSettings:
    """Limits: seconds for a query of the solver, for a process and for a unit, bytes for a process, methods in one."""

    seconds: float = 10.0
    run_seconds: float = 300.0
    unit_seconds: float = 600.0
    memory_bytes: int | None = None
    methods_per_run: int = 30
    processes: int = 2


class OpenJml:
    """The OpenJML adapter. ``setting`` is the installation that somebody named, else it is looked for.

    ``run`` starts processes (``process.run``); ``cache`` keeps verdicts between runs. May be shared by threads.
    """

    def __init__(
        self,
        setting: str | Path | None,
        run: Runner,
        cache: VerdictCache,
        cancel: threading.Event | None = None,
        settings: OpenJmlSettings | None = None,
    ) -> None:
        self._setting = Path(setting) if setting is not None else None
        self._run, self._cache, self._cancel = run, cache, cancel
        self._settings = settings or OpenJmlSettings()
        self._lock = threading.Lock()
        self._probing = threading.Lock()
        self._installation: OpenJmlInstallation | None = None
        self._arithmetic: dict[str, Arithmetic] = {}
        self._unusable: VerifierProblem | None = None
        self.tally = Tally()

    def info(self) -> Info:
        """Name and version; VerifierProblem when OpenJML is not installed, does not start or is too old."""
        return Info(NAME, self._installed().version, ("z3",))

    def judge(self, unit: JavaUnit, hooks: Hooks) -> Mapping[str, Judgement]:
        """A judgement for every question of ``unit``, by id; nothing is started when all is known.

        Raises VerifierProblem when OpenJML cannot be used at all, Cancelled when the event was set.
        """
        keys = question_keys(unit, (_LAYOUT, self._installed().identity))
        known = self._cached(unit, keys)
        self.tally.cached += len(known)
        hooks.advance(len(known))
        left = [question for question in unit.questions if question.id not in known]
        if left:
            arithmetic = self.probe(unit.math)
            found = self._ask(unit, left, arithmetic, hooks)
            # What was not asked any more is not known for the next time either.
            lasting = {keys[id_]: judgement for id_, judgement in found.items() if judgement.detail != LATE}
            texts = {key: to_text(judgement, self._settings.seconds) for key, judgement in lasting.items()}
            self._cache.put_many({key: text for key, text in texts.items() if text is not None})
            known |= found
        return {question.id: known[question.id] for question in unit.questions}

    def known(self, unit: JavaUnit) -> Mapping[str, Judgement]:
        """The judgements that are in the cache, by id; VerifierProblem when OpenJML is not installed or too old."""

        def stored(identity: str, _ask: Callable[[], str]) -> str:
            key = _version_key(identity)
            return self._cache.get_many([key]).get(key, "")

        found = openjml_tools.find(self._setting, run=self._run, known=stored)
        # Of which version it is was never asked here, and so nothing else either.
        return self._cached(unit, question_keys(unit, (_LAYOUT, found.identity))) if found.version else {}

    def probe(self, math: str) -> Arithmetic:
        """Ask what is known to be true and to be false (once for an installation); the arithmetic to count on.

        VerifierProblem when OpenJML does not prove what is true, or proves what is false.
        """
        with self._probing:
            if self._unusable is not None:
                raise self._unusable
            if math not in self._arithmetic:
                try:
                    self._arithmetic[math] = Arithmetic(math, self._probed(math) == openjml_probe.RIGHT)
                except VerifierProblem as problem:
                    self._unusable = problem
                    raise
            return self._arithmetic[math]

    def _probed(self, math: str) -> str:
        installed = self._installed()
        key = f"{_LAYOUT}\0probe\0{openjml_probe.digest(math)}\0{installed.identity}"
        stored = self._cache.get_many([key]).get(key)
        if stored is None:
            unit = openjml_probe.unit(math)
            answers = self._ask(unit, unit.questions, Arithmetic(math), Hooks())
            stored = openjml_probe.verdict(math, answers, installed.version)
            self._cache.put_many({key: stored})
        return stored

    def _installed(self) -> OpenJmlInstallation:
        with self._lock:
            if self._installation is None:
                self._installation = openjml_tools.find(self._setting, run=self._run, known=self._known_version)
            return self._installation

    def _known_version(self, identity: str, ask: Callable[[], str]) -> str:
        key = _version_key(identity)
        known = self._cache.get_many([key]).get(key)
        if known is None:
            known = ask()
            self._cache.put_many({key: known})
        return known

    def _cached(self, unit: JavaUnit, keys: Mapping[str, str]) -> dict[str, Judgement]:
        kept = self._cache.get_many(keys.values())
        found: dict[str, Judgement] = {}
        for question in unit.questions:
            text = kept.get(keys[question.id])
            judgement = from_text(text, self._settings.seconds) if text is not None else None
            if judgement is not None:
                found[question.id] = judgement
        return found

    # ---- asking -------------------------------------------------------------------------------------------------

    def _ask(
        self, unit: JavaUnit, questions: Sequence[Question], arithmetic: Arithmetic, hooks: Hooks
    ) -> dict[str, Judgement]:
        refused = _bad_file(unit)
        if refused:
            hooks.advance(len(questions))
            return {question.id: Judgement("undecided", "parse_error", refused) for question in questions}
        skeleton = Skeleton(without_library(unit.files))
        prepared = _Prepared.of(unit, questions, skeleton, arithmetic)
        hooks.advance(len(prepared.refused))
        asked = [question for question in questions if question.id in prepared.formulas]
        asking = Asking(asked, prepared.formulas)
        deadline = time.monotonic() + self._settings.unit_seconds
        told = 0

        def run(tasks: Sequence[Task], first_errors_only: bool) -> Sequence[Result]:
            nonlocal told
            hooks.advance(asking.settled() - told)
            told = asking.settled()
            return self._run_all(skeleton, tasks, unit.math, deadline, first_errors_only=first_errors_only)

        asking.ask(prepared.tasks(asking), run)
        hooks.advance(len(asked) - told)
        return prepared.refused | {question.id: asking.judgement(question.id) for question in asked}

    def _run_all(
        self, skeleton: Skeleton, tasks: Sequence[Task], math: str, deadline: float, *, first_errors_only: bool
    ) -> list[Result]:
        chunks = list(_chunks(tasks, self._settings))
        results = [Result("late")] * len(tasks)
        stop = _Stop(self._cancel)

        def work(chunk: Sequence[int]) -> None:
            if time.monotonic() >= deadline or stop.is_set():
                return
            stubs = [tasks[number].stub for number in chunk]
            composed = skeleton.compose(stubs)
            ran = self._run_stubs(composed, math, stop)
            found = results_of(stubs, composed, ran, first_errors_only=first_errors_only)
            for number, result in zip(chunk, found, strict=True):
                results[number] = result

        with self._lock:
            self.tally.goals += sum(len(task.stub.checks) for task in tasks)
        with ThreadPoolExecutor(max(1, min(self._settings.processes, len(chunks))), "openjml") as threads:
            try:
                for future in as_completed([threads.submit(work, chunk) for chunk in chunks]):
                    future.result()
            except BaseException:
                stop.set()  # Else the other processes, of no use any more, would be waited for.
                raise
        return results

    def _run_stubs(self, composed: Composed, math: str, stop: threading.Event) -> Ran:
        """One process. Raises VerifierProblem where it tells of the installation and not of what was asked."""
        program = self._installed().program
        with tempfile.TemporaryDirectory(prefix="clausefit-openjml-", ignore_cleanup_errors=True) as name:
            folder = Path(name)
            for relative, text in composed.files:
                path = folder / relative
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8", errors="surrogateescape", newline="")
            argv = [program, *self._options(math, composed.names), *(file for file, _text in composed.files)]
            limit = _START_SECONDS + len(composed.names) * (_METHOD_SECONDS + 2 * self._settings.seconds)
            try:
                done = self._run(
                    argv,
                    cwd=folder,
                    timeout=min(limit, self._settings.run_seconds),
                    environment={"TMPDIR": str(folder)},
                    memory_bytes=self._settings.memory_bytes,
                    cancel=stop,
                )
            except ToolMissing as problem:
                raise VerifierProblem(f"{program} cannot be started any more") from problem
        with self._lock:
            self.tally.processes += 1
            self.tally.cpu_seconds += done.cpu_seconds
        return _ran(program, done)

    def _options(self, math: str, names: Sequence[str]) -> list[str]:
        return [
            "--esc",
            "--nonnull-by-default",
            "--progress",
            "--check-feasibility=precondition,assume,exit",
            f"--spec-math={math}",
            "--code-math=java",
            # Milliseconds for the solvers of today, seconds for those of old: the clock of the process holds anyway.
            "--timeout",
            str(int(self._settings.seconds * 1000)),
            "--method",
            ",".join(names),
        ]


class _Stop(threading.Event):
    """Set by itself, or when the caller's event is."""

    def __init__(self, outer: threading.Event | None) -> None:
        super().__init__()
        self._outer = outer

    def is_set(self) -> bool:
        """Whether either of the two is set."""
        return super().is_set() or (self._outer is not None and self._outer.is_set())


@dataclass(frozen=True)
class _Prepared:
    """The questions of a unit as OpenJML gets them, and those that it does not get."""

    formulas: Mapping[str, str]
    refused: dict[str, Judgement]
    groups: Mapping[tuple[str, str], Sequence[str]]
    facts: Mapping[tuple[str, str], tuple[str, ...]]
    scenes: Mapping[str, JavaScene]

    @staticmethod
    def of(unit: JavaUnit, questions: Sequence[Question], skeleton: Skeleton, arithmetic: Arithmetic) -> _Prepared:
        """Each question's formula and facts; a judgement that says why for one that is not asked."""
        scenes = {scene.name: scene for scene in unit.scenes}
        floating = openjml_formulas.declared_floating(text for _file, text in unit.files)
        refused: dict[str, Judgement] = {}
        formulas: dict[str, str] = {}
        groups: dict[tuple[str, str], list[str]] = {}
        facts: dict[tuple[str, str], tuple[str, ...] | str] = {}
        for question in questions:
            scene = scenes[question.scene]
            names: Names = openjml_formulas.names_of(scene.variables, scene.result, floating)
            group = (scene.name, question.hypothesis)
            if group not in facts:
                facts[group] = _facts(scene, question.hypothesis, skeleton)
            found = facts[group]
            try:
                if isinstance(found, str):
                    raise NotTaken(found)
                formulas[question.id] = openjml_formulas.formula(question.formula, names, arithmetic)
                groups.setdefault(group, []).append(question.id)
            except NotTaken as problem:
                detail = f"OpenJML is not asked: {problem}"
                refused[question.id] = Judgement("undecided", "unsupported", detail)
        usable = {group: found for group, found in facts.items() if not isinstance(found, str)}
        return _Prepared(formulas, refused, groups, usable, scenes)

    def tasks(self, asking: Asking) -> list[Task]:
        """The first stubs: the questions of one scene and outcome together, in the expected polarity."""
        tasks = []
        for (scene, outcome), ids in self.groups.items():
            for start in range(0, len(ids), CHECKS_PER_STUB):
                checks = asking.first_checks(ids[start : start + CHECKS_PER_STUB])
                tasks.append(Task(Stub(self.scenes[scene], self.facts[scene, outcome], bool(outcome), checks)))
        return tasks


def _facts(scene: JavaScene, outcome: str, skeleton: Skeleton) -> tuple[str, ...] | str:
    """The conjuncts that hold in a scene with an outcome, or why OpenJML cannot be told them."""
    try:
        skeleton.home(scene.class_name)
        found = openjml_formulas.facts(scene.facts) if scene.facts.strip() else ()
        if not outcome:
            return found
        after = next((one.facts for one in scene.outcomes if one.name == outcome), None)
        if after is None:
            return f"the scene has no outcome {outcome}"
        return found + (openjml_formulas.facts(after) if after.strip() else ())
    except NotTaken as problem:
        return str(problem)


def _version_key(identity: str) -> str:
    return f"{_LAYOUT}\0version\0{identity}"


def _bad_file(unit: JavaUnit) -> str:
    for name, _text in unit.files:
        path = PurePosixPath(name)
        if path.is_absolute() or not path.parts or ".." in path.parts or name.startswith("-") or "\0" in name:
            return f"the skeleton has a file of a bad name: {name!r}"
    return ""


def _chunks(tasks: Sequence[Task], settings: OpenJmlSettings) -> Iterator[list[int]]:
    """The numbers of the tasks that share a process: as many processes as may run, and no longer ones than allowed."""
    shared = [number for number, task in enumerate(tasks) if not task.alone]
    each = -(-len(shared) // max(1, settings.processes))
    size = min(settings.methods_per_run, max(_LEAST_METHODS, each))
    yield from (shared[start : start + size] for start in range(0, len(shared), size))
    yield from ([number] for number, task in enumerate(tasks) if task.alone)


def _ran(program: str, done: Completed) -> Ran:
    output = openjml_output.parse(done.stdout)
    problem = openjml_output.first_problem(output, done.stderr)
    if done.exit_status == _BAD_USAGE:
        raise VerifierProblem(f"{program} does not take its options: {problem or 'it says nothing'}")
    if output.solver_is_missing:
        raise VerifierProblem(f"{program} cannot start its solver: {problem}")
    if done.timed_out or done.exit_status in _USUAL_ENDINGS:
        return Ran(output, done.timed_out)
    if done.out_of_memory:
        return Ran(output, ending="OpenJML ran out of memory")
    return Ran(output, ending=problem or f"OpenJML ended with exit status {done.exit_status}")
