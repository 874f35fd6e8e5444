"""KeY: the verifier for Java and JML.

Questions go to the driver scene by scene (``verifiers/key/README.md`` says how it judges). Nothing is installed
and nothing started while all answers are in the cache.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from clausefit.verifiers import key_tools
from clausefit.verifiers.cache import VerdictCache
from clausefit.verifiers.key_driver import (
    LONG_RUN,
    QUICK_START,
    KeyDriver,
    KeyOutcome,
    KeyQuestion,
    KeyScene,
    KeySkeleton,
)
from clausefit.verifiers.key_pool import DriverPool
from clausefit.verifiers.key_tools import KeyInstallation, Strings, java_identity, key_version
from clausefit.verifiers.key_verdicts import driver_identity, from_text, question_keys, to_text
from clausefit.verifiers.protocol import Hooks, Info, JavaScene, JavaUnit, Judgement, Question, Tally

NAME = "key"
SMT_SOLVERS = ("z3", "cvc5", "cvc4")
EXCEPTION_VARIABLE = "cf_exc"
"""What formulas and facts call the exception thrown; null when the call returned."""

_QUESTIONS_PER_REQUEST = 60
_OF_STRINGS = re.compile(r'String|strContent|"')
_MORE_OF_STRINGS = re.compile(
    rf"\b(?:{'|'.join(sorted(key_tools.MORE_OF_STRINGS - key_tools.FEW_OF_STRINGS))}|new String)\s*\("
)
_LONG_RUN_QUESTIONS = 2000
_CRASHES_PER_UNIT = 12
_CRASHES_WITHOUT_ANSWER = 6
"""More than two questions that end every process need before any other is answered: then it is not the questions."""


@dataclass(frozen=True)
class KeySettings:
    """Seconds for a question, memory of a Java process, and how many of them at most."""

    seconds: float = 4.0
    memory_megabytes: int = 1024
    processes: int = 2


@dataclass(frozen=True)
class _Job:
    """Questions of one scene that are asked in one request. ``again``: their process ended once already."""

    scene: JavaScene
    questions: tuple[Question, ...]
    again: bool = False


class Key:
    """The KeY adapter. ``install`` makes KeY ready to run (once, when first needed); ``cache`` keeps verdicts.

    May be shared by threads. Call ``close`` at the end, also after an exception.
    """

    def __init__(
        self,
        install: Callable[[], KeyInstallation],
        cache: VerdictCache,
        settings: KeySettings | None = None,
        cancel: threading.Event | None = None,
    ) -> None:
        self._install, self._cache, self._cancel = install, cache, cancel
        self._settings = settings or KeySettings()
        self._lock = threading.Lock()
        self._installation: KeyInstallation | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._skeletons: dict[tuple[object, ...], KeySkeleton] = {}
        self._crashes, self._has_answered = 0, False
        self._last_crash = Judgement("undecided", "crash")
        self._pool = DriverPool(self._driver, self._settings.processes, cancel)
        self.tally = Tally()

    def info(self) -> Info:
        """Name, version and the SMT solvers that KeY can ask; nothing is started for it."""
        return Info(NAME, key_version(), ("key", *(name for name in SMT_SOLVERS if shutil.which(name))))

    def judge(self, unit: JavaUnit, hooks: Hooks) -> Mapping[str, Judgement]:
        """A judgement for every question of ``unit``, by id; undecided ones say why.

        Raises VerifierProblem when KeY cannot be used at all, Cancelled when the event was set: what was decided
        until then is in the cache.
        """
        keys = self._keys(unit)
        work = _Work(unit, hooks)
        work.settle(self._cached(unit, keys))
        self.tally.cached += len(work.judgements)
        left = [question for question in unit.questions if question.id not in work.judgements]
        if left:
            self.tally.goals += len(left)
            work.jobs.extend(_jobs(unit, left))
            self._ask_all(work, keys)
        return {question.id: work.judgements[question.id] for question in unit.questions}

    def known(self, unit: JavaUnit) -> Mapping[str, Judgement]:
        """The judgements that are in the cache, by id."""
        return self._cached(unit, self._keys(unit))

    def close(self) -> None:
        """End the Java processes and remove what was written for them."""
        self._pool.close()
        with self._lock:
            folder, self._folder = self._folder, None
            self._skeletons.clear()
        if folder is not None:
            folder.cleanup()

    # ---- cache --------------------------------------------------------------------------------------------------

    def _keys(self, unit: JavaUnit) -> dict[str, str]:
        # A solver that is new may prove what was left open.
        return question_keys(unit, (driver_identity(), java_identity(), *self.info().provers))

    def _cached(self, unit: JavaUnit, keys: Mapping[str, str]) -> dict[str, Judgement]:
        kept = self._cache.get_many(keys.values())
        found: dict[str, Judgement] = {}
        for question in unit.questions:
            text = kept.get(keys[question.id])
            judgement = from_text(text, self._settings.seconds) if text is not None else None
            if judgement is not None:
                found[question.id] = judgement
        return found

    def _remember(self, judgements: Mapping[str, Judgement], keys: Mapping[str, str]) -> None:
        texts = {keys[name]: to_text(judgement, self._settings.seconds) for name, judgement in judgements.items()}
        self._cache.put_many({key: text for key, text in texts.items() if text is not None})

    # ---- asking -------------------------------------------------------------------------------------------------

    def _ask_all(self, work: _Work, keys: Mapping[str, str]) -> None:
        skeleton = self._skeleton(work.unit)
        if isinstance(skeleton, Judgement):
            work.settle({q.id: skeleton for job in work.jobs for q in job.questions})
            return
        helpers = self._settings.processes - 1 if len(work.jobs) > 1 else 0
        with ThreadPoolExecutor(max(1, helpers), "key") as threads:
            helping = [threads.submit(self._help, work, skeleton, keys) for _ in range(helpers)]
            try:
                with self._pool.lend(work.open_questions(), skeleton) as driver:
                    self._ask_jobs(driver, work, skeleton, keys)
            except BaseException:
                work.stop()
                raise
            for helper in helping:
                helper.result()

    def _help(self, work: _Work, skeleton: KeySkeleton, keys: Mapping[str, str]) -> None:
        """Asks beside the first driver where another one is free, or enough is left for a process of its own."""
        with self._pool.lend_another(work.open_questions(), skeleton) as driver:
            if driver is not None:
                self._ask_jobs(driver, work, skeleton, keys)

    def _ask_jobs(self, driver: KeyDriver, work: _Work, skeleton: KeySkeleton, keys: Mapping[str, str]) -> None:
        while (job := work.next()) is not None:
            if self._is_in_vain():
                work.settle({question.id: self._last_crash for question in job.questions})
                continue
            starts = driver.starts
            answer = driver.ask(skeleton, self._scene(job))
            judgements = answer.judgements
            crashed = [q for q in job.questions if judgements[q.id].reason == "crash"]
            with self._lock:
                self.tally.processes += driver.starts - starts
                if crashed:
                    self._crashes += 1
                    self._last_crash = judgements[crashed[0].id]
                self._has_answered = self._has_answered or len(crashed) < len(job.questions)
            if crashed and work.may_ask_again(job, crashed):
                judgements = {name: j for name, j in judgements.items() if j.reason != "crash"}
            self._remember(judgements, keys)
            work.settle(judgements)

    def _is_in_vain(self) -> bool:
        """Whether processes end again and again and none has ever answered: Java as such does not work here."""
        with self._lock:
            return not self._has_answered and self._crashes >= _CRASHES_WITHOUT_ANSWER

    def _scene(self, job: _Job) -> KeyScene:
        scene, asked = job.scene, {question.hypothesis for question in job.questions}
        return KeyScene(
            class_name=scene.class_name,
            pins=scene.facts,
            questions=tuple(KeyQuestion(q.id, q.formula, q.expected, q.hypothesis, q.one_sided) for q in job.questions),
            variables=scene.variables,
            result=scene.result,
            exception=("java.lang.Throwable", EXCEPTION_VARIABLE),
            is_static=scene.is_static,
            seconds=self._settings.seconds,
            before=scene.before,
            outcomes=tuple(KeyOutcome(o.name, o.facts, o.after) for o in scene.outcomes if o.name in asked),
        )

    # ---- processes and files ------------------------------------------------------------------------------------

    def _driver(self, questions: int) -> KeyDriver:
        with self._lock:
            if self._installation is None:
                self._installation = self._install()
        memory = self._settings.memory_megabytes
        flags = LONG_RUN if questions >= _LONG_RUN_QUESTIONS else QUICK_START
        return KeyDriver(self._installation, memory_megabytes=memory, cancel=self._cancel, flags=flags)

    def _skeleton(self, unit: JavaUnit) -> KeySkeleton | Judgement:
        """The folder that holds the unit's files, the same one for the same files; a judgement for a bad file name."""
        strings = strings_of(unit)
        key = (unit.math, unit.files, strings)
        with self._lock:
            if key in self._skeletons:
                return self._skeletons[key]
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="clausefit-key-", ignore_cleanup_errors=True)
            folder = Path(self._folder.name, str(len(self._skeletons)))
            for name, text in unit.files:
                path = PurePosixPath(name)
                if path.is_absolute() or ".." in path.parts or not path.parts or "\0" in name:
                    return Judgement("undecided", "parse_error", f"the skeleton has a file of a bad name: {name!r}")
                target = folder / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(text.encode("utf-8", "replace"))
            folder.mkdir(exist_ok=True)
            self._skeletons[key] = KeySkeleton(folder, unit.math, strings)
            return self._skeletons[key]


