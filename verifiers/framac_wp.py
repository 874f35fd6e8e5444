"""Frama-C with its WP plug-in: the verifier for C and ACSL.

Many questions are put into one process. The expected polarity is asked first, in groups; what a group did
not settle is asked alone, then in the other polarity, then with the slower provers. Only a property that
Frama-C reports as Valid decides; everything else is undecided with a reason (DESIGN §5, measured there).
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clausefit.verifiers import wp_output
from clausefit.verifiers.cache import VerdictCache
from clausefit.verifiers.process import Completed, ToolMissing
from clausefit.verifiers.protocol import Hooks, Info, Judgement, Polarity, Question, Tally, Unit, VerifierProblem
from clausefit.verifiers.wp_text import MAIN_FILE, Goal, compose, compose_type_check, conjunction, polar_formula

NAME = "frama-c-wp"
FAST_PROVERS = ("z3-ce", "cvc4", "cvc5", "z3", "alt-ergo")
"""In order of preference for the first asking: z3 with models proves instances of quantified clauses in 40 ms where
z3 alone takes 250–900 ms and cvc4 says unknown on alternating quantifiers (measured on 28 goals of a sort)."""
GUARD_PROVERS = ("cvc4", "cvc5", "z3-ce", "z3", "alt-ergo")
"""Guards are mostly not provable, and cvc4 says so in a tenth of a second where z3 takes up to two."""
STRONG_PROVERS = ("cvc4", "z3", "cvc5", "alt-ergo")
GROUP_SIZE = 8
GOALS_PER_RUN = 240
SCENES_PER_RUN = 40
"""A stub costs about 15 MB in one process; 40 of them stay below a gigabyte."""
FAST_SECONDS = 2
SOUND = ("-wp-no-simplify-is-cint",)
"""WP 25.0 loses ``j <= i`` in ``\\exists i; s[i] == c && \\forall j; 0 <= j <= i ==> s[j] != 0`` over characters when
it takes out the ranges that types imply, and then proves both the formula and its negation."""
Runner = Callable[..., Completed]


@dataclass(frozen=True)
class WpSettings:
    """Limits of the verifier: seconds for a goal and for a process, bytes for a process, provers to use."""

    timeout: int = 5
    run_timeout: float = 300.0
    memory_bytes: int | None = None
    parallel: int = 8
    provers: tuple[str, ...] = ()
    machdep: str = "gcc_x86_64"
    group: bool = True
    share_processes: bool = True


@dataclass(frozen=True)
class _Attempt:
    """What is known of one question in one polarity."""

    proved: bool
    reason: str = ""
    detail: str = ""
    cached: bool = False


@dataclass
class _State:
    """The questions of a unit while they are being asked."""

    unit: Unit
    keys: dict[tuple[str, Polarity], str]
    attempts: dict[tuple[str, Polarity], _Attempt] = field(default_factory=dict)
    final: set[tuple[str, Polarity]] = field(default_factory=set)

    def decided(self, question: Question) -> bool:
        return any(
            (attempt := self.attempts.get((question.id, polarity))) is not None and attempt.proved
            for polarity in ("accept", "refute")
        )

    def dropped(self, question: Question) -> bool:
        attempt = self.attempts.get((question.id, question.expected))
        return attempt is not None and attempt.reason in ("dropped", "unsupported", "parse_error")


class FramacWp:
    """The Frama-C/WP adapter. ``run`` starts processes (``process.run``); ``cache`` keeps verdicts between runs."""

    def __init__(
        self,
        run: Runner,
        settings: WpSettings,
        cache: VerdictCache,
        cancel: threading.Event | None = None,
    ) -> None:
        self._run, self._settings, self._cache, self._cancel = run, settings, cache, cancel
        self._lock = threading.RLock()
        self._provers: dict[str, str] | None = None
        self._identity: str | None = None
        self.tally = Tally()

    def info(self) -> Info:
        """Name, version and provers; VerifierProblem when Frama-C, Why3's configuration or every prover is missing."""
        return Info(NAME, self._version(), tuple(dict.fromkeys(self._provers_there().values())))

    def judge(self, unit: Unit, hooks: Hooks) -> Mapping[str, Judgement]:
        """A judgement for every question of ``unit``, by id."""
        state = _State(unit, self._keys(unit))
        self._look_up(state, unit.questions)
        open_questions = [q for q in unit.questions if not self._settled(state, q)]
        hooks.advance(len(unit.questions) - len(open_questions))
        if open_questions:
            self._ask_in_stages(state, open_questions, hooks)
        return {question.id: self._judgement(state, question) for question in unit.questions}

    # ---- stages -------------------------------------------------------------------------------------------------

    def _ask_in_stages(self, state: _State, questions: Sequence[Question], hooks: Hooks) -> None:
        provers = tuple(self._provers_there())
        fast = next((p for p in FAST_PROVERS if p in provers), provers[0])
        rest = tuple(p for p in STRONG_PROVERS if p in provers and p != fast) or (fast,)
        quick = min(FAST_SECONDS, self._settings.timeout)
        slow = (*rest, fast) if self._settings.timeout > quick else rest
        left = list(questions)
        with tempfile.TemporaryDirectory(prefix="clausefit-") as folder:
            bench = _Workbench(self, state, Path(folder))
            stages: tuple[tuple[Callable[[], list[Goal]], tuple[str, ...], int], ...] = (
                (lambda: _grouped(left) if self._settings.group else [], (fast,), quick),
                (lambda: _next_polarity(left, state), (fast,), quick),
                (lambda: _next_polarity(left, state), (fast,), quick),
                (lambda: _both_polarities(left), slow, self._settings.timeout),
            )
            for goals, with_provers, seconds in stages:
                bench.ask(goals(), with_provers, seconds)
                still = [q for q in left if not state.decided(q) and not state.dropped(q)]
                hooks.advance(len(left) - len(still))
                left = still
            bench.finish([q for q in questions if not state.decided(q)])
        hooks.advance(len(left))

    # ---- cache --------------------------------------------------------------------------------------------------

    def _keys(self, unit: Unit) -> dict[tuple[str, Polarity], str]:
        digest = hashlib.sha256()
        for part in (
            "2",
            self._tool_identity(),
            self._settings.machdep,
            unit.prelude,
            *unit.options,
            *(text for file in unit.files for text in file),
        ):
            digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
        base = digest.hexdigest()
        scenes = {s.name: "\0".join((s.declarations, s.assumption, s.function)) for s in unit.scenes}
        keys: dict[tuple[str, Polarity], str] = {}
        for question in unit.questions:
            for polarity in _polarities(question):
                text = "\0".join((base, scenes[question.scene], polar_formula(question, polarity)))
                keys[question.id, polarity] = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return keys

    def _look_up(self, state: _State, questions: Iterable[Question]) -> None:
        wanted = [(q.id, polarity) for q in questions for polarity in _polarities(q)]
        found = self._cache.get_many(state.keys[pair] for pair in wanted)
        for pair in wanted:
            stored = found.get(state.keys[pair])
            if stored is None:
                continue
            word, seconds, reason, detail = [*stored.split("\t", 3), "", "", ""][:4]
            if word == "proved":
                state.attempts[pair] = _Attempt(True, cached=True)
            elif word == "unproved" and seconds.isdigit() and int(seconds) >= self._settings.timeout:
                state.attempts[pair] = _Attempt(False, reason, detail, cached=True)
                state.final.add(pair)

    def remember(self, state: _State, pairs: Iterable[tuple[str, Polarity]]) -> None:
        """Store what is known of these; a proof for good, a failure for this time limit only."""
        rows = {}
        for pair in pairs:
            attempt = state.attempts.get(pair)
            if attempt is None or attempt.cached:
                continue
            if attempt.proved:
                rows[state.keys[pair]] = "proved"
            elif attempt.reason in ("timeout", "unknown", "dropped"):
                rows[state.keys[pair]] = f"unproved\t{self._settings.timeout}\t{attempt.reason}\t{attempt.detail}"
        if rows:
            self._cache.put_many(rows)

    def _settled(self, state: _State, question: Question) -> bool:
        return state.decided(question) or all((question.id, p) in state.final for p in _polarities(question))

    def _judgement(self, state: _State, question: Question) -> Judgement:
        accept = state.attempts.get((question.id, "accept"))
        refute = state.attempts.get((question.id, "refute"))
        if accept and refute and accept.proved and refute.proved:
            return Judgement("undecided", "vacuous", "both the clause and its negation are proved here")
        for attempt, verdict in ((accept, "accepted"), (refute, "rejected")):
            if attempt and attempt.proved:
                return Judgement(verdict, decided_by=NAME, cached=attempt.cached)  # type: ignore[arg-type]
        tried = [a for a in (accept, refute) if a is not None]
        telling = ("parse_error", "dropped", "crash", "unsupported")
        worst = next((a for a in tried if a.reason in telling), tried[0] if tried else None)
        if worst is None:
            return Judgement("undecided", "unknown", "it was not asked")
        return Judgement("undecided", worst.reason, worst.detail, cached=worst.cached)

    # ---- the tools ----------------------------------------------------------------------------------------------

    def guard_provers(self) -> tuple[str, ...]:
        """The prover for questions that are expected to stay open."""
        there = self._provers_there()
        return next(((p,) for p in GUARD_PROVERS if p in there), tuple(there)[:1])

    def _tool_identity(self) -> str:
        """What changes when a tool changes, without starting one: path, size and time of each program."""
        if self._identity is None:
            parts = []
            for program in ("frama-c", "why3", "z3", "cvc4", "cvc5", "alt-ergo"):
                path = shutil.which(program)
                if path:
                    real = os.path.realpath(path)
                    stat = os.stat(real)  # noqa: PTH116 - one call, no Path object needed on this path
                    parts.append(f"{program}:{real}:{stat.st_size}:{stat.st_mtime_ns}")
            self._identity = "|".join(parts) + "|" + ",".join(self._settings.provers)
        return self._identity

    def _version(self) -> str:
        key = "version\0" + self._tool_identity()
        known = self._cache.get_many([key]).get(key)
        if known is None:
            lines = self.frama_c(["-version"], Path(tempfile.gettempdir()), 60).stdout.split("\n")
            known = next((line.strip() for line in reversed(lines) if line.strip()), "unknown")
            self._cache.put_many({key: known})
        return known

    def _provers_there(self) -> dict[str, str]:
        with self._lock:
            if self._provers is None:
                self._provers = self._detect()
            return self._provers

    def _detect(self) -> dict[str, str]:
        key = "provers\0" + self._tool_identity() + "\0" + _why3_configuration()
        known = self._cache.get_many([key]).get(key)
        if known is None:
            done = self.frama_c(["-wp-detect"], Path(tempfile.gettempdir()), 60)
            known = "\n".join(f"{k}\t{v}" for k, v in wp_output.detected_provers(done.stdout).items())
            if known:
                self._cache.put_many({key: known})
        found = {k: v for k, _, v in (line.partition("\t") for line in known.splitlines())}
        if not found:
            raise VerifierProblem(
                "Why3 knows no prover: install z3 and cvc4 (apt install z3 cvc4), then run `why3 config detect`"
            )
        if not self._settings.provers:
            return found
        chosen = {name: found[name] for name in self._settings.provers if name in found}
        if not chosen:
            raise VerifierProblem(
                f"none of the provers {', '.join(self._settings.provers)} is known to Why3; it knows {', '.join(found)}"
            )
        return chosen

    def frama_c(self, arguments: Sequence[str], cwd: Path, timeout: float) -> Completed:
        """Run Frama-C; VerifierProblem when it is not there."""
        extra = {name: os.environ[name] for name in ("WHY3CONFIG", "FRAMAC_SHARE") if name in os.environ}
        # A Frama-C that is killed leaves its temporary files: let them go away with the scratch folder.
        extra["TMPDIR"] = str(cwd)
        try:
            done = self._run(
                ["frama-c", *arguments],
                cwd=cwd,
                timeout=timeout,
                environment=extra,
                memory_bytes=self._settings.memory_bytes,
                cancel=self._cancel,
            )
        except ToolMissing as problem:
            raise VerifierProblem(
                "frama-c was not found: install it (apt install frama-c-base why3 z3 cvc4, then `why3 config detect`)"
            ) from problem
        with self._lock:
            self.tally.processes += 1
            self.tally.cpu_seconds += done.cpu_seconds
        return done

    @property
    def settings(self) -> WpSettings:
        """The limits in force."""
        return self._settings


