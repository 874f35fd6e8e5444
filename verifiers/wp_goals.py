"""What is known of the questions of a unit while they are asked, and which goals come next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from clausefit.verifiers.protocol import Polarity, Question, Unit
from clausefit.verifiers.wp_text import Goal, conjunction, polar_formula

GROUP_SIZE = 8
GROUP_TEXT = 1_000
"""Characters: eight quantified clauses in one goal run into the time limit, where three do not."""


@dataclass(frozen=True)
class Attempt:
    """What is known of one question in one polarity.

    ``passing``: it failed for what the rest of the machine did, so that it may well succeed the next time.
    """

    proved: bool
    reason: str = ""
    detail: str = ""
    cached: bool = False
    passing: bool = False


@dataclass
class State:
    """The questions of a unit while they are being asked."""

    unit: Unit
    keys: dict[tuple[str, Polarity], str]
    attempts: dict[tuple[str, Polarity], Attempt] = field(default_factory=dict)
    final: set[tuple[str, Polarity]] = field(default_factory=set)

    def decided(self, question: Question) -> bool:
        """True when one polarity is proved."""
        return any(
            (attempt := self.attempts.get((question.id, polarity))) is not None and attempt.proved
            for polarity in ("accept", "refute")
        )

    def dropped(self, question: Question) -> bool:
        """True when Frama-C does not accept the question, so that asking again is of no use."""
        attempt = self.attempts.get((question.id, question.expected))
        return attempt is not None and attempt.reason in ("dropped", "unsupported", "parse_error")


def polarities(question: Question) -> tuple[Polarity, ...]:
    """The polarities that are asked, the expected one first."""
    return (question.expected,) if question.one_sided else (question.expected, opposite(question.expected))


def polarities_to_ask(question: Question) -> tuple[Polarity, ...]:
    """The polarities that are asked to the end: where evaluation has found the answer, only that one."""
    return (question.expected,) if question.confirmed else polarities(question)


def opposite(polarity: Polarity) -> Polarity:
    """The other polarity."""
    return "refute" if polarity == "accept" else "accept"


def grouped(questions: Sequence[Question]) -> list[Goal]:
    """One goal for up to GROUP_SIZE questions of the same scene, group and expected polarity."""
    groups: dict[tuple[str, str, Polarity], list[Question]] = {}
    for question in (q for q in questions if not q.one_sided):
        key = (question.scene, question.group or question.id, question.expected)
        groups.setdefault(key, []).append(question)
    goals: list[Goal] = []
    for (scene, _group, polarity), listed in groups.items():
        for part in _parts(listed):
            members = tuple((q.id, polarity) for q in part)
            goals.append(Goal(f"g{len(goals)}", scene, conjunction(part, polarity), members))
    goals.extend(_goal(q, q.expected, len(goals) + i) for i, q in enumerate(q for q in questions if q.one_sided))
    return goals


def _parts(questions: Sequence[Question]) -> Iterator[list[Question]]:
    """Runs of at most GROUP_SIZE questions and about GROUP_TEXT characters."""
    part: list[Question] = []
    for question in questions:
        text = sum(len(q.formula) for q in part) + len(question.formula)
        if part and (len(part) >= GROUP_SIZE or text > GROUP_TEXT):
            yield part
            part = []
        part.append(question)
    if part:
        yield part


def alone(questions: Sequence[Question]) -> list[Goal]:
    """Each question as a goal of its own, in the expected polarity."""
    return [_goal(question, question.expected, number) for number, question in enumerate(questions)]


def next_polarity(questions: Sequence[Question], state: State) -> list[Goal]:
    """Each question alone, in the first polarity that it was not yet asked in by itself.

    Where evaluation has found the answer the other polarity is not worth asking.
    """
    goals: list[Goal] = []
    for question in questions:
        for polarity in polarities(question):
            if (question.id, polarity) not in state.attempts:
                if polarity == question.expected or not question.confirmed:
                    goals.append(_goal(question, polarity, len(goals)))
                break
    return goals


def simplified(questions: Sequence[Question]) -> list[Goal]:
    """The questions whose answer evaluation has found, in that polarity, to be asked with every simplification."""
    chosen = [question for question in questions if question.confirmed and not question.one_sided]
    return [replace(_goal(q, q.expected, number), simplify=True) for number, q in enumerate(chosen)]


def last_try(questions: Sequence[Question]) -> list[Goal]:
    """What is still open and worth the slow provers: both ways, or the way that evaluation has found."""
    open_ones = [q for q in questions if q.hard and not q.brief and not q.one_sided]
    goals: list[Goal] = []
    for question in open_ones:
        if not question.confirmed:
            goals.extend(_goal(question, p, len(goals) + i) for i, p in enumerate(polarities(question)))
    return goals + [replace(goal, label=f"g{len(goals) + i}") for i, goal in enumerate(simplified(open_ones))]


def _goal(question: Question, polarity: Polarity, number: int) -> Goal:
    members = ((question.id, polarity),)
    return Goal(f"g{number}", question.scene, polar_formula(question, polarity), members, question.one_sided)
