"""Which formulas OpenJML is asked, and how they and the facts are written for it."""

from __future__ import annotations

import pytest
from clausefit.verifiers.openjml_formulas import (
    Arithmetic,
    Names,
    NotTaken,
    declared_floating,
    facts,
    formula,
    names_of,
)
from growth import assert_grows_linearly

NAMES = Names(strings=frozenset({"s", "cf_result"}), floating=frozenset({"ratio"}))
JAVA = Arithmetic("java")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        pytest.param("x > 0", "x > 0", id="as it is"),
        pytest.param("x\n  >\t0", "x > 0", id="on one line"),
        pytest.param(r"\result == \old(x) + 1", r"cf_result == \old(x) + 1", id="the result is a variable"),
        pytest.param(r'"\result".length() > 0', r'"\result".length() > 0', id="not in a string"),
        pytest.param(r"\result_x == 1", r"\result_x == 1", id="not as a part of a word"),
        pytest.param("x == -2147483648", "x == -2147483648", id="the smallest number stays one"),
        pytest.param(
            r"(\forall int i; 0 <= i && i < 3; a[i] > 0)", r"(\forall int i; 0 <= i && i < 3; a[i] > 0)", id="forall"
        ),
        pytest.param(r"c == '\''", r"c == '\''", id="a quote as a character"),
        pytest.param(r"c == '\u00e9'", r"c == '\u00e9'", id="an escaped letter"),
        pytest.param("x == 0x7FFF_FFFFL", "x == 0x7FFF_FFFFL", id="hexadecimal with an e or an f is no fraction"),
        pytest.param('"http://a;b)".length() == 11', '"http://a;b)".length() == 11', id="signs in a string are none"),
        pytest.param("Math.max(x, y) == x", "Math.max(x, y) == x", id="Math"),
        pytest.param(
            r"\old(s.length() > 0) ==> \result.equals(s)",
            r"\old(s.length() > 0) ==> cf_result.equals(s)",
            id="strings in two states",
        ),
        pytest.param("o.name.length() == 3", "o.name.length() == 3", id="a call in one state"),
        pytest.param("(x & 1) == 0 && x << 2 > 0", "(x & 1) == 0 && x << 2 > 0", id="bits in Java's arithmetic"),
        pytest.param("(byte) x == x", "(byte) x == x", id="a cast"),
    ],
)
def test_what_is_asked(text: str, written: str) -> None:
    assert formula(text, NAMES, JAVA) == written


@pytest.mark.parametrize(
    ("text", "because"),
    [
        pytest.param("true); assume (false", "closes nothing", id="out of its parentheses"),
        pytest.param("(x > 0", "not closed", id="a bracket that stays open"),
        pytest.param("a[(0]) > 0", "closes nothing", id="crossed brackets"),
        pytest.param("x > 0 // y", "has // in it", id="a comment to the end of the line"),
        pytest.param("x /* y */ > 0", "has /\\* in it", id="a comment"),
        pytest.param("(* all is well *)", r"has \(\* in it", id="informal: always true for OpenJML"),
        pytest.param(r"true)\u003b assume (false", "Unicode escape", id="an escaped semicolon"),
        pytest.param(r"\u0078 > 0", "Unicode escape", id="an escaped letter outside of strings"),
        pytest.param(
            r's == "\u0022) || true || \u0022".equals(s)', "stands for a sign", id="an escaped quote in a string"
        ),
        pytest.param(
            r's == "\\u000a"' + r' || s == "\u000a"', "stands for a sign", id="an escaped line end in a string"
        ),
        pytest.param(r"c == '\uuu0027'", "stands for a sign", id="an escape with many u"),
        pytest.param("c == 'ab'", "character literal", id="two characters in one literal"),
        pytest.param('s == "abc', "none of JML", id="a string that does not end"),
        pytest.param('s == """abc"""', 'has """ in it', id="a text block"),
        pytest.param("x @ y", "none of JML", id="an at sign"),
        pytest.param("x > 0 #", "none of JML", id="another sign"),
        pytest.param("x > 0\0", "none of JML", id="NUL"),
        pytest.param("", "is empty", id="nothing"),
        pytest.param(r"(\sum int i; 0 <= i && i < 3; a[i]) == 6", r"no proofs for \\sum", id="sum"),
        pytest.param(r"(\num_of int i; 0 <= i; a[i] == 1) == 6", r"no proofs for \\num_of", id="num_of"),
        pytest.param(r"(\max int i; 0 <= i; a[i]) == 6", r"no proofs for \\max", id="max"),
        pytest.param(r"\old(\subset(\singleton(this.x), \locset(this.x)))", "memory locations", id="a frame"),
        pytest.param(r"\dl_strContent(s) == \seq_empty", "words of KeY", id="KeY's own words"),
        pytest.param("x < 1.5", "floating", id="a fraction"),
        pytest.param("x < 1e3", "floating", id="an exponent"),
        pytest.param("x < 1f", "floating", id="a float"),
        pytest.param("(double) x > 0", "floating", id="a cast to double"),
        pytest.param("this.ratio == this.ratio", "floating", id="a field of a floating-point type"),
        pytest.param("count(a) > 0", "calls count", id="a method of the project"),
        pytest.param("this.count() > 0", "calls count", id="a method of an object"),
        pytest.param("java.util.Arrays.equals(a, b)", "calls equals", id="Arrays.equals: openjml issue 890"),
        pytest.param(r"o.equals(p) == \old(o.equals(p))", "two states", id="a changeable object in two states"),
        pytest.param("new int[2].length == 2", "makes an object", id="a new object"),
    ],
)
def test_what_is_not_asked(text: str, because: str) -> None:
    with pytest.raises(NotTaken, match=because):
        formula(text, NAMES, JAVA)


