"""Frama-C with its WP plug-in: the verifier for C and ACSL.

Many questions are put into one process. The expected polarity is asked first, in groups; what a group did
not settle is asked alone, then in the other polarity, then with the slower provers. Only a property that
Frama-C reports as Valid decides; everything else is undecided with a reason (DESIGN §5, measured there).
"""

from __future__ import annotations

import hashlib
import re
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from clausefit.verifiers.cache import VerdictCache
from clausefit.verifiers.protocol import Hooks, Info, Judgement, Polarity, Question, Tally, Unit
from clausefit.verifiers.wp_goals import (
    Attempt,
    State,
    alone,
    grouped,
    last_try,
    next_polarity,
    polarities,
    polarities_to_ask,
    simplified,
)
from clausefit.verifiers.wp_runs import Workbench
from clausefit.verifiers.wp_text import Goal, polar_formula
from clausefit.verifiers.wp_tools import Runner, WpSettings, WpTools

NAME = "frama-c-wp"
FAST_PROVERS = ("z3-ce", "cvc4", "cvc5", "z3", "alt-ergo")
"""In order of preference for the first asking: z3 with models proves instances of quantified clauses in 40 ms where
z3 alone takes 250–900 ms and cvc4 says unknown on alternating quantifiers (measured on 28 goals of a sort)."""
STRONG_PROVERS = ("cvc4", "z3", "cvc5", "alt-ergo")
FAST_SECONDS = 2

__all__ = ["FramacWp", "WpSettings", "alone"]


