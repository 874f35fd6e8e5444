"""Of which parts an implication is made, and what is none."""

from __future__ import annotations

import pytest
from clausefit.hook.implications import implications


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        pytest.param("a ==> b", (("a",),), id="one"),
        pytest.param("(a ==> b)", (("a",),), id="in-parentheses"),
        pytest.param("a ==> b ==> c", (("a", "b"),), id="two-premises"),
        pytest.param("(a ==> b) && (c ==> d)", (("a",), ("c",)), id="two-of-them"),
        pytest.param("((a ==> b) && ((c ==> d)))", (("a",), ("c",)), id="in-more-parentheses"),
        pytest.param("a&&b ==> c", (("a&&b",),), id="a-conjunction-before-the-arrow"),
        pytest.param("(a ==> b) && c", (), id="one-part-always-speaks"),
        pytest.param("(a ==> b) || (c ==> d)", (), id="a-disjunction"),
        pytest.param("(a ==> b) ^^ (c ==> d)", (), id="an-exclusive-or"),
        pytest.param("a <==> b", (), id="an-equivalence"),
        pytest.param("a ? b : (c ==> d)", (), id="a-condition"),
        pytest.param("\\forall int i; a ==> b", (), id="quantified"),
        pytest.param("(a ==> b) && \\forall int i; c ==> d", (), id="a-part-is-quantified"),
        pytest.param("(a == &x ==> b) && (c ==> d)", (("a == &x",), ("c",)), id="an-address"),
        pytest.param("", (), id="empty"),
        pytest.param("(" * 200 + "a ==> b" + ")" * 200, (), id="nested-too-deeply"),
    ],
)
def test_implications(formula: str, expected: tuple[tuple[str, ...], ...]) -> None:
    assert implications(formula) == expected
