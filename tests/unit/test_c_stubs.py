"""Pins as C and clauses as formulas: what hostile clauses cannot do, and that Frama-C takes every shape."""

from __future__ import annotations

import math
import os
import re
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from clausefit.hook.c_formulas import (
    check_formula,
    covering,
    frame,
    in_pre_state,
    postcondition,
    precondition,
    split_commas,
)
from clausefit.hook.c_stubs import failing_stub, hypothesis, stub, vacuity_stub
from clausefit.hook.c_values import declaration, fact
from clausefit.hook.contracts.c import read_c
from clausefit.hook.contracts.model import Clause, Contract, GlobalVariable
from clausefit.hook.mutants import Location, Mutant, mutants_of
from clausefit.hook.not_expressible import NotExpressible
from clausefit.hook.pins.values import (
    Array,
    Block,
    Failed,
    Floating,
    FunctionPointer,
    Integer,
    Null,
    Origin,
    Pin,
    Pointer,
    Returned,
    Struct,
    Unknown,
    Value,
)
from clausefit.verifiers.protocol import Scene
from clausefit.verifiers.wp_output import dropped_annotations
from clausefit.verifiers.wp_text import Goal, compose
from growth import assert_grows_linearly

ORIGIN = Origin("static", "t", "t.c", 1)


def i32(value: int) -> Integer:
    return Integer(value, "int", 32, True)


def ints(*values: int | None) -> Array:
    return Array("int", tuple(Unknown("int") if v is None else i32(v) for v in values))


def double(number: float) -> Floating:
    return Floating.of(number, "double", 64)


def single(number: float) -> Floating:
    return Floating.of(number, "float", 32)


@pytest.mark.parametrize(
    "formula",
    [
        pytest.param("\\result == (a < b ? a : b)", id="plain"),
        pytest.param("\\forall integer i; 0 <= i < n ==> a[i] == 0", id="a-binder-has-its-semicolon"),
        pytest.param("\\let m = p->x; \\exists int k; m == k", id="two-binders"),
        pytest.param("\\sum(0, n - 1, \\lambda integer i; a[i]) == 3", id="lambda"),
        pytest.param("\\subset(p, { &a[i] | integer i; 0 <= i < 3 })", id="set-with-a-condition"),
        pytest.param("c == ';' || s[0] == \"a;b\"[0]", id="semicolons-in-literals"),
        pytest.param("c == '(' && d == ']' && s == \"{[(\"", id="brackets-in-literals"),
        pytest.param("c == '\"' && d == '\\'' && e == '\\\\'", id="quotes-in-literals"),
        pytest.param("acf_x == 1 && x_cf_ == 2", id="names-that-only-hold-the-prefix"),
        pytest.param("a\t==\u00a0b", id="blanks"),
        pytest.param("x == 0x1.8p3 / 2", id="division"),
    ],
)
def test_formulas_that_can_be_asked(formula: str) -> None:
    check_formula(formula)


