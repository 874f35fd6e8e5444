"""Which contracts a change touches."""

from dataclasses import replace

import pytest
from clausefit.hook.changed_contracts import changed_contracts, changed_definitions, changed_macros, tokens
from clausefit.hook.contracts.model import Clause, Contract, LogicDefinition, Parameter, SourceContracts, Span
from growth import assert_grows_linearly

SPAN = Span(1, 1, 1, 2, 0, 1)


def clause(text: str, behavior: str | None = None, **fields: object) -> Clause:
    kind, _, formula = text.partition(" ")
    return replace(Clause(kind, text, formula, SPAN, behavior=behavior), **fields)  # type: ignore[arg-type]


def contract(*clauses: Clause, function: str = "f", line: int = 10, **fields: object) -> Contract:
    made = Contract("c", "a.c", function, line, "int", (Parameter("x", "int x"),), clauses)
    return replace(made, **fields)  # type: ignore[arg-type]


def source(*contracts: Contract, **fields: object) -> SourceContracts:
    return replace(SourceContracts("a.c", contracts), **fields)  # type: ignore[arg-type]


def definition(name: str, text: str, *uses: str, kind: str = "predicate") -> LogicDefinition:
    return LogicDefinition(kind, (name,), text, frozenset(uses), "a.c", SPAN)


REQ = clause("requires x > 0")
ENS = clause("ensures \\result == x")
ENS2 = clause("ensures \\result > 0")
ASSIGNS = clause("assigns *p, q[0 .. n - 1]", locations=("*p", "q[0 .. n - 1]"))
B_ASSUMES = clause("assumes x > 5", "big")
B_ENS = clause("ensures \\result == 5", "big")
S_ENS = clause("ensures \\result == 1", "small")
OLD = contract(REQ, ENS, ENS2, ASSIGNS)
CASES = contract(REQ, ENS, B_ASSUMES, B_ENS, S_ENS)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(OLD, OLD, None, id="the same"),
        pytest.param(OLD, replace(OLD, line=99, span=SPAN), None, id="moved"),
        pytest.param(OLD, contract(ASSIGNS, ENS2, ENS, REQ), None, id="clauses in another order"),
        pytest.param(
            OLD, contract(replace(REQ, formula="x>0", text="requires x>0"), ENS, ENS2, ASSIGNS), None, id="white space"
        ),
        pytest.param(
            contract(clause("ensures (a)&&(b)")),
            contract(clause("ensures ( a ) && ( b )")),
            None,
            id="more white space",
        ),
        pytest.param(contract(clause("ensures a - -b")), contract(clause("ensures a--b")), (0,), id="not white space"),
        pytest.param(contract(clause("ensures s == ' '")), contract(clause("ensures s == '  '")), (0,), id="literal"),
        pytest.param(None, OLD, (0, 1, 2, 3), id="a new contract"),
        pytest.param(None, contract(), (), id="a new contract without clauses"),
        pytest.param(OLD, contract(REQ, ENS, clause("ensures \\result > 1"), ASSIGNS), (2,), id="one ensures changed"),
        pytest.param(OLD, contract(REQ, ENS, ENS2, ASSIGNS, clause("ensures x")), (4,), id="one ensures added"),
        pytest.param(OLD, contract(REQ, ENS, ENS2, ENS2, ASSIGNS), (2, 3), id="one ensures doubled"),
        pytest.param(OLD, contract(REQ, ENS, ASSIGNS), (0, 1, 2), id="one removed: the rest says less together"),
        pytest.param(OLD, contract(REQ), (0,), id="all but one removed"),
        pytest.param(OLD, contract(), (), id="all removed"),
        pytest.param(
            OLD, contract(clause("requires x > 1"), ENS, ENS2, ASSIGNS), (0, 1, 2, 3), id="the guard of all clauses"
        ),
        pytest.param(OLD, contract(REQ, replace(ENS, names=("n",)), ENS2, ASSIGNS), (1,), id="a name"),
        pytest.param(OLD, contract(REQ, replace(ENS, modality="check"), ENS2, ASSIGNS), (1,), id="a modality"),
        pytest.param(
            OLD, contract(REQ, ENS, ENS2, replace(ASSIGNS, locations=("*p",))), (3,), id="a location of the frame"
        ),
        pytest.param(
            CASES,
            contract(REQ, ENS, clause("assumes x > 6", "big"), B_ENS, S_ENS),
            (2, 3),
            id="the guard of a behavior",
        ),
        pytest.param(CASES, contract(REQ, ENS, B_ASSUMES, S_ENS), (2,), id="removed from a behavior"),
        pytest.param(CASES, contract(REQ, ENS, B_ASSUMES, B_ENS), (0, 1, 2, 3), id="a behavior removed"),
        pytest.param(
            CASES,
            contract(REQ, ENS, B_ASSUMES, replace(B_ENS, behavior="small"), S_ENS),
            (2, 3),
            id="moved to another behavior",
        ),
        pytest.param(OLD, replace(OLD, return_type="unsigned"), (0, 1, 2, 3), id="return type"),
        pytest.param(OLD, replace(OLD, parameters=(Parameter("x", "long x"),)), (0, 1, 2, 3), id="parameter type"),
        pytest.param(OLD, replace(OLD, parameters=(Parameter("x", "int  x"),)), None, id="blank in a declaration"),
    ],
)
def test_changed_clauses(old: Contract | None, new: Contract, expected: tuple[int, ...] | None) -> None:
    result = changed_contracts(source(old) if old else source(), source(new))
    if expected is None:
        assert result == ()
        return
    (changed,) = result
    assert changed.clauses == expected
    assert changed.why == {"contract"} and changed.contract is new