class FramacWp:
    """The Frama-C/WP adapter. ``run`` starts processes (``process.run``); ``cache`` keeps verdicts between runs."""

    def __init__(
        self,
        run: Runner,
        settings: WpSettings,
        cache: VerdictCache,
        cancel: threading.Event | None = None,
    ) -> None:
        self._settings, self._cache = settings, cache
        self._tools = WpTools(run, settings, cache, cancel)
        self._tried: dict[str, Attempt] = {}
        """What a brief asking of this run left open, by key: the quick provers are not asked a second time."""

    @property
    def tally(self) -> Tally:
        """What the work cost so far."""
        return self._tools.tally

    def info(self) -> Info:
        """Name, version and provers; VerifierProblem when Frama-C, Why3's configuration or every prover is missing."""
        return Info(NAME, self._tools.version(), tuple(dict.fromkeys(self._tools.provers().values())))

    def judge(self, unit: Unit, hooks: Hooks) -> Mapping[str, Judgement]:
        """A judgement for every question of ``unit``, by id."""
        state = State(unit, self._keys(unit))
        self._look_up(state, unit.questions)
        open_questions = [q for q in unit.questions if not self._settled(state, q)]
        hooks.advance(len(unit.questions) - len(open_questions))
        self._recall(state, open_questions)
        if open_questions:
            self._ask_in_stages(state, open_questions, hooks)
        return {question.id: self._judgement(state, question) for question in unit.questions}

    def known(self, unit: Unit) -> Mapping[str, Judgement]:
        """The judgements that are in the cache, by id, of questions of which nothing is asked any more."""
        state = State(unit, self._keys(unit))
        self._look_up(state, unit.questions)
        return {
            question.id: self._judgement(state, question)
            for question in unit.questions
            if self._settled(state, question)
        }

    # ---- stages -------------------------------------------------------------------------------------------------

    def _ask_in_stages(self, state: State, questions: Sequence[Question], hooks: Hooks) -> None:
        provers = tuple(self._tools.provers())
        fast = next((p for p in FAST_PROVERS if p in provers), provers[0])
        rest = tuple(p for p in STRONG_PROVERS if p in provers and p != fast) or (fast,)
        quick = min(FAST_SECONDS, self._settings.timeout)
        slow = (*rest, fast) if self._settings.timeout > quick else rest
        left = list(questions)
        fresh = {q.id for q in questions if (q.id, q.expected) not in state.attempts}
        with tempfile.TemporaryDirectory(prefix="clausefit-") as folder:
            bench = Workbench(self._tools, state, Path(folder), lambda pairs: self._remember(state, pairs))
            stages: tuple[tuple[Callable[[], list[Goal]], tuple[str, ...], int], ...] = (
                (lambda: grouped([q for q in left if q.id in fresh]) if self._settings.group else [], (fast,), quick),
                (lambda: next_polarity(left, state), (fast,), quick),
                (lambda: simplified([q for q in left if q.id in fresh]), (fast,), quick),
                (lambda: next_polarity(left, state), (fast,), quick),
                (lambda: last_try(left), slow, self._settings.timeout),
            )
            for goals, with_provers, seconds in stages:
                bench.ask(goals(), with_provers, seconds)
                still = [q for q in left if not state.decided(q) and not state.dropped(q)]
                hooks.advance(len(left) - len(still))
                left = still
            bench.finish([q for q in questions if not state.decided(q) and not q.brief])
        for question in (q for q in left if q.brief):
            for polarity in polarities(question):
                attempt = state.attempts.get((question.id, polarity))
                if attempt is not None and attempt.reason in ("timeout", "unknown"):
                    self._tried[state.keys[question.id, polarity]] = attempt
        hooks.advance(sum(not q.brief for q in left))

    def _recall(self, state: State, questions: Sequence[Question]) -> None:
        """Take over what a brief asking found out."""
        for question in (q for q in questions if not q.brief):
            for polarity in polarities(question):
                attempt = self._tried.get(state.keys[question.id, polarity])
                if attempt is not None:
                    state.attempts.setdefault((question.id, polarity), attempt)

    # ---- cache --------------------------------------------------------------------------------------------------

    def _keys(self, unit: Unit) -> dict[tuple[str, Polarity], str]:
        digest = hashlib.sha256()
        for part in (
            "6",
            self._tools.identity(),
            self._settings.machdep,
            unit.prelude,
            *unit.options,
            *_texts(unit),
        ):
            digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
        base = digest.hexdigest()
        # A stub's name says which of the contracts of this run it is for: another run numbers them otherwise.
        scenes = {s.name: _unnamed("\0".join((s.declarations, s.assumption, s.function)), s.name) for s in unit.scenes}
        keys: dict[tuple[str, Polarity], str] = {}
        for question in unit.questions:
            for polarity in polarities(question):
                confirmed = str(question.confirmed and polarity == question.expected)
                formula = _unnamed(polar_formula(question, polarity), question.scene)
                text = "\0".join((base, scenes[question.scene], confirmed, formula))
                keys[question.id, polarity] = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return keys

    def _look_up(self, state: State, questions: Iterable[Question]) -> None:
        wanted = [(q.id, polarity) for q in questions for polarity in polarities(q)]
        found = self._cache.get_many(state.keys[pair] for pair in wanted)
        for pair in wanted:
            stored = found.get(state.keys[pair])
            if stored is None:
                continue
            word, seconds, reason, detail = [*stored.split("\t", 3), "", "", ""][:4]
            if word == "proved":
                state.attempts[pair] = Attempt(True, cached=True)
            elif word == "unproved" and seconds.isdigit() and int(seconds) >= self._settings.timeout:
                state.attempts[pair] = Attempt(False, reason, detail, cached=True)
                state.final.add(pair)

    def _remember(self, state: State, pairs: Iterable[tuple[str, Polarity]]) -> None:
        """Store what is known of these; a proof for good, a failure for this time limit only."""
        rows = {}
        for pair in pairs:
            attempt = state.attempts.get(pair)
            if attempt is None or attempt.cached or attempt.passing:
                continue
            if attempt.proved:
                rows[state.keys[pair]] = "proved"
            elif attempt.reason in ("timeout", "unknown", "dropped"):
                rows[state.keys[pair]] = f"unproved\t{self._settings.timeout}\t{attempt.reason}\t{attempt.detail}"
        if rows:
            self._cache.put_many(rows)

    def _settled(self, state: State, question: Question) -> bool:
        return state.decided(question) or all((question.id, p) in state.final for p in polarities_to_ask(question))

    def _judgement(self, state: State, question: Question) -> Judgement:
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


def _texts(unit: Unit) -> list[str]:
    """The names and texts of the files, without blank lines where nothing can depend on them.

    Beginnings and ends of lines are blank for the preprocessor, but where a line goes on behind a backslash.
    """
    texts = [text for _path, text in unit.files]
    stubs = [text for scene in unit.scenes for text in (scene.declarations, scene.function)]
    if any(
        _COUNTS_LINES.search(text) for text in (*texts, *unit.options, *stubs, *(q.formula for q in unit.questions))
    ):
        return [part for file in unit.files for part in file]
    return [part for path, text in unit.files for part in (path, _without_blank_lines(text))]


_COUNTS_LINES = re.compile(r"__LINE__|__COUNTER__|\?\?/|R\"")


def _without_blank_lines(text: str) -> str:
    lines, goes_on = [], False
    for line in text.split("\n"):
        stripped = line.strip(" \t\r")
        if goes_on or stripped:
            lines.append(line if goes_on else stripped)
        goes_on = stripped.endswith("\\")
    return "\n".join(lines)


def _unnamed(text: str, name: str) -> str:
    """``text`` with what bears the scene's ``name`` under one that no C text has."""
    return text.replace(name, "\1")
