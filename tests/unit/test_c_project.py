"""Translation units: contracts in headers, merged with the definitions that they belong to."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from clausefit.hook.contracts.c import read_c
from clausefit.hook.contracts.c_project import translation_unit, uses_of
from clausefit.hook.contracts.model import Contract, SourceContracts


def workspace(**files: str) -> Callable[[str], SourceContracts | None]:
    """A reader over files given as ``src__f_c="…"`` for ``src/f.c``."""
    texts = {name.replace("__", "/").replace("_", "."): text for name, text in files.items()}
    return lambda path: read_c(texts[path], path) if path in texts else None


def only(source: SourceContracts) -> Contract:
    (contract,) = source.contracts
    return contract


def test_header_contract_goes_to_the_definition() -> None:
    read = workspace(
        src__f_h="/*@ requires a > 0; assigns \\nothing;\n    ensures \\result == a; */\nint f(int a);",
        src__f_c='#include "f.h"\n\nint f(int x) { return x; }',
    )
    unit = translation_unit("src/f.c", read, [])
    contract = only(unit)
    assert (contract.file, contract.line, contract.is_definition, contract.span) == ("src/f.c", 3, True, None)
    assert [p.declaration for p in contract.parameters] == ["int x"]
    assert [(c.file, c.span.line, c.text, c.formula) for c in contract.clauses] == [
        ("src/f.h", 1, "requires a > 0", "x > 0"),
        ("src/f.h", 1, "assigns \\nothing", "\\nothing"),
        ("src/f.h", 2, "ensures \\result == a", "\\result == x"),
    ]
    assert unit.includes == ("src/f.h",)
    assert unit.not_checked == ()


def test_clauses_of_both_are_joined_definition_first() -> None:
    read = workspace(
        f_h="/*@ requires h: a > 0; behavior b: assumes a > 3; ensures hb: \\true; */ int f(int a);",
        f_c='#include "f.h"\n/*@ requires c: a > 1; behavior b: ensures cb: \\true; */ int f(int a) { return a; }',
    )
    contract = only(translation_unit("f.c", read, []))
    assert [(c.file, c.kind, c.behavior, c.names) for c in contract.clauses] == [
        ("f.c", "requires", None, ("c",)),
        ("f.c", "ensures", "b", ("cb",)),
        ("f.h", "requires", None, ("h",)),
        ("f.h", "assumes", "b", ()),
        ("f.h", "ensures", "b", ("hb",)),
    ]
    assert contract.behaviors == ("b",)


def test_equal_clauses_are_kept_once() -> None:
    text = "/*@ requires x > 0; ensures \\result == x; */ int f(int x)"
    read = workspace(f_h=text + ";", f_c='#include "f.h"\n' + text + " { return x; }")
    assert [(c.file, c.kind) for c in only(translation_unit("f.c", read, [])).clauses] == [
        ("f.c", "requires"),
        ("f.c", "ensures"),
    ]


@pytest.mark.parametrize(
    ("prototype", "clause", "definition", "formula"),
    [
        pytest.param("int f(int a)", "a > 0", "int f(int x)", "x > 0", id="renamed"),
        pytest.param("int f(int n, int m)", "n > m", "int f(int m, int n)", "m > n", id="swapped"),
        pytest.param("int f(struct s *a)", "a->a > a->b", "int f(struct s *x)", "x->a > x->b", id="members-keep-names"),
        pytest.param("int f(int a)", "t[0..a] == 0..a", "int f(int x)", "t[0..x] == 0..x", id="range-is-no-member"),
        pytest.param(
            "int f(int a)",
            "\\exists int x; x == a",
            "int f(int x)",
            "\\exists int x_1; x_1 == x",
            id="bound-name-moves-away",
        ),
        pytest.param(
            "int f(int a)", "\\let x = a; x > x_1", "int f(int x)", "\\let x_2 = x; x_2 > x_1", id="fresh-name-is-fresh"
        ),
        pytest.param("int f(int)", "\\true", "int f(int x)", "\\true", id="unnamed-prototype"),
        pytest.param("int f(int a)", 's == "a" && a > 0', "int f(int x)", 's == "a" && x > 0', id="strings-stay"),
    ],
)
def test_parameters_get_the_definitions_names(prototype: str, clause: str, definition: str, formula: str) -> None:
    read = workspace(
        f_h=f"/*@ requires {clause}; assigns \\nothing; */ {prototype};",
        f_c=f'#include "f.h"\n{definition} {{ return 0; }}',
    )
    first = only(translation_unit("f.c", read, [])).clauses[0]
    assert (first.text, first.formula) == (f"requires {clause}", formula)


def test_locations_are_renamed_too() -> None:
    read = workspace(f_h="/*@ assigns *a, a->b; */ void f(struct s *a);", f_c='#include "f.h"\nvoid f(struct s *p) { }')
    clause = only(translation_unit("f.c", read, [])).clauses[0]
    assert (clause.locations, clause.formula) == (("*p", "p->b"), "*p, p->b")


def test_global_that_the_new_name_would_capture_is_not_checked() -> None:
    read = workspace(
        f_h="extern int x;\n/*@ requires a > x; ensures \\result == a; */ int f(int a);",
        f_c='#include "f.h"\nint f(int x) { return x; }',
    )
    unit = translation_unit("f.c", read, [])
    assert [c.text for c in only(unit).clauses] == ["ensures \\result == a"]
    assert [(n.file, n.function, n.reason, n.line) for n in unit.not_checked] == [("f.h", "f", "unsupported", 2)]


def test_complete_without_names_means_its_own_behaviors() -> None:
    read = workspace(
        f_h="/*@ behavior a: ensures \\true; complete behaviors; */ int f(int x);",
        f_c='#include "f.h"\n/*@ behavior b: ensures \\true; */ int f(int x) { return x; }',
    )
    contract = only(translation_unit("f.c", read, []))
    assert contract.behaviors == ("b", "a")
    assert [c.locations for c in contract.clauses if c.kind == "complete"] == [("a",)]


@pytest.mark.parametrize(
    ("target", "dirs", "found"),
    [
        pytest.param("h.h", [], ["src/h.h"], id="beside-the-including-file"),
        pytest.param("../inc/i.h", [], ["inc/i.h"], id="upwards-inside-the-workspace"),
        pytest.param("i.h", ["inc"], ["inc/i.h"], id="include-directory"),
        pytest.param("i.h", [], [], id="not-found"),
        pytest.param("../../etc/passwd", ["inc"], [], id="outside-the-workspace"),
        pytest.param("/src/h.h", [], [], id="absolute"),
        pytest.param("f.c", [], [], id="itself"),
    ],
)
def test_include_lookup(target: str, dirs: list[str], found: list[str]) -> None:
    read = workspace(src__f_c=f'#include "{target}"\nint f;', src__h_h="int h;", inc__i_h="int i;")
    unit = translation_unit("src/f.c", read, dirs)
    assert list(unit.includes) == found
    assert {v.name for v in unit.variables} == {"f", *(path.split("/")[1][0] for path in found)}


def test_cycles_and_long_chains_end() -> None:
    files = {f"h{n}.h": f'#include "h{n + 1}.h"\n#include "h0.h"\nint v{n};' for n in range(3000)}
    files["f.c"] = '#include "h0.h"'
    unit = translation_unit("f.c", lambda path: read_c(files[path], path) if path in files else None, [])
    assert len(unit.variables) == 3000


def test_everything_of_all_files_is_there() -> None:
    read = workspace(
        h_h="/*@ predicate p(int x) = x > LOW; */\n#define LOW MIN\nextern int v;\n/*@ garbage; */ int g(void);",
        f_c='#include "h.h"\nint v = 1;\n/*@ predicate q(int x) = p(x); */\n'
        "/*@ requires q(x) && x < v; */ int f(int x);",
    )
    unit = translation_unit("f.c", read, [])
    assert [(d.names, d.file) for d in unit.definitions] == [(("p",), "h.h"), (("q",), "f.c")]
    assert [(v.name, v.file, v.is_extern) for v in unit.variables] == [("v", "f.c", False)]
    assert unit.macro_uses == {"LOW": frozenset({"MIN"})}
    assert [(n.file, n.reason) for n in unit.not_checked] == [("h.h", "parse_error")]
    assert [c.function for c in unit.bare] == ["g"]
    assert uses_of(only(unit), unit) == {"q", "x", "v", "p", "LOW", "MIN"}


def test_definition_in_the_file_wins_over_one_in_a_header() -> None:
    read = workspace(
        h_h="static int f(int a) { return 0; }", f_c='#include "h.h"\n/*@ requires x; */ int f(int x) { return x; }'
    )
    contract = only(translation_unit("f.c", read, []))
    assert (contract.file, contract.is_static) == ("f.c", False)


def test_missing_file_is_said() -> None:
    unit = translation_unit("f.c", lambda _: None, [])
    assert [(n.file, n.reason) for n in unit.not_checked] == [("f.c", "missing_file")]
    assert unit.contracts == ()