def test_a_new_file() -> None:
    assert [one.contract for one in changed_contracts(None, source(OLD))] == [OLD]


def test_only_the_touched_function() -> None:
    other = contract(ENS, function="g")
    new = contract(REQ, ENS, ENS2, clause("ensures 1"), ASSIGNS)
    assert [one.contract.function for one in changed_contracts(source(OLD, other), source(new, other))] == ["f"]


USER = contract(clause("ensures p(\\result)"), ENS2)


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        pytest.param(
            [definition("p", "predicate p(int x) = x > 0;", "x")],
            [definition("p", "predicate p(int x) = x > 1;", "x")],
            True,
            id="used directly",
        ),
        pytest.param(
            [definition("p", "p = q;", "q"), definition("q", "q = r;", "r"), definition("r", "r = 1;")],
            [definition("p", "p = q;", "q"), definition("q", "q = r;", "r"), definition("r", "r = 2;")],
            True,
            id="used through two others",
        ),
        pytest.param([definition("p", "p = 1;")], [], True, id="removed"),
        pytest.param([], [definition("p", "p = 1;")], True, id="added"),
        pytest.param(
            [definition("p", "p = q;", "p", "q"), definition("q", "q = p;", "p", "q")],
            [definition("p", "p = q;", "p", "q"), definition("q", "q = !p;", "p", "q")],
            True,
            id="a circle",
        ),
        pytest.param([definition("z", "z = 1;")], [definition("z", "z = 2;")], False, id="not used"),
        pytest.param([definition("p", "p=1;")], [definition("p", "p  =  1 ;")], False, id="white space only"),
        pytest.param(
            [definition("i", "i: g > 0;", "g", kind="global invariant")],
            [definition("i", "i: g > 1;", "g", kind="global invariant")],
            True,
            id="an invariant holds for all",
        ),
        pytest.param(
            [
                LogicDefinition(
                    "axiomatic", ("ax", "p", "q"), "axiomatic ax { p; q; axiom a: p; }", frozenset(), "", SPAN
                )
            ],
            [
                LogicDefinition(
                    "axiomatic", ("ax", "p", "q"), "axiomatic ax { p; q; axiom a: q; }", frozenset(), "", SPAN
                )
            ],
            True,
            id="an axiom about it",
        ),
    ],
)
def test_definitions(old: list[LogicDefinition], new: list[LogicDefinition], changed: bool) -> None:
    result = changed_contracts(source(USER, definitions=tuple(old)), source(USER, definitions=tuple(new)))
    assert [(one.clauses, one.why) for one in result] == ([((0, 1), {"definition"})] if changed else [])


def test_a_definition_behind_a_macro() -> None:
    through = contract(clause("ensures OK(\\result)"))
    macros = {"OK": frozenset({"p"})}
    old = source(through, definitions=(definition("p", "p = 1;"),), macro_uses=macros)
    new = source(through, definitions=(definition("p", "p = 2;"),), macro_uses=macros)
    assert len(changed_contracts(old, new)) == 1


@pytest.mark.parametrize(
    ("uses", "names", "changed"),
    [
        pytest.param({"f": frozenset({"far"})}, {"far"}, True, id="a header's definition, by the given uses"),
        pytest.param({"f": frozenset()}, {"p"}, False, id="the given uses win over the file's own"),
        pytest.param({}, {"p"}, True, id="not given: from the clauses"),
        pytest.param(None, {"other"}, False, id="not used"),
    ],
)
def test_names_changed_elsewhere(uses: dict[str, frozenset[str]] | None, names: set[str], changed: bool) -> None:
    result = changed_contracts(source(USER), source(USER), uses=uses, changed_names=frozenset(names))
    assert bool(result) == changed


