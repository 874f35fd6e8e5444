"""The evaluator against Frama-C/WP: whatever it answers, WP proves (the formula, or its negation)."""

from __future__ import annotations

import csv
import random
import shutil
import subprocess
from pathlib import Path

import pytest
from clausefit.hook.contracts.model import LogicDefinition, Span
from clausefit.hook.expect.definitions import definitions_from
from clausefit.hook.expect.evaluate import evaluate
from clausefit.hook.expect.situation import Situation
from clausefit.hook.pins.values import Array, Integer, Pointer, Struct, Value

NOWHERE = Span(1, 1, 1, 1, 0, 0)
DEFINITIONS = {
    "rising": "predicate rising{L}(int *p, integer n) = \\forall integer i; 0 <= i < n - 1 ==> p[i] <= p[i + 1];",
    "kept": "predicate kept{A, B}(int *p, integer i) = \\at(p[i], A) == \\at(p[i], B);",
    "third": "logic integer third(integer x) = x / 3;",
    "third_of": "logic real third_of(real x) = x / 4;",
}
VARIABLES = {"x": -7, "y": 5, "z": 0, "c": -100, "k": 3}


def ints(*values: int) -> Array:
    return Array("int", tuple(Integer(value, "int", 32, True) for value in values))


BEFORE: dict[str, Value] = {"arr": ints(1, 4, 4, -2), "g": Integer(2, "int", 32, True)}
POINT = Struct("struct pt", (("x", Integer(3, "int", 32, True)), ("v", ints(8, 9))))
AFTER = BEFORE | {"arr": ints(7, 4, 4, -2), "g": Integer(3, "int", 32, True), "pt": POINT}
BEFORE |= {"pt": POINT}
SITUATION = Situation(
    parameters={
        **{name: Integer(value, "int", 32, True) for name, value in VARIABLES.items() if name != "c"},
        "c": Integer(VARIABLES["c"], "char", 8, True),
        "u": Integer(4294967295, "unsigned int", 32, False),
        "a": Pointer("arr", (0,), "int *"),
        "p": Pointer("pt", (), "struct pt *"),
    },
    before=BEFORE,
    after=AFTER,
    result=Integer(7, "int", 32, True),
    globals={"arr": "arr", "g": "g", "pt": "pt"},
    definitions=definitions_from(
        LogicDefinition(text.split()[0], (name,), text, frozenset(), "f.c", NOWHERE)
        for name, text in DEFINITIONS.items()
    ),
)

SOURCE = """\
#include <limits.h>
struct pt { int x; int v[2]; };
int arr[4]; int g; struct pt pt;
/*@ DEFINITIONS */
/*@ requires x == -7 && y == 5 && z == 0 && c == -100 && k == 3 && u == 4294967295 && a == &arr[0] && p == &pt;
    requires arr[0] == 1 && arr[1] == 4 && arr[2] == 4 && arr[3] == -2 && g == 2;
    requires pt.x == 3 && pt.v[0] == 8 && pt.v[1] == 9;
CLAUSES */
int f(int x, int y, int z, char c, int k, unsigned u, int *a, struct pt *p) { arr[0] = 7; g = 3; return 7; }
"""

WRITTEN = [
    "\\result == 7 && \\result == a[0]",
    "x / 2 == -3 && x % 2 == -1 && x / -2 == 3 && x % -2 == -1",
    "y / -2 == -2 && y % -2 == 1",
    "x >> 1 == -4 && y << 40 == 5497558138880",
    "~u == -4294967296 && u + 1 == 4294967296",
    "(int) u == -1 && (unsigned) x == 4294967289 && (unsigned char) c == 156",
    "(char) 200 == -56 && (short) 40000 == -25536 && (long) (int) 4294967297 == 1",
    "(int) 2.7 == 2 && (int) -2.7 == -2",
    "(y & 6 | 8 ^ 3) == 15",
    "(y --> k) == -5 && (y <--> k) == -7",
    "y == (x < k)",
    "(x < k) == (y > z) == \\true",
    "!y == z",
    "x < y == 5",
    "0 <= k <= 3 < y",
    "y == 5 ==> k == 3 ==> z == 1",
    "y == 5 <==> z == 1 <==> k == 4",
    "y > 0 ^^ z > 0 || \\false",
    "y ? k == 3 : z == 1",
    "7 / 2.0 == 3.5 && 7 / 2 == 3",
    "-x % k == 1 && - x / k * k + -x % k == -x",
    "\\old(a[0]) == 1 && \\old(a)[0] == 7 && \\at(arr, Pre)[0] == 1",
    "\\old(g) + 1 == g && \\at(g + a[0], Pre) == 3",
    "\\let d = g - \\old(g); d == 1 && arr[d] == 4",
    "\\forall integer i; 0 <= i < 4 ==> a[i] >= -2",
    "\\forall integer i; 0 <= i < 4 ==> a[i] >= 0",
    "\\forall integer i, j; 0 <= i < j < 3 ==> a[i] >= a[j]",
    "\\exists integer i; 0 <= i < 4 && a[i] == 4 && i != 1",
    "\\exists integer i; 0 <= i < 4 && a[i] == 5",
    "\\forall integer i; 1 <= i <= 3 ==> a[i] == \\old(a[i])",
    "\\forall int i; 0 <= i < 4 ==> \\exists int j; 0 <= j < 4 && a[j] <= a[i]",
    "! \\forall integer i; 0 <= i < 4 ==> a[i] == 7 || a[i] == 4",
    "\\forall char b; b < 128",
    "rising(a + 1, 2) && !rising(a, 4) && rising{Pre}(a, 3)",
    "kept{Pre, Post}(a, 1) && !kept{Pre, Here}(a, 0)",
    "third(x) == -2 && third_of(y) == 1.25",
    "*(a + y - 3) == 4 && (a + 1)[2] == -2 && *&a[1] == 4",
    "&arr[4] == &arr[1] + 3 && a < &arr[2] && arr == a",
    "p->x == 3 && p->v[1] == pt.v[0] + 1 && &p->v[1] == &pt.v[1]",
    "\\valid(a + (0 .. 3)) && \\valid(p) && \\valid(&p->v[0 .. 1])",
    "\\valid(a + (0 .. 4))",
    "\\valid_read(a - 1) || \\valid(&arr[4])",
    "\\valid(a + (5 .. 2))",
    "\\separated(a, p) && \\separated(a + (0 .. 1), a + (2 .. 3))",
    "\\separated(a + (0 .. 2), a + (2 .. 3))",
    "a != \\null && \\null != p && (a == \\null ==> \\false)",
    "sizeof(long) == 8 && -2147483648 == INT_MIN && u == UINT_MAX",
    "'a' + 1 == 'b' && '\\n' == 10 && 010 == 8 && 0x1F == 31",
]  # fmt: skip