class _Workbench:
    """A scratch folder with the unit's files, and the Frama-C runs over it."""

    def __init__(self, tool: FramacWp, state: _State, folder: Path) -> None:
        self._tool, self._state, self._folder = tool, state, folder
        self._load_error: str | None = None
        self._scenes = {scene.name: scene for scene in state.unit.scenes}
        for relative, text in state.unit.files:
            path = folder / relative
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", errors="surrogateescape", newline="")

    def ask(self, goals: Sequence[Goal], provers: Sequence[str], seconds: int) -> None:
        """Prove what can be proved of ``goals``, in as few processes as the limits allow."""
        for chunk in _chunks(goals, self._tool.settings.share_processes):
            if self._load_error:
                self._note(chunk, _Attempt(False, "parse_error", self._load_error))
            else:
                self._run_chunk(chunk, provers, seconds)

    def _run_chunk(self, goals: Sequence[Goal], provers: Sequence[str], seconds: int) -> None:
        """One process for the goals, and one for the guards, which need another prover."""
        for guard, used in ((False, provers), (True, self._tool.guard_provers())):
            chosen = [goal for goal in goals if goal.guard == guard]
            if chosen:
                self._run_goals(chosen, used, seconds, ["-wp-no-filter"] if guard else [])

    def _run_goals(self, goals: Sequence[Goal], provers: Sequence[str], seconds: int, more: Sequence[str]) -> None:
        settings = self._tool.settings
        (self._folder / MAIN_FILE).write_text(
            compose(self._state.unit.prelude, self._scenes, goals), encoding="utf-8", errors="surrogateescape"
        )
        report = self._folder / "report.csv"
        report.unlink(missing_ok=True)
        names = ",".join(dict.fromkeys(goal.stub for goal in goals))
        arguments = [*self._common_arguments(), "-wp", "-wp-fct", names, "-wp-prover", ",".join(provers)]
        arguments += ["-wp-timeout", str(seconds), "-wp-par", str(settings.parallel), *SOUND, *more]
        arguments += ["-then", "-report-csv", report.name]
        done = self._tool.frama_c(arguments, self._folder, settings.run_timeout)
        self._tool.tally.goals += len(goals)
        if done.timed_out or done.exit_status != 0 or not report.is_file():
            self._failed_run(goals, provers, seconds, done)
            return
        table = report.read_text(encoding="utf-8", errors="replace")
        proved, seen = wp_output.proved_labels(table), wp_output.seen_labels(table)
        states = wp_output.goal_states(done.stdout)
        self._note([g for g in goals if g.label in proved], _Attempt(True))
        for goal in goals:
            if goal.label in seen and goal.label not in proved:
                self._note([goal], _unproved(states.get(goal.label, ""), seconds))
        missing = [goal for goal in goals if goal.label not in seen]
        if missing:
            self._sort_out_dropped(missing, provers, seconds)

    def _common_arguments(self) -> list[str]:
        options = " ".join(shlex.quote(option) for option in self._state.unit.options)
        return [
            MAIN_FILE,
            "-machdep",
            self._tool.settings.machdep,
            *([f"-cpp-extra-args={options}"] if options else []),
            "-kernel-warn-key",
            "annot-error=active",
        ]

    def _failed_run(self, goals: Sequence[Goal], provers: Sequence[str], seconds: int, done: Completed) -> None:
        """A run without a report: when the unit itself can be read, halve the run, down to the goal that ends it."""
        limit = done.timed_out or done.out_of_memory or (done.exit_status is not None and done.exit_status < 0)
        if not limit and self._cannot_load():
            self._note(goals, _Attempt(False, "parse_error", self._load_error or ""))
            return
        if len(goals) > 1:
            for half in _halves(goals):
                self._run_chunk(half, provers, seconds)
            return
        if done.timed_out:
            attempt = _Attempt(False, "timeout", f"Frama-C took more than {self._tool.settings.run_timeout:g} s")
        elif limit:
            attempt = _Attempt(False, "crash", "Frama-C ran out of memory or was killed")
        else:
            attempt = _Attempt(False, "unsupported", "Frama-C: " + self._said(done))
        self._note(goals, attempt)

    def _cannot_load(self) -> bool:
        """Whether Frama-C refuses the unit without any of our stubs; it is asked once."""
        if self._load_error is None:
            (self._folder / MAIN_FILE).write_text(self._state.unit.prelude + "\n", encoding="utf-8")
            done = self._tool.frama_c(self._common_arguments(), self._folder, self._tool.settings.run_timeout)
            refused = done.exit_status is not None and done.exit_status > 0
            self._load_error = f"Frama-C cannot read the file: {self._said(done)}" if refused else ""
        return bool(self._load_error)

    def _said(self, done: Completed) -> str:
        """Frama-C's first error, with the files of the unit under their own names."""
        unit = self._state.unit
        below = next((path.removesuffix(unit.name) for path, _text in unit.files if path.endswith(unit.name)), "")
        text = wp_output.first_error(done.stdout, done.stderr).replace(f"{self._folder}/", "")
        return re.sub(rf'^"?{re.escape(below)}([^":]*)"?', r"\1", text) if below else text

    def _sort_out_dropped(
        self, goals: Sequence[Goal], provers: Sequence[str], seconds: int, *, all_here: bool = True
    ) -> None:
        """Find which of these goals does not type-check, say so, and ask the others again.

        ``all_here`` is False for a part of the goals that were dropped: then the bad one may be in another part.
        """
        text, places = compose_type_check(self._state.unit.prelude, self._scenes, goals)
        (self._folder / MAIN_FILE).write_text(text, encoding="utf-8", errors="surrogateescape")
        done = self._tool.frama_c(self._common_arguments(), self._folder, self._tool.settings.run_timeout)
        if done.timed_out or done.exit_status != 0:
            if len(goals) == 1:
                self._failed_run(goals, provers, seconds, done)
                return
            for half in _halves(goals):
                self._sort_out_dropped(half, provers, seconds, all_here=False)
            return
        bad: dict[str, str] = {}
        for dropped in wp_output.dropped_annotations(done.stdout):
            if dropped.file.endswith(MAIN_FILE) and dropped.line in places:
                bad.setdefault(places[dropped.line], dropped.message)
        for goal in goals:
            if goal.label in bad:
                self._note([goal], _Attempt(False, "dropped", f"Frama-C does not accept it: {bad[goal.label]}"))
        rest = [goal for goal in goals if goal.label not in bad]
        if rest and (bad or not all_here):
            self._run_chunk(rest, provers, seconds)
        elif rest:
            self._note(rest, _Attempt(False, "dropped", "Frama-C left the annotation out without saying why"))

    def _note(self, goals: Iterable[Goal], attempt: _Attempt) -> None:
        pairs = []
        for goal in goals:
            # A group that fails says nothing of its members: they are asked again one by one.
            if not attempt.proved and len(goal.members) > 1 and attempt.reason != "parse_error":
                continue
            for pair in goal.members:
                if attempt.proved or not (known := self._state.attempts.get(pair)) or not known.proved:
                    self._state.attempts[pair] = attempt
                    pairs.append(pair)
        self._tool.remember(self._state, [p for p in pairs if self._state.attempts[p].proved])

    def finish(self, questions: Sequence[Question]) -> None:
        """Store the failures of what nothing could decide; other failures were only a step on the way."""
        self._tool.remember(self._state, [(q.id, p) for q in questions for p in _polarities(q)])


