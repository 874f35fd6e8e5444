"""What a run did not come to: in the text report, and for the exit status."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from ci_findings import finding
from clausefit.hook.arguments import UsageProblem, check_request, parser
from clausefit.hook.cli import exit_status
from clausefit.hook.contracts.c import read_c
from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.report import ContractReport, Report, Stats
from clausefit.hook.reports.text_report import render
from clausefit.hook.unreached import cut_short, place_of
from rich.console import Console

CUT = NotChecked("a.c", "f", "budget", "3 of 9 questions are answered", 4)
UNASKED = NotChecked("a.c", "g", "not_asked", "", 9)
JUDGED = ContractReport("c", "a.c", "h", 20, 1, 0, 1, (), {}, (), {"frama-c-wp": 3})


def said(report: Report, limit: int | None = 5) -> str:
    page = io.StringIO()
    render(report, Console(file=page, color_system=None, force_terminal=False), limit=limit, looked_at="what is staged")
    return page.getvalue()


@pytest.mark.parametrize(
    ("report", "fail_on", "status"),
    [
        pytest.param(Report(not_checked=(CUT,)), "warning", 2, id="not-reached-is-no-pass"),
        pytest.param(Report((JUDGED,), not_checked=(CUT,)), "warning", 2, id="nor-is-half"),
        pytest.param(Report(not_checked=(CUT,)), "never", 2, id="whatever-fails"),
        pytest.param(Report(not_checked=(replace(CUT, file="tests/t.c"),)), "warning", 2, id="even-in-a-test"),
        pytest.param(Report(findings=(finding(),), not_checked=(CUT,)), "note", 1, id="findings-are-still-1"),
        pytest.param(Report(not_checked=(UNASKED,)), "warning", 0, id="nobody-wanted-to-ask"),
    ],
)
def test_exit_status(report: Report, fail_on: str, status: int) -> None:
    assert exit_status(report, fail_on, is_test=lambda path: path.startswith("tests/")) == status


def test_what_was_not_reached_is_listed_with_its_line_and_the_next_run_is_spoken_of() -> None:
    text = said(Report((JUDGED,), not_checked=(CUT,)))
    assert "a.c:4: f: 3 of 9 questions are answered" in text
    assert "1 for want of time (what was decided is kept, and the next run goes on from there), " in text


@pytest.mark.parametrize(
    ("stats", "goes_on", "advice"),
    [
        pytest.param(Stats(9, asked=3, seconds=2), True, "", id="some answers are new"),
        pytest.param(Stats(9, cached=3, seconds=2), True, "", id="some were known"),
        pytest.param(Stats(9, seconds=1.1), False, "`--budget 20`", id="too short to begin with"),
        pytest.param(Stats(9, seconds=29.4), False, "`--budget 60`", id="too short although it is more than usual"),
    ],
)
def test_where_no_answer_came_more_time_is_asked_for(stats: Stats, goes_on: bool, advice: str) -> None:
    text = " ".join(said(Report(not_checked=(CUT,), stats=stats)).split())
    assert ("the next run goes on from there" in text) == goes_on
    assert ("nothing was decided" in text) != goes_on and advice in text


def test_what_was_not_asked_is_counted_and_no_pass() -> None:
    text = said(Report(not_checked=(UNASKED,)))
    assert text.startswith("Nothing judged: 1 contract not asked about (no verifier was started);")
    assert text.count("\n") == 1


def test_what_was_not_asked_is_listed_when_everything_is() -> None:
    assert "a.c:9: g" in said(Report(not_checked=(UNASKED,)), limit=None)


def test_other_reasons_are_listed_beside_it() -> None:
    broken = NotChecked("a.c", "k", "parse_error", "no clause", 30)
    text = said(Report((JUDGED,), not_checked=(UNASKED, broken)))
    assert "Not checked (1):" in text and "a.c:30: k: no clause" in text
    assert (
        "1 of 2 contracts judged, 1 not asked about (no verifier was started), 0 findings, 1 listed as not checked"
        in text
    )


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(["a.c", "b.c"], ["a.c", "b.c"], id="what-changed-is-known"),
        pytest.param([], ["."], id="not-even-that"),
    ],
)
def test_when_nothing_came_back_something_is_listed(files: list[str], expected: list[str]) -> None:
    entries = cut_short([], files)
    assert [one.file for one in entries] == expected and {one.reason for one in entries} == {"budget"}
    assert exit_status(Report(not_checked=tuple(entries)), "warning") == 2


def test_every_contract_that_was_not_reached_says_why() -> None:
    contract: Any = SimpleNamespace(language="java", clauses=(), file="p/M.java", function="p.M.max", line=4)
    [entry] = cut_short([contract], [])
    assert "no time to judge it" in entry.detail and (entry.file, entry.line) == ("p/M.java", 4)


def options(*arguments: str) -> object:
    return parser()[0].parse_args(["check", *arguments])


def test_the_cache_cannot_be_asked_and_left_out() -> None:
    with pytest.raises(UsageProblem, match="leave --no-cache out"):
        check_request(parser()[0].parse_args(["check", "--no-verifier", "--no-cache"]))
    check_request(parser()[0].parse_args(["check", "--no-verifier", str(Path("a.c"))]))


@pytest.mark.parametrize("text", ["0", "x", "1e9", "100000"])
def test_a_bad_budget_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageProblem) as left:
        options("--budget", text)
    assert str(left.value).startswith(f"argument --budget: '{text}' is not a number of seconds from 1 to 86400; ")


def test_what_was_not_reached_stands_where_its_clauses_do() -> None:
    header = "/*@ ensures \\result == 1; */\nint f(void);\n"
    (declared,) = read_c(header, "f.h").contracts
    clauses = tuple(replace(clause, file="f.h") for clause in declared.clauses)
    merged = replace(declared, file="f.c", line=7, clauses=clauses)
    assert place_of(merged) == ("f.h", 1)
    assert place_of(replace(merged, clauses=(*clauses, replace(clauses[0], file="")))) == ("f.c", 7)
    assert [(one.file, one.line) for one in cut_short([merged], [])] == [("f.h", 1)]
