"""The C text with the goals, and the line of each goal."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from clausefit.verifiers.protocol import Polarity, Question, Scene
from clausefit.verifiers.wp_text import Goal, compose, compose_type_check, conjunction, polar_formula, stub_text


def question(formula: str, hypothesis: str = "") -> Question:
    return Question("q", "cf_s", hypothesis, formula, "accept", "g")


def scene(name: str, declarations: str = "", function: str = "") -> Scene:
    return Scene(name, declarations, f"{name[3:]}_given", function or f"int {name}(int a) {{ return a; }}")


def goal(label: str, of: str, formula: str = "\\true", guard: bool = False) -> Goal:
    return Goal(label, of, formula, ((label, "accept"),), guard)


@pytest.mark.parametrize(
    ("asked", "polarity", "expected"),
    [
        pytest.param(question("a || b"), "accept", "(a || b)", id="accept"),
        pytest.param(question("a || b"), "refute", "!(a || b)", id="refute"),
        pytest.param(question("a || b", "c || d"), "accept", "(c || d) ==> (a || b)", id="accept-under-a-hypothesis"),
        pytest.param(question("a || b", "c || d"), "refute", "(c || d) ==> !(a || b)", id="refute-under-a-hypothesis"),
    ],
)
def test_polar_formula(asked: Question, polarity: Polarity, expected: str) -> None:
    assert polar_formula(asked, polarity) == expected


@pytest.mark.parametrize(
    ("asked", "polarity", "expected"),
    [
        pytest.param([question("a")], "accept", "((a))", id="one"),
        pytest.param([question("a"), question("b")], "accept", "((a) && (b))", id="two"),
        pytest.param([question("a"), question("b")], "refute", "(!(a) && !(b))", id="each-is-refuted-by-itself"),
        pytest.param(
            [question("a", "h"), question("b"), question("c", "h")],
            "refute",
            "((h) ==> (!(a) && !(c))) && (!(b))",
            id="by-hypothesis",
        ),
    ],
)
def test_conjunction(asked: list[Question], polarity: Polarity, expected: str) -> None:
    assert conjunction(asked, polarity) == expected


def test_a_stub() -> None:
    text = stub_text(scene("cf_s"), [goal("g0", "cf_s", "p"), goal("g4", "cf_s", "q")], "cf_s_g")
    assert text == (
        "/*@ requires cf_pin: s_given;\n    ensures g0: p;\n    ensures g4: q;\n*/\nint cf_s_g(int a) { return a; }\n"
    )


def test_only_the_functions_own_name_is_replaced() -> None:
    one = scene("cf_s", function="int cf_s(int a) { cf_s_any(); return a; }")
    assert stub_text(one, [], "cf_t0").splitlines()[-1] == "int cf_t0(int a) { cf_s_any(); return a; }"


ONE, TWO, THREE = scene("cf_one", "int cf_one_m;\nint cf_one_n;"), scene("cf_two"), scene("cf_three", "int cf_three_m;")
SCENES = {s.name: s for s in (ONE, TWO, THREE)}


def test_compose() -> None:
    goals = [goal("g0", "cf_two"), goal("g1", "cf_one"), goal("g2", "cf_two"), goal("g3", "cf_one", guard=True)]
    assert compose('#include "w/f.c"', SCENES, goals).splitlines() == [
        '#include "w/f.c"',
        "/*@ requires cf_pin: two_given;",
        "    ensures g0: \\true;",
        "    ensures g2: \\true;",
        "*/",
        "int cf_two(int a) { return a; }",
        "",
        "int cf_one_m;",
        "int cf_one_n;",
        "/*@ requires cf_pin: one_given;",
        "    ensures g1: \\true;",
        "*/",
        "int cf_one(int a) { return a; }",
        "",
        "/*@ requires cf_pin: one_given;",
        "    ensures g3: \\true;",
        "*/",
        "int cf_one_g(int a) { return a; }",
    ]


def test_compose_without_goals() -> None:
    assert compose("P", SCENES, []) == "P"


def numbered(text: str) -> dict[int, str]:
    return dict(enumerate(text.split("\n"), 1))


@pytest.mark.parametrize(
    "prelude", [pytest.param("P", id="one-line"), pytest.param("P\nQ\n\nR", id="several"), pytest.param("", id="empty")]
)
def test_every_line_of_a_stub_leads_to_its_goal_and_no_other_line_does(prelude: str) -> None:
    goals = [
        goal("g0", "cf_one", "a"),
        goal("g1", "cf_three", "b"),
        goal("g2", "cf_one", "c"),
        goal("g3", "cf_two", "d"),
    ]
    text, places = compose_type_check(prelude, SCENES, goals)
    lines = numbered(text)
    formulas = {"g0": "a", "g1": "b", "g2": "c", "g3": "d"}
    for label, formula in formulas.items():
        mine = [lines[line] for line, of in sorted(places.items()) if of == label]
        assert mine[0].startswith("/*@ requires cf_pin: ")
        assert mine[1:3] == [f"    ensures {label}: {formula};", "*/"]
        assert mine[3].startswith(f"int cf_t{label[1]}(")
        assert len(mine) == 4
    rest = [line for number, line in lines.items() if number not in places and line]
    assert rest == [
        line for line in (*prelude.split("\n"), "int cf_one_m;", "int cf_one_n;", "int cf_three_m;") if line
    ]


def test_declarations_are_there_once_and_before_their_use() -> None:
    goals = [goal(f"g{i}", "cf_one") for i in range(3)]
    text, _places = compose_type_check("", SCENES, goals)
    assert text.count("int cf_one_m;") == 1
    assert text.index("int cf_one_m;") < text.index("cf_t0")


def test_gcc_reads_both(tmp_path: Path) -> None:
    goals = [goal("g0", "cf_one"), goal("g1", "cf_two"), goal("g2", "cf_one", guard=True)]
    for text in (compose("int prelude;", SCENES, goals), compose_type_check("int prelude;", SCENES, goals)[0]):
        (tmp_path / "f.c").write_text(text)
        subprocess.run(["gcc", "-fsyntax-only", "-Wall", "-Werror", str(tmp_path / "f.c")], check=True)