BRACKETS, SEMICOLON, QUOTE, MARK, EMPTY = "brackets", "semicolon", "quote", "comment mark", "empty"
HOSTILE = [
    pytest.param("\\true) || (\\true", BRACKETS, id="closes-our-bracket"),
    pytest.param("\\true), Pre) || \\at((\\true", BRACKETS, id="closes-our-state"),
    pytest.param("(\\true", BRACKETS, id="opens-one-more"),
    pytest.param("\\true)", BRACKETS, id="closes-one-more"),
    pytest.param("(\\true]", BRACKETS, id="of-another-kind"),
    pytest.param("([)]", BRACKETS, id="crossed"),
    pytest.param("a ')' == b ) && ('('", BRACKETS, id="literals-do-not-count"),
    pytest.param("\\true; ensures g1: \\true", SEMICOLON, id="ends-the-clause"),
    pytest.param("\\true;", SEMICOLON, id="ends-with-a-semicolon"),
    pytest.param("\\forall int i; \\true; ensures \\true", SEMICOLON, id="a-binder-has-one-semicolon"),
    pytest.param('"\\forall" == s; ensures \\true', SEMICOLON, id="a-binder-in-a-string-has-none"),
    pytest.param("a || b; ensures \\true", SEMICOLON, id="or-is-no-set"),
    pytest.param("({ a | int a; \\true } == b); ensures \\true", SEMICOLON, id="behind-a-set"),
    pytest.param("\\forallx; \\true", SEMICOLON, id="a-longer-word-is-no-binder"),
    pytest.param("\\true */ int x; /*@ requires \\true", MARK, id="ends-the-comment"),
    pytest.param("\\true /* x", MARK, id="starts-a-comment"),
    pytest.param("\\true // x", MARK, id="starts-a-line-comment"),
    pytest.param('s == "*/"', MARK, id="ends-the-comment-from-a-string"),
    pytest.param("\\true\n#include <x>", MARK, id="line-feed"),
    pytest.param("\\true\r", MARK, id="carriage-return"),
    pytest.param("\\true\0", MARK, id="nul"),
    pytest.param("\\true\x0b", MARK, id="vertical-tab"),
    pytest.param("cf_r == 1", MARK, id="our-own-parameter"),
    pytest.param("x->cf_y", MARK, id="reserved-prefix"),
    pytest.param("__FC_errno == 1", MARK, id="frama-c's-own-names"),
    pytest.param("c == '", QUOTE, id="unclosed-character"),
    pytest.param('s == "a', QUOTE, id="unclosed-string"),
    pytest.param('s == "a\\"', QUOTE, id="escaped-quote-closes-nothing"),
    pytest.param('s == "a\\', QUOTE, id="ends-with-a-backslash"),
    pytest.param("", EMPTY, id="empty"),
    pytest.param("  \t", EMPTY, id="blank"),
]


@pytest.mark.parametrize(("formula", "why"), HOSTILE)
def test_formulas_that_could_ask_something_else(formula: str, why: str) -> None:
    with pytest.raises(NotExpressible, match=why):
        check_formula(formula)


@pytest.mark.parametrize("piece", ["(", ")", "'", '"a', "\\", ";", "\\forall", "{|", "/ *", "\\let;"])
def test_long_formulas_take_linear_time(piece: str) -> None:
    def work(count: int) -> None:
        with suppress(NotExpressible):
            check_formula(piece * count)

    assert_grows_linearly(work, 50_000, 400_000)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(i32(1), "int x", id="int"),
        pytest.param(Integer(1, "const unsigned char", 8, False), "unsigned char x", id="const-is-dropped"),
        pytest.param(Integer(1, "volatile int", 32, True), "int x", id="volatile-is-dropped"),
        pytest.param(Integer(1, "enum colour", 32, False), "enum colour x", id="enum"),
        pytest.param(double(1), "double x", id="double"),
        pytest.param(Null("char *"), "char * x", id="pointer"),
        pytest.param(Null("const char *"), "const char * x", id="const-behind-a-pointer-stays"),
        pytest.param(Null("char * const"), "char * x", id="const-of-the-pointer-is-dropped"),
        pytest.param(
            Pointer("a", (0,), "const char * const*"), "const char * const* x", id="const-in-the-middle-stays"
        ),
        pytest.param(Struct("struct pt", (("x", i32(1)),)), "struct pt x", id="struct"),
        pytest.param(Struct("const struct pt", (("x", i32(1)),)), "struct pt x", id="const-struct"),
        pytest.param(Unknown("int *"), "int * x", id="not-known"),
        pytest.param(FunctionPointer("f", "int (*)(int)"), "__typeof__(int (*)(int)) x", id="function-pointer"),
        pytest.param(Null("int (*)[3]"), "__typeof__(int (*)[3]) x", id="pointer-to-an-array"),
        pytest.param(ints(1, 2), "int x[2]", id="array"),
        pytest.param(Array("const char", (Integer(0, "char", 8, True),)), "char x[1]", id="array-of-const"),
        pytest.param(Array("char * const", (Null("char *"),)), "char * x[1]", id="array-of-const-pointers"),
        pytest.param(Array("const char *", (Null("const char *"),)), "const char * x[1]", id="array-of-pointers"),
        pytest.param(Array("int [2]", (ints(1, 2), ints(3, 4), ints(5, 6))), "int x[3][2]", id="2-d"),
        pytest.param(
            Array("int [1][2]", (Array("int [2]", (ints(1, 2),)), Array("int [2]", (ints(3, 4),)))),
            "int x[2][1][2]",
            id="3-d",
        ),
        pytest.param(
            Array("int (*)(int)", (Null("int (*)(int)"),)), "__typeof__(int (*)(int)) x[1]", id="table-of-functions"
        ),
        pytest.param(
            Array("struct pt", (Struct("struct pt", (("x", i32(1)),)),)), "struct pt x[1]", id="array-of-structs"
        ),
    ],
)
def test_declaration(value: Value, expected: str) -> None:
    assert declaration(value, "x").split() == expected.split()


