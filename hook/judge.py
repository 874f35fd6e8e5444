"""Runs the plans of translation units through a verifier: first round, second round, judgements."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, Protocol, TypeAlias

from clausefit.hook.pins.values import Array, Struct, parts_of, values_of
from clausefit.hook.plans import Asked, Plan
from clausefit.verifiers.protocol import (
    Hooks,
    Info,
    JavaScene,
    JavaUnit,
    Judgement,
    Question,
    Scene,
    Unit,
    Verifier,
    VerifierProblem,
)


@dataclass
class UnitPlan:
    """A translation unit as the verifier loads it, and the plans of its contracts."""

    name: str
    files: tuple[tuple[str, str], ...]
    prelude: str
    options: tuple[str, ...]
    plans: list[Plan[Any]]
    judgements: dict[str, Judgement] = field(default_factory=dict)

    def unit(self, asked: Iterable[Asked]) -> Unit:
        """These questions as a unit for the verifier."""
        questions = tuple(one.question for one in asked)
        needed = {question.scene for question in questions}
        every = (s for plan in self.plans for s in plan.scenes if s.name in needed)
        scenes = tuple(scene for scene in every if isinstance(scene, Scene))
        return Unit(self.name, self.files, self.prelude, self.options, scenes, questions)


@dataclass
class JavaUnitPlan:
    """A skeleton with the plans of the contracts that are judged over it.

    ``bare`` gives a skeleton with less in it, for when the verifier does not load the whole one, and ``alone`` that of
    one contract (the index of its plan).
    """

    name: str
    files: Files
    math: Literal["java", "bigint"]
    plans: list[Plan[Any]]
    bare: Callable[[], Files] = tuple
    alone: Callable[[int], Files] = field(default=lambda _index: ())
    judgements: dict[str, Judgement] = field(default_factory=dict)

    def unit(self, asked: Iterable[Asked]) -> JavaUnit:
        """These questions as a unit for the verifier."""
        questions = tuple(one.question for one in asked)
        needed = {question.scene for question in questions}
        every = (s for plan in self.plans for s in plan.scenes if s.name in needed)
        scenes = tuple(scene for scene in every if isinstance(scene, JavaScene))
        return JavaUnit(self.name, self.files, self.math, scenes, questions)


Files: TypeAlias = tuple[tuple[str, str], ...]
AnyUnitPlan: TypeAlias = UnitPlan | JavaUnitPlan
Progress = Callable[[int], None]


class JavaVerifiers(Verifier[JavaUnit], Protocol):
    """One or several verifiers for Java, asked in turn."""

    def infos(self) -> tuple[Info, ...]:
        """Those that were asked."""
        ...


@dataclass(frozen=True)
class Verifiers:
    """Who judges what; ``java`` is None where there is nothing in Java to judge.

    ``is_mixed``: there is work in both languages, so that a verifier that cannot be used does not end the run.
    """

    c: Verifier[Unit]
    java: JavaVerifiers | None = None
    is_mixed: bool = False

    def judge(self, plan: AnyUnitPlan, asked: Sequence[Asked], hooks: Hooks) -> Mapping[str, Judgement]:
        """A judgement for each question, by its id, from the verifier of the plan's language."""
        try:
            if isinstance(plan, UnitPlan):
                return self.c.judge(plan.unit(asked), hooks)
            assert self.java is not None  # noqa: S101 - there is work for it
            return self.java.judge(plan.unit(asked), hooks)
        except VerifierProblem as problem:
            if not self.is_mixed:
                raise
            # The other language is judged all the same.
            return {one.question.id: Judgement("undecided", "verifier_missing", str(problem)) for one in asked}

    def known(self, plan: AnyUnitPlan, asked: Sequence[Asked]) -> Mapping[str, Judgement]:
        """The judgements, by id, of those questions of which nothing has to be asked; starts nothing."""
        try:
            if isinstance(plan, UnitPlan):
                return self.c.known(plan.unit(asked))
            return self.java.known(plan.unit(asked)) if self.java is not None else {}
        except VerifierProblem:  # it is said when there is something to ask
            return {}


def judge(units: Sequence[AnyUnitPlan], verifiers: Verifiers, jobs: int, added: Progress, advance: Progress) -> None:
    """Fill in the judgements of all units, ``jobs`` units at a time.

    ``added`` is told how many more questions there are, ``advance`` how many got their answer.
    """
    added(sum(len(plan.asked) for unit in units for plan in unit.plans))
    at_a_time(jobs, [partial(_judge_unit, unit, verifiers, added, advance) for unit in units])


