"""Posting to a GitHub that holds every request against its description: what ends up there, and what reruns change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from clausefit.ci.comments import Voice, finding_body
from clausefit.ci.github_api import GithubHost
from clausefit.ci.github_retry import Pace
from clausefit.ci.host import Comment
from clausefit.ci.posting import MOST_EDITS, Posted, Wishes, post
from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.report import Better, ContractReport, Finding, Report
from github_fake import REPOSITORY, TOKEN, Fault, GithubFake, Pull, patch_adding

SHA, NEWER = "a" * 40, "b" * 40
PACE = Pace(patience=1, rate_wait=0.01, backoff=0, timeout=5, between_requests=0, between_writes=0)
WISHES = Wishes(
    7, SHA, review=True, comment=True, check_run=True, conclusion="findings", run_url="https://g.example/r/1"
)
CONTRACT = ContractReport("c", "src/max.c", "max", 5, 3, 0, 3, (), {}, ())


@pytest.fixture(autouse=True)
def without_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")


@pytest.fixture(params=["", "/api/v3"], ids=["github.com", "enterprise"])
def any_github(request: pytest.FixtureRequest) -> Iterator[GithubFake]:
    with GithubFake(request.param) as fake:
        yield with_pull(fake)
        assert fake.violations == []


@pytest.fixture
def github() -> Iterator[GithubFake]:
    with GithubFake() as fake:
        yield with_pull(fake)
        assert fake.violations == []


def with_pull(fake: GithubFake) -> GithubFake:
    added = [f"line {number}" for number in range(5, 105)]
    files = [{"filename": "docs/picture.png"}, {"filename": "src/max.c", "patch": patch_adding(5, *added)}]
    fake.add_pull(Pull(7, SHA, files))
    return fake


def host(fake: GithubFake) -> GithubHost:
    return GithubHost(TOKEN, REPOSITORY, fake.url, PACE)


def posted(fake: GithubFake, report: Report, wishes: Wishes = WISHES) -> Posted:
    """Post, and see that a rerun (by another run of the workflow) writes nothing."""
    first = post(report, wishes, host(fake))
    writes = len(fake.writes)
    post(report, replace(wishes, run_url="https://g.example/r/2"), host(fake))
    assert len(fake.writes) == writes, "a rerun writes"
    return first


def finding(number: int, line: int, end: int | None = None, **other: object) -> Finding:
    one = Finding(
        code="CF101",
        direction="too_weak",
        severity="error",
        file="src/max.c",
        line=line,
        end_line=end or line,
        column=5,
        function="max",
        clause=("ensures", "ensures \\result >= a"),
        witness=None,
        witnesses=1,
        message="The clause accepts 5. Say exactly what the outcome is, in every case.",
        fingerprint=f"{number:032x}",
    )
    return replace(one, **other)  # type: ignore[arg-type]


def summary(fake: GithubFake) -> str:
    (comment,) = (one for one in fake.issue_comments[7] if one["user"]["login"] == fake.author)
    return str(comment["body"])


def test_everything_is_posted_once(any_github: GithubFake) -> None:
    better = Better("ensures \\result == b", "  ensures \\result == b;")
    report = Report(
        contracts=(CONTRACT,),
        findings=(finding(1, 5, better=better), finding(2, 9, 11), finding(3, 3, 6), finding(4, 200)),
    )
    done = posted(any_github, report)
    assert done.notes == ()
    assert [line.partition(":")[0] for line in done.done] == [
        "comments on lines",
        "the summary comment",
        "the check run",
    ]
    places = [(one["start_line"], one["line"]) for one in any_github.review_comments[7]]
    assert places == [(None, 6), (None, 5), (9, 11)]
    suggestions = [one for one in any_github.review_comments[7] if "```suggestion" in one["body"]]
    assert [one["line"] for one in suggestions] == [5]
    assert summary(any_github).count("(see the comment there)") == 3
    assert "`src/max.c:200`" in summary(any_github)
    (review,) = any_github.reviews
    assert review["event"] == "COMMENT"
    (run,) = any_github.check_runs
    assert (run["status"], run["conclusion"], len(run["annotations"])) == ("completed", "failure", 4)


def test_token_of_a_user_is_known_by_its_login(github: GithubFake) -> None:
    github.login = "Octocat"
    posted(github, Report(findings=(finding(1, 5),)))
    assert {one["user"]["login"] for one in github.review_comments[7]} == {"Octocat"}


def test_token_of_another_app_finds_its_comments(github: GithubFake) -> None:
    github.app_login = "our-reviewer"
    posted(github, Report(findings=(finding(1, 5),)))
    assert len(github.review_comments[7]) == len(github.issue_comments[7]) == 1


def test_nobody_is_told_that_there_is_nothing(github: GithubFake) -> None:
    done = posted(github, Report(contracts=(CONTRACT,)), replace(WISHES, conclusion="clean", check_run=False))
    assert (done, github.writes) == (Posted((), ()), [])


def test_what_could_not_be_judged_is_told_although_there_are_no_findings(github: GithubFake) -> None:
    report = Report(not_checked=(NotChecked("src/max.c", "max", "timeout", "out of time"),))
    posted(github, report, replace(WISHES, conclusion="not-checked"))
    assert "not everything could be judged" in summary(github)
    assert github.check_runs[0]["conclusion"] == "failure"


def test_gone_finding_is_struck_and_restored(github: GithubFake) -> None:
    found = Report(contracts=(CONTRACT,), findings=(finding(1, 5), finding(2, 6)))
    posted(github, found)
    before = [one["body"] for one in github.review_comments[7]]
    github.pulls[7].head = NEWER
    newer = replace(WISHES, head_sha=NEWER, conclusion="findings")
    posted(github, replace(found, findings=found.findings[:1]), newer)
    kept, struck = (one["body"] for one in github.review_comments[7])
    assert kept == before[0]
    assert "~~**error CF101 too weak**: `max`~~" in struck
    assert "### clausefit: 1 finding\n" in summary(github)
    posted(github, found, newer)
    assert [one["body"] for one in github.review_comments[7]] == before
    posted(github, Report(contracts=(CONTRACT,)), replace(newer, conclusion="clean"))
    assert all("No longer found" in one["body"] for one in github.review_comments[7])
    assert "### clausefit: no findings\n" in summary(github)
    assert len(github.issue_comments[7]) == 1


def test_comments_of_others_with_our_markers_are_not_ours(github: GithubFake) -> None:
    one = finding(1, 5)
    github.add_review_comment(7, finding_body(one, suggest=False), "src/max.c", 5, author="mallory")
    gone = finding_body(finding(9, 6), suggest=False)
    github.add_review_comment(7, gone, "src/max.c", 6, author="mallory")
    github.add_comment(7, "<!-- clausefit:summary -->\n<!-- clausefit:commit -->\nall well", author="mallory")
    posted(github, Report(contracts=(CONTRACT,), findings=(one,)))
    assert [one["user"]["login"] for one in github.review_comments[7]] == ["mallory", "mallory", github.author]
    assert [one["user"]["login"] for one in github.issue_comments[7]] == ["mallory", github.author]


def test_ours_are_found_behind_pages_of_others(github: GithubFake) -> None:
    report = Report(contracts=(CONTRACT,), findings=(finding(1, 5),))
    for number in range(250):
        github.add_comment(7, f"comment {number}", author="octocat")
        github.add_review_comment(7, f"remark {number}", "src/max.c", 5, author="octocat")
    posted(github, report)
    for number in range(150):
        github.add_comment(7, f"answer {number}", author="octocat")
    writes = len(github.writes)
    posted(github, report)
    assert len(github.writes) == writes
    assert {
        one.query.get("page") for one in github.requests if one.path.endswith("issues/7/comments") and not one.writes
    } == {
        "1",
        "2",
        "3",
        "4",
        "5",
    }


def test_files_beyond_the_first_page_count(github: GithubFake) -> None:
    github.pulls[7].files[:0] = [{"filename": f"src/f{number}.c"} for number in range(230)]
    posted(github, Report(findings=(finding(1, 5),)))
    assert len(github.review_comments[7]) == 1


def test_at_most_25_are_on_lines_and_the_rest_in_the_summary(github: GithubFake) -> None:
    report = Report(findings=tuple(finding(number, 5 + number) for number in range(40)))
    posted(github, report)
    assert len(github.review_comments[7]) == 25
    assert summary(github).count("(see the comment there)") == 25
    assert summary(github).count("- **error CF101 too weak**") == 40


def test_what_has_no_room_is_told_where_there_is_no_summary(github: GithubFake) -> None:
    report = Report(findings=tuple(finding(number, 5 + number) for number in range(40)))
    done = posted(github, report, replace(WISHES, comment=False))
    assert done.notes == ("comments on lines: 15 more findings have none; they are in the log alone",)


def test_hundreds_of_gone_comments_are_struck_over_several_runs(github: GithubFake) -> None:
    for number in range(120):
        github.add_review_comment(7, finding_body(finding(number, 5), suggest=False), "src/max.c", 5)
    for left in (70, 20, 0):
        done = post(Report(contracts=(CONTRACT,)), replace(WISHES, conclusion="clean"), host(github))
        assert (f"{left} older comments are brought up to date by the next run" in done.notes) is (left > 0)
    assert all("No longer found" in one["body"] for one in github.review_comments[7])
    assert MOST_EDITS == 50


def test_nothing_is_put_on_lines_once_the_head_has_moved(github: GithubFake) -> None:
    github.pulls[7].head = NEWER
    done = posted(github, Report(findings=(finding(1, 5),)))
    assert github.review_comments[7] == []
    assert f"moved on to `{NEWER[:12]}`" in summary(github)
    assert "`src/max.c:5`\\" in summary(github)
    assert any("has moved on" in note for note in done.notes)


def test_late_run_leaves_the_summary_of_the_newer_commit(github: GithubFake) -> None:
    github.pulls[7].head = NEWER
    posted(github, Report(findings=(finding(1, 5),)), replace(WISHES, head_sha=NEWER, check_run=False))
    before = summary(github)
    done = posted(github, Report(findings=(finding(2, 6),)), replace(WISHES, check_run=False))
    assert summary(github) == before
    assert any("which is newer" in note for note in done.notes)


CHOICES = [
    pytest.param(True, False, False, (1, 0, 0), id="review alone"),
    pytest.param(False, True, False, (0, 1, 0), id="summary alone"),
    pytest.param(False, False, True, (0, 0, 1), id="check run alone"),
    pytest.param(False, False, False, (0, 0, 0), id="nothing"),
]


@pytest.mark.parametrize(("review", "comment", "check_run", "expected"), CHOICES)
def test_only_what_is_wished_for(
    github: GithubFake, review: bool, comment: bool, check_run: bool, expected: tuple[int, int, int]
) -> None:
    wishes = replace(WISHES, review=review, comment=comment, check_run=check_run)
    posted(github, Report(findings=(finding(1, 5),)), wishes)
    there = len(github.review_comments[7]), len(github.issue_comments[7]), len(github.check_runs)
    assert there == expected
    if not any(expected):
        assert github.requests == []


def test_without_a_pull_request_there_is_the_check_run(github: GithubFake) -> None:
    posted(github, Report(findings=(finding(1, 5),)), replace(WISHES, pull=None))
    assert len(github.check_runs) == 1
    assert not github.issue_comments[7]


def test_check_run_of_many_annotations_is_made_in_parts(github: GithubFake) -> None:
    report = Report(findings=tuple(finding(number, 5 + number) for number in range(120)))
    posted(github, report, replace(WISHES, review=False, comment=False))
    (run,) = github.check_runs
    assert (run["status"], run["conclusion"], len(run["annotations"])) == ("completed", "failure", 120)


def test_check_run_of_another_outcome_is_made_anew(github: GithubFake) -> None:
    posted(github, Report(findings=(finding(1, 5),)))
    posted(github, Report(contracts=(CONTRACT,)), replace(WISHES, conclusion="clean"))
    assert [one["conclusion"] for one in github.check_runs] == ["failure", "success"]


HOSTILE = [
    "```\n@octo/team",
    "--> <!-- clausefit:summary -->",
    "<img src=x>",
    "::error::x",
    "\ud800\u202e\x00",
    "x" * 99_999,
]


@pytest.mark.parametrize("text", HOSTILE, ids=["fence", "marker", "html", "command", "controls", "long"])
def test_hostile_text_is_posted_and_found_again(github: GithubFake, text: str) -> None:
    better = Better(text, text)
    report = Report(
        findings=tuple(finding(n, 5 + n, message=text, clause=("x", text), better=better) for n in range(9))
    )
    posted(github, report)
    assert len(github.review_comments[7]) == 9
    assert summary(github).count("(see the comment there)") == 9


def project(name: str, *findings: Finding) -> tuple[Report, Wishes]:
    """What the job of a project posts: its findings have the paths of the repository."""
    judged = replace(CONTRACT, file=f"{name}/src/max.c")
    placed = tuple(replace(one, file=f"{name}/src/max.c") for one in findings)
    return Report(contracts=(judged,), findings=placed), replace(WISHES, voice=Voice(name))


def state(fake: GithubFake) -> list[str]:
    return [one["body"] for one in (*fake.review_comments[7], *fake.issue_comments[7])]


def test_projects_of_one_repository_leave_each_other_alone(github: GithubFake) -> None:
    files = [{"filename": f"{name}/src/max.c", "patch": patch_adding(5, "x", "y")} for name in ("a", "b")]
    github.pulls[7].files = files
    # The same paths below each project, so the same fingerprints.
    jobs = [project("a", finding(1, 5)), project("b", finding(1, 5), finding(2, 6))]
    for report, wishes in jobs:
        posted(github, report, wishes)
    assert [one["path"] for one in github.review_comments[7]] == ["a/src/max.c", "b/src/max.c", "b/src/max.c"]
    summaries = [one["body"] for one in github.issue_comments[7]]
    assert ["clausefit in `a`: 1 finding\n" in one for one in summaries] == [True, False]
    assert ["clausefit in `b`: 2 findings\n" in one for one in summaries] == [False, True]
    assert [one["name"] for one in github.check_runs] == ["clausefit (a)", "clausefit (b)"]
    before, writes = state(github), len(github.writes)
    for report, wishes in jobs:
        post(report, wishes, host(github))
    assert state(github) == before and len(github.writes) == writes
    report, wishes = project("a")
    posted(github, report, replace(wishes, conclusion="clean"))
    changed = [old != new for old, new in zip(before, state(github), strict=True)]
    assert changed == [True, False, False, True, False]


def test_comments_of_another_project_are_not_taken_for_a_lost_answer(github: GithubFake) -> None:
    github.pulls[7].files = [{"filename": f"{name}/src/max.c", "patch": patch_adding(5, "x")} for name in ("a", "b")]
    report, wishes = project("b", finding(1, 5))
    github.faults.append(Fault("POST", r"/pulls/7/reviews$", status=502, times=1))
    asked = host(github)
    listed = asked.review_comments

    def meanwhile(pull: int) -> tuple[Comment, ...]:
        found = listed(pull)
        if any(one.path.endswith("/reviews") for one in github.requests) and len(github.review_comments[7]) == 0:
            other = replace(finding(1, 5), file="a/src/max.c")
            github.add_review_comment(7, finding_body(other, suggest=False, voice=Voice("a")), "a/src/max.c", 5)
            found = listed(pull)
        return found

    asked.review_comments = meanwhile  # type: ignore[method-assign]
    post(report, wishes, asked)
    assert sorted(one["path"] for one in github.review_comments[7]) == ["a/src/max.c", "b/src/max.c"]