def test_an_array_without_elements_is_no_object() -> None:
    for value in (Array("int", ()), Array("int [0]", (Array("int", ()),))):
        with pytest.raises(NotExpressible):
            declaration(value, "x")


NAMES = {"a": "cf_m0", "g": "level"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(i32(7), ["x == 7"], id="int"),
        pytest.param(i32(0), ["x == 0"], id="zero"),
        pytest.param(i32(-7), ["x == (-7)"], id="negative"),
        pytest.param(i32(-(2**31)), ["x == (-2147483648)"], id="smallest-int"),
        pytest.param(Integer(2**64 - 1, "unsigned long", 64, False), ["x == 18446744073709551615"], id="largest"),
        pytest.param(double(1.5), ["x == (double)0x1.8000000000000p+0"], id="double"),
        pytest.param(double(0.1), ["x == (double)0x1.999999999999ap-4"], id="exact-bits-of-a-decimal"),
        pytest.param(double(-2.0), ["x == (double)-0x1.0000000000000p+1"], id="negative-double"),
        pytest.param(double(-0.0), ["x == (double)-0x0.0p+0"], id="minus-zero"),
        pytest.param(double(5e-324), ["x == (double)0x0.0000000000001p-1022"], id="smallest-double"),
        pytest.param(single(0.1), ["x == (float)0x1.99999a0000000p-4"], id="float"),
        pytest.param(double(math.nan), ["\\is_NaN(x)"], id="nan"),
        pytest.param(double(math.inf), ["\\is_plus_infinity(x)"], id="infinity"),
        pytest.param(single(-math.inf), ["\\is_minus_infinity(x)"], id="minus-infinity"),
        pytest.param(Null("char *"), ["x == \\null"], id="null"),
        pytest.param(Pointer("a", (2,), "int *"), ["x == &cf_m0[2]"], id="pointer"),
        pytest.param(Pointer("g", (), "int *"), ["x == &level"], id="pointer-to-a-variable"),
        pytest.param(Pointer("a", (1, "p", 0), "int *"), ["x == &cf_m0[1].p[0]"], id="pointer-into-a-struct"),
        pytest.param(FunctionPointer("inc", "int (*)(int)"), ["x == &inc"], id="function-pointer"),
        pytest.param(FunctionPointer("other", "int (*)(int)"), ["x != \\null"], id="a-function-of-the-test"),
        pytest.param(
            Unknown("int (*)(int)", (FunctionPointer("other", "int (*)(int)"), Null("int (*)(int)"))),
            ["!(x == \\null)"],
            id="not-a-function-of-the-test",
        ),
        pytest.param(Unknown("int"), [], id="not-known"),
        pytest.param(Unknown("int", (i32(-1), i32(2))), ["!(x == (-1))", "!(x == 2)"], id="excluded-values"),
        pytest.param(Unknown("int *", (Null("int *"),)), ["!(x == \\null)"], id="not-null"),
        pytest.param(
            Unknown("struct s", (Struct("struct s", (("u", i32(1)), ("v", i32(2)))),)),
            ["!(x.u == 1 && x.v == 2)"],
            id="an-excluded-struct-is-excluded-as-a-whole",
        ),
        pytest.param(Unknown("int", (Unknown("int"),)), [], id="nothing-excluded"),
        pytest.param(ints(1, None, -3), ["x[0] == 1", "x[2] == (-3)"], id="array"),
        pytest.param(Struct("struct s", (("u", i32(1)), ("v", ints(4)))), ["x.u == 1", "x.v[0] == 4"], id="struct"),
    ],
)
def test_fact(value: Value, expected: list[str]) -> None:
    assert list(fact("x", value, NAMES, {"inc"})) == expected


