"""Names in JML expressions: what is bound, and what a replacement must not touch or capture."""

from __future__ import annotations

import pytest
from clausefit.hook.java.names import names_of, renamed, words_of


@pytest.mark.parametrize(
    ("formula", "names"),
    [
        pytest.param("a.b.c() + d", "a.b.c() d", id="a chain is one name"),
        pytest.param("f(x).y + this.z", "f() x", id="what follows a call or this is no head"),
        pytest.param(r"\result == \old(x) + y", "x@ y", id="the state before"),
        pytest.param(r"(\forall int i; 0 <= i; a[i] > i) && i > 0", "!i !i a !i !i i", id="bound inside only"),
        pytest.param(r"(\exists T t, u[]; t.n == u[0].n)", "T !t !u !t.n !u", id="several variables"),
        pytest.param(r"(\let int x = y; x + a)", "!x y !x a", id="let"),
        pytest.param(r"\bsum(int i; 0; n; a[i])", "!i n a !i", id="KeY's sum"),
        pytest.param(r"(\sum Map<K, V> m; true; m.n)", "Map K V !m !m.n", id="type arguments are no variables"),
        pytest.param("s.equals(\"a x y\") && c == 'x'", "s.equals() c", id="text of strings and characters"),
        pytest.param(r"a[i .. j] + \max(n)", "a i j n", id="ranges, and a quantifier's word as a function"),
        pytest.param("x instanceof T && (T) x != null", "x T T x", id="types are names"),
        pytest.param("", "", id="nothing"),
        pytest.param(r"(\forall int", "", id="broken off"),
        pytest.param(")]} x + (", "x", id="brackets without partners"),
    ],
)
def test_names_with_what_binds_them(formula: str, names: str) -> None:
    found = []
    for name in names_of(formula):
        text = ".".join(token.text for token in name.chain) + ("()" if name.calls_last else "")
        found.append(("!" if name.is_bound else "") + text + ("@" if name.in_old else ""))
    assert " ".join(found) == names


@pytest.mark.parametrize(
    ("formula", "becomes"),
    [
        pytest.param("a + b", "b + c", id="all at once"),
        pytest.param("x.a + this.a + a()", "x.a + this.a + a()", id="members and methods of the name stay"),
        pytest.param("s == \"a\" && a == 'a'", "s == \"a\" && b == 'a'", id="strings stay"),
        pytest.param(r"(\forall int a; a > b)", r"(\forall int a; a > c)", id="a bound variable of that name stays"),
        pytest.param(
            r"(\forall int c; c > b) && c > 0",
            r"(\forall int cfq_c; cfq_c > c) && c > 0",
            id="a bound variable of the new name steps aside",
        ),
        pytest.param(
            r"(\forall int c; c > b; cfq_c > 0)",
            r"(\forall int cfq_c_; cfq_c_ > c; cfq_c > 0)",
            id="the name that it gets is a new one",
        ),
        pytest.param(r"\old(a) + a", r"\old(b) + b", id="the state before"),
    ],
)
def test_renaming_takes_only_free_variables(formula: str, becomes: str) -> None:
    assert renamed(formula, {"a": "b", "b": "c"}) == becomes


def test_the_exception_of_a_signals_clause_is_bound() -> None:
    assert (
        renamed("(E b) b != null && a == b.a", {"a": "b"}, is_signals=True) == "(E cfq_b) cfq_b != null && b == cfq_b.a"
    )


def test_words_are_all_names() -> None:
    assert words_of(r"a.b(c) && (\forall int i; d[i] == null)") == {"a", "b", "c", "d", "i"}
