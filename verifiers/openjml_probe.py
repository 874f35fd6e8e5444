r"""What every OpenJML is asked before its answers count: claims that are true, and claims that are not.

A false claim that is proved tells that the stubs do not mean for this OpenJML what they are meant to: that a call
leaves memory unchanged, that facts which contradict each other go unnoticed, that ``int`` does not wrap around. A true
claim that is not proved tells that nothing will be. The claims go the way of all other questions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Literal, cast

from clausefit.verifiers.protocol import (
    JavaOutcome,
    JavaScene,
    JavaUnit,
    Judgement,
    Question,
    VerifierProblem,
)

RIGHT = "right"
WRONG_ARITHMETIC = "wrong arithmetic"

_CLASS = """public class ClausefitProbe {
  public static int total;
  public int count;
  public int spare;
  public int[] cells;
}
"""
_FACTS = (
    r"\old(a != null && a.length == 2 && a[0] == 4 && n == -7 && big == 2147483647 && this.count == 1)"
    r" && s != null && \dl_strContent(s) == \seq(97, 98, 99)"
)
_OUTCOMES = (
    JavaOutcome("right", r"cf_exc == null && \result == 6 && this.count == 2 && a[0] == 5", "{}"),
    JavaOutcome("thrown", r"cf_exc != null && \typeof(cf_exc) == \type(java.lang.IllegalStateException)", "{}"),
    JavaOutcome("impossible", r"\result == 1 && \result == 2", "{}"),
)
_TRUE = (
    ("right", r"\result == \old(this.count) + 5"),
    ("right", r"a[0] == \old(a[0]) + 1 && \old(a.length) == 2"),
    ("right", r"(\forall int i; 0 <= i && i < 1; a[i] == 5)"),
    ("right", "n / 2 == -3"),
    ("", r"\old(n < 0 && this.count == 1)"),
)
_FALSE = (
    ("right", r"a[1] == \old(a[1])"),
    ("right", r"this.spare == \old(this.spare)"),
    ("right", r"ClausefitProbe.total == \old(ClausefitProbe.total)"),
    ("right", r"this.cells == \old(this.cells)"),
    ("right", r"\result == 7"),
    ("right", r"\old(a[0]) == 5"),
    ("right", 's == "abc"'),
    ("right", "n / 2 == -4"),
    ("right", "false"),
    ("thrown", "cf_exc == null"),
    ("thrown", "cf_exc instanceof java.lang.IllegalArgumentException"),
    ("thrown", r"this.count == \old(this.count)"),
    ("impossible", r"\result == 3"),
    ("", r"\old(a[1] == 0)"),
    ("", "false"),
)
_FALSE_ARITHMETIC: Mapping[str, tuple[tuple[str, str], ...]] = {
    "java": (
        ("", r"\old(big) + 1 > \old(big)"),
        ("", r"\old(big) * 2 == 4294967294L"),
        ("", r"(byte) 200 == 200"),
        ("", r"(int) (\old(big) + 1L) == 2147483648L"),
    ),
    "bigint": (("", r"\old(big) + 1 < 0"), ("", r"\old(big) * 2 == -2")),
}


def unit(math: str) -> JavaUnit:
    """The claims as a unit; the ids begin with ``true``, ``false`` or ``arithmetic`` (false of numbers in ``math``)."""
    variables = (("int[]", "a"), ("int", "n"), ("int", "big"), ("java.lang.String", "s"))
    scene = JavaScene("probe", "ClausefitProbe", False, variables, "int", _FACTS, "{}", _OUTCOMES)
    claims = (("true", _TRUE), ("false", _FALSE), ("arithmetic", _FALSE_ARITHMETIC[math]))
    questions = tuple(
        Question(f"{kind} {number}", scene.name, outcome, formula, "accept", kind, one_sided=True)
        for kind, group in claims
        for number, (outcome, formula) in enumerate(group)
    )
    files = (("ClausefitProbe.java", _CLASS),)
    return JavaUnit("probe", files, cast(Literal["java", "bigint"], math), (scene,), questions)


def digest(math: str) -> str:
    """A text that changes when the claims do."""
    return hashlib.sha256(repr(unit(math)).encode()).hexdigest()


def verdict(math: str, answers: Mapping[str, Judgement], version: str) -> str:
    """RIGHT, or WRONG_ARITHMETIC when all is right but for arithmetic; VerifierProblem when OpenJML is of no use."""
    arithmetic = RIGHT
    for question in unit(math).questions:
        judgement = answers[question.id]
        accepted = judgement.verdict == "accepted"
        if question.group == "arithmetic" and accepted:
            arithmetic = WRONG_ARITHMETIC
        elif question.group == "false" and accepted:
            raise VerifierProblem(
                f"OpenJML {version} is not used: it proves `{question.formula}` where that is false, please report it"
            )
        elif question.group == "true" and not accepted:
            raise VerifierProblem(
                f"OpenJML {version} is not used: it does not prove `{question.formula}` where that is true "
                f"({judgement.detail})"
            )
    return arithmetic