def test_a_pointer_to_memory_that_the_pin_does_not_have() -> None:
    with pytest.raises(NotExpressible):
        list(fact("x", Pointer("elsewhere", (), "int *"), NAMES))


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        pytest.param("a > 0 || b", "\\at((a > 0 || b), Pre)", id="in-brackets"),
        pytest.param("\\valid{Here}(p)", "\\at((\\valid{Pre}(p)), Pre)", id="here-is-entry"),
        pytest.param("Here_x == xHere", "\\at((Here_x == xHere), Pre)", id="other-names-stay"),
    ],
)
def test_in_pre_state(formula: str, expected: str) -> None:
    assert in_pre_state(formula) == expected


# ---- clauses -------------------------------------------------------------------------------------------------------


def contract_of(annotation: str, head: str = "int f(int a, int *p)") -> Contract:
    (one,) = read_c(f"/*@ {annotation} */\n{head} {{ return 0; }}\n", "f.c").contracts
    return one


def only(contract: Contract, kind: str) -> Clause:
    return next(c for c in contract.clauses if c.kind == kind)


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        pytest.param("requires a > 0;", "\\at((a > 0), Pre)", id="default-behavior"),
        pytest.param(
            "behavior b: assumes a > 1; assumes a < 9 || a > 20; requires a == 3;",
            "(\\at(((a > 1) && (a < 9 || a > 20)), Pre)) ==> (\\at((a == 3), Pre))",
            id="under-its-behavior's-assumes",
        ),
        pytest.param("behavior b: requires a == 3;", "\\at((a == 3), Pre)", id="behavior-that-is-always-active"),
    ],
)
def test_precondition(annotation: str, expected: str) -> None:
    contract = contract_of(annotation)
    assert precondition(contract, only(contract, "requires")) == expected


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        pytest.param("ensures \\result == a;", "\\result == a", id="default-behavior"),
        pytest.param(
            "requires a > 0; behavior b: assumes *p > 1; ensures \\result == *p;",
            "(\\at(((*p > 1)), Pre)) ==> (\\result == *p)",
            id="under-its-behavior's-assumes-and-not-under-requires",
        ),
        pytest.param(
            "behavior c: assumes a == 1; behavior b: assumes a == 2; ensures \\true;",
            "(\\at(((a == 2)), Pre)) ==> (\\true)",
            id="not-under-those-of-another",
        ),
    ],
)
def test_postcondition(annotation: str, expected: str) -> None:
    contract = contract_of(annotation)
    assert postcondition(contract, only(contract, "ensures")) == expected


def test_hostile_assumes_are_refused_for_every_clause_of_the_behavior() -> None:
    contract = contract_of("behavior b: assumes a == 1; requires a == 1; ensures \\true; complete behaviors b;")
    hostile = replace(
        contract,
        clauses=tuple(replace(c, formula="\\true) || (\\true") if c.kind == "assumes" else c for c in contract.clauses),
    )
    for make, kind in ((precondition, "requires"), (postcondition, "ensures"), (covering, "complete")):
        with pytest.raises(NotExpressible):
            make(hostile, only(hostile, kind))


THREE = "behavior a: assumes a < 0; behavior b: assumes a == 0; behavior c: assumes a > 0;"
AT_A, AT_B, AT_C = "\\at(((a < 0)), Pre)", "\\at(((a == 0)), Pre)", "\\at(((a > 0)), Pre)"


