"""What the C recorder is told of a contract: extents of memory, variables, what it must not record."""

from __future__ import annotations

import json
from typing import Any

import pytest
from clausefit.hook.contracts.c import read_c
from clausefit.hook.contracts.c_project import translation_unit
from clausefit.hook.record.c_watched import extents_of, related_pointers, single_cells, watch_data, watched_function
from clausefit.hook.record.watched import RecordLimits, WatchedFunction

P, A, N = ["v", "p"], ["v", "a"], ["v", "n"]
LAST = ["-", N, 1]

EXTENTS: dict[str, tuple[str, list[Any]]] = {
    "a range": (r"\valid(a + (0 .. n - 1))", [[A, 0, LAST]]),
    "read only, with a label": (r"\valid_read{Pre}(a + (0 .. n-1))", [[A, 0, LAST]]),
    "brackets": (r"\valid(&a[0 .. n-1])", [[A, 0, LAST]]),
    "one object": (r"\valid(p)", [[P, 0, 0]]),
    "several in one term": (r"\valid(p, a + (0..2))", [[P, 0, 0], [A, 0, 2]]),
    "a field that points": (
        r"\valid(p->data + (0 .. p->len - 1))",
        [[["->", P, "data"], 0, ["-", ["->", P, "len"], 1]]],
    ),
    "the address of a field": (r"\valid(&p->len)", [[["&", ["->", P, "len"]], 0, 0]]),
    "bytes": (r"\valid((char *)a + (0 .. 4 * n - 1))", [[["cast", "char", A], 0, ["-", ["*", 4, N], 1]]]),
    "the state before": (r"\valid(\old(a) + (0 .. \at(n, Pre)))", [[A, 0, N]]),
    "a variable of the file": (r"\valid(a + (0 .. size - 1))", [[A, 0, ["-", ["v", "size"], 1]]]),
    "a division": (r"\valid(a + (0 .. n / 2))", [[A, 0, ["/", N, 2]]]),
    "a shift": (r"\valid(a + (0 .. (1 << n) - 1))", [[A, 0, ["-", ["<<", 1, N], 1]]]),
    "a choice": (r"\valid(a + (0 .. (n == 1 ? 7 : 3)))", [[A, 0, ["?:", ["==", N, 1], 7, 3]]]),
    "sizes": (
        r"\valid(a + (0 .. sizeof(struct s) / sizeof(*a) - sizeof(int)))",
        [[A, 0, ["-", ["/", ["sizeof", "struct s"], ["size", ["*", A]]], 4]]],
    ),
    "a constant": (r"\valid(a + (0 .. CAP - 1))", [[A, 0, ["-", 16, 1]]]),
    "casts": (r"\valid(a + (0 .. (size_t)n - (integer)1))", [[A, 0, ["-", ["int", 64, False, N], 1]]]),
    "each element by itself": (r"\forall integer i; 0 <= i < n ==> \valid(a + i)", [[A, 0, LAST]]),
    "each element's address": (r"\forall integer i; 0 <= i && i <= n ==> \valid(&a[i])", [[A, 0, N]]),
    "a predicate's body": (r"good(a, n)", [[A, 0, LAST]]),
    "a predicate of a predicate": (r"better(n, a)", [[A, 0, LAST]]),
    "parameters that are named like arguments": (r"swapped(n, a)", [[A, 0, ["-", N, 2]]]),
}
UNIT = r"""
int size;
struct s { int len; int *data; };
/*@ predicate good(int *x, integer y) = \valid(x + (0 .. y - 1));
    predicate better{L}(integer k, int *q) = good(q, k) && k > 0;
    predicate swapped(integer a, int *n) = \valid(n + (0 .. a - 2));
    predicate sorted(int *x, integer y) = \forall integer i; 0 <= i < y - 1 ==> x[i] <= x[i + 1];
    predicate endless(int *x) = \valid(x) && endless(x + 1);
    inductive reach(int *x) { case c: \forall int *x; \valid(x) ==> reach(x); } */
/*@ requires FORMULA; ensures \result == size; */
int f(struct s *p, int *a, int n, char *t);
"""


def watched(formula: str) -> WatchedFunction:
    unit = translation_unit("f.c", lambda path: read_c(UNIT.replace("FORMULA", formula), "f.c"), ())
    (contract,) = unit.contracts
    return watched_function(contract, unit, {"CAP": 16})


@pytest.mark.parametrize("case", EXTENTS)
def test_extents_are_terms_over_parameters(case: str) -> None:
    formula, expected = EXTENTS[case]
    found = extents_of(watched(formula))
    assert [list(one) for one in found.sized] == expected
    assert found.vague == []


