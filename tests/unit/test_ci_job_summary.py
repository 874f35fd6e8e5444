"""The job summary: what it holds, in which order, what limits cut off, and that hostile text is text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ci_reports import BETTER, CONTRACT, FINDING, REPORT, SKIPPED, STALE, WITNESS, finding
from clausefit.ci.job_summary import LIMIT, About, posting_summary, problem_summary, summary
from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.messages import message
from clausefit.hook.report import ContractReport, Report
from markdown_it import MarkdownIt

SHA = "a" * 40
ABOUT = About("pull request 7: what changed", "findings", "https://github.com", "o/r", SHA, "clausefit-report.json")
GITHUB_LIMIT = 1024 * 1024
UNJUDGED = replace(CONTRACT, used_pins=0, decided_by={}, scores={})


def html(markdown: str) -> str:
    return MarkdownIt("commonmark").enable("table").render(markdown).replace("\u200b", "")


def test_a_summary_has_all_that_the_report_has() -> None:
    better = finding(better=BETTER, line=8, end_line=9)
    page = summary(replace(REPORT, findings=(FINDING, better), known=(FINDING,), stale=(STALE,)), ABOUT)
    for part in (
        "## clausefit: findings to act on",
        "**1 contract judged, 2 findings (2 errors), 1 not checked, 1 finding known in the baseline, "
        "1 stale in the baseline**",
        f"(https://github.com/o/r/blob/{SHA}/src/next.c#L3)",
        f"(https://github.com/o/r/blob/{SHA}/src/next.c#L8-L9)",
        f"(https://github.com/o/r/blob/{SHA}/tests/test_next.c#L9)",
        "`ensures \\result > a`",
        "- 1 more outcome shows the same",
        "Better, for it fits all 3 tested calls:\n\n```\nensures \\result == a + 1;\n```",
        "3/3 | 1/4 (1 undecided) |",
        "\n\n- PostCorr: how many right outcomes",
        "| 2 of 4 |",
        "no\\_pins",
        "no test calls it",
        "<summary>Known in the baseline",
        "<summary>Stale in the baseline",
    ):
        assert part in page, part


def test_advice_is_a_help_of_its_own() -> None:
    from clausefit.hook.contracts.model import Clause, Span

    clause = Clause("ensures", "ensures p", "p", Span(1, 1, 1, 2, 0, 1))
    text = message("CF101", "next", clause, FINDING.witness)
    assert "\n- Help: " in summary(Report(findings=(finding(message=text),)), ABOUT)


def test_the_worst_come_first() -> None:
    order = ("note", "error", "warning")
    page = summary(Report(findings=tuple(finding(severity=name) for name in order)), ABOUT)
    rows = [line.split(" ")[1] for line in page.splitlines() if line.startswith(("| error", "| warning", "| note"))]
    assert rows == ["error", "warning", "note"]


@pytest.mark.parametrize(
    ("about", "linked"),
    [
        pytest.param(ABOUT, True, id="in a workflow"),
        pytest.param(replace(ABOUT, commit=""), False, id="no commit is known"),
        pytest.param(replace(ABOUT, repository=""), False, id="outside of GitHub"),
    ],
)
def test_places_are_linked_where_that_is_known(about: About, linked: bool) -> None:
    assert ("/blob/" in summary(REPORT, about)) is linked


@pytest.mark.parametrize(
    ("conclusion", "contracts", "says"),
    [
        pytest.param("clean", (CONTRACT,), "nothing to act on", id="clean"),
        pytest.param("clean", (), "nothing judged", id="no-contract"),
        pytest.param("clean", (UNJUDGED,), "nothing judged", id="none-with-pins"),
        pytest.param("not-checked", (), "not everything could be checked", id="not-checked"),
    ],
)
def test_a_conclusion_is_said(conclusion: str, contracts: tuple[ContractReport, ...], says: str) -> None:
    page = summary(Report(contracts), replace(ABOUT, conclusion=conclusion))  # type: ignore[arg-type]
    assert page.startswith(f"## clausefit: {says}\n") and "### Findings" not in page


def test_notes_are_shown() -> None:
    assert "\n> it was forced\n" in summary(REPORT, replace(ABOUT, notes=("it was forced",))) + "\n"


LONG = "`<\u202e@|é:x" * 2000


def test_a_summary_of_any_report_is_below_the_limit_and_says_what_was_cut() -> None:
    findings = tuple(
        finding(severity=severity, line=n, file=LONG, message=LONG, function=LONG, clause=("ensures", LONG))
        for n in range(400)
        for severity in ("note", "error")
    )
    report = Report(
        contracts=tuple(replace(CONTRACT, file=LONG, function=LONG, line=n) for n in range(2000)),
        findings=findings,
        not_checked=tuple(NotChecked(LONG, LONG, "unknown", LONG, n) for n in range(2000)),
        known=findings,
        stale=(replace(STALE, file=LONG, function=LONG),) * 2000,
    )
    about = replace(ABOUT, why=LONG, notes=(LONG,) * 500)
    page = summary(report, about)
    assert len(page.encode()) < LIMIT < GITHUB_LIMIT
    assert page.count("are not shown here, for its size; `clausefit-report.json` holds all.") == 6
    table = page[page.index("### Findings") :]
    shown = table[: table.index("are not shown here")]
    assert "| error |" in shown and "| note |" not in shown
    cut = int(shown.splitlines()[-1].split(" ")[0])
    assert cut + shown.count("| error |") == len(findings)


HOSTILE = (
    "x\n::error::a ##[error]b <!-- clausefit:summary --> <script> @octocat `c` ``` | # [l](javascript:x) \x1b\u202e"
)


def test_hostile_text_is_text() -> None:
    odd = finding(
        file=HOSTILE,
        function=HOSTILE,
        message=HOSTILE,
        clause=("ensures", HOSTILE),
        better=replace(BETTER, clause=HOSTILE),
        code=HOSTILE,
        witness=replace(FINDING.witness, test=HOSTILE, test_file=HOSTILE),  # type: ignore[type-var]
    )
    report = Report(
        contracts=(replace(CONTRACT, file=HOSTILE, function=HOSTILE),),
        findings=(odd,),
        not_checked=(NotChecked(HOSTILE, HOSTILE, HOSTILE, HOSTILE, 1),),
        known=(odd,),
        stale=(replace(STALE, file=HOSTILE, code=HOSTILE, function=HOSTILE),),
    )
    page = html(
        summary(report, replace(ABOUT, why=HOSTILE, notes=(HOSTILE,))) + posting_summary((HOSTILE,), (HOSTILE,))
    )
    plain = html(summary(replace(report, findings=(FINDING,), known=()), ABOUT))
    assert "<script" not in page and "<!--" not in page and "javascript:" not in page.replace("javascript:x", "")
    assert 'href="javascript' not in page and "\u202e" not in page
    assert page.count("<table>") == plain.count("<table>") == 3
    assert page.count("<td>") == plain.count("<td>")


def test_a_problem_has_a_summary() -> None:
    page = problem_summary("no commit <b>", "a push")
    assert page == "## clausefit: could not check\n\na push\n\nno commit &lt;b&gt;\n"


@pytest.mark.parametrize(
    ("done", "notes", "head"),
    [
        pytest.param(("a review",), (), "### Posted", id="posted"),
        pytest.param((), ("403",), "### Not posted", id="nothing could be posted"),
        pytest.param((), (), None, id="nothing to say"),
    ],
)
def test_what_was_posted_follows(done: tuple[str, ...], notes: tuple[str, ...], head: str | None) -> None:
    page = posting_summary(done, notes)
    assert (head in page) if head else page == ""


def test_not_checked_without_a_function_or_a_line() -> None:
    page = summary(Report(not_checked=(replace(SKIPPED, function=None, line=None),)), ABOUT)
    assert "<code>src&#47;other&#46;c</code>" in page


def test_the_clause_stands_once_in_the_details() -> None:
    page = summary(REPORT, ABOUT)
    assert page[page.index("####") : page.index("<details>")].count("ensures \\result > a") == 1
    other = summary(replace(REPORT, findings=(finding(message="Too weak."),)), ABOUT)
    assert "`ensures \\result > a`" in other[other.index("####") :]


def test_what_ended_the_run_is_listed_first() -> None:
    cause = NotChecked("z.c", None, "parse_error", "no end", 1)
    page = summary(Report(not_checked=(SKIPPED, cause)), ABOUT)
    assert page.index("parse\\_error") < page.index("no\\_pins")


def test_nothing_of_another_run_is_vouched_for() -> None:
    report = replace(REPORT, findings=(finding(better=BETTER),))
    page = summary(report, replace(ABOUT, reporter="the fork's own run"))
    assert "Reported by the fork's own run; nobody has checked it" in page
    assert "tested call" not in page and "That run proposes:\n\n```\nensures" in page
    assert "Reported by" not in summary(report, ABOUT)


_PLACES = {
    "a finding": lambda name: Report(findings=(finding(file=name, witness=None),)),
    "a test": lambda name: Report(findings=(finding(witness=replace(WITNESS, test_file=name)),)),
    "not checked": lambda name: Report(not_checked=(replace(SKIPPED, file=name),)),
    "a score": lambda name: Report(contracts=(replace(CONTRACT, file=name),)),
    "known": lambda name: Report(known=(finding(file=name),)),
    "stale": lambda name: Report(stale=(replace(STALE, file=name),)),
}


@pytest.mark.parametrize("place", _PLACES)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("a\nb.c", "a b.c", id="a line end and a blank"),
        pytest.param("a\nb.c", "a\\nb.c", id="a line end and its escape"),
        pytest.param("a\u202eb.c", "ab.c", id="from right to left"),
        pytest.param("a\u200bb.c", "a\\u200bb.c", id="nothing, and its escape"),
    ],
)
def test_no_two_names_look_the_same(place: str, one: str, other: str) -> None:
    pages = [summary(_PLACES[place](name), About("all", "findings")) for name in (one, other)]
    assert pages[0] != pages[1] and "\u202e" not in pages[0] and "\u200b" not in pages[0]