@pytest.mark.parametrize(
    ("annotation", "kind", "expected"),
    [
        pytest.param(THREE + "complete behaviors;", "complete", f"({AT_A}) || ({AT_B}) || ({AT_C})", id="all-complete"),
        pytest.param(THREE + "complete behaviors a, c;", "complete", f"({AT_A}) || ({AT_C})", id="some-complete"),
        pytest.param(
            THREE + "disjoint behaviors;",
            "disjoint",
            f"!(({AT_A}) && ({AT_B})) && !(({AT_A}) && ({AT_C})) && !(({AT_B}) && ({AT_C}))",
            id="all-disjoint",
        ),
        pytest.param(THREE + "disjoint behaviors a, b;", "disjoint", f"!(({AT_A}) && ({AT_B}))", id="some-disjoint"),
        pytest.param(THREE + "disjoint behaviors a;", "disjoint", "\\true", id="one-is-disjoint"),
        pytest.param(
            "behavior z: ensures \\true; complete behaviors;",
            "complete",
            "(\\at((\\true), Pre))",
            id="behavior-without-assumes",
        ),
    ],
)
def test_covering(annotation: str, kind: str, expected: str) -> None:
    contract = contract_of(annotation)
    assert covering(contract, only(contract, kind)) == expected


def inside(cell: str, location: str) -> str:
    return f"!\\separated(&{cell}, \\at(&({location}), Pre))"


def kept(cell: str) -> str:
    return f"{cell} == \\at({cell}, Pre)"


@pytest.mark.parametrize(
    ("annotation", "cells", "expected"),
    [
        pytest.param("assigns \\nothing;", ["x"], f"({kept('x')})", id="nothing"),
        pytest.param("assigns \\empty;", ["x"], f"({kept('x')})", id="empty-set"),
        pytest.param("assigns \\result \\from a;", ["x"], f"({kept('x')})", id="the-result-is-no-memory"),
        pytest.param("assigns *p;", ["x"], f"({kept('x')} || {inside('x', '*p')})", id="one-location"),
        pytest.param("assigns *p;", [], "\\true", id="no-cell"),
        pytest.param(
            "assigns *p, p[1 .. a];",
            ["x", "y"],
            f"({kept('x')} || {inside('x', '*p')} || {inside('x', 'p[1 .. a]')}) && "
            f"({kept('y')} || {inside('y', '*p')} || {inside('y', 'p[1 .. a]')})",
            id="several-locations-and-cells",
        ),
        pytest.param(
            "assigns *p; assigns p[2];",
            ["x"],
            f"({kept('x')} || {inside('x', '*p')} || {inside('x', 'p[2]')})",
            id="several-clauses",
        ),
        pytest.param(
            "assigns \\union(*p, \\union (p[1], {p[2], \\empty}));",
            ["x"],
            f"({kept('x')} || {inside('x', '*p')} || {inside('x', 'p[1]')} || {inside('x', 'p[2]')})",
            id="union-and-set",
        ),
        pytest.param(
            "assigns { p[i] | integer i; 0 <= i < a };",
            ["x"],
            f"({kept('x')} || {inside('x', '{ p[i] | integer i; 0 <= i < a }')})",
            id="set-with-a-condition",
        ),
        pytest.param(
            "behavior b: assumes a > 0; assigns *p;",
            ["x"],
            f"(\\at(((a > 0)), Pre)) ==> (({kept('x')} || {inside('x', '*p')}))",
            id="in-a-behavior",
        ),
    ],
)
def test_frame(annotation: str, cells: list[str], expected: str) -> None:
    contract = contract_of(annotation)
    assert frame(contract, [c for c in contract.clauses if c.kind == "assigns"], cells) == expected


@pytest.mark.parametrize(
    "location",
    [
        pytest.param("*p), Pre) || \\at(&(*p", id="closes-our-brackets"),
        pytest.param("\\union(*p, cf_m0)", id="reserved-name-in-a-union"),
        pytest.param("*p; ensures \\true", id="ends-the-clause"),
        pytest.param("\\union(*p)->x + (*p)", id="no-union-after-all"),
        pytest.param("{" * 3000 + "*p" + "}" * 3000, id="nested-too-deeply"),
    ],
)
def test_hostile_locations(location: str) -> None:
    contract = contract_of("assigns *p;")
    clause = replace(contract.clauses[0], locations=(location,))
    with pytest.raises(NotExpressible):
        frame(contract, [clause], ["x"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a, b", ["a", "b"], id="two"),
        pytest.param("f(a, b), {c, d}, e[g(1, 2)]", ["f(a, b)", "{c, d}", "e[g(1, 2)]"], id="in-brackets"),
        pytest.param("", [""], id="empty"),
    ],
)
def test_split_commas(text: str, expected: list[str]) -> None:
    assert split_commas(text) == expected


