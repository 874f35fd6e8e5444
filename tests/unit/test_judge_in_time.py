"""In which order and in which parts questions are asked when the time may not do."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from clausefit.hook.judge_in_time import PIECE, Course, pieces
from clausefit.hook.plans import Asked
from clausefit.verifiers.protocol import Question


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
        pytest.param([course("a", *[50] * 5)], [100, 100, 50], id="up-to-a-limit"),
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