SINGLE = {
    "its cell": (r"\valid_read(t) && *t > 0", {"t"}),
    "the first element": (r"\valid_read(t) && t[0] > 0", {"t"}),
    "null and separated, too": (r"t != \null && \null != t && \separated(t, a) && '0' <= *t <= '9'", {"t"}),
    "several valid ones": (r"\valid{Pre}(t, a) && n - *t * 2 > 0", {"t"}),
    "no cell taken": (r"\valid_read(t)", set()),
    "another element": (r"\valid_read(t) && *t > 0 && t[1] == 0", set()),
    "an offset": (r"\valid_read(t) && *t > 0 && *(t + 1) == 0", set()),
    "a range": (r"\valid_read(t + (0 .. 1)) && *t > 0", set()),
    "a predicate": (r"\valid_read(t) && *t > 0 && valid_read_string(t)", set()),
    "another pointer": (r"\valid_read(t) && *t > 0 && a == t", set()),
    "a factor": (r"\valid_read(t) && n * t > 0", set()),
    "a field": (r"*p->t > 0", set()),
    "a cell's address": (r"*t > 0 && &*t != a", set()),
    "an element's address": (r"&t[0] != \null", set()),
}


@pytest.mark.parametrize("case", SINGLE)
def test_of_which_pointers_a_contract_takes_one_cell_only(case: str) -> None:
    formula, expected = SINGLE[case]
    assert single_cells(watched(formula).contract) == expected


@pytest.mark.parametrize(
    ("formula", "exact"),
    [
        (r"\valid_read(t)", [False]),
        (r"\valid_read(t) && *t > 0", [True]),
        (r"\valid_read(t + (0 .. 0))", [True]),
        (r"\valid_read(&t[0 .. 0])", [True]),
        (r"\valid(p, a) && *a > 0", [False, True]),
    ],
    ids=["only valid", "one cell is taken", "a range of one", "a range in brackets", "each by itself"],
)
def test_extents_that_mean_no_more_than_they_say(formula: str, exact: list[bool]) -> None:
    (function,) = watch_data([watched(formula)], RecordLimits(), "/w")["functions"]
    assert [one["exact"] for one in function["extents"]] == exact


VAGUE = {
    "a macro as a bound": (r"\valid(a + (0 .. LIMIT - 1))", ["a"]),
    "a function in a bound": (r"\valid(a + (0 .. max(n, 3)))", ["a", "n"]),
    "a set": (r"\valid(a + { i | integer i; 0 <= i < n })", ["a", "n"]),
    "a predicate that is not known": ("of_library(a, n)", ["a", "n"]),
    "a predicate that uses itself": ("endless(a)", ["a"]),
    "an inductive predicate": ("reach(a)", ["a"]),
    "a bound of a quantifier that is not plain": (
        r"\forall integer i; prime(i) ==> \valid(p->data + i)",
        ["p"],
    ),
    "a condition that is not plain": (r"prime(n) ==> \valid(a + (0 .. n))", ["n", "a"]),
}


@pytest.mark.parametrize("case", VAGUE)
def test_what_is_not_understood_is_vague(case: str) -> None:
    formula, expected = VAGUE[case]
    assert extents_of(watched(formula)).vague == expected


@pytest.mark.parametrize(
    "formula",
    [
        "n > 0",
        "sorted(a, n)",
        "valid_read_string(t)",
        r"\separated(a, p)",
        "sizeof(int) * n < 100",
        r"\valid(a + (0..n-1)",
    ],
    ids=["arithmetic", "a predicate without extents", "strings end at NUL", "separation", "sizeof", "broken"],
)
def test_what_says_nothing_of_extents(formula: str) -> None:
    found = extents_of(watched(formula))
    assert (found.sized, found.vague, found.whole) == ([], [], False)


@pytest.mark.parametrize("word", [r"\block_length(a)", r"\offset(a)", r"\base_addr(a)", r"\freeable(a)"])
def test_contracts_of_whole_blocks_are_refused(word: str) -> None:
    data = watch_data([watched(f"{word} == {word}")], RecordLimits(), "/w")
    assert "whole blocks" in data["functions"][0]["refused"]


RELATED = {
    "order": ("a <= t", [("a", "t")]),
    "difference": ("t - a == n", [("t", "a")]),
    "with an offset": ("a + n <= t && n > 0", [("a", "t")]),
    "what they lead to": ("*a < *t && a[0] > p->len", []),
    "equality needs no common block": ("a == t", []),
    "a pointer and a number": ("a < a + n && n - 1 > 0", []),
    "implication is no comparison": ("n > 0 ==> a != t", []),
}


@pytest.mark.parametrize("case", RELATED)
def test_pointers_whose_order_is_asked(case: str) -> None:
    formula, expected = RELATED[case]
    assert related_pointers(watched(formula).contract) == expected


def test_everything_for_gdb_is_json() -> None:
    data = watch_data([watched(r"\valid(a + (0 .. n - 1))")], RecordLimits(), "/w")
    assert json.loads(json.dumps(data)) == data
    (function,) = data["functions"]
    assert function["parameters"] == ["p", "a", "n", "t"]
    assert function["variables"] == ["size"]
    assert function["file"] == "", "a header only declares the function: it may be defined anywhere"


def test_deep_terms_are_vague_and_quick() -> None:
    formula = r"\valid(a + (0 .. " + "(" * 5000 + "n" + ")" * 5000 + "))"
    assert extents_of(watched(formula)).vague == ["a", "n"]
