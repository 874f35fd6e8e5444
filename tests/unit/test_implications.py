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
        pytest.param("a <== b", (("b",),), id="reversed"),
        pytest.param("a <== b <== c", (("c", "b"),), id="reversed-twice"),
        pytest.param("(a <== b) && (c ==> d)", (("b",), ("c",)), id="one-each-way"),
        pytest.param("a <== b ==> c", (), id="mixed-which-JML-does-not-have"),
        pytest.param("a ==> (c <== b)", (("a", "b"),), id="reversed-behind-an-arrow"),
        pytest.param("(a ==> b) <== c", (("c", "a"),), id="reversed-before-one"),
        pytest.param("a<=!=>b", (), id="an-inequivalence"),
        pytest.param("a > 0 ==> x <=!=> y", (), id="an-inequivalence-binds-looser"),
        pytest.param("a > 0 ==> x <==> y", (), id="an-equivalence-binds-looser"),
        pytest.param("a > 0 ==> (x <==> y)", (("a > 0",),), id="an-equivalence-behind-an-arrow"),
        pytest.param("a ==> (b ==> c)", (("a", "b"),), id="parentheses-behind-an-arrow"),
        pytest.param("a ==> (b && c)", (("a",),), id="a-conjunction-behind-an-arrow"),
        pytest.param("a ==> ((b ==> c) && (d ==> e))", (("a", "b"), ("a", "d")), id="implications-behind-an-arrow"),
        pytest.param("a ==> ((b ==> c) && d)", (("a",),), id="what-always-speaks-behind-an-arrow"),
        pytest.param("a ==> \\forall int i; b ==> c", (("a",),), id="quantified-behind-an-arrow"),
        pytest.param("a <= b ==> c >= d", (("a <= b",),), id="comparisons"),
        pytest.param("p->x ==> q->y", (("p->x",),), id="fields"),
        pytest.param('a ==> "<==" == s', (("a",),), id="an-arrow-in-a-string"),
        pytest.param("", (), id="empty"),
        pytest.param("(" * 200 + "a ==> b" + ")" * 200, (), id="nested-too-deeply"),
    ],
)
def test_implications(formula: str, expected: tuple[tuple[str, ...], ...]) -> None:
    assert implications(formula) == expected
