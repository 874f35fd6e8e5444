"""Frama-C runs over one unit: goals in, what is proved out, and why the rest is not."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from clausefit.verifiers import wp_output
from clausefit.verifiers.process import Completed
from clausefit.verifiers.protocol import Polarity, Question
from clausefit.verifiers.wp_goals import Attempt, State, polarities
from clausefit.verifiers.wp_text import MAIN_FILE, Goal, compose, compose_type_check
from clausefit.verifiers.wp_tools import WpTools

GOALS_PER_RUN = 240
SCENES_PER_RUN = 40
"""A stub costs about 15 MB in one process; 40 of them stay below a gigabyte."""
SOUND = ("-wp-no-simplify-is-cint",)
"""WP 25.0 drops ``j <= i`` from ``\\exists i; s[i] == c && \\forall j; 0 <= j <= i ==> s[j] != 0`` over characters when
it takes out ranges that the type implies: then the formula and its negation are both proved. Without it some
quantified goals are out of the provers' reach. So it is off at first, and on for what is left of the questions whose
answer evaluation has found by itself."""


class Workbench:
    """A scratch folder with the unit's files, and the Frama-C runs over it."""

    def __init__(
        self, tools: WpTools, state: State, folder: Path, remember: Callable[[Iterable[tuple[str, Polarity]]], None]
    ) -> None:
        self._tools, self._state, self._folder, self._remember = tools, state, folder, remember
        self._load_error: str | None = None
        self._scenes = {scene.name: scene for scene in state.unit.scenes}
        for relative, text in state.unit.files:
            path = folder / relative
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", errors="surrogateescape", newline="")

    def ask(self, goals: Sequence[Goal], provers: Sequence[str], seconds: int) -> None:
        """Prove what can be proved of ``goals``, in as few processes as the limits allow."""
        for chunk in _chunks(goals, self._tools.settings.share_processes):
            if self._load_error:
                self._note(chunk, Attempt(False, "parse_error", self._load_error))
            else:
                self._run_chunk(chunk, provers, seconds)

    def _run_chunk(self, goals: Sequence[Goal], provers: Sequence[str], seconds: int) -> None:
        """One process for each kind of goal: kinds differ in their options and provers."""
        kinds: tuple[tuple[bool, bool, Sequence[str], Sequence[str]], ...] = (
            (False, True, provers, ()),
            (False, False, provers, SOUND),
            (True, False, self._tools.guard_provers(), (*SOUND, "-wp-no-filter")),
        )
        for guard, simplify, used, options in kinds:
            chosen = [goal for goal in goals if goal.guard == guard and goal.simplify == simplify]
            if chosen:
                self._run_goals(chosen, used, seconds, options)

    def _run_goals(self, goals: Sequence[Goal], provers: Sequence[str], seconds: int, more: Sequence[str]) -> None:
        settings = self._tools.settings
        (self._folder / MAIN_FILE).write_text(
            compose(self._state.unit.prelude, self._scenes, goals), encoding="utf-8", errors="surrogateescape"
        )
        report = self._folder / "report.csv"
        report.unlink(missing_ok=True)
        names = ",".join(dict.fromkeys(goal.stub for goal in goals))
        arguments = [*self._common_arguments(), "-wp", "-wp-fct", names, "-wp-prover", ",".join(provers)]
        arguments += ["-wp-timeout", str(seconds), "-wp-par", str(settings.parallel), *more]
        arguments += ["-then", "-report-csv", report.name]
        done = self._tools.frama_c(arguments, self._folder, settings.run_timeout)
        self._tools.tally.goals += len(goals)
        if done.timed_out or done.exit_status != 0 or not report.is_file():
            self._failed_run(goals, provers, seconds, done)
            return
        table = report.read_text(encoding="utf-8", errors="replace")
        proved, seen = wp_output.proved_labels(table), wp_output.seen_labels(table)
        states = wp_output.goal_states(done.stdout)
        self._note([g for g in goals if g.label in proved], Attempt(True))
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
            self._tools.settings.machdep,
            *([f"-cpp-extra-args={options}"] if options else []),
            "-kernel-warn-key",
            "annot-error=active",
        ]

    def _failed_run(self, goals: Sequence[Goal], provers: Sequence[str], seconds: int, done: Completed) -> None:
        """A run without a report: when the unit itself can be read, halve the run, down to the goal that ends it."""
        limit = done.timed_out or done.out_of_memory or (done.exit_status is not None and done.exit_status < 0)
        if not limit and self._cannot_load():
            self._note(goals, Attempt(False, "parse_error", self._load_error or ""))
            return
        if len(goals) > 1:
            for half in _halves(goals):
                self._run_chunk(half, provers, seconds)
            return
        if done.timed_out:
            detail = f"Frama-C took more than {self._tools.settings.run_timeout:g} s"
            attempt = Attempt(False, "timeout", detail, passing=True)
        elif limit:
            attempt = Attempt(False, "crash", "Frama-C ran out of memory or was killed")
        else:
            attempt = Attempt(False, "unsupported", "Frama-C: " + self._said(done))
        self._note(goals, attempt)

    def _cannot_load(self) -> bool:
        """Whether Frama-C refuses the unit without any of our stubs; it is asked once."""
        if self._load_error is None:
            (self._folder / MAIN_FILE).write_text(self._state.unit.prelude + "\n", encoding="utf-8")
            done = self._tools.frama_c(self._common_arguments(), self._folder, self._tools.settings.run_timeout)
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
        done = self._tools.frama_c(self._common_arguments(), self._folder, self._tools.settings.run_timeout)
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
                self._note([goal], Attempt(False, "dropped", f"Frama-C does not accept it: {bad[goal.label]}"))
        rest = [goal for goal in goals if goal.label not in bad]
        if rest and (bad or not all_here):
            self._run_chunk(rest, provers, seconds)
        elif rest:
            self._note(rest, Attempt(False, "dropped", "Frama-C left the annotation out without saying why"))

    def _note(self, goals: Iterable[Goal], attempt: Attempt) -> None:
        pairs = []
        for goal in goals:
            # A group that fails says nothing of its members: they are asked again one by one.
            if not attempt.proved and len(goal.members) > 1 and attempt.reason != "parse_error":
                continue
            for pair in goal.members:
                if attempt.proved or not (known := self._state.attempts.get(pair)) or not known.proved:
                    self._state.attempts[pair] = attempt
                    pairs.append(pair)
        self._remember([p for p in pairs if self._state.attempts[p].proved])

    def finish(self, questions: Sequence[Question]) -> None:
        """Store the failures of what nothing could decide; other failures were only a step on the way."""
        self._remember([(q.id, p) for q in questions for p in polarities(q)])


def _halves(goals: Sequence[Goal]) -> tuple[list[Goal], list[Goal]]:
    """The goals in two parts, between scenes where there are several."""
    scenes = list(dict.fromkeys(goal.scene for goal in goals))
    if len(scenes) == 1:
        middle = len(goals) // 2
        return list(goals[:middle]), list(goals[middle:])
    first = set(scenes[: len(scenes) // 2])
    return [g for g in goals if g.scene in first], [g for g in goals if g.scene not in first]


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


def _unproved(state: str, seconds: int) -> Attempt:
    if state == "Timeout":
        return Attempt(False, "timeout", f"no prover decided it within {seconds} s")
    if state == "Failed":
        return Attempt(False, "unknown", "the provers gave up on it")
    return Attempt(False, "unknown", "no prover could decide it")