class _Work:
    """What is left to ask of one unit, and what is known. Shared by the threads that ask."""

    def __init__(self, unit: JavaUnit, hooks: Hooks) -> None:
        self.unit = unit
        self.judgements: dict[str, Judgement] = {}
        self.jobs: deque[_Job] = deque()
        self._hooks = hooks
        self._lock = threading.Lock()
        self._crashes = 0

    def next(self) -> _Job | None:
        """Questions that nobody asks yet; None when there are none left."""
        with self._lock:
            return self.jobs.popleft() if self.jobs else None

    def open_questions(self) -> int:
        """How many questions nobody asks yet."""
        with self._lock:
            return sum(len(job.questions) for job in self.jobs)

    def settle(self, judgements: Mapping[str, Judgement]) -> None:
        """Take these judgements and tell the caller that there are so many more."""
        with self._lock:
            self.judgements.update(judgements)
            if judgements:
                self._hooks.advance(len(judgements))

    def may_ask_again(self, job: _Job, crashed: Sequence[Question]) -> bool:
        """Put the questions of a crashed request back: once as they are, then in halves, so that one of them alone
        is left with the crash. False when there is one left that crashed twice, or too much has crashed.

        They go to the end: what does no harm is answered first."""
        with self._lock:
            self._crashes += 1
            if self._crashes > _CRASHES_PER_UNIT or (job.again and len(crashed) == 1):
                return False
            half = (len(crashed) + 1) // 2 if job.again else len(crashed)
            parts = (tuple(crashed[:half]), tuple(crashed[half:]))
            self.jobs.extend(_Job(job.scene, part, again=True) for part in parts if part)
            return True

    def stop(self) -> None:
        """Leave the rest unasked: the other threads end after the request that they are at."""
        with self._lock:
            self.jobs.clear()


def strings_of(unit: JavaUnit) -> Strings:
    """Which methods of strings anything of it may call; "none" where it has no strings at all: no type, no fact, no
    literal, no method such as ``toString``."""
    texts = [*(text for _, text in unit.files), *(question.formula for question in unit.questions)]
    for scene in unit.scenes:
        texts += [scene.result or "", *(kind for kind, _ in scene.variables), scene.facts]
        texts += [outcome.facts for outcome in scene.outcomes]
    if not any(_OF_STRINGS.search(text) for text in texts):
        return "none"
    return "all" if any(_MORE_OF_STRINGS.search(text) for text in texts) else "few"


def _jobs(unit: JavaUnit, questions: Sequence[Question]) -> Iterator[_Job]:
    scenes = {scene.name: scene for scene in unit.scenes}
    by_scene: dict[str, list[Question]] = {}
    for question in questions:
        by_scene.setdefault(question.scene, []).append(question)
    for name, asked in by_scene.items():
        for start in range(0, len(asked), _QUESTIONS_PER_REQUEST):
            yield _Job(scenes[name], tuple(asked[start : start + _QUESTIONS_PER_REQUEST]))