@pytest.mark.parametrize(
    ("lines", "bodies", "changed"),
    [
        pytest.param([(12, 12)], {"f": (10, 15)}, True, id="inside"),
        pytest.param([(15, 20)], {"f": (10, 15)}, True, id="its last line"),
        pytest.param([(16, 20)], {"f": (10, 15)}, False, id="after it"),
        pytest.param([(1, 9)], {"f": (10, 15)}, False, id="before it"),
        pytest.param([(12, 11)], {"f": (10, 15)}, True, id="a deletion inside"),
        pytest.param([(16, 15)], {"f": (10, 15)}, False, id="a deletion just after it"),
        pytest.param([(10, 9)], {"f": (10, 15)}, False, id="a deletion just before it"),
        pytest.param([(10, 10)], None, True, id="no body known: its line"),
        pytest.param([(11, 11)], {}, False, id="no body known: not its line"),
        pytest.param([], {"f": (10, 15)}, False, id="nothing changed"),
    ],
)
def test_with_code(lines: list[tuple[int, int]], bodies: dict[str, tuple[int, int]] | None, changed: bool) -> None:
    result = changed_contracts(source(OLD), source(OLD), changed_lines=lines, bodies=bodies)
    assert [(one.clauses, one.why) for one in result] == ([((0, 1, 2, 3), {"code"})] if changed else [])


def test_with_tests_and_several_reasons() -> None:
    new = contract(REQ, ENS, clause("ensures 1"), ASSIGNS)
    (one,) = changed_contracts(source(OLD), source(new), tested=frozenset({"f", "g"}))
    assert one.why == {"contract", "test"} and one.clauses == (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param("#define N 10\n", "#define N 20\n", {"N"}, id="value"),
        pytest.param("#define N 10\n", "  #  define   N  10  \n", set(), id="white space"),
        pytest.param("#define N \\\n 10\n", "#define N 10\n", set(), id="continued line"),
        pytest.param("#define N \\\r\n 10\n", "#define N \\\r\n 20\n", {"N"}, id="continued line, CRLF"),
        pytest.param(None, "#define N 1\n#define M(x) x\n", {"N", "M"}, id="new file"),
        pytest.param("#define N 1\n", "#define N 1\n#undef N\n", {"N"}, id="undefined"),
        pytest.param("int x;\n", "int y; // #define\n", set(), id="no macro"),
        pytest.param("#define N 1\n", "#define N 1 /* one\n more */ // way\n", set(), id="comments"),
        pytest.param("#define N 1\n", "#define N 1 /* plus\n */ + 1\n", {"N"}, id="carried on by a comment"),
        pytest.param("#define N 1\n", "/*\n#define M 1\n*/\n#define N 1\n", set(), id="in a comment"),
        pytest.param('#define N "/*"\n', '#define N "/**/"\n', {"N"}, id="no comment but a string"),
        pytest.param("#define N don't\n#define M 1\n", "#define N don't\n#define M 2\n", {"M"}, id="lone quote"),
        pytest.param("#ifdef A\n#define N 1\n#else\n#define N 2\n#endif\n", "#define N 1\n", {"N"}, id="one of two"),
    ],
)
def test_changed_macros(old: str | None, new: str, expected: set[str]) -> None:
    assert changed_macros(old, new) == expected


def test_changed_definitions_of_a_new_file() -> None:
    assert changed_definitions(None, source(definitions=(definition("p", "p = 1;"),))) == {"p"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a<==>b", ("a", "<==>", "b"), id="equivalence"),
        pytest.param("a>>b > > c", ("a", ">>", "b", ">", ">", "c"), id="shift is not two comparisons"),
        pytest.param("\\old(x)+1.5e3", ("\\old", "(", "x", ")", "+", "1.5e3"), id="backslash words and numbers"),
        pytest.param("p[0..n-1]", ("p", "[", "0", "..", "n", "-", "1", "]"), id="range"),
        pytest.param('"a\\" b" \'"\'', ('"a\\" b"', "'\"'"), id="quotes in literals"),
        pytest.param("'open\nx", ("'open", "x"), id="an open quote"),
        pytest.param("∀ é", ("∀", "é"), id="unicode"),
    ],
)
def test_tokens(text: str, expected: tuple[str, ...]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("piece", "count"), [("'", 400_000), ('"\\', 800_000), ("1.", 400_000), ("#define \\\n", 100_000), ("<", 800_000)]
)
def test_hostile_text_takes_linear_time(piece: str, count: int) -> None:
    def work(repeated: int) -> None:
        text = piece * repeated
        tokens(text)
        changed_macros(text, text + "x")

    assert_grows_linearly(work, count // 8, count)
