"""Right and exact Java contracts, a folder for each feature: all are judged by KeY, and nothing is found.

The tests below ``tests/right_contracts/java`` pass in JUnit and TestNG with javac 17, and each contract says all of
what they show: a finding of either direction would be wrong.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from running import Command

FOLDER = Path(__file__).parents[1] / "right_contracts" / "java"

# The folder and how many contracts it has.
RIGHT = [
    pytest.param("alias", 7, id="alias: two names for one array, objects and statics that share"),
    pytest.param("arrays", 16, id="arrays: sums, counts, sorting in place, two dimensions, fresh results"),
    pytest.param("defaults", 4, id="defaults: an array of strings that the invariant bounds, ranges in a frame"),
    pytest.param("excluded", 8, id="excluded: calls that throw although, or because, no case admits them"),
    pytest.param("fields", 16, id="fields: invariants, a constraint, an object chain, static counters"),
    pytest.param("floats", 6, id="floats: double and float, not-a-number"),
    pytest.param("frames", 11, id="frames: rows of an array, fields of a part, in-place updates of each element type"),
    pytest.param("idiom", 4, id="idiom: signals without signals_only, requires that a failing call breaks"),
    pytest.param("inherit", 7, id="inherit: contracts of interfaces and abstract classes, joined by also"),
    pytest.param("jmlfile", 2, id="jmlfile: contracts in a file beside the source"),
    pytest.param("modernbody", 6, id="modernbody: Java 17 in bodies, boxed values, parameterized tests"),
    pytest.param("names", 8, id="names: parameters, fields and classes called as things in verifiers are"),
    pytest.param("nested", 3, id="nested: cases inside a case, one frame for all"),
    pytest.param("numbers", 22, id="numbers: every primitive type, overflow, quantified products and divisors"),
    pytest.param("overloads", 8, id="overloads: one name, eight lists of parameters"),
    pytest.param("signal", 5, id="signal: exceptions that leave a changed object, checked ones, wide types"),
    pytest.param("strings", 8, id="strings: calls of String in clauses, Hamcrest"),
    pytest.param("words", 8, id="words: synonyms of keywords, examples, types, mathematical integers"),
]


def test_every_folder_is_in_the_table() -> None:
    assert sorted(path.name for path in FOLDER.iterdir() if path.is_dir()) == [row.values[0] for row in RIGHT]


@pytest.mark.parametrize(("name", "contracts"), RIGHT)
def test_nothing_is_found(name: str, contracts: int, project: Command) -> None:
    shutil.copytree(FOLDER / name, project.folder, dirs_exist_ok=True)

    ran = project.check("--all", "--verifier", "key", "--timeout", "20")

    assert ran.report["findings"] == [], ran.out
    assert ran.status == 0, ran.out
    assert len(ran.judged) == contracts, ran.judged
    for contract in ran.report["contracts"]:
        assert sum(clause["accepts_right"] for clause in contract["clauses"]) > 0, contract
    deciders = {decider for contract in ran.report["contracts"] for decider in contract["decided_by"]}
    # KeY has no notion of double and float.
    assert deciders <= {"key", "evaluation"} and ("key" in deciders) == (name != "floats")