def _halves(goals: Sequence[Goal]) -> tuple[list[Goal], list[Goal]]:
    """The goals in two parts, between scenes where there are several."""
    scenes = list(dict.fromkeys(goal.scene for goal in goals))
    if len(scenes) == 1:
        middle = len(goals) // 2
        return list(goals[:middle]), list(goals[middle:])
    first = set(scenes[: len(scenes) // 2])
    return [g for g in goals if g.scene in first], [g for g in goals if g.scene not in first]


def _polarities(question: Question) -> tuple[Polarity, ...]:
    return (question.expected,) if question.one_sided else (question.expected, _opposite(question.expected))


def _opposite(polarity: Polarity) -> Polarity:
    return "refute" if polarity == "accept" else "accept"


def _grouped(questions: Sequence[Question]) -> list[Goal]:
    """One goal for up to GROUP_SIZE questions of the same scene, group and expected polarity."""
    groups: dict[tuple[str, str, Polarity], list[Question]] = {}
    for question in (q for q in questions if not q.one_sided):
        groups.setdefault((question.scene, question.group or question.id, question.expected), []).append(question)
    goals: list[Goal] = []
    for (scene, _group, polarity), listed in groups.items():
        for start in range(0, len(listed), GROUP_SIZE):
            part = listed[start : start + GROUP_SIZE]
            members = tuple((q.id, polarity) for q in part)
            goals.append(Goal(f"g{len(goals)}", scene, conjunction(part, polarity), members))
    goals.extend(_goal(q, q.expected, len(goals) + i) for i, q in enumerate(q for q in questions if q.one_sided))
    return goals


def alone(questions: Sequence[Question]) -> list[Goal]:
    """Each question as a goal of its own, in the expected polarity."""
    return [_goal(question, question.expected, number) for number, question in enumerate(questions)]


def _next_polarity(questions: Sequence[Question], state: _State) -> list[Goal]:
    """Each question alone, in the first polarity that it was not yet asked in by itself."""
    goals: list[Goal] = []
    for question in questions:
        for polarity in _polarities(question):
            if (question.id, polarity) not in state.attempts:
                goals.append(_goal(question, polarity, len(goals)))
                break
    return goals


def _both_polarities(questions: Sequence[Question]) -> list[Goal]:
    """What is still open, both ways, where the slow provers are worth it; a guard has had its chance."""
    goals: list[Goal] = []
    for question in questions:
        if question.hard and not question.one_sided:
            goals.extend(_goal(question, p, len(goals) + i) for i, p in enumerate(_polarities(question)))
    return goals


def _goal(question: Question, polarity: Polarity, number: int) -> Goal:
    members = ((question.id, polarity),)
    return Goal(f"g{number}", question.scene, polar_formula(question, polarity), members, question.one_sided)


def _chunks(goals: Sequence[Goal], share: bool) -> Iterable[list[Goal]]:
    if not share:
        yield from ([goal] for goal in goals)
        return
    chunk: list[Goal] = []
    scenes: set[str] = set()
    for goal in goals:
        if chunk and (len(chunk) >= GOALS_PER_RUN or len(scenes | {goal.scene}) > SCENES_PER_RUN):
            yield chunk
            chunk, scenes = [], set()
        chunk.append(goal)
        scenes.add(goal.scene)
    if chunk:
        yield chunk


def _unproved(state: str, seconds: int) -> _Attempt:
    if state == "Timeout":
        return _Attempt(False, "timeout", f"no prover decided it within {seconds} s")
    if state == "Failed":
        return _Attempt(False, "unknown", "the provers gave up on it")
    return _Attempt(False, "unknown", "no prover could decide it")


def _why3_configuration() -> str:
    path = Path(os.environ.get("WHY3CONFIG") or Path.home() / ".why3.conf")
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return "none"
