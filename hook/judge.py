"""Runs the plans of translation units through a verifier: first round, second round, judgements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from clausefit.hook.questions import Asked, Plan, second_round
from clausefit.verifiers.protocol import Hooks, Judgement, Question, Unit, Verifier


@dataclass
class UnitPlan:
    """A translation unit as the verifier loads it, and the plans of its contracts."""

    name: str
    files: tuple[tuple[str, str], ...]
    prelude: str
    options: tuple[str, ...]
    plans: list[Plan]
    judgements: dict[str, Judgement] = field(default_factory=dict)

    def unit(self, asked: Iterable[Asked]) -> Unit:
        """These questions as a unit for the verifier."""
        questions = tuple(one.question for one in asked)
        needed = {question.scene for question in questions}
        scenes = tuple(s for plan in self.plans for s in plan.scenes if s.name in needed)
        return Unit(self.name, self.files, self.prelude, self.options, scenes, questions)


Progress = Callable[[int], None]


def judge(units: Sequence[UnitPlan], verifier: Verifier, jobs: int, added: Progress, advance: Progress) -> None:
    """Fill in the judgements of all units, ``jobs`` units at a time.

    ``added`` is told how many more questions there are, ``advance`` how many got their answer.
    """
    added(sum(len(plan.asked) for unit in units for plan in unit.plans))
    with ThreadPoolExecutor(max(1, jobs)) as pool:
        futures = [pool.submit(_judge_unit, unit, verifier, added, advance) for unit in units]
        try:
            for future in futures:
                future.result()
        except BaseException:
            # Leaving the pool waits for what it holds: after Ctrl-C that would be all the work that is left.
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _judge_unit(unit: UnitPlan, verifier: Verifier, added: Progress, advance: Progress) -> None:
    hooks = Hooks(advance)
    first = [asked for plan in unit.plans for asked in plan.asked]
    if not first:
        return
    unit.judgements.update(verifier.judge(unit.unit(first), hooks))
    more = [asked for plan in unit.plans for asked in second_round(plan, unit.judgements)]
    if more:
        added(len(more))
        unit.judgements.update(verifier.judge(unit.unit(more), hooks))
    for plan in unit.plans:
        for asked in plan.asked:
            unit.judgements[asked.question.id] = _cross_checked(plan, asked, unit.judgements[asked.question.id])


def _cross_checked(plan: Plan, asked: Asked, judgement: Judgement) -> Judgement:
    """A proof that evaluation contradicts is an alarm, not a judgement."""
    question: Question = asked.question
    if judgement.verdict == "undecided" or question.one_sided:
        return judgement
    guess = plan.guessed(asked.pin, asked.mutant, question.formula)
    if guess is None or guess == (judgement.verdict == "accepted"):
        return judgement
    return Judgement(
        "undecided", "disagreement", f"{judgement.decided_by} says {judgement.verdict}, evaluation says the opposite"
    )