@pytest.mark.parametrize(
    ("text", "arithmetic", "taken"),
    [
        pytest.param("x + 1 > x", JAVA, True, id="Java's arithmetic"),
        pytest.param("x + 1 > x", Arithmetic("java", is_right=False), False, id="which this OpenJML does not have"),
        pytest.param("(int) x > 0", Arithmetic("java", is_right=False), False, id="nor casts"),
        pytest.param("x > y && a[0] == x", Arithmetic("java", is_right=False), True, id="without arithmetic"),
        pytest.param("x + 1 > x", Arithmetic("bigint"), True, id="mathematical"),
        pytest.param("x + 1 > x", Arithmetic("bigint", is_right=False), False, id="which it does not have"),
        pytest.param("(x & 1) == 0", Arithmetic("bigint"), False, id="bits make a method of bit vectors"),
        pytest.param("x > 0 && y > 0 || z > 0", Arithmetic("bigint"), True, id="no bits"),
    ],
)
def test_arithmetic(text: str, arithmetic: Arithmetic, taken: bool) -> None:
    try:
        formula(text, NAMES, arithmetic)
    except NotTaken:
        assert not taken
    else:
        assert taken


@pytest.mark.parametrize(
    ("text", "written"),
    [
        pytest.param("true", ("true",), id="nothing is known"),
        pytest.param(r"a != null && \old(a[0]) == 4", ("a != null", r"\old(a[0]) == 4"), id="conjuncts"),
        pytest.param(r"\old(a != null && b != null)", (r"\old(a != null && b != null)",), id="not within brackets"),
        pytest.param(
            "a == 1 && b == 2 || c == 3", ("a == 1 && b == 2 || c == 3",), id="not where another operator binds less"
        ),
        pytest.param(
            r"s != null && \dl_strContent(s) == \seq(97, 98)",
            ("s != null", "((s).length() == 2 && (s).charAt(0) == 97 && (s).charAt(1) == 98)"),
            id="what a string contains",
        ),
        pytest.param(r"\dl_strContent(s) == \seq_empty", ("((s).length() == 0)",), id="an empty string"),
        pytest.param(
            r"\dl_strContent((String) \old(a[f(0)])) == \seq(65)",
            (r"(((String) \old(a[f(0)])).length() == 1 && ((String) \old(a[f(0)])).charAt(0) == 65)",),
            id="a string in another object",
        ),
        pytest.param(
            r"\dl_strContent(\result) == \seq(65)",
            ("((cf_result).length() == 1 && (cf_result).charAt(0) == 65)",),
            id="the result",
        ),
    ],
)
def test_facts(text: str, written: tuple[str, ...]) -> None:
    assert facts(text) == written


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('s == "abc"', id="a literal would say which object it is"),
        pytest.param(r"\dl_strContent(s) == t", id="no list of characters"),
        pytest.param(r"\dl_strContent(s) == \seq(x)", id="a character that is no number"),
        pytest.param(r"\dl_strContent", id="alone"),
        pytest.param(r"\dl_seqLen(s) == 1", id="another word of KeY"),
        pytest.param(r"\dl_strContent(s == \seq(97)", id="a bracket that stays open"),
        pytest.param("a[0", id="another one"),
    ],
)
def test_facts_that_cannot_be_told(text: str) -> None:
    with pytest.raises(NotTaken):
        facts(text)


@pytest.mark.parametrize(
    ("source", "names"),
    [
        pytest.param("class C { int a; }", set(), id="none"),
        pytest.param("class C { double a, b; int c; }", {"a", "b"}, id="fields"),
        pytest.param("class C { float a = 1, b = 2; }", {"a", "b"}, id="with values"),
        pytest.param("class C { double[] a = {1, 2}, b; }", {"a", "b"}, id="arrays"),
        pytest.param(
            "class C { double mean(double x, int n) { return x; } }", {"mean", "x", "n"}, id="rather too many"
        ),
        pytest.param("class C { java.lang.Double boxed; }", {"boxed"}, id="boxed"),
        pytest.param("class C { int doubled; }", set(), id="another word"),
    ],
)
def test_names_of_floating_point_things(source: str, names: set[str]) -> None:
    assert declared_floating([source]) == names


def test_names_of_a_scene() -> None:
    variables = (("java.lang.String", "s"), ("double[]", "d"), ("int", "n"), ("java.lang.Float", "f"))
    assert names_of(variables, "String", frozenset({"ratio"})) == Names(
        frozenset({"s", "cf_result"}), frozenset({"ratio", "d", "f"})
    )
    assert "cf_result" in names_of((), "double", frozenset()).floating


def test_work_grows_with_the_text() -> None:
    text = "((a[0] == 1 && 'x' == \"y\".charAt(0)) || b) && "
    assert_grows_linearly(lambda n: formula(text * n + "c", NAMES, JAVA), 200, 1_600)
    assert_grows_linearly(lambda n: facts(r"\dl_strContent(s) == \seq(97, 98) && a[0] == 1 && " * n + "c"), 200, 1_600)
    assert_grows_linearly(lambda n: declared_floating(["double a, " * n]), 5_000, 40_000)
    assert_grows_linearly(lambda n: formula("(" * n + "x" + ")" * n, NAMES, JAVA), 5_000, 40_000)
