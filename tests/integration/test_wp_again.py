"""What a second run asks Frama-C again, and what it does not: real provers, and one cache for all runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from clausefit.verifiers.cache import VerdictCache
from clausefit.verifiers.framac_wp import FramacWp, WpSettings
from clausefit.verifiers.process import run
from clausefit.verifiers.protocol import Hooks, Judgement, Polarity, Question, Scene, Unit

SCENE = Scene("cf_s", "", "\\true", "int cf_s(int cf_r) { return cf_r; }")
HARD = (
    "\\forall integer a, b, c, n; a > 0 && b > 0 && c > 0 && n > 2 ==> "
    "a * a * a * n + b * b * b * n != c * c * c * n + 4 * \\result"
)


def judged(cache: Path, seconds: int, question: Question) -> tuple[Judgement, int]:
    """The judgement, and for how many goals provers were started."""
    verifier = FramacWp(run, WpSettings(timeout=seconds), VerdictCache(cache))
    answers = verifier.judge(Unit("u", (), "", (), (SCENE,), (question,)), Hooks())
    return answers[question.id], verifier.tally.goals


@pytest.mark.parametrize("confirmed", [True, False], ids=["evaluation found the answer", "nothing is known of it"])
@pytest.mark.parametrize("expected", ["accept", "refute"])
def test_what_stayed_undecided_is_asked_again_only_with_more_time(
    expected: Polarity, confirmed: bool, tmp_path: Path
) -> None:
    question = Question("q", "cf_s", "cf_r == 0", HARD, expected, "right", confirmed=confirmed)
    first, asked = judged(tmp_path / "cache", 1, question)
    assert first.verdict == "undecided" and asked > 0 and not first.cached
    again, asked = judged(tmp_path / "cache", 1, question)
    assert (again.verdict, again.reason, again.detail) == (first.verdict, first.reason, first.detail)
    assert asked == 0 and again.cached
    _longer, asked = judged(tmp_path / "cache", 2, question)
    assert asked > 0


def test_that_evaluation_found_an_answer_is_not_known_of_a_question_without_it(tmp_path: Path) -> None:
    sure = Question("q", "cf_s", "cf_r == 0", HARD, "accept", "right", confirmed=True)
    judged(tmp_path / "cache", 1, sure)
    unsure = Question("q", "cf_s", "cf_r == 0", HARD, "accept", "right")
    assert judged(tmp_path / "cache", 1, unsure)[1] > 0
