"""Formulas that no verifier can read, and formulas that look odd and are right."""

from __future__ import annotations

import pytest
from clausefit.hook.plainly_broken import plainly_broken


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        pytest.param("\\result ==", "nothing follows `==`", id="ends-with-an-operator"),
        pytest.param("(a &&) || b", "nothing follows `&&`", id="in-parentheses"),
        pytest.param("a ==> !", "nothing follows `!`", id="negation-of-nothing"),
        pytest.param("(a + 1", "a `(` is not closed", id="open-parenthesis"),
        pytest.param("a[1", "a `[` is not closed", id="open-index"),
        pytest.param("a) == 1", "a `)` closes nothing", id="too-many"),
        pytest.param("(a] == 1", "a `]` closes nothing", id="of-another-kind"),
    ],
)
def test_broken(formula: str, why: str) -> None:
    assert plainly_broken(formula) == why


@pytest.mark.parametrize(
    "formula",
    [
        "",
        "\\result == -1",
        "(int *)p == \\null && *(char *)q == ')'",
        '\\result.equals("(") ',
        "\\valid(a + (0 .. n - 1))",
        "\\forall integer i; 0 <= i < n ==> a[i] == \\old(a[i])",
        "(\\forall int i; 0 <= i && i < a.length; a[i] >= 0)",
        "\\typeof(x) == \\type(List<?>)",
        "\\at(*p, Pre) == !q",
        "a[*] == b",
        "x == '\\''",
        "\\separated(a + (..), b)",
    ],
)
def test_not_plainly_broken(formula: str) -> None:
    assert plainly_broken(formula) is None
