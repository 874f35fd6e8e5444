"""Annotations: what GitHub is told of a finding, how many, and that nothing in one can be another command."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ci_reports import BETTER, CONTRACT, FINDING, SKIPPED, Issued, commands, finding
from clausefit.ci.annotations import annotation_lines, problem_line
from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.report import Report


def issued(*findings: object) -> list[Issued]:
    return commands("\n".join(annotation_lines(Report(findings=findings))))  # type: ignore[arg-type]


def test_a_finding_is_one_annotation_at_its_lines() -> None:
    assert issued(FINDING) == [
        Issued(
            "error",
            {"file": "src/next.c", "line": "3", "endLine": "3", "col": "5", "title": "CF101 too weak: next"},
            FINDING.message,
        )
    ]


@pytest.mark.parametrize(
    ("changes", "name", "properties", "data"),
    [
        pytest.param({"severity": "warning"}, "warning", {}, FINDING.message, id="a warning"),
        pytest.param({"severity": "note"}, "notice", {}, FINDING.message, id="a note is a notice"),
        pytest.param({"end_line": 6}, "error", {"endLine": "6", "col": ""}, FINDING.message, id="lines have no column"),
        pytest.param({"function": ""}, "error", {"title": "CF101 too weak"}, FINDING.message, id="of no function"),
        pytest.param(
            {"better": BETTER, "message": "Weak."},
            "error",
            {},
            "Weak.\n`ensures \\result == a + 1;` fits all 3 tested calls.",
            id="a better clause on a line of its own",
        ),
    ],
)
def test_what_a_finding_becomes(changes: dict[str, object], name: str, properties: dict[str, str], data: str) -> None:
    [one] = issued(finding(**changes))
    assert one.name == name and one.data == data
    assert {key: one.properties.get(key, "") for key in properties} == properties


def test_at_most_ten_of_a_level_the_worst_first_and_the_rest_counted() -> None:
    findings = [finding(severity="note", line=n) for n in range(1, 13)]
    findings += [finding(severity="warning", line=n) for n in range(1, 11)]
    findings += [finding(severity="error", line=n, file="z.c") for n in range(1, 12)]
    lines = annotation_lines(Report(findings=tuple(findings)))
    assert [one.name for one in commands("\n".join(lines))] == ["error"] * 10 + ["warning"] * 10 + ["notice"] * 10
    assert lines[-1] == "1 more error and 2 more notes without an annotation (10 a level): see the job summary"


def test_no_finding_no_line() -> None:
    assert annotation_lines(Report()) == ()


HOSTILE = "x\n::error::a\r::add-mask::b%0A::notice::c ##[add-mask]d, :: ]\x1b[31m\u202e<!-- @octocat"


@pytest.mark.parametrize("field", ["file", "function", "message", "code"])
def test_hostile_text_is_one_annotation(field: str) -> None:
    lines = annotation_lines(Report(findings=(finding(**{field: HOSTILE}),)))
    assert len(lines) == 1
    assert [one.name for one in commands(lines[0])] == ["error"]
    [one] = commands(lines[0])
    assert set(one.properties) == {"file", "line", "endLine", "col", "title"}


def test_the_name_of_a_file_comes_back_as_it_is() -> None:
    assert issued(finding(file="a,b:c%25\nd.c"))[0].properties["file"] == "a,b:c%25\nd.c"


def test_a_problem_is_one_annotation() -> None:
    [one] = commands(problem_line(HOSTILE))
    assert one.name == "error" and one.properties == {"title": "clausefit could not check"}
    assert len(problem_line("x" * 100_000)) < 5000


def test_a_long_message_keeps_its_better_clause() -> None:
    [one] = issued(finding(message="m" * 100_000, better=BETTER))
    assert one.data.endswith("fits all 3 tested calls.") and len(one.data) < 5000


def test_what_kept_a_run_from_its_end_comes_first_and_counts_as_an_error() -> None:
    skipped = (SKIPPED, replace(SKIPPED, reason="parse_error", file="z.c", line=None, detail="no ::error::x\ny"))
    findings = tuple(finding(line=n) for n in range(1, 11))
    lines = annotation_lines(Report(findings=findings, not_checked=(*skipped, SKIPPED)), unfinished=True)
    first, *others = commands("\n".join(lines))
    assert first == Issued(
        "error",
        {"title": "clausefit could not check"},
        "not checked: 1 parse_error, 2 no_pins; z.c: no ::error::x y",
    )
    assert len(others) == 9 and lines[-1].startswith("1 more error without")


CAUSES = [
    pytest.param(("a/max.c", "no_pins"), ("tests/test_max.c", "parse_error"), id="a test leaves a contract bare"),
    pytest.param(("a/max.c", "timeout"), ("src/z.c", "budget"), id="the time was up"),
    pytest.param(("tests/test_a.c", "parse_error"), ("tests/test_max.c", "budget"), id="a test's trouble did no harm"),
]


@pytest.mark.parametrize(("harmless", "cause"), CAUSES)
def test_what_ended_the_run_is_named_and_not_what_comes_first_by_name(
    harmless: tuple[str, str], cause: tuple[str, str]
) -> None:
    skipped = tuple(NotChecked(file, None, reason, "why") for file, reason in (harmless, cause))
    [one] = commands(annotation_lines(Report(contracts=(CONTRACT,), not_checked=skipped), unfinished=True)[0])
    assert one.data == f"not checked: 1 {cause[1]}, 1 {harmless[1]}; {cause[0]}: why"