# ---- stubs ---------------------------------------------------------------------------------------------------------


def made(
    arguments: Sequence[tuple[str, Value]] = (),
    blocks: Sequence[Block] = (),
    result: Value | None = None,
    after: dict[str, Value] | None = None,
) -> Pin:
    left = {block.id: block.value for block in blocks} | (after or {})
    return Pin("f", tuple(arguments), tuple(blocks), Returned(result, tuple(left.items())), ORIGIN)


def variable(name: str, **fields: bool) -> GlobalVariable:
    plain = GlobalVariable(name, "f.c", 1, False, False, False, False, False, may_point=False)
    return replace(plain, **fields)  # type: ignore[arg-type]


SWAP = contract_of("ensures \\true;", "int f(int *p, int n)")
CELLS = Block("m", "x", ints(1, 2, 3))
SWAPPED = made([("p", Pointer("m", (0,), "int *")), ("n", i32(-3))], [CELLS], i32(1), {"m": ints(2, 1, None)})


def test_a_stub_writes_what_differs_and_opens_what_is_asked() -> None:
    mutant = Mutant(Location("m", (0,)), i32(2), i32(9), False)
    one = stub("cf_s", SWAP, SWAPPED, [mutant], [])
    assert one.scene == Scene(
        "cf_s",
        "int cf_s_m0[3];",
        "p == &cf_s_m0[0] && n == (-3) && cf_s_m0[0] == 1 && cf_s_m0[1] == 2 && cf_s_m0[2] == 3 && cf_h4 == 1",
        "int cf_s(int *p, int n, int cf_r, int cf_h3, int cf_h4, int cf_h5) "
        "{ cf_s_m0[0] = cf_h3; cf_s_m0[1] = cf_h4; cf_s_m0[2] = cf_h5; return cf_r; }",
    )
    assert one.changed == ("cf_s_m0[0]", "cf_s_m0[1]")
    assert hypothesis(one, None) == "cf_r == 1 && cf_h3 == 2"
    assert hypothesis(one, mutant) == "cf_r == 1 && cf_h3 == 9"


def test_untouched_memory_is_written_only_for_its_mutant() -> None:
    pin = made([("p", Pointer("m", (0,), "int *")), ("n", i32(0))], [CELLS])
    contract = contract_of("ensures \\true;", "void f(int *p, int n)")
    assert stub("cf_s", contract, pin, [], []).scene.function == "void cf_s(int *p, int n) {  }"
    frame_mutant = Mutant(Location("m", (2,)), i32(3), i32(4), True)
    assert "cf_s_m0[2] = cf_h2;" in stub("cf_s", contract, pin, [frame_mutant], []).scene.function


def test_constants_are_never_written() -> None:
    text = Block("m", '"a"', ints(1), constant=True)
    pin = made([("p", Pointer("m", (0,), "int *")), ("n", i32(0))], [text], i32(1), {"m": ints(2)})
    assert "cf_s_m0[0] =" not in stub("cf_s", SWAP, pin, [], []).scene.function


def test_variables_of_the_program_keep_their_name() -> None:
    level = Block("g", "level", i32(1), program="level")
    pin = made([("p", Pointer("g", (), "int *")), ("n", i32(0))], [level], i32(1), {"g": i32(2)})
    one = stub("cf_s", SWAP, pin, [], [variable("level"), variable("other"), variable("list", is_array=True)])
    assert one.scene.declarations == "/*@ assigns other, list[0 ..]; */ void cf_s_any(void);"
    assert "{ cf_s_any(); level = cf_h3; return cf_r; }" in one.scene.function
    assert "p == &level" in one.scene.assumption


NO_POINTER_AFTER = made(
    [("p", Pointer("m", (0,), "int *")), ("n", i32(0))],
    [Block("m", "q", Null("int *"))],
    i32(0),
    {"m": Unknown("int *")},
)


