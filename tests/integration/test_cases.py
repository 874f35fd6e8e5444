"""Every C folder of tests/cases: the expected findings on their clauses, and nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest
import yaml
from clausefit.hook.contracts.c import decode, read_c
from clausefit.hook.contracts.model import Clause
from running import Command

CASES = sorted(p.parent for p in (Path(__file__).parents[1] / "cases").glob("[ck]*/expected.yaml"))


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def named(clauses: Iterable[Clause], name: str) -> set[Clause]:
    """The clauses that a line of expected.yaml names: by kind, label, formula, behavior, or ``all``."""
    kind, _, rest = _squeezed(name).partition(" ")
    if kind == "behavior":
        return {clause for clause in clauses if clause.behavior == rest}
    found = set()
    for clause in clauses:
        forms = {"", *clause.names, _squeezed(clause.formula), _squeezed(clause.text).partition(" ")[2]}
        if kind == "all" or (clause.kind == kind and rest in forms):
            found.add(clause)
    return found


def test_names_of_clauses_mean_what_they_say() -> None:
    text = "/*@ requires r: a > 0; behavior b: assumes a > 1; ensures e: \\result == a; */ int f(int a) { return a; }"
    clauses = read_c(text, "f.c").contracts[0].clauses
    kinds = {
        name: sorted(c.kind for c in named(clauses, name)) for name in ("all", "behavior b", "ensures", "requires")
    }
    assert kinds == {
        "all": ["assumes", "ensures", "requires"],
        "behavior b": ["assumes", "ensures"],
        "ensures": ["ensures"],
        "requires": ["requires"],
    }
    for name in ("ensures e", "ensures e: \\result == a", "ensures \\result == a"):
        assert [c.kind for c in named(clauses, name)] == ["ensures"], name
    assert not named(clauses, "ensures r")


def test_there_are_cases() -> None:
    assert len(CASES) >= 9


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Path, project: Command) -> None:
    for name in ("src.c", "src.h", "test.c"):
        shutil.copy(case / name, project.folder)
    expected = yaml.safe_load((case / "expected.yaml").read_text())
    source = read_c(decode((case / "src.c").read_bytes()), "src.c")
    clauses = [clause for contract in source.contracts for clause in contract.clauses]

    ran = project.run("check", "--all", "--format", "json")

    found = {(f["line"], f["column"], f["direction"]) for f in ran.report["findings"] if f["clause"]}
    wanted = set()
    for entry in expected["expected"]:
        (clause,) = named(clauses, entry["clause"])
        wanted.add((clause.span.line, clause.span.column, entry["verdict"]))
    assert found == wanted, ran.out
    assert len(ran.report["findings"]) == len(wanted), "a finding on no clause, or two on one"
    for name in expected["clean_clauses"]:
        clean = named(clauses, name)
        assert clean, f"no clause is called {name}"
        assert not {(c.span.line, c.span.column) for c in clean} & {(line, column) for line, column, _ in found}
    assert ran.status == (1 if wanted else 0)
    # A wrong pointer may lead to memory of which nothing is known, and a busy machine may need more time than there
    # is; all else must be settled.
    assert ran.reasons <= {"unknown", "timeout"}
