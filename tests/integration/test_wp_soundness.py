"""Formulas that WP has been seen to prove together with their negation; no true one may be refuted."""

from __future__ import annotations

from pathlib import Path

import pytest
from clausefit.verifiers.cache import VerdictCache
from clausefit.verifiers.framac_wp import FramacWp, WpSettings
from clausefit.verifiers.process import run
from clausefit.verifiers.protocol import Hooks, Question, Scene, Unit

STRING = Scene(
    "cf_s",
    "char cf_s_m0[4];",
    "s == &cf_s_m0[0] && cf_s_m0[0] == 114 && cf_s_m0[1] == 98 && cf_s_m0[2] == 104 && cf_s_m0[3] == 0",
    "int cf_s(const char *s, int cf_r) { return cf_r; }",
)


@pytest.mark.parametrize(
    ("hypothesis", "formula"),
    [
        pytest.param(
            "cf_r == 1",
            "\\valid_read(s + (0 .. 3)) && (\\result == 1 <==> "
            "(\\exists integer i; 0 <= i && s[i] == 104 && (\\forall integer j; 0 <= j <= i ==> s[j] != 0)))",
            id="a bound between two bound variables is lost over characters (simplify-is-cint of 25.0)",
        ),
    ],
)
def test_a_true_formula_is_not_refuted(hypothesis: str, formula: str, tmp_path: Path) -> None:
    verifier = FramacWp(run, WpSettings(timeout=2), VerdictCache(tmp_path / "cache"))
    questions = (
        Question("right", "cf_s", hypothesis, formula, "accept", "right"),
        Question("guard", "cf_s", hypothesis, formula, "refute", "guard", one_sided=True),
    )
    answers = verifier.judge(Unit("u", (), "", (), (STRING,), questions), Hooks())
    assert {name: judgement.verdict for name, judgement in answers.items()} == {
        "right": "accepted",
        "guard": "undecided",
    }