@pytest.mark.parametrize(
    ("contract", "pin", "mentioned", "why"),
    [
        pytest.param(replace(SWAP, is_variadic=True), SWAPPED, [], "variable number", id="variadic"),
        pytest.param(SWAP, made([("p", Null("int *"))]), [], "1 arguments", id="too-few-arguments"),
        pytest.param(replace(SWAP, return_type=None), SWAPPED, [], "return type", id="involved-return-type"),
        pytest.param(SWAP, NO_POINTER_AFTER, [], "points afterwards", id="pointer-that-is-not-known-afterwards"),
        pytest.param(SWAP, SWAPPED, [variable("g", is_ghost=True)], "ghost", id="ghost-variable"),
        pytest.param(SWAP, SWAPPED, [variable("g", is_volatile=True)], "volatile", id="volatile-variable"),
        pytest.param(SWAP, SWAPPED, [variable("g", may_point=True)], "does not fix", id="variable-that-may-point"),
        pytest.param(
            SWAP,
            made([("p", Null("int *")), ("n", i32(1))], [Block("n", "n", i32(1), program="n")], i32(0)),
            [],
            "hides",
            id="parameter-that-hides-a-variable",
        ),
        pytest.param(
            SWAP, Pin("f", SWAPPED.arguments, (CELLS,), Failed("abort"), ORIGIN), [], "did not return", id="failed-call"
        ),
        pytest.param(
            SWAP, made([("p", Pointer("x", (), "int *")), ("n", i32(1))]), [], "leads out", id="pointer-to-nowhere"
        ),
    ],
)
def test_pins_that_cannot_be_stubs(contract: Contract, pin: Pin, mentioned: list[GlobalVariable], why: str) -> None:
    with pytest.raises(NotExpressible, match=why):
        stub("cf_s", contract, pin, [], mentioned)


def test_constant_variables_and_those_that_the_pin_fixes_are_not_forgotten() -> None:
    one = stub("cf_s", SWAP, SWAPPED, [], [variable("c", is_const=True, may_point=True), variable("n")])
    assert "any" not in one.scene.declarations


def test_stub_of_a_failed_call() -> None:
    failed = Pin("f", SWAPPED.arguments, (CELLS,), Failed("abort"), ORIGIN)
    assert failing_stub("cf_s", SWAP, failed).scene.function == "void cf_s(int *p, int n) {  }"
    assert failing_stub("cf_s", SWAP, failed).scene.assumption.startswith("p == &cf_s_m0[0] && n == (-3)")


def test_stub_without_a_pin() -> None:
    assert vacuity_stub("cf_v", SWAP, "n > 0") == Scene("cf_v", "", "n > 0", "void cf_v(int *p, int n) { }")
    nothing = replace(SWAP, parameters=())
    assert vacuity_stub("cf_v", nothing, "\\true").function == "void cf_v(void) { }"


# ---- Frama-C -------------------------------------------------------------------------------------------------------

