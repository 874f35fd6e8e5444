"""The Java folders of tests/cases: the expected findings on their clauses, and nothing else, with KeY alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml
from running import Command

CASES = Path(__file__).parents[1] / "cases"
WEAK, STRONG = "too_weak", "too_strong"

# The case, and for each finding: its code, its direction, and the clause (None: the contract, or what nobody wrote).
EXPECTED = [
    pytest.param(
        "j01-not-found-value",
        {
            ("CF201", STRONG, r"ensures -1 < \result && \result < keys.length"),
            ("CF101", WEAK, r"ensures -1 < \result && \result < keys.length"),
            ("CF103", WEAK, None),
        },
        id="j01: the bound excludes the value for an absent key, and admits any slot",
    ),
    pytest.param(
        "j02-forgotten-old",
        {("CF201", STRONG, "ensures pos == pos + 1")},
        id="j02: both sides read the state after",
    ),
    pytest.param(
        "j03-insert-at-end",
        {
            ("CF202", STRONG, "requires 0 <= at && at < text.length()"),
            ("CF101", WEAK, r"ensures text.length() == \old(text.length()) + s.length()"),
        },
        id="j03: the index may be the length; the length says nothing of the place",
    ),
    pytest.param(
        "j06-sort-range",
        {
            ("CF202", STRONG, "requires 0 <= from && from <= to && to < a.length"),
            ("CF101", WEAK, r"ensures (\forall int i; from < i && i < to; a[i-1] <= a[i])"),
        },
        id="j06: the end is exclusive; sorted is not a permutation",
    ),
    pytest.param(
        "j07-one-way-implication",
        {
            (
                "CF101",
                WEAK,
                r"ensures (x.length == y.length && (\forall int i; 0 <= i && i < x.length; x[i] == y[i])) ==> \result",
            )
        },
        id="j07: one direction of an equivalence",
    ),
    pytest.param(
        "j10-null-argument-rejected",
        {("CF202", STRONG, "requires text != null")},
        id="j10: null is allowed by the tests",
    ),
    pytest.param(
        "j11-unspecified-exception",
        {
            ("CF206", STRONG, "public normal_behavior"),
            ("CF101", WEAK, r"ensures 0 <= \result && \result < size"),
        },
        id="j11: an exception that the normal behavior forbids; any slot is accepted",
    ),
    pytest.param("j12-missing-assignable", {("CF103", WEAK, None)}, id="j12: another field may change"),
    pytest.param(
        "j16-false-and-catchall",
        {("CF201", STRONG, "ensures false"), ("CF106", WEAK, "signals (Exception e) true")},
        id="j16: no normal return is allowed, and any exception is",
    ),
]


def test_every_case_is_in_the_table() -> None:
    assert sorted(p.parent.name for p in CASES.glob("j*/expected.yaml")) == [str(row.values[0]) for row in EXPECTED]


@pytest.mark.parametrize(("name", "expected"), EXPECTED)
def test_case(name: str, expected: set[tuple[str, str, str | None]], project: Command) -> None:
    for folder in ("src", "test"):
        shutil.copytree(CASES / name / folder, project.folder / folder)
    (project.folder / ".clausefit.yaml").write_text("verifiers: [key]\n")

    ran = project.run("check", "--all", "--format", "json")

    found = {(f["code"], f["direction"], f["clause"]["text"] if f["clause"] else None) for f in ran.report["findings"]}
    assert found == expected, ran.out
    assert len(ran.report["findings"]) == len(expected), "two findings on one clause"
    assert ran.status == 1
    assert ran.reasons == set(), ran.report["not_checked"]
    deciders = {name for contract in ran.report["contracts"] for name in contract["decided_by"]}
    assert deciders <= {"key", "evaluation"} and "key" in deciders
    assert [v["name"] for v in ran.report["verifiers"]] == ["key"]


@pytest.mark.parametrize(("name", "expected"), EXPECTED)
def test_the_published_expectations_are_met(name: str, expected: set[tuple[str, str, str | None]]) -> None:
    """What the case's own page expects is in the table, clause and direction."""
    page = yaml.safe_load((CASES / name / "expected.yaml").read_text())
    directions = sorted(entry["verdict"] for entry in page["expected"])
    ours = sorted(direction for code, direction, clause in expected if code != "CF103" or len(expected) == 1)
    assert ours == directions
