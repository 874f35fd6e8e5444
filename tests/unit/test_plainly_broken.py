"""Formulas that no verifier can read, and formulas that look odd and are right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from clausefit.hook.contracts.c import read_c
from clausefit.hook.contracts.java import read_java
from clausefit.hook.contracts.model import Language, SourceContracts
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
        pytest.param("a == b && && c", "nothing stands between `&&` and `&&`", id="two-connectives"),
        pytest.param("\\result >= >= 0", "nothing stands between `>=` and `>=`", id="two-comparisons"),
        pytest.param("a == 2 ==> || b", "nothing stands between `==>` and `||`", id="implies-or"),
        pytest.param("a + / b", "nothing stands between `+` and `/`", id="plus-by"),
        pytest.param("! && a", "nothing stands between `!` and `&&`", id="not-and"),
        pytest.param("\\result == n >> > 1", "nothing stands between `>>` and `>`", id="a-shift-too-far"),
        pytest.param("a > == 1", "nothing stands between `>` and `==`", id="greater-equal"),
        pytest.param("n >", "nothing follows `>`", id="greater-than-nothing"),
        pytest.param("0 < n && n >", "nothing follows `>`", id="a-comparison-before-opens-no-type"),
        pytest.param("n <", "nothing follows `<`", id="less-than-nothing"),
        pytest.param("n >=", "nothing follows `>=`", id="at-least-nothing"),
        pytest.param("n >>", "nothing follows `>>`", id="shifted-by-nothing"),
        pytest.param("a && n *", "nothing follows `*`", id="times-nothing"),
        pytest.param("n &", "nothing follows `&`", id="bits-of-nothing"),
        pytest.param("(n >) && n", "nothing follows `>`", id="greater-than-nothing-in-parentheses"),
        pytest.param("(n <) && n", "nothing follows `<`", id="less-than-nothing-in-parentheses"),
        pytest.param("a[n <=] == 1", "nothing follows `<=`", id="an-index"),
        pytest.param("f(a ==, b)", "nothing follows `==`", id="an-argument"),
        pytest.param("\\forall int i; 0 <= i && i < ; a[i]", "nothing follows `<`", id="a-range"),
        pytest.param("n > * 3", "nothing stands between `>` and `*`", id="times-a-number"),
        pytest.param("n == & 3", "nothing stands between `==` and `&`", id="bits-of-a-number"),
        pytest.param("> 0", "nothing stands before `>`", id="begins-with-an-operator"),
        pytest.param("&& a", "nothing stands before `&&`", id="begins-with-a-connective"),
    ],
)
@pytest.mark.parametrize("language", ["c", "java"])
def test_broken(formula: str, why: str, language: Language) -> None:
    assert plainly_broken(formula, language) == why


@pytest.mark.parametrize(
    ("formula", "language", "why"),
    [
        pytest.param("*a == \\odl(*a)", "c", "`\\odl` is no word of ACSL (`\\old` is one)", id="acsl"),
        pytest.param("\\reslt > 0", "java", "`\\reslt` is no word of JML (`\\result` is one)", id="jml"),
        pytest.param("\\nothng", "c", "`\\nothng` is no word of ACSL (`\\nothing` is one)", id="a-frame"),
        pytest.param("\\xyzzy(1)", "c", "`\\xyzzy` is no word of ACSL", id="like-no-other"),
        pytest.param("\\valid(p)", "java", "`\\valid` is no word of JML", id="of-the-other"),
        pytest.param("\\not_assigned(x)", "c", "`\\not_assigned` is no word of ACSL", id="of-the-other-too"),
    ],
)
def test_unknown_words(formula: str, language: Language, why: str) -> None:
    assert plainly_broken(formula, language) == why


@pytest.mark.parametrize(
    "formula",
    [
        "",
        "\\result == -1",
        '\\result.equals("(") ',
        "\\forall integer i; 0 <= i < n ==> a[i] == \\old(a[i])",
        "(\\forall int i; 0 <= i && i < a.length; a[i] >= 0)",
        "\\typeof(x) == \\type(List<?>)",
        "\\at(*p, Pre) == !q",
        "a[*] == b",
        "x == '\\''",
        "a == - -1 && !!b && -(-c) == ~ -d",
        "a < -1 && d > !e && f >= -1 && g > ~h && i >> (1) > +j",
        "(a < b) == (c > d) && a >> 1 > 0 && a << 2 >= 0",
        "s == \"\\\\reslt && && ==\" && c == '\\\\'",
        "a <==> b ==> c ^^ d",
        "\\let x = 1; x == 1",
        "a == b // && && c",
        "a == /* odd == */ b",
        "unknown_name(a) == another",
    ],
)
@pytest.mark.parametrize("language", ["c", "java"])
def test_not_plainly_broken(formula: str, language: Language) -> None:
    assert plainly_broken(formula, language) is None


@pytest.mark.parametrize(
    ("formula", "language"),
    [
        pytest.param("RELATED(a, ==, &&, b) && HOLDS(<=)", "c", id="operators-for-macros"),
        pytest.param("\\valid(a + (0 .. n - 1)) && \\separated(a + (..), b)", "c", id="cells"),
        pytest.param("(int *)p == \\null && *(char *)q == ')'", "c", id="pointers-followed"),
        pytest.param("b == &x && c != *p && d > *q && e >> *r > &s[0] - &s[1] && f == 3 * 4", "c", id="addresses"),
        pytest.param("sizeof(int *) > 3 && \\type(int *) == \\typeof(p)", "c", id="types-of-pointers"),
        pytest.param("\\exists \\list<\\list<struct s *>> l; f((\\list<integer>)l) > n", "c", id="lists-of-lists"),
        pytest.param("compare(a, <, b) && compare(<, a, b)", "c", id="operators-for-small-macros"),
        pytest.param("[| 1, 2 |] == l && { x | integer x; x > *p } == s", "c", id="bars"),
        pytest.param("x == \\lambda integer i; i", "c", id="lambda"),
        pytest.param("a --> b <--> c", "c", id="implications-of-bits"),
        pytest.param("\\exists \\list<integer> l; l == [| 1, 2 |] ^ [| |] *^ 2", "c", id="lists"),
        pytest.param("{ x | integer x; 0 <= x < 10 } == \\empty", "c", id="sets"),
        pytest.param("\\subset(a[..], \\union(b[1 ..], c[.. 2]))", "c", id="ranges"),
        pytest.param("a <=!=> b", "java", id="no-equivalence"),
        pytest.param("this.*, b.*", "java", id="all-fields-in-a-frame"),
        pytest.param("a[*], b.*, c", "java", id="all-elements-in-a-frame"),
        pytest.param("0 < n && x instanceof Map<String, ? extends util.List<int[]>>", "java", id="ends-with-a-type"),
        pytest.param("f((List<@NonNull T>) x, (Map<K, V>) y) && \\type(A<?>) != z", "java", id="types-in-brackets"),
        pytest.param("(A & B) x == y & z | w ^ v", "java", id="operators-of-bits"),
        pytest.param("size <- list.size * 2", "java", id="represents"),
        pytest.param("m instanceof Map<?, List<List<B> >> && x", "java", id="arguments-of-types"),
        pytest.param("new ArrayList<>() == null", "java", id="a-diamond"),
        pytest.param("m == new A<B<C> > () && \\type(A<?>) == \\typeof(x)", "java", id="types-and-comparisons"),
        pytest.param("\\typeof(x) <: \\type(A) && a <# b", "java", id="subtypes-and-locks"),
        pytest.param("(* it is == && && or \\odd ( so *) && a", "java", id="prose"),
        pytest.param("\\dl_whatever(a) && \\fp_nan(x) && \\seq_put(s, 1, 2) == t", "java", id="made-up-words"),
        pytest.param("a >>> 2 == b && a++ < b", "java", id="shift-and-increment"),
    ],
)
def test_odd_and_right(formula: str, language: Language) -> None:
    assert plainly_broken(formula, language) is None


CASES = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "formula",
    [
        pytest.param("a == *p", id="no-pointer-is-followed"),
        pytest.param("n > &x", id="no-address-is-taken"),
        pytest.param("a && | b", id="nothing-begins-with-a-bar"),
    ],
)
def test_what_is_unary_in_c_alone(formula: str) -> None:
    assert "nothing stands between" in (plainly_broken(formula, "java") or "")


@pytest.mark.parametrize("suffix", [".c", ".java"])
def test_no_contract_of_our_own_cases_is_called_broken(suffix: str) -> None:
    """They are judged by the verifiers in other tests, or say that they are broken."""
    read: Callable[[str, str], SourceContracts] = read_java if suffix == ".java" else read_c
    seen = 0
    folders = (CASES / "cases", CASES / "layouts", CASES / "right_contracts", CASES.parent / "examples")
    for path in sorted(path for folder in folders for path in folder.rglob(f"*{suffix}")):
        for contract in read(path.read_text("utf-8", "replace"), path.name).contracts:
            for clause in contract.clauses:
                seen += 1
                assert plainly_broken(clause.formula, contract.language) is None, (path, clause.text)
    assert seen