def generated(amount: int) -> list[str]:
    """Comparisons of random integer terms that the evaluator decides; the same ones in every run."""
    chance = random.Random(20)
    leaves = [*VARIABLES, "u", "a[0]", "\\old(a[0])", "p->v[1]", "2", "-3", "17"]
    formulas: list[str] = []
    while len(formulas) < amount:
        left, right = (_term(chance, leaves, 3) for _ in range(2))
        formula = f"{left} {chance.choice(['<', '<=', '==', '!=', '>='])} {right}"
        if evaluate(formula, SITUATION) is not None:
            formulas.append(formula)
    return formulas


def _term(chance: random.Random, leaves: list[str], depth: int) -> str:
    if depth == 0 or chance.random() < 0.15:
        return chance.choice(leaves)
    kind = chance.randrange(10)
    inner = _term(chance, leaves, depth - 1)
    if kind == 0:
        return f"({chance.choice(['char', 'short', 'int', 'unsigned char', 'unsigned', 'long'])}) ({inner})"
    if kind == 1:
        return f"~({inner})"
    if kind == 2:
        return f"({inner} > 0 ? {_term(chance, leaves, depth - 1)} : {chance.choice(leaves)})"
    operator = chance.choice(["+", "-", "*", "/", "%", "&", "|", "^"])
    return f"({inner} {operator} {_term(chance, leaves, depth - 1)})"


@pytest.mark.skipif(shutil.which("frama-c") is None, reason="Frama-C is not installed")
def test_wp_proves_every_answer(tmp_path: Path) -> None:
    formulas = [*WRITTEN, *generated(40)]
    answers = {f"q{number}": evaluate(formula, SITUATION) for number, formula in enumerate(formulas)}
    assert [formula for formula, answer in zip(formulas, answers.values(), strict=True) if answer is None] == []
    clauses = "\n".join(
        f"    check ensures {name}: {'' if answers[name] else '!'}({formula});"
        for name, formula in zip(answers, formulas, strict=True)
    )
    source = tmp_path / "f.c"
    definitions = " ".join(DEFINITIONS.values())
    source.write_text(SOURCE.replace("DEFINITIONS", definitions).replace("CLAUSES", clauses), encoding="utf-8")
    rows = _verdicts(source, tmp_path / "out.csv")
    unproved = {name: formulas[int(name[1:])] for name, verdict in rows.items() if verdict != "Valid"}
    assert unproved == {}
    assert set(rows) == set(answers)
    assert set(answers.values()) == {True, False}


def _verdicts(source: Path, table: Path) -> dict[str, str]:
    """WP's verdict for each ``check ensures qN`` by its name."""
    # Frama-C resolves relative names against $PWD, not its working directory.
    command = ["frama-c", str(source), "-kernel-warn-key", "annot-error=active", "-wp", "-wp-fct", "f"]
    command += ["-wp-prover", "z3-ce,cvc4", "-wp-timeout", "4", "-wp-par", "4", "-then", "-report-csv", str(table)]
    done = subprocess.run(command, cwd=source.parent, capture_output=True, text=True, timeout=400, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "annot-error" not in done.stdout, done.stdout
    lines = source.read_text(encoding="utf-8").splitlines()
    verdicts = {}
    with table.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            text = lines[int(row["line"]) - 1].strip()
            if text.startswith("check ensures q"):
                verdicts[text.removeprefix("check ensures ").partition(":")[0]] = row["status"]
    return verdicts
