"""Reading formulas: structure by precedence, and refusal of all that is not understood."""

from __future__ import annotations

from fractions import Fraction

import pytest
from clausefit.hook.expect.syntax import parse
from clausefit.hook.expect.tokens import NotUnderstood, character, number


def tree(text: str) -> object:
    formula = parse(text)
    assert formula is not None, text
    return formula.tree


@pytest.mark.parametrize(
    ("text", "same"),
    [
        pytest.param("a ==> b ==> c", "a ==> (b ==> c)", id="implication is right-associative"),
        pytest.param("a <==> b <==> c", "(a <==> b) <==> c", id="equivalence is left-associative"),
        pytest.param("a <==> b ==> c", "a <==> (b ==> c)", id="implication binds tighter than equivalence"),
        pytest.param("a ==> b || c", "a ==> (b || c)", id="or binds tighter than implication"),
        pytest.param("a || b ^^ c", "a || (b ^^ c)", id="xor binds tighter than or"),
        pytest.param("a ^^ b && c", "a ^^ (b && c)", id="and binds tighter than xor"),
        pytest.param("a && b | c", "a && (b | c)", id="bitwise or binds tighter than and"),
        pytest.param("a | b --> c", "(a | b) --> c", id="bitwise or binds tighter than bitwise implication"),
        pytest.param("a <--> b --> c", "a <--> (b --> c)", id="bitwise implication binds tighter than equivalence"),
        pytest.param("a --> b --> c", "a --> (b --> c)", id="bitwise implication is right-associative"),
        pytest.param("a | b ^ c & d", "a | (b ^ (c & d))", id="bitwise as in C"),
        pytest.param("a & b == c", "a & (b == c)", id="comparison binds tighter than bitwise and, as in C"),
        pytest.param("a == b << c", "a == (b << c)", id="shift binds tighter than comparison"),
        pytest.param("a << b + c", "a << (b + c)", id="sum binds tighter than shift"),
        pytest.param("a - b - c", "(a - b) - c", id="difference is left-associative"),
        pytest.param("a + b * c % d", "a + ((b * c) % d)", id="product binds tighter than sum"),
        pytest.param("-a[0]", "-(a[0])", id="postfix binds tighter than prefix"),
        pytest.param("!a == b", "(!a) == b", id="not binds tighter than comparison"),
        pytest.param("(char) a + b", "((char) a) + b", id="cast binds tighter than sum"),
        pytest.param("(unsigned) - a", "(unsigned int)(-a)", id="cast to a known type before a minus"),
        pytest.param("*p->f", "*(p->f)", id="arrow binds tighter than star"),
        pytest.param("a ? b : c ? d : e", "a ? b : (c ? d : e)", id="conditional is right-associative"),
        pytest.param("a <==> b ? c : d", "(a <==> b) ? c : d", id="conditional binds loosest"),
        pytest.param("\\forall int i; a ==> b", "\\forall int i; (a ==> b)", id="a quantifier goes as far as it can"),
        pytest.param("a && \\exists int i; b || c", "a && (\\exists int i; b || c)", id="quantifier as right operand"),
        pytest.param("!\\forall int i; a || b", "!(\\forall int i; a || b)", id="negated quantifier"),
        pytest.param("\\let x = a; x && b", "\\let x = a; (x && b)", id="let goes as far as it can"),
        pytest.param("n: a && b", "a && b", id="a label is dropped"),
        pytest.param("a ==> (n: b)", "a ==> b", id="a label in parentheses"),
        pytest.param("a && n: b || c", "a && (b || c)", id="a label goes as far as it can"),
        pytest.param("\\old(a)", "\\at(a, Old)", id="old is at"),
        pytest.param("(size_t) a", "(unsigned long) a", id="standard type names"),
        pytest.param("(long unsigned int) a", "(unsigned long) a", id="words of a type in any order"),
        pytest.param("(const char *) a", "(char*)a", id="qualifiers do not matter"),
        pytest.param("\\forall int i, j; a", "\\forall int i, int j; a", id="binders share their type"),
        pytest.param("+a", "a", id="unary plus"),
        pytest.param("0x10 == 16u", "16 == 020", id="bases and suffixes"),
        pytest.param("1e1 == 0x1p1", "10.0 == 2.0", id="real literals"),
        pytest.param("'A' == '\\n'", "65 == 10", id="characters"),
        pytest.param("a[0..1]", "a[0 .. 1]", id="a range without blanks"),
    ],
)
def test_precedence(text: str, same: str) -> None:
    assert tree(text) == tree(same)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        pytest.param("a ==> b ==> c", "(a ==> b) ==> c", id="implication"),
        pytest.param("a - b - c", "a - (b - c)", id="difference"),
        pytest.param("a < b == c", "(a < b) == c", id="a chain is no comparison of truth values"),
        pytest.param("\\forall integer i; a", "\\forall int i; a", id="types of binders"),
        pytest.param("a[0]", "a + 0", id="index and sum"),
        pytest.param("1", "1.0", id="integer and real"),
    ],
)
def test_structure_matters(text: str, other: str) -> None:
    # 1 == Fraction(1) in Python, so types are compared as written.
    assert repr(tree(text)) != repr(tree(other))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("a &&", id="operand missing"),
        pytest.param("(a", id="parenthesis open"),
        pytest.param("a)", id="parenthesis too many"),
        pytest.param("a; b", id="semicolon"),
        pytest.param("a != b != c", id="chain of differences"),
        pytest.param("a < b > c", id="chain that turns"),
        pytest.param("a == b != c", id="difference in a chain"),
        pytest.param("a = b", id="assignment"),
        pytest.param("a += 1", id="compound assignment"),
        pytest.param("a++", id="increment"),
        pytest.param("a - --b", id="decrement"),
        pytest.param("f()", id="call without arguments"),
        pytest.param('"abc" == s', id="string"),
        pytest.param("L'a'", id="wide character"),
        pytest.param("'ab'", id="several characters"),
        pytest.param("'\\xff' == 255", id="character whose sign depends on the machine"),
        pytest.param("'é'", id="character outside of ASCII"),
        pytest.param("a \\in b", id="membership"),
        pytest.param("{a, b}", id="set"),
        pytest.param("sizeof(a)", id="size of a variable"),
        pytest.param("\\nothing", id="backslash word alone"),
        pytest.param("0x", id="half a number"),
        pytest.param("089", id="no octal number"),
        pytest.param("1.5.2", id="no number"),
        pytest.param("1e99999", id="exponent too large"),
        pytest.param("0.1f", id="float literal that is rounded"),
        pytest.param("a // b", id="comment"),
        pytest.param("a ≤ b", id="unicode operator"),
        pytest.param("a ? n : b : c", id="label in a conditional"),
        pytest.param("\\forall integer i, i; a", id="name bound twice"),
        pytest.param("\\forall i; a", id="binder without a type"),
        pytest.param("\\let x; a", id="let without a value"),
        pytest.param("(u8)(a)", id="cast to an unknown type before a parenthesis looks like a call"),
        pytest.param("(" * 5000 + "a" + ")" * 5000, id="deep parentheses"),
        pytest.param("!" * 5000 + "a", id="many nots"),
        pytest.param("a" + " ==> a" * 5000, id="long implication"),
        pytest.param("a" + "+a" * 5000, id="long sum"),
        pytest.param("a" + "[0]" * 5000, id="many indices"),
        pytest.param("a" * 30_000, id="too long"),
        pytest.param("\\forall int i; " * 2000 + "a", id="many quantifiers"),
        pytest.param("\x00", id="control character"),
    ],
)
def test_refused(text: str) -> None:
    assert parse(text) is None


