"""The Java example is real: it compiles, its contracts are read, its README tells the truth (its tests run in
tests/integration/test_example_java.py)."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from clausefit.hook import config
from clausefit.hook.contracts.java import read_java
from clausefit.hook.contracts.java_model import JavaMethod
from clausefit.hook.contracts.model import Contract
from clausefit.hook.rules import RULES

EXAMPLE = Path(__file__).parents[2] / "examples" / "java"
MAIN = EXAMPLE / "src" / "main" / "java"
SOURCES = sorted(MAIN.rglob("*.java"))
README = (EXAMPLE / "README.md").read_text(encoding="utf-8")


def contracts_of(path: Path) -> dict[str, Contract]:
    """The contracts of a file by the simple names of their methods."""
    found = read_java(path.read_text(encoding="utf-8"), path.relative_to(EXAMPLE).as_posix())
    assert found.not_checked == ()
    return {one.java.name: one for one in found.contracts if isinstance(one.java, JavaMethod) and one.clauses}


def test_it_compiles_without_a_warning(tmp_path: Path) -> None:
    argv = ["javac", "--release", "17", "-Xlint:all", "-Werror", "-d", str(tmp_path), *map(str, SOURCES)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("name", "methods"),
    [
        pytest.param("Account", ["load", "pay", "startMonth"], id="fields-with-old-and-an-invariant"),
        pytest.param("Label", ["isExpress"], id="record-with-an-enum"),
        pytest.param("Station", ["put", "find", "emptyBoxes"], id="array-with-a-quantifier"),
        pytest.param("Tariff", ["postage", "reduced"], id="static-methods"),
    ],
)
def test_the_contracts_are_read(name: str, methods: list[str]) -> None:
    assert list(contracts_of(MAIN / "parcels" / f"{name}.java")) == methods


def test_readme_names_contracts_that_are_there() -> None:
    rows = re.findall(r"^\| `(\w+)` \(`([\w.]+)`\) \| ([^|]*(?:\|\|[^|]*)?) \| [^|]*\((CF\d+)\)", README, re.MULTILINE)
    assert [(row[0], row[3]) for row in rows] == [
        ("emptyBoxes", "CF101"),
        ("reduced", "CF202"),
        ("startMonth", "CF103"),
    ]
    for method, file, clause, code in rows:
        contract = contracts_of(MAIN / "parcels" / file)[method]
        clauses = {f"`{one.text}`" for one in contract.clauses}
        assert clause in clauses or (clause == "no `assignable`" and "assignable" not in str(clauses)), clauses
        assert code in RULES


def test_the_settings_find_all_files() -> None:
    settings = config.load(EXAMPLE)
    files = sorted(path.relative_to(EXAMPLE).as_posix() for path in (EXAMPLE / "src").rglob("*.java"))
    tests = list(filter(settings.is_test, files))
    assert tests == [f"src/test/java/parcels/{name}Test.java" for name in ("Account", "Label", "Station", "Tariff")]
    assert [path for path in files if settings.is_source(path)] == sorted(set(files) - set(tests))