PRELUDE = """struct pt { int x; int y[2]; };
typedef struct { double d; float f; struct pt in; const char *s; int (*cb)(int); } rec;
enum colour { RED, BLUE };
int level;
int inc(int a) { return a + 1; }
/*@ predicate positive(integer a) = a > 0; */
"""
REC = Struct(
    "rec",
    (
        ("d", double(-0.0)),
        ("f", single(0.1)),
        ("in", Struct("struct pt", (("x", i32(-1)), ("y", ints(1, 2))))),
        ("s", Pointer("t", (1,), "const char *")),
        ("cb", FunctionPointer("inc", "int (*)(int)")),
    ),
)
SHAPES: list[tuple[str, Value]] = [
    ("int *p", Pointer("grid", (1, 0), "int *")),
    ("int (*rows)[2]", Pointer("grid", (0,), "int (*)[2]")),
    ("rec *r", Pointer("rec", (), "rec *")),
    ("const char *const *names", Pointer("names", (0,), "const char * const*")),
    ("unsigned long big", Integer(2**64 - 1, "unsigned long", 64, False)),
    ("long small", Integer(-(2**63), "long", 64, True)),
    ("_Bool yes", Integer(1, "_Bool", 1, False)),
    ("enum colour c", Integer(1, "enum colour", 32, False)),
    ("double nan", double(math.nan)),
    ("double inf", double(math.inf)),
    ("float minus", single(-math.inf)),
    ("double tiny", double(5e-324)),
    ("int (*cb)(int)", Null("int (*)(int)")),
    ("struct pt by_value", Struct("struct pt", (("x", i32(0)), ("y", ints(3, -4))))),
    ("void *any", Null("void *")),
    ("int *gp", Pointer("g", (), "int *")),
    ("char letter", Integer(59, "char", 8, True)),
]
BLOCKS = [
    Block("grid", "grid", Array("int [2]", (ints(1, 2), ints(3, None)))),
    Block("rec", "rec", REC),
    Block("t", '"ab"', Array("char", tuple(Integer(c, "char", 8, True) for c in b"ab\0")), constant=True),
    Block("names", "names", Array("const char *", (Pointer("t", (0,), "const char *"), Null("const char *")))),
    Block("table", "table", Array("int (*)(int)", (FunctionPointer("inc", "int (*)(int)"), Null("int (*)(int)")))),
    Block("g", "level", i32(-5), program="level"),
]
LEFT: dict[str, Value] = {
    "grid": Array("int [2]", (ints(9, 2), ints(-7, None))),
    "rec": Struct("rec", (("d", double(1.5)), ("f", Unknown("float", (single(2.0),))), *REC.fields[2:])),
    "g": Unknown("int", (i32(0),)),
}
CLAUSES = """requires \\valid(p) && \\valid_read{Here}(r) && letter == ';';
    requires \\let m = r->in.x; m < 0 || "a;b(" != \\null;
    assigns \\union(*p, r->d), {level, r->f}, rows[0 .. 1][0 .. 1], { rows[0][i] | integer i; 0 <= i < 2 };
    ensures \\result.x == \\old(*p) && \\forall integer i; 0 <= i < 2 ==> \\result.y[i] == \\at(rows[0][i], Pre);
    ensures positive(level) <==> r->d > 1.0;
    behavior low: assumes level < 0; requires \\valid(gp); assigns *r, *gp; ensures *gp != 0;
    behavior high: assumes level >= 0; ensures \\is_NaN(nan);
    complete behaviors; disjoint behaviors low, high;"""


def test_frama_c_takes_every_shape(tmp_path: Path) -> None:
    head = "struct pt f(" + ", ".join(declared for declared, _ in SHAPES) + ")"
    contract = contract_of(CLAUSES, head)
    arguments = [(p.name, value) for p, (_d, value) in zip(contract.parameters, SHAPES, strict=True)]
    result = Struct("struct pt", (("x", i32(3)), ("y", ints(1, None))))
    pin = made(arguments, BLOCKS, result, LEFT)
    mutants = mutants_of(pin)
    one = stub("cf_s", contract, pin, mutants, [])
    assigns = [c for c in contract.clauses if c.kind == "assigns"]
    cells = [*one.changed, "level"]
    formulas = [frame(contract, [clause], cells) for clause in assigns]
    made_by = {"requires": precondition, "ensures": postcondition, "complete": covering, "disjoint": covering}
    formulas += [made_by[c.kind](contract, c) for c in contract.clauses if c.kind in made_by]
    formulas += [f"({hypothesis(one, mutant)}) ==> ({formulas[0]})" for mutant in (None, *mutants)]
    assert {m.location.block for m in mutants} == {None, "grid", "rec"}
    goals = [Goal(f"g{number}", "cf_s", formula, ()) for number, formula in enumerate(formulas)]
    text = compose(PRELUDE, {"cf_s": one.scene}, goals)
    (tmp_path / "cf_stubs.c").write_text(text)
    done = subprocess.run(
        ["frama-c", "cf_stubs.c", "-machdep", "gcc_x86_64", "-kernel-warn-key", "annot-error=active", "-print"],
        cwd=tmp_path,
        env=os.environ | {"PWD": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert dropped_annotations(done.stdout) == ()
    assert set(re.findall(r"\b(g\d+|cf_pin):\s", done.stdout)) == {"cf_pin", *(goal.label for goal in goals)}