def test_names() -> None:
    formula = parse(
        "\\forall int i; i < n ==> p{Pre}(a, i) && \\let k = i + m; k == s.f && q->g == \\result && \\abs(z)"
    )
    assert formula is not None
    assert formula.variables == {"n", "a", "m", "s", "q", "\\result", "z"}
    assert formula.applied == {"p", "\\abs"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("017", 15),
        ("0b101", 5),
        ("0XfFuL", 255),
        ("18446744073709551616", 1 << 64),
        ("1.", Fraction(1)),
        (".5", Fraction(1, 2)),
        ("0.1", Fraction(1, 10)),
        ("25e-1", Fraction(5, 2)),
        ("0x.8p1", Fraction(1)),
        ("1.5f", Fraction(3, 2)),
    ],
)
def test_number(text: str, value: int | Fraction) -> None:
    assert number(text) == value
    assert type(number(text)) is type(value)


@pytest.mark.parametrize("text", ["1uu", "1lul", "0x.p1", "0xp1", "1f", "9" * 1000, "1e2000", "16777217.0f"])
def test_no_number(text: str) -> None:
    with pytest.raises(NotUnderstood):
        number(text)


@pytest.mark.parametrize(
    ("text", "value"), [("'a'", 97), ("'\\0'", 0), ("'\\''", 39), ("'\\x41'", 65), ("'\\101'", 65)]
)
def test_character(text: str, value: int) -> None:
    assert character(text) == value