def at_a_time(jobs: int, work: Sequence[Callable[[], None]]) -> None:
    """Do all of ``work``, ``jobs`` parts at a time; raises what the first that fails raises."""
    with ThreadPoolExecutor(max(1, jobs)) as pool:
        futures = [pool.submit(one) for one in work]
        try:
            for future in futures:
                future.result()
        except BaseException:
            # Leaving the pool waits for what it holds: after Ctrl-C that would be all the work that is left.
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _judge_unit(unit: AnyUnitPlan, verifiers: Verifiers, added: Progress, advance: Progress) -> None:
    hooks = Hooks(advance)
    first = [asked for plan in unit.plans for asked in plan.asked]
    if not first:
        return
    ask(unit, first, verifiers, hooks)
    more = [asked for plan in unit.plans for asked in plan.more(plan, unit.judgements)]
    if more:
        added(len(more))
        unit.judgements.update(verifiers.judge(unit, more, hooks))
    for plan in unit.plans:
        cross_check(unit, plan)


def ask(unit: AnyUnitPlan, questions: Sequence[Asked], verifiers: Verifiers, hooks: Hooks) -> None:
    """Fill in the judgements of these questions of ``unit``; over less of a skeleton where the whole is refused."""
    unit.judgements.update(verifiers.judge(unit, questions, hooks))
    if isinstance(unit, JavaUnitPlan) and _is_refused(unit, questions):
        _judge_in_parts(unit, questions, verifiers)


def cross_check(unit: AnyUnitPlan, plan: Plan[Any]) -> None:
    """Take back those judgements of a plan that evaluation contradicts."""
    for asked in plan.asked:
        unit.judgements[asked.question.id] = _cross_checked(plan, asked, unit.judgements[asked.question.id])


def _is_refused(unit: JavaUnitPlan, asked: Sequence[Asked]) -> bool:
    return bool(asked) and all(unit.judgements[one.question.id].reason == "parse_error" for one in asked)


def _judge_in_parts(unit: JavaUnitPlan, first: Sequence[Asked], verifiers: Verifiers) -> None:
    """Judge over a skeleton with less in it; where that is refused as well, each contract over one of its own."""
    unit.files = unit.bare() or unit.files
    unit.judgements.update(verifiers.judge(unit, first, Hooks()))
    if not _is_refused(unit, first):
        return
    whole = unit.files
    named = {one.question.id for one in first}
    for index, plan in enumerate(unit.plans):
        unit.files = unit.alone(index) or whole
        mine = [one for one in plan.asked if one.question.id in named]
        if mine:
            unit.judgements.update(verifiers.judge(unit, mine, Hooks()))
        if not _is_refused(unit, mine):
            # What is asked later of these contracts is asked over the last skeleton that was taken.
            whole = unit.files
    unit.files = whole


_OF_WHOLE = re.compile(r"[!=]=\s*\\(?:old|at)[(\s]+\*")
"""A comparison with a whole variable as it was (``*r == \\old(*r)``): WP 25.0 proves it where array elements differ."""


def _holds_arrays(plan: Plan[Any], asked: Asked) -> bool:
    """Whether memory of the question's pin has a struct with an array in it."""
    pin = plan.pins[asked.pin] if asked.pin is not None else None
    values = parts_of(values_of(pin)) if pin is not None else ()
    return any(isinstance(part, Array) for one in values if isinstance(one, Struct) for part in parts_of([one]))


def _cross_checked(plan: Plan[Any], asked: Asked, judgement: Judgement) -> Judgement:
    """A proof that evaluation contradicts is an alarm, not a judgement."""
    question: Question = asked.question
    if judgement.verdict == "undecided" or question.one_sided:
        return judgement
    guess = plan.guessed(asked.pin, asked.mutant, question.formula)
    if guess == (judgement.verdict == "accepted"):
        return judgement
    if judgement.verdict == "accepted" and _OF_WHOLE.search(question.formula) and _holds_arrays(plan, asked):
        return Judgement("undecided", "unsupported", "WP compares structs that hold arrays in part only")
    if guess is None:
        return judgement
    return Judgement(
        "undecided", "disagreement", f"{judgement.decided_by} says {judgement.verdict}, evaluation says the opposite"
    )
