"""In which order and in which parts questions are asked when the time may not do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from clausefit.hook.judge import UnitPlan, Verifiers
from clausefit.hook.judge_in_time import PIECE, Course, judge_in_time, look_up, pieces
from clausefit.hook.plans import Asked
from clausefit.verifiers.protocol import Hooks, Judgement, Question, Unit


def course(name: str, *scenes: int, cuts: int = 0) -> Course:
    """A contract with a scene for each number, of so many questions."""
    questions = [
        Asked(Question(f"{name}{scene}.{number}", f"{name}{scene}", "", "x", "accept", "g"), "ensures")
        for scene, count in enumerate(scenes)
        for number in range(count)
    ]
    plan: Any = SimpleNamespace(asked=questions)
    unit: Any = SimpleNamespace()
    return Course(unit, plan, questions, cuts=cuts)


@pytest.mark.parametrize(
    ("courses", "sizes"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([course("a", 5)], [5], id="one-scene"),
        pytest.param([course("a", 5, 5), course("b", 5), course("c", 5)], [20], id="of-several-contracts"),
        pytest.param([course("a", *[50] * 5)], [50, 100, 100], id="ever-more-up-to-a-limit"),
        pytest.param([course("a", 190)], [190], id="a-scene-stays-whole"),
        pytest.param([course("a", *[5] * 7, cuts=1)], [5, 10, 20], id="ever-more-where-it-was-cut"),
        pytest.param([course("a", 5, 5, 5, cuts=2)], [5, 5, 5], id="scene-by-scene-where-it-was-cut-again"),
        pytest.param([course("a", 2, 2, cuts=3)], [1, 1, 1, 1], id="one-by-one-at-last"),
        pytest.param([course("a", 5, 5), course("b", 5, 5, cuts=1)], [10, 5, 5], id="what-was-cut-stays-apart"),
    ],
)
def test_pieces(courses: list[Course], sizes: list[int]) -> None:
    found = list(pieces(courses))
    assert [len(piece) for piece in found] == sizes
    assert [one for piece in found for one in piece] == [one for each in courses for one in each.open]
    assert max(sizes, default=0) <= max(PIECE, *(len(one.open) for one in courses), 0)


class Listening:
    """Notes what it is asked; questions of slow contracts stay open where they are to be answered quickly."""

    def __init__(self, slow: Sequence[str]) -> None:
        self.slow, self.asked = slow, list[str]()

    def known(self, _unit: Unit) -> Mapping[str, Judgement]:
        return {}

    def judge(self, unit: Unit, _hooks: Hooks) -> Mapping[str, Judgement]:
        names = sorted({q.id.partition(".")[0] + ("" if q.brief else "!") for q in unit.questions})
        self.asked.append(" ".join(names))
        return {q.id: self._answer(q) for q in unit.questions}

    def _answer(self, question: Question) -> Judgement:
        is_open = question.brief and question.id.startswith(tuple(self.slow))
        return Judgement("undecided", "timeout") if is_open else Judgement("accepted")


def unit_of(**sizes: int) -> UnitPlan:
    """A unit with contracts of so many questions, each with a second round of one."""

    def plan(name: str, size: int) -> Any:
        def ask(kind: str, number: int) -> Asked:
            return Asked(Question(f"{name}{kind}.{number}", f"{name}{kind}", "", "x", "accept", "g"), "ensures")

        found: Any = SimpleNamespace(
            asked=[ask("1", number) for number in range(size)],
            scenes=[],
            contract=SimpleNamespace(function=name),
            guessed=lambda *_: None,
            pins=(),
        )

        def more(_plan: Any, _answers: Mapping[str, Judgement]) -> list[Asked]:
            found.asked.append(ask("2", 0))
            return [found.asked[-1]]

        found.more = more
        return found

    return UnitPlan("f.c", (), "", (), [plan(name, size) for name, size in sizes.items()])


@pytest.mark.parametrize(
    ("sizes", "slow", "expected"),
    [
        pytest.param({"a": 5, "b": 3}, [], ["a1 b1", "a2 b2"], id="small-ones-together"),
        pytest.param({"a": 80, "b": 30}, [], ["b1", "b2", "a1", "a2"], id="one-to-its-end-before-the-next-is-begun"),
        pytest.param({"a": 5, "b": 30}, ["a"], ["a1 b1", "b2", "a1!", "a2!"], id="what-is-slow-waits"),
        pytest.param(
            {"a": 35, "b": 30, "c": 50},
            ["b", "c2"],
            ["b1", "a1", "a2", "c1", "c2", "c2!", "b1!", "b2!"],
            id="the-nearest-first",
        ),
    ],
)
def test_the_order_of_questions(sizes: dict[str, int], slow: list[str], expected: list[str]) -> None:
    listening = Listening(slow)
    units = [unit_of(**sizes)]
    verifiers = Verifiers(listening)  # type: ignore[arg-type]
    courses = look_up(units, verifiers)
    counts = [0, 0]

    def added(count: int) -> None:
        counts[0] += count

    memory: Any = SimpleNamespace(get_many=lambda _keys: {}, put_many=lambda _rows: None)
    judge_in_time(courses, verifiers, 1, memory, added, lambda _count: None)
    assert listening.asked == expected
    assert all(course.is_done for course in courses)
    assert counts[0] == sum(sizes.values()) + len(sizes)
