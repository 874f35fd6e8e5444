"""A contract's questions with their answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clausefit.hook.mutants import RESULT
from clausefit.hook.pins.values import Integer
from clausefit.hook.plans import Asked, Plan
from clausefit.verifiers.protocol import Judgement, Verdict


@dataclass(frozen=True)
class Judged:
    """A contract's plan with all its judgements."""

    plan: Plan[Any]
    judgements: Mapping[str, Judgement]

    def verdict(self, asked: Asked) -> Verdict:
        """The verdict on a question of the plan."""
        judgement = self.judgements.get(asked.question.id)
        return judgement.verdict if judgement else "undecided"

    def decided_by(self, asked: Asked) -> str:
        """Who judged the question: a verifier's name, or ``evaluation``; empty where it is undecided."""
        judgement = self.judgements.get(asked.question.id)
        return judgement.decided_by if judgement and judgement.verdict != "undecided" else ""

    def of(self, *roles: str) -> list[Asked]:
        """The questions with these roles."""
        return [asked for asked in self.plan.asked if asked.role in roles]


def excluded_pins(judged: Judged) -> frozenset[int]:
    """Pins whose input the contract is proved to reject, or is not proved to accept: no other clause speaks of them."""
    plan = judged.plan
    if any(plan.contract.clauses[i].kind == "requires" and not _guards_its_case(plan, i) for i in plan.unaskable):
        return frozenset(range(len(plan.pins)))
    asked = judged.of("requires", "admitted")
    return frozenset(a.pin for a in asked if a.pin is not None and judged.verdict(a) != "accepted")


def _guards_its_case(plan: Plan[Any], number: int) -> bool:
    """Whether what the precondition is there for cannot be asked without it: several spec cases of JML."""
    contract = plan.contract
    guarded = contract.language == "java" and len(contract.behaviors) > 1
    return guarded and contract.clauses[number].behavior in contract.behaviors


def truths(judged: Judged) -> frozenset[str]:
    """Questions whose "wrong" result is another way to say true, by id.

    C and ACSL compare an integer with a truth value by being zero or not: ``\\result == (a < b)`` accepts 2 for 1.
    Where a contract rejects 0 for a right 1 and accepts every other number, the others are no wrong outcomes.
    """
    by_pin: dict[int | None, list[Asked]] = {}
    for asked in judged.of("wrong"):
        mutant = asked.mutant
        right = mutant.right if mutant is not None and mutant.location == RESULT else None
        if isinstance(right, Integer) and right.value == 1 and _wrong_number(asked) is not None:
            by_pin.setdefault(asked.pin, []).append(asked)
    found: set[str] = set()
    for listed in by_pin.values():
        zero = [judged.verdict(a) for a in listed if _wrong_number(a) == 0]
        others = [a for a in listed if _wrong_number(a) != 0]
        if zero == ["rejected"] and len(others) > 1 and all(judged.verdict(a) == "accepted" for a in others):
            found.update(a.question.id for a in others)
    return frozenset(found)


def _wrong_number(asked: Asked) -> int | None:
    return asked.mutant.wrong.value if asked.mutant and isinstance(asked.mutant.wrong, Integer) else None
