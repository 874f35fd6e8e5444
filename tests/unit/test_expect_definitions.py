"""Which logic definitions can be applied, and how their heads are read."""

from __future__ import annotations

import pytest
from clausefit.hook.contracts.c import read_c
from clausefit.hook.contracts.model import LogicDefinition, Span
from clausefit.hook.expect.definitions import UNKNOWN, LogicFunction, definitions_from


def define(kind: str, names: tuple[str, ...], text: str) -> LogicDefinition:
    return LogicDefinition(kind, names, text, frozenset(), "f.c", Span(1, 1, 1, 1, 0, 0))


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        pytest.param(
            "predicate",
            "predicate p(integer x) = x > 0;",
            LogicFunction((("x", "integer"),), (), "x > 0"),
            id="predicate",
        ),
        pytest.param("predicate", "predicate p = \\true;", LogicFunction((), (), "\\true"), id="no parameters"),
        pytest.param(
            "predicate",
            "predicate p{L}(const int *a, size_t n) = a[n] == 0;",
            LogicFunction((("a", "int *"), ("n", "unsigned long")), ("L",), "a[n] == 0"),
            id="label and C types",
        ),
        pytest.param(
            "predicate",
            "predicate p{A, B}(struct s* q) = q == q;",
            LogicFunction((("q", "struct s *"),), ("A", "B"), "q == q"),
            id="two labels",
        ),
        pytest.param(
            "logic",
            "logic unsigned char p(integer x) = x <= 3 ? 1 : 2;",
            LogicFunction((("x", "integer"),), (), "x <= 3 ? 1 : 2", "unsigned char"),
            id="logic function with = in its body",
        ),
        pytest.param("logic", "logic integer p = 5;", LogicFunction((), (), "5", "integer"), id="constant"),
        pytest.param("logic", "logic integer p(integer x);", UNKNOWN, id="no body"),
        pytest.param("logic", "logic integer p(int *a) reads *a;", UNKNOWN, id="reads"),
        pytest.param("logic", "logic set<int *> p(int *a) = a;", UNKNOWN, id="set"),
        pytest.param("logic", "logic A p<A>(A x) = x;", UNKNOWN, id="polymorphic"),
        pytest.param("predicate", "predicate p(int a[3]) = a[0] == 0;", UNKNOWN, id="array parameter"),
        pytest.param("predicate", "predicate p(integer x, integer x) = x == 0;", UNKNOWN, id="one name twice"),
        pytest.param("predicate", "predicate p(integer) = \\true;", UNKNOWN, id="parameter without a name"),
        pytest.param("predicate", "predicate p(integer x = 1;", UNKNOWN, id="head not closed"),
        pytest.param("predicate", "predicate p(integer x) = ;", UNKNOWN, id="empty body"),
        pytest.param("inductive", "inductive p(integer x) { case c: p(0); }", UNKNOWN, id="inductive"),
    ],
)
def test_head(kind: str, text: str, expected: LogicFunction) -> None:
    assert definitions_from([define(kind, ("p",), text)]) == {"p": expected}


def test_several_definitions_of_a_name_mean_none() -> None:
    one = define("predicate", ("p",), "predicate p(integer x) = x > 0;")
    two = define("predicate", ("p",), "predicate p(real x) = x > 0;")
    block = define("axiomatic", ("A", "p"), "axiomatic A { predicate p(integer x); }")
    assert definitions_from([one, two])["p"] == UNKNOWN
    assert definitions_from([one, block])["p"] == UNKNOWN
    assert definitions_from([one, one])["p"].body == "x > 0"  # one header that was read twice


def test_lemmas_define_nothing() -> None:
    assert definitions_from([define("lemma", ("l",), "lemma l: \\true;")]) == {}


def test_as_the_reader_of_contracts_gives_them() -> None:
    source = """
    /*@ predicate sorted{L}(int *a, integer n) =
      @   \\forall integer i; 0 <= i < n - 1 ==> a[i] <= a[i + 1];
      @ axiomatic Sums { logic integer sum(int *a, integer n); axiom zero: \\forall int *a; sum(a, 0) == 0; }
      @*/
    """
    found = definitions_from(read_c(source, "f.c").definitions)
    assert found["sorted"] == LogicFunction(
        (("a", "int *"), ("n", "integer")), ("L",), "\\forall integer i; 0 <= i < n - 1 ==> a[i] <= a[i + 1]"
    )
    assert found["sum"] == UNKNOWN
