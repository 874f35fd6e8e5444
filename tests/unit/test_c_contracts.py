"""The C reader: which clauses belong to which function, where they stand, and what is not checked."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from clausefit.hook.contracts.c import decode, read_c
from clausefit.hook.contracts.model import SourceContracts
from growth import assert_grows_linearly

LAYOUTS = Path(__file__).parents[1] / "layouts" / "c"
Row = tuple[int, int, str, tuple[str, ...], str | None, str, str]

# Per function (name, line): clauses as line, column, kind, names, behavior, modality, text.
LAYOUT_CONTRACTS = [
    pytest.param(
        "l01_block_and_line.c",
        {
            ("same_line", 1): [
                (1, 5, "requires", (), None, "assert", "requires x > 0"),
                (1, 21, "ensures", (), None, "assert", "ensures \\result == x"),
                (1, 43, "assigns", (), None, "assert", "assigns \\nothing"),
            ],
            ("one_line", 3): [
                (2, 5, "requires", (), None, "assert", "requires x > 0"),
                (2, 21, "ensures", (), None, "assert", "ensures \\result == x + 1"),
            ],
            ("tall", 10): [
                (5, 5, "requires", (), None, "assert", "requires x < 10"),
                (6, 5, "ensures", (), None, "assert", "ensures \\result == x - 1"),
            ],
        },
        id="block-and-line-comments",
    ),
    pytest.param(
        "l03_behaviors.c",
        {
            ("sign", 11): [
                (1, 5, "requires", (), None, "assert", "requires \\valid_read(p)"),
                (2, 5, "assigns", (), None, "assert", "assigns \\nothing"),
                (3, 20, "assumes", (), "neg", "assert", "assumes *p < 0"),
                (3, 37, "ensures", (), "neg", "assert", "ensures \\result == -1"),
                (4, 20, "assumes", (), "zero", "assert", "assumes *p == 0"),
                (4, 37, "ensures", (), "zero", "assert", "ensures \\result == 0"),
                (6, 7, "assumes", (), "pos", "assert", "assumes *p > 0"),
                (7, 7, "requires", (), "pos", "assert", "requires *p < 100"),
                (8, 7, "ensures", ("one",), "pos", "assert", "ensures one: \\result == 1"),
                (9, 5, "complete", (), None, "assert", "complete behaviors neg, zero, pos"),
                (10, 5, "disjoint", (), None, "assert", "disjoint behaviors"),
            ],
        },
        id="behaviors",
    ),
    pytest.param(
        "l04_logic.c",
        {
            ("add_all", 12): [
                (10, 5, "requires", (), None, "assert", "requires n >= 0 && n < 1000 && \\valid_read(a + (0 .. n-1))"),
                (11, 5, "ensures", (), None, "assert", "ensures \\result == sum{Pre}(a, n)"),
            ],
        },
        id="logic-definitions-before-a-contract",
    ),
    pytest.param(
        "l05_macros.c",
        {
            ("at", 9): [
                (6, 5, "requires", (), None, "assert", "requires OK(i) && SPEC_NONNULL(t + i)"),
                (7, 5, "ensures", (), None, "assert", "ensures INT_MIN <= \\result <= INT_MAX"),
                (8, 5, "ensures", (), None, "assert", "ensures i < CAP - 1 ==> t != \\null"),
            ],
        },
        id="macros-in-clauses",
    ),
    pytest.param(
        "l06_terms.c",
        {
            ("fill", 8): [
                (
                    2,
                    5,
                    "requires",
                    (),
                    None,
                    "assert",
                    "requires \\valid(p) && \\valid_read(a + (0 .. n-1)) && \\separated(p, a + (0 .. n-1))"
                    " && \\initialized(&a[0])",
                ),
                (3, 5, "requires", (), None, "assert", "requires n > 0 && \\valid(&p->y[0 .. 2])"),
                (4, 5, "assigns", (), None, "assert", "assigns p->x, p->y[0 .. 2] \\from a[0 .. n-1]"),
                (5, 5, "frees", (), None, "assert", "frees \\nothing"),
                (5, 21, "allocates", (), None, "assert", "allocates \\nothing"),
                (
                    6,
                    5,
                    "ensures",
                    (),
                    None,
                    "assert",
                    "ensures p->x == \\at(a[0], Pre) && \\old(*p).y[1] == \\old(p->y[1])",
                ),
                (7, 5, "ensures", (), None, "assert", "ensures \\let m = p->x; m == a[0]"),
            ],
        },
        id="terms-frames-and-let",
    ),
    pytest.param(
        "l07_named_and_kinds.c",
        {
            ("id", 5): [
                (1, 5, "requires", ("low",), None, "check", "check requires low: x >= 0"),
                (2, 5, "ensures", ("trust",), None, "admit", "admit ensures trust: \\result >= 0"),
                (3, 5, "ensures", ("exact", "same"), None, "check", "check ensures exact: same: \\result == x"),
                (4, 5, "ensures", ("quoted label",), None, "assert", 'ensures "quoted label": \\result == x'),
            ],
        },
        id="names-and-modalities",
    ),
    pytest.param(
        "l08_statement_contract.c",
        {},
        id="statement-contracts-are-no-contracts",
    ),
    pytest.param(
        "l09_ghost.c",
        {
            ("traced", 3): [
                (2, 5, "assigns", (), None, "assert", "assigns calls"),
                (2, 20, "ensures", (), None, "assert", "ensures calls == \\old(calls) + 1"),
                (2, 54, "ensures", (), None, "assert", "ensures \\result == v"),
            ],
        },
        id="ghost-code-and-parameters",
    ),
    pytest.param(
        "l10_loops.c",
        {
            ("count", 2): [
                (1, 5, "requires", (), None, "assert", "requires n >= 0"),
                (1, 22, "ensures", (), None, "assert", "ensures \\result == n"),
            ],
        },
        id="loop-annotations",
    ),
    pytest.param(
        "l11_function_pointer.c",
        {
            ("plus", 3): [
                (2, 5, "assigns", (), None, "assert", "assigns \\nothing"),
                (2, 23, "ensures", (), None, "assert", "ensures \\result == a + b"),
            ],
            ("apply", 6): [
                (4, 5, "requires", (), None, "assert", "requires f == &plus && -100 < a < 100 && -100 < b < 100"),
                (5, 5, "ensures", (), None, "assert", "ensures \\result == a + b"),
            ],
            ("pick", 11): [
                (10, 5, "ensures", (), None, "assert", "ensures \\result == &plus"),
            ],
        },
        id="function-pointers-and-calls",
    ),
    pytest.param(
        "l12_knr.c",
        {
            ("quot", 2): [
                (1, 5, "requires", (), None, "assert", "requires b != 0"),
                (1, 22, "ensures", (), None, "assert", "ensures \\result == a / b"),
            ],
        },
        id="old-style-definition",
    ),
    pytest.param(
        "l14_conditional.c",
        {
            ("entropy", 6): [
                (5, 5, "assigns", (), None, "assert", "assigns \\nothing"),
                (5, 23, "ensures", (), None, "assert", "ensures 0 <= \\result <= 255"),
            ],
            ("get_byte", 11): [
                (10, 5, "requires", (), None, "assert", "requires \\valid(dst)"),
                (10, 27, "assigns", (), None, "assert", "assigns *dst"),
            ],
        },
        id="conditional-branches-and-attribute-macros",
    ),
    pytest.param(
        "l16_near_misses.c",
        {
            ("g", 10): [
                (7, 5, "ensures", (), None, "assert", "ensures \\result == 1"),
            ],
        },
        id="near-misses-and-comment-between",
    ),
    pytest.param(
        "l17_crlf.c",
        {
            ("crlf", 5): [
                (1, 5, "requires", (), None, "assert", "requires v > 0"),
                (2, 5, "ensures", (), None, "assert", "ensures \\result == v"),
            ],
        },
        id="crlf",
    ),
    pytest.param(
        "l19_type_invariants.c",
        {
            ("widen", 6): [
                (5, 5, "requires", (), None, "assert", "requires \\valid(w)"),
                (5, 25, "terminates", (), None, "assert", "terminates \\true"),
                (5, 43, "assigns", (), None, "assert", "assigns w->hi"),
                (5, 58, "ensures", (), None, "assert", "ensures w->hi == \\old(w->hi) + limit"),
                (5, 96, "exits", (), None, "assert", "exits \\false"),
            ],
            ("down", 8): [
                (7, 5, "requires", (), None, "assert", "requires n >= 0"),
                (7, 22, "decreases", (), None, "assert", "decreases n"),
                (7, 35, "ensures", (), None, "assert", "ensures \\result == 0"),
            ],
        },
        id="invariants-and-rare-clauses",
    ),
    pytest.param(
        "l20_static_same_name_a.c",
        {
            ("local", 2): [
                (1, 5, "ensures", (), None, "assert", "ensures \\result == 1"),
            ],
        },
        id="static-same-name-first",
    ),
    pytest.param(
        "l20_static_same_name_b.c",
        {
            ("local", 2): [
                (1, 5, "ensures", (), None, "assert", "ensures \\result == 2"),
            ],
        },
        id="static-same-name-second",
    ),
    pytest.param(
        "l21_verker_extension.c",
        {
            ("low", 3): [
                (2, 5, "requires", (), None, "assert", "requires n > 0"),
                (2, 21, "ensures", (), None, "assert", "ensures \\result == (char) c"),
            ],
        },
        id="extension-marks",
    ),
    pytest.param(
        "l23_clause_order.c",
        {
            ("down", 2): [
                (1, 5, "ensures", (), None, "assert", "ensures \\result == 0"),
                (1, 27, "decreases", (), None, "assert", "decreases n"),
                (1, 40, "requires", (), None, "assert", "requires n >= 0"),
            ],
        },
        id="order-that-frama-c-refuses",
    ),
]


def read_layout(name: str) -> tuple[str, SourceContracts]:
    text = decode((LAYOUTS / name).read_bytes())
    return text, read_c(text, name)


def functions(source: SourceContracts) -> dict[str, list[str]]:
    return {contract.function: [clause.text for clause in contract.clauses] for contract in source.contracts}


def reasons(source: SourceContracts) -> list[tuple[str, str | None, int | None]]:
    return [(entry.reason, entry.function, entry.line) for entry in source.not_checked]


@pytest.mark.parametrize(("name", "expected"), LAYOUT_CONTRACTS)
def test_layout_contracts(name: str, expected: dict[tuple[str, int], list[Row]]) -> None:
    text, source = read_layout(name)
    found = {
        (contract.function, contract.line): [
            (c.span.line, c.span.column, c.kind, c.names, c.behavior, c.modality, c.text) for c in contract.clauses
        ]
        for contract in source.contracts
    }
    assert found == expected
    assert source.not_checked == ()
    for contract in source.contracts:
        for clause in contract.clauses:
            written = text[clause.span.start : clause.span.end]
            assert written.split()[0] == clause.text.split()[0]
            assert text[clause.span.end :].lstrip().startswith(";")


def test_every_layout_has_its_table() -> None:
    assert {entry.values[0] for entry in LAYOUT_CONTRACTS} == {path.name for path in LAYOUTS.glob("*.c")}


def test_layout_logic_definitions() -> None:
    text, source = read_layout("l04_logic.c")
    assert [(d.kind, d.names, d.span.line) for d in source.definitions] == [
        ("predicate", ("in",), 1),
        ("logic", ("sq",), 2),
        ("axiomatic", ("Sum", "sum", "none", "some"), 3),
        ("inductive", ("even",), 8),
        ("lemma", ("pos",), 9),
    ]
    lemma = source.definitions[-1]
    assert text[lemma.span.start : lemma.span.end] == "lemma pos: \\forall integer x; sq(x) >= 0;"
    assert "sq" in lemma.uses


def test_layout_frames_behaviors_and_macros() -> None:
    fill = read_layout("l06_terms.c")[1].contracts[0]
    assert [c.locations for c in fill.clauses if c.kind == "assigns"] == [("p->x", "p->y[0 .. 2]")]
    sign = read_layout("l03_behaviors.c")[1].contracts[0]
    assert sign.behaviors == ("neg", "zero", "pos")
    assert [(c.kind, c.locations) for c in sign.clauses[-2:]] == [
        ("complete", ("neg", "zero", "pos")),
        ("disjoint", ()),
    ]
    macros = read_layout("l05_macros.c")[1].macro_uses
    assert macros == {"CAP": frozenset(), "OK": frozenset({"CAP"}), "SPEC_NONNULL": frozenset({"NULL"})}


def test_layout_ghost_variable_is_a_variable() -> None:
    source = read_layout("l09_ghost.c")[1]
    assert [(v.name, v.line, v.is_ghost) for v in source.variables] == [("calls", 1, True)]


@pytest.mark.parametrize(
    ("head", "name", "return_type", "parameters"),
    [
        pytest.param("int f(void);", "f", "int", [], id="void-is-no-parameter"),
        pytest.param("int f(int, char **);", "f", "int", [("", "int"), ("", "char **")], id="unnamed"),
        pytest.param("int f(char *fmt, ...);", "f", "int", [("fmt", "char *fmt")], id="variadic"),
        pytest.param("const char *f(int a[3]) { }", "f", "const char *", [("a", "int a[3]")], id="array"),
        pytest.param("char *const *f(void);", "f", "char *const*", [], id="qualified-pointers"),
        pytest.param(
            "int f(int (*cb)(void *, int));", "f", "int", [("cb", "int (*cb)(void *, int)")], id="function-pointer"
        ),
        pytest.param("int (*f(void))(int) { }", "f", None, [], id="returns-function-pointer"),
        pytest.param("int (*f(void))[3];", "f", None, [], id="returns-array-pointer"),
        pytest.param("struct { int x; } f(void);", "f", None, [], id="returns-unnamed-struct"),
        pytest.param("struct pt { int x; } f(int a) { }", "f", "struct pt", [("a", "int a")], id="returns-struct"),
        pytest.param("int (f)(int a);", "f", "int", [("a", "int a")], id="name-in-parentheses"),
        pytest.param(
            "void *f(a, b) int *a, b[3]; { }", "f", "void *", [("a", "int *a"), ("b", "int b[3]")], id="old-style"
        ),
        pytest.param("f(a) { }", "f", "int", [("a", "int a")], id="implicit-int"),
        pytest.param("__init int f(int x) { }", "f", "int", [("x", "int x")], id="macro-before-type"),
        pytest.param("EXPORT int f(void) { }", "f", "int", [], id="export-macro"),
        pytest.param("asmlinkage long f(int x);", "f", "long", [("x", "int x")], id="macro-taken-for-type"),
        pytest.param(
            "u8 __user *f(const u8 __user *s) { }", "f", "u8 *", [("s", "const u8 *s")], id="address-space-macros"
        ),
        pytest.param("__printf(1,2) int f(int x, ...) { }", "f", "int", [("x", "int x")], id="macro-call-before"),
        pytest.param("int f(int x) __releases(lock) { }", "f", "int", [("x", "int x")], id="macro-call-after"),
        pytest.param(
            "static inline __attribute__((cold)) int f(int x) { }", "f", "int", [("x", "int x")], id="gnu-attribute"
        ),
        pytest.param("static inline __init int (f)(void) { }", "f", "int", [], id="macro-and-parentheses"),
        pytest.param("API(const char *) f(void);", "f", "API(const char *)", [], id="type-in-a-macro"),
        pytest.param("größe_t größe(größe_t a);", "größe", "größe_t", [("a", "größe_t a")], id="unicode"),
    ],
)
def test_declaration_heads(head: str, name: str, return_type: str | None, parameters: list[tuple[str, str]]) -> None:
    source = read_c(f"/*@ requires \\true; */\n{head}\n/*@ ensures \\true; */ int after(void);", "f.c")
    first = source.contracts[0]
    assert (first.function, first.line, first.return_type) == (name, 2, return_type)
    assert [(p.name, p.declaration) for p in first.parameters] == parameters
    assert first.is_variadic == ("..." in head)
    assert first.is_definition == head.endswith("}")
    assert first.is_static == head.startswith("static")
    assert source.contracts[1].function == "after"
    assert source.not_checked == ()


C = "/*@ requires x; */"


@pytest.mark.parametrize(
    ("text", "expected", "problems"),
    [
        pytest.param(f"{C}\n#define A 1\n/* c */ // d\nint f(int x);", ["f"], [], id="comments-and-directives-between"),
        pytest.param(f"{C} int h, f(int x), g(int x);", ["f", "g"], [], id="every-function-of-a-declaration"),
        pytest.param(f'extern "C" {{\n{C} int f(int x);\n}}', ["f"], [], id="linkage-block"),
        pytest.param(f'MODULE("x")\n{C} int f(int x);', ["f"], [], id="macro-call-without-semicolon"),
        pytest.param(f"{C} int v; int f(int x);", [], [("unsupported", None, 1)], id="before-a-variable"),
        pytest.param(f"{C} typedef int t; int f(int x);", [], [("unsupported", None, 1)], id="before-a-typedef"),
        pytest.param(f"int f(int x);\n{C}", [], [("parse_error", None, 2)], id="at-the-end"),
        pytest.param(
            f"{C}\n{C.replace('x', 'x > 1')}\nint f(int x);",
            ["f"],
            [("parse_error", "f", 2)],
            id="two-contracts-in-a-row",
        ),
        pytest.param(
            "//@ requires x;\n//@ ensures x;\nint f(int x);", ["f"], [("parse_error", "f", 2)], id="two-line-contracts"
        ),
        pytest.param(
            f"{C}\n//@ ghost int g;\nint f(int x);", ["f"], [("parse_error", "f", 2)], id="ghost-code-between"
        ),
        pytest.param(f"static {C} int f(int x);", ["f"], [("parse_error", None, 1)], id="inside-a-declaration"),
        pytest.param(
            f"#ifdef __FRAMAC__\n{C} int f(int x);\n#else\n/*@ ensures 0; */ int f(long y);\n#endif",
            ["f"],
            [("unsupported", None, 4)],
            id="branch-that-frama-c-does-not-see",
        ),
        pytest.param(
            f"#ifdef A\n{C} int f(int x) {{ }}\n#else\n/*@ ensures 0; */ int f(long x) {{ }}\n#endif",
            ["f"],
            [("unsupported", "f", 4)],
            id="two-branches-two-contracts",
        ),
        pytest.param(
            f"{C}\n#ifdef A\nint f(int x)\n#else\nint f(long x)\n#endif\n{{ }}\n{C} int g(int x);",
            ["f", "g"],
            [],
            id="branches-within-a-head",
        ),
        pytest.param(
            f"void h(void) {{\n#ifdef A\nif (a) {{\n#else\nif (b) {{\n#endif\n}} }}\n{C} int f(int x);",
            ["f"],
            [],
            id="branches-with-half-a-block",
        ),
        pytest.param(
            f"void h(void) {{ if (1) {{ }}\n{C}\nint f(int x) {{ }}", ["f"], [("parse_error", None, 1)], id="lost-brace"
        ),
        pytest.param(f"int h(int a;\n{C} int f(int x);", ["f"], [("parse_error", None, 1)], id="lost-parenthesis"),
        pytest.param(f"}}\n{C} int f(int x);", ["f"], [("parse_error", None, 1)], id="stray-brace"),
        pytest.param(f"{C} int f(int x);\n/* open", ["f"], [("parse_error", None, 2)], id="unclosed-comment"),
        pytest.param(f"{C} int f(int x);\n\0\0;", ["f"], [("parse_error", None, 2)], id="nul-characters"),
        pytest.param(
            f"#if 0\ndon't {C}\n#endif\n{C} int f(int x);", ["f"], [], id="apostrophe-hides-its-own-line-only"
        ),
        pytest.param(
            f"int t[] = {{ 1, {{ 2 }} }};\nstruct s {{ int a; }};\n{C} int f(int x);", ["f"], [], id="initializers"
        ),
        pytest.param(
            f"{C} SYSCALL_DEFINE1(foo, int, x) {{ }}\n{C} int f(int x);",
            ["f"],
            [("parse_error", None, 1)],
            id="a-macro-that-makes-a-function",
        ),
        pytest.param("/*@ garbage; requires x; */ int f(int x);", ["f"], [("parse_error", "f", 1)], id="garbage-word"),
        pytest.param("/*@ requre x; */ int f(int x);", [], [("parse_error", "f", 1)], id="misspelt-keyword"),
        pytest.param("/*@unused@*/ int f(int x);", [], [("parse_error", "f", 1)], id="mark-of-another-tool-is-told"),
        pytest.param("/*@ returns x; */ int f(int x);", ["f"], [("parse_error", "f", 1)], id="statement-clause"),
    ],
)
def test_where_contracts_belong(text: str, expected: list[str], problems: list[tuple[str, str | None, int]]) -> None:
    source = read_c(text, "f.c")
    assert list(functions(source)) == expected
    assert reasons(source) == problems


def test_declarations_of_one_file_are_merged_as_frama_c_does() -> None:
    text = (
        "/*@ requires A1: y > 0; requires A2: y > 1; decreases y; assigns g;\n"
        "    behavior b: assumes y > 0; ensures B1: \\true; complete behaviors; */\n"
        "int two(int y);\n"
        "/*@ requires A4: x > 0; requires A2: x > 1; decreases x + 1;\n"
        "    behavior c: ensures B3: \\true; */\n"
        "int two(int x) { return 0; }\n"
        "/*@ requires A5: z > 0; */ int two(int z);\n"
    )
    (contract,) = read_c(text, "f.c").contracts
    assert (contract.line, contract.is_definition, contract.behaviors) == (6, True, ("c", "b"))
    assert [(c.kind, c.behavior, c.names, c.formula) for c in contract.clauses] == [
        ("requires", None, ("A4",), "x > 0"),
        ("requires", None, ("A2",), "x > 1"),
        ("decreases", None, (), "x + 1"),
        ("ensures", "c", ("B3",), "\\true"),
        ("requires", None, ("A1",), "x > 0"),
        ("assigns", None, (), "g"),
        ("assumes", "b", (), "x > 0"),
        ("ensures", "b", ("B1",), "\\true"),
        ("complete", None, (), "b"),
        ("requires", None, ("A5",), "x > 0"),
    ]
    assert contract.clauses[4].text == "requires A1: y > 0"


def test_functions_without_clauses_are_bare() -> None:
    source = read_c("int f(int x);\nint f(int y) { return y; }\nstatic int g(void) { return 0; }", "f.c")
    assert source.contracts == ()
    assert [(c.function, c.line, c.is_definition, c.is_static) for c in source.bare] == [
        ("f", 2, True, False),
        ("g", 3, True, True),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("int a, *b[3], c = 1;", ["a", "b []", "c"], id="several"),
        pytest.param("static const int t[2] = { 1, 2 };", ["t [] const static"], id="const-array"),
        pytest.param("const int *p; int *const q = 0;", ["p", "q const"], id="const-of-the-pointer-only"),
        pytest.param("extern volatile int e;", ["e extern volatile"], id="extern-volatile"),
        pytest.param("extern int e; int e = 3;", ["e"], id="definition-wins"),
        pytest.param("struct s { int x; } v; struct s w;", ["v", "w"], id="struct-typed"),
        pytest.param("int (*fp)(int); typedef int t;", ["fp"], id="function-pointer"),
        pytest.param("//@ ghost int g = 0, h[2];", ["g ghost", "h [] ghost"], id="ghost"),
        pytest.param(
            "/*@ ghost /@ requires a; @/ int gf(int a) { return a; } int gv; */", ["gv ghost"], id="ghost-function"
        ),
        pytest.param("void f(void) { int local; }", [], id="locals-are-none"),
        pytest.param("int __init v = 1;", ["v"], id="macro"),
    ],
)
def test_variables(text: str, expected: list[str]) -> None:
    found = []
    for v in read_c(text, "f.c").variables:
        flags = {"[]": v.is_array, "const": v.is_const, "static": v.is_static, "ghost": v.is_ghost}
        flags |= {"extern": v.is_extern, "volatile": v.is_volatile}
        found.append(" ".join([v.name, *(word for word, is_set in flags.items() if is_set)]))
    assert found == expected


def test_includes_and_macros() -> None:
    text = '#include <a.h>\n#include "b/c.h"\n#  include "d.h" // e\n#define M(x) (x + K) /* n */ \\\n  + L "s"\n'
    source = read_c(text, "f.c")
    assert source.includes == ("<a.h>", "b/c.h", "d.h")
    assert source.macro_uses == {"M": frozenset({"K", "L"})}


def test_columns_count_characters() -> None:
    source = read_c("/* ü𝄞 */ /*@ requires é: größe > 0; */ int f(int größe);", "f.c")
    clause = source.contracts[0].clauses[0]
    assert (clause.span.column, clause.span.end_column, clause.names) == (14, 35, ("é",))


@pytest.mark.parametrize(
    ("data", "text"),
    [
        pytest.param("é\r\n".encode(), "é\r\n", id="utf-8-keeps-crlf"),
        pytest.param("é".encode("latin-1"), "é", id="latin-1"),
        pytest.param(b"\xef\xbb\xbfint x;", "int x;", id="byte-order-mark"),
    ],
)
def test_decode(data: bytes, text: str) -> None:
    assert decode(data) == text


def mutated(text: str, rng: random.Random) -> str:
    pieces = [
        "/*@",
        "*/",
        "//@",
        ";",
        "{",
        "}",
        "(",
        ")",
        '"',
        "'",
        "\\",
        "#if 0\n",
        "#endif\n",
        "\0",
        "é",
        "\n",
        ":",
        "@",
    ]
    for _ in range(rng.randint(1, 6)):
        at, to = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        action = rng.randrange(4)
        if action == 0:
            text = text[:at]
        elif action == 1:
            text = text[:at] + rng.choice(pieces) + text[at:]
        elif action == 2:
            text = text[:at] + text[min(to, at + 12) :]
        else:
            text = text[:at] + text[at : at + 30] + text[at:]
    return text


@pytest.mark.parametrize("seed", range(20))
def test_broken_files_never_raise_and_spans_hold(seed: int) -> None:
    rng = random.Random(seed)
    samples = [decode(path.read_bytes()) for path in sorted(LAYOUTS.glob("*.c"))]
    for _ in range(40):
        text = mutated(rng.choice(samples) + rng.choice(samples), rng)
        source = read_c(text, "m.c")
        names = [contract.function for contract in (*source.contracts, *source.bare)]
        assert len(names) == len(set(names))
        for contract in source.contracts:
            for clause in contract.clauses:
                span = clause.span
                assert 0 <= span.start < span.end <= len(text)
                assert text[span.start : span.end].startswith(clause.text.split()[0])
                assert text.count("\n", 0, span.start) + 1 == span.line
        for definition in source.definitions:
            assert text[definition.span.start : definition.span.end].endswith((";", "}"))


@pytest.mark.parametrize(
    ("unit", "length"),
    [
        pytest.param("/*@ requires a; */ int f(int a);\n", 200_000, id="one-function-again-and-again"),
        pytest.param("/*@ requires (", 2_000_000, id="open-annotations"),
        pytest.param('\\"', 2_000_000, id="quotes"),
        pytest.param("}", 40_000, id="closing-braces"),
        pytest.param("int f(int x) { /*@ requires x; */\n", 200_000, id="open-bodies"),
        pytest.param("int f(a) int a;", 100_000, id="old-style-heads"),
        pytest.param("#if A\n{\n#else\n", 200_000, id="open-conditionals"),
    ],
)
def test_hostile_repetition_stays_linear(unit: str, length: int) -> None:
    count = length // len(unit)
    assert_grows_linearly(lambda repeated: read_c(unit * repeated, "f.c"), count // 8, count)


def test_large_file() -> None:
    unit = (
        "/*@ requires a%d: \\valid_read(p + (0 .. n-1)) && n > 0;\n  @ assigns \\nothing;\n"
        "  @ behavior neg: assumes n < 3; ensures \\result == 0;\n  @*/\nstatic int f%d(const int *p, int n)\n"
        "{\n    int s = 0;\n    for (int i = 0; i < n; i++) { s += p[i]; }\n    return s;\n}\n"
    )

    def work(count: int) -> None:
        source = read_c("".join(unit % (number, number) for number in range(count)), "f.c")
        assert len(source.contracts) == count
        assert source.contracts[-1].clauses[0].names == (f"a{count - 1}",)

    assert_grows_linearly(work, 250, 2000)
