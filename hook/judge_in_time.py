"""Judges as ``judge`` does, where the run may end before all is asked, or where nothing is asked at all.

What the cache knows comes first, then small contracts, in pieces of which each leaves its answers in the cache; a
contract is asked to its end before others are begun. What a verifier does not answer quickly waits until all else is
answered, and is then asked one contract after the other. A contract that a run was cut at comes last in the next one,
in smaller pieces: so however short the runs are, each goes on from where the others ended, and nothing waits for ever
behind one question that takes long.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

from clausefit.hook.judge import AnyUnitPlan, Progress, UnitPlan, Verifiers, ask, at_a_time, cross_check
from clausefit.hook.plans import Asked, Plan
from clausefit.verifiers.process import Cancelled
from clausefit.verifiers.protocol import Hooks

FIRST = 40
"""As many at first: a small project may have no more time than that."""
PIECE = 120
"""Most questions that are asked together: as many as a verifier answers in some seconds, of which it needs one or two
to start."""
_MOST_CUTS = 9


class Memory(Protocol):
    """Keeps short texts by key from run to run; the cache of verdicts does."""

    def get_many(self, keys: Iterable[str]) -> Mapping[str, str]:
        """The texts that are known."""
        ...

    def put_many(self, verdicts: Mapping[str, str]) -> None:
        """Keep these."""
        ...


@dataclass
class Course:
    """How far a contract is: its questions without an answer, and whether those that answers call for were made."""

    unit: AnyUnitPlan
    plan: Plan[Any]
    open: list[Asked] = field(default_factory=list)
    is_second: bool = False
    cuts: int = 0
    """How often a run ended while it was asked about this contract."""
    is_cut: bool = False
    """Whether this run did."""

    @property
    def is_done(self) -> bool:
        """Whether every question has its answer."""
        return self.is_second and not self.open

    @property
    def key(self) -> str:
        """What tells the contract with its calls from run to run."""
        digest = hashlib.sha256(f"cut\0{self.unit.name}\0{self.plan.contract.function}".encode("utf-8", "replace"))
        for question in (asked.question for asked in self.plan.asked):
            # A scene's name holds the contract's number in this run.
            text = f"\0{question.hypothesis}\0{question.formula}".replace(question.scene, "\1")
            digest.update(text.encode("utf-8", "replace"))
        return digest.hexdigest()

    @property
    def answered(self) -> int:
        """How many of its questions have an answer."""
        return len(self.plan.asked) - len(self.open)

    def take(self) -> None:
        """Drop what has an answer now; when nothing is left, make the questions that the answers call for."""
        self._drop()
        if not self.open and not self.is_second:
            self.is_second = True
            # Without a question nothing was answered, and nothing more is asked.
            self.open = self.plan.more(self.plan, self.unit.judgements) if self.plan.asked else []
            self._drop()

    def _drop(self) -> None:
        self.open = [one for one in self.open if one.question.id not in self.unit.judgements]


def look_up(units: Sequence[AnyUnitPlan], verifiers: Verifiers) -> list[Course]:
    """Fill in the judgements that the cache knows; every contract, with what is left to ask. Starts no verifier."""
    courses = [Course(unit, plan, list(plan.asked)) for unit in units for plan in unit.plans]
    for course in courses:
        for _round in ("first", "second"):
            if course.open:
                course.unit.judgements.update(verifiers.known(course.unit, course.open))
            course.take()
    _finish(courses)
    return courses


def judge_in_time(
    courses: Sequence[Course],
    verifiers: Verifiers,
    jobs: int,
    memory: Memory,
    added: Progress,
    advance: Progress,
) -> None:
    """Ask what is open, ``jobs`` units at a time, until all is answered or the verifiers are cancelled.

    ``memory`` keeps which contracts were being asked about then.
    """
    left = [course for course in courses if not course.is_done]
    added(sum(len(course.open) for course in left))
    keys = {course.key: course for course in left}
    for key, text in memory.get_many(keys).items():
        keys[key].cuts = int(text) if text.isdecimal() else 0
    by_unit: dict[int, list[Course]] = {}
    for course in sorted(left, key=lambda one: (one.cuts, len(one.open))):
        by_unit.setdefault(id(course.unit), []).append(course)
    at_a_time(jobs, [partial(_judge_unit, mine, verifiers, added, advance) for mine in by_unit.values()])
    memory.put_many({key: str(min(one.cuts + 1, _MOST_CUTS)) for key, one in keys.items() if one.is_cut})
    _finish(left)


def _judge_unit(courses: Sequence[Course], verifiers: Verifiers, added: Progress, advance: Progress) -> None:
    under_way: list[Asked] = []

    def put(questions: Sequence[Asked], *, brief: bool) -> None:
        under_way[:] = questions
        _ask(courses[0].unit, questions, verifiers, Hooks(advance), brief=brief)

    try:
        for piece in list(pieces(courses)):
            put(piece, brief=True)
            # The second rounds of what is answered now come before the first of what is not begun.
            more = _taken(courses, piece, added)
            if more:
                put(more, brief=True)
                _taken(courses, more, added)
        for course in sorted(courses, key=lambda one: (one.cuts, len(one.open))):
            for _round in ("first", "second"):
                for piece in list(pieces([course])):
                    put(piece, brief=False)
                _taken([course], course.open, added)
    except Cancelled:
        # What was proved meanwhile is in the cache; here a contract counts as a whole or not at all.
        named = {one.question.id for one in under_way}
        for course in courses:
            course.is_cut = any(one.question.id in named for one in course.open)
            course.open = [one for one in course.open if one.question.id not in courses[0].unit.judgements]
    else:
        for course in courses:
            course.take()


def _taken(courses: Sequence[Course], asked: Sequence[Asked], added: Progress) -> list[Asked]:
    """What is to be asked next of those contracts whose last open questions were among ``asked``."""
    names = {one.question.id for one in asked}
    more: list[Asked] = []
    for course in courses:
        if any(one.question.id in names for one in course.open):
            was_second = course.is_second
            course.take()
            more += course.open if course.is_second and not was_second else ()
    if more:
        added(len(more))
    return more


def _ask(unit: AnyUnitPlan, questions: Sequence[Asked], verifiers: Verifiers, hooks: Hooks, *, brief: bool) -> None:
    """Fill in the judgements; where it is to be ``brief``, only of those questions that are answered quickly."""
    if not brief or not isinstance(unit, UnitPlan):
        ask(unit, questions, verifiers, hooks)
        return
    quick = [replace(one, question=replace(one.question, brief=one.question.hard)) for one in questions]
    ask(unit, quick, verifiers, hooks)
    for one in quick:
        judgement = unit.judgements[one.question.id]
        is_open = judgement.verdict == "undecided" and judgement.reason in ("timeout", "unknown")
        if one.question.brief and is_open and not judgement.cached:
            del unit.judgements[one.question.id]


def pieces(courses: Iterable[Course]) -> Iterator[list[Asked]]:
    """The open questions in parts, in the order of ``courses``, each of whole scenes and larger than the one before.

    Of a contract that was cut once the first part is one scene, and each is twice as large as the one before; of one
    that was cut twice every part is one scene, and then one question.
    """
    piece: list[Asked] = []
    room, is_cut = FIRST, False
    for course in courses:
        if course.cuts and not is_cut:
            if piece:
                yield piece
            piece, room, is_cut = [], 1, True
        for part in _parts(course):
            if piece and (course.cuts > 1 or len(piece) + len(part) > room):
                yield piece
                piece, room = [], min(max(room, len(piece)) * 2, PIECE)
            piece = [*piece, *part]
    if piece:
        yield piece


def _parts(course: Course) -> Iterable[list[Asked]]:
    if course.cuts > 2:
        return [[one] for one in course.open]
    scenes: dict[str, list[Asked]] = {}
    for one in course.open:
        scenes.setdefault(one.question.scene, []).append(one)
    return scenes.values()


def _finish(courses: Iterable[Course]) -> None:
    for course in courses:
        if course.is_done:
            cross_check(course.unit, course.plan)
