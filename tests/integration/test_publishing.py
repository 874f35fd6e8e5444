"""The second workflow of the pair for forks: reports of strangers, posted where the server says that they belong."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from clausefit.ci.artifact import ARCHIVE_LIMIT
from clausefit.ci.events import Publish
from clausefit.ci.github_api import GithubHost
from clausefit.ci.host import HostProblem
from clausefit.ci.publishing import Published, PublishProblem, publish
from clausefit.ci.settings import Settings
from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.report import Better, Finding, Report
from clausefit.hook.reports.json_report import to_json
from github_fake import REPOSITORY, TOKEN, Fault, GithubFake, Pull, patch_adding
from test_posting import CONTRACT, NEWER, PACE, SHA, finding

RUN = 99
PLAN = Publish(RUN, SHA, "mallory", "fix", "mallory/contracts")
SETTINGS = Settings(repository=REPOSITORY, server_url="https://g.example", run_id="100")
REPORT = Report(contracts=(CONTRACT,), findings=(finding(1, 5), finding(2, 200)))
FILES = [{"filename": "src/max.c", "patch": patch_adding(5, "x", "y")}]


@pytest.fixture(autouse=True)
def without_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")


@pytest.fixture(autouse=True)
def nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    yield
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def github() -> Iterator[GithubFake]:
    with GithubFake() as fake:
        fake.add_pull(Pull(3, NEWER, FILES))  # somebody else's
        fake.add_pull(fork(7))
        yield fake
        assert fake.violations == []


def fork(number: int, head: str = SHA, repository: str = "mallory/contracts") -> Pull:
    return Pull(number, head, FILES, owner="mallory", branch="fix", repository=repository)


def archive(text: str | bytes, name: str = "clausefit-report.json") -> bytes:
    page = io.BytesIO()
    with zipfile.ZipFile(page, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr(name, text)
    return page.getvalue()


def run(fake: GithubFake, settings: Settings = SETTINGS) -> Published:
    return publish(PLAN, settings, GithubHost(TOKEN, REPOSITORY, fake.url, PACE))


def test_report_is_posted_to_the_pull_request_of_the_fork(github: GithubFake) -> None:
    github.add_artifact(RUN, "another", b"no archive", SHA)
    github.add_artifact(RUN, "clausefit-report", archive(to_json(REPORT)), SHA)
    published = run(github, replace(SETTINGS, check_run=True))
    assert published.pull == 7
    assert published.posted.notes == ()
    assert [one.fingerprint for one in published.report.findings] == [one.fingerprint for one in REPORT.findings]
    assert [one["line"] for one in github.review_comments[7]] == [5]
    (summary,) = github.issue_comments[7]
    assert "`src/max.c:200`" in summary["body"]
    assert "https://g.example/octo/contracts/actions/runs/99" in summary["body"]
    assert github.review_comments[3] == github.issue_comments[3] == []
    assert [(one["head_sha"], one["conclusion"]) for one in github.check_runs] == [(SHA, "failure")]
    writes = len(github.writes)
    run(github, replace(SETTINGS, check_run=True))
    assert len(github.writes) == writes


def test_newest_attempt_counts(github: GithubFake) -> None:
    github.add_artifact(RUN, "clausefit-report", archive(to_json(REPORT)), SHA)
    github.add_artifact(RUN, "clausefit-report", archive(to_json(Report(contracts=(CONTRACT,)))), SHA)
    github.add_artifact(RUN, "clausefit-report", archive(to_json(REPORT)), SHA, expired=True)
    github.add_artifact(RUN, "clausefit-report", archive(to_json(REPORT)), NEWER)
    assert run(github).report.findings == ()
    assert github.writes == []


NO_SUCH = "no open pull request has the head"
PULLS = [
    pytest.param([fork(7, NEWER)], f"7 has moved on to {NEWER[:12]} from {SHA[:12]}", False, id="moved on"),
    pytest.param([replace(fork(7), state="closed")], NO_SUCH, False, id="closed"),
    pytest.param([], NO_SUCH, False, id="none"),
    pytest.param([fork(7, repository="mallory/other")], NO_SUCH, False, id="another repository of the owner"),
    pytest.param([fork(7, repository="")], NO_SUCH, False, id="the fork is deleted"),
    pytest.param([fork(7), fork(8)], "the pull requests 7, 8", True, id="two: it is not known which was judged"),
]


@pytest.mark.parametrize(("pulls", "expected", "is_lacking"), PULLS)
def test_without_the_one_pull_request_nothing_is_posted_and_the_report_is_there(
    github: GithubFake, pulls: list[Pull], expected: str, is_lacking: bool
) -> None:
    del github.pulls[7]
    for pull in pulls:
        github.add_pull(pull)
    github.add_artifact(RUN, "clausefit-report", archive(to_json(REPORT)), SHA)
    published = run(github)
    assert published.pull is None
    assert len(published.report.findings) == 2
    assert published.posted.done == ()
    (note,) = published.posted.notes
    assert expected in note
    assert published.posted.is_lacking is is_lacking
    assert github.writes == []


@pytest.mark.parametrize("pulls", [pytest.param(one.values[0], id=one.id) for one in PULLS])
def test_a_report_with_nothing_to_say_lacks_no_pull_request(github: GithubFake, pulls: list[Pull]) -> None:
    del github.pulls[7]
    for pull in pulls:
        github.add_pull(pull)
    put(github, Report(contracts=(CONTRACT,)))
    posted = run(github).posted
    assert (len(posted.notes), posted.is_lacking, github.writes) == (1, False, [])


@pytest.mark.parametrize("findings", [(), REPORT.findings], ids=["clean", "findings"])
@pytest.mark.parametrize("comment", [True, False], ids=["with a summary", "without"])
def test_a_pull_request_that_moves_on_while_it_is_posted_to_is_no_lack(
    github: GithubFake, findings: tuple[Finding, ...], comment: bool
) -> None:
    github.faults.append(Fault("GET", "/pulls/7$", status=200, body=json.dumps({"head": {"sha": NEWER}})))
    put(github, replace(REPORT, findings=findings))
    posted = run(github, replace(SETTINGS, comment=comment)).posted
    assert "has moved on to" in posted.notes[0] and not posted.is_lacking
    assert github.review_comments[7] == []


def test_refused_look_for_the_pull_request_is_told(github: GithubFake) -> None:
    github.add_artifact(RUN, "clausefit-report", archive(to_json(REPORT)), SHA)
    github.faults.append(Fault("GET", r"/pulls$", status=404, body='{"message": "Not Found"}'))
    published = run(github)
    assert published.pull is None
    assert "could not be looked up: GitHub answers 404: Not Found" in published.posted.notes[0]
    assert published.posted.is_lacking


def test_what_github_refuses_is_a_lack(github: GithubFake) -> None:
    put(github, REPORT)
    github.faults.append(Fault("POST", "/(reviews|comments)$", status=403, body='{"message": "Not allowed"}'))
    posted = run(github).posted
    assert (posted.done, posted.is_lacking) == ((), True)


ARTIFACTS = [
    pytest.param(None, {}, "the run has none", id="none"),
    pytest.param(archive("{}"), {"expired": True}, "it has expired", id="expired"),
    pytest.param(
        archive("{}"), {"size_in_bytes": ARCHIVE_LIMIT + 1}, "not downloaded", id="large, by what GitHub says"
    ),
    pytest.param(b"\0" * (ARCHIVE_LIMIT + 1), {"size_in_bytes": 5}, "is larger than", id="larger than GitHub says"),
    pytest.param(b"", {}, "no archive", id="empty"),
    pytest.param(archive(to_json(REPORT))[:-9], {}, "no archive", id="truncated"),
    pytest.param(archive("[" * 1_000_000), {}, "no clausefit-report/1", id="deep JSON"),
    pytest.param(archive("{}"), {}, "no clausefit-report/1", id="another schema"),
    pytest.param(archive(b"\xff"), {}, "UTF-8", id="no text"),
    pytest.param(archive(b" " * (33 << 20)), {}, "unpacks to more than", id="a bomb"),
    pytest.param(
        archive(to_json(replace(REPORT, findings=(finding(1, 5, file="../../etc/passwd"),)))),
        {},
        "clausefit-report/1",
        id="a path out of the project",
    ),
]


@pytest.mark.parametrize(("content", "other", "expected"), ARTIFACTS)
def test_artifact_that_holds_no_report_is_one_line_and_nothing_is_posted(
    github: GithubFake, content: bytes | None, other: dict[str, object], expected: str
) -> None:
    if content is not None:
        github.add_artifact(RUN, "clausefit-report", content, SHA, **other)
    with pytest.raises(PublishProblem, match=expected) as caught:
        run(github)
    assert "\n" not in str(caught.value)
    assert "clausefit-report" in str(caught.value)
    assert github.writes == []


TRANSPORT = [
    pytest.param(Fault("GET", "/storage/", status=None, times=1), "", id="broken off once"),
    pytest.param(Fault("GET", "/storage/", status=502, times=2), "", id="502 twice at the storage"),
    pytest.param(Fault("GET", "/zip$", status=502, times=2), "", id="502 twice"),
    pytest.param(Fault("GET", "/zip$", status=429, headers={"Retry-After": "0"}, times=1), "", id="429 once"),
    pytest.param(Fault("GET", "/storage/", status=None), "the connection broke", id="broken off"),
    pytest.param(Fault("GET", "/storage/", status=403, body="<xml>s3cret</xml>"), "403", id="refused by the storage"),
    pytest.param(Fault("GET", "/zip$", status=410, body="{}"), "410", id="gone"),
    pytest.param(Fault("GET", "/zip$", status=403), "Resource not accessible", id="no permission: actions: read"),
    pytest.param(Fault("GET", "/zip$", status=429, headers={"Retry-After": "3600"}), "3600", id="to wait for an hour"),
    pytest.param(
        Fault("GET", "/zip$", status=302, headers={"Location": "ftp://x/"}), "downloaded", id="to another scheme"
    ),
    pytest.param(Fault("GET", "/artifacts$", status=403), "Resource not accessible", id="the list is refused"),
    pytest.param(Fault("GET", "/artifacts$", status=200, body='{"artifacts": 5}'), "another form", id="another form"),
]


@pytest.mark.parametrize(("fault", "expected"), TRANSPORT)
def test_download_on_a_bad_way(github: GithubFake, fault: Fault, expected: str) -> None:
    github.add_artifact(RUN, "clausefit-report", archive(to_json(REPORT)), SHA)
    github.faults.append(replace(fault))
    if not expected:
        assert len(run(github).report.findings) == 2
        assert github.faults[0].times == 0
        return
    with pytest.raises(PublishProblem, match=expected) as caught:
        run(github)
    assert TOKEN not in str(caught.value)
    assert "s3cret" not in str(caught.value)


def test_download_ends_at_its_limit_whatever_size_was_said(github: GithubFake) -> None:
    number = github.add_artifact(RUN, "clausefit-report", b"x" * 5000, SHA, size_in_bytes=5)
    asked = GithubHost(TOKEN, REPOSITORY, github.url, PACE)
    assert asked.download(number, 5000) == b"x" * 5000
    with pytest.raises(HostProblem, match="larger than 4999 bytes"):
        asked.download(number, 4999)


FAIL_ON = [
    pytest.param(None, (finding(1, 5),), "failure", id="an error"),
    pytest.param(None, (finding(1, 5, severity="note"),), "success", id="a note, below the default"),
    pytest.param("note", (finding(1, 5, severity="note"),), "failure", id="a note, as this workflow says"),
    pytest.param("never", (finding(1, 5),), "success", id="never"),
]


@pytest.mark.parametrize(("fail_on", "findings", "expected"), FAIL_ON)
def test_this_workflow_says_what_fails(
    github: GithubFake, fail_on: str | None, findings: object, expected: str
) -> None:
    report = replace(REPORT, findings=findings)  # type: ignore[arg-type]
    github.add_artifact(RUN, "clausefit-report", archive(to_json(report)), SHA)
    run(github, replace(SETTINGS, check_run=True, fail_on=fail_on))  # type: ignore[arg-type]
    assert [one["conclusion"] for one in github.check_runs] == [expected]


HOSTILE = "--> <!-- clausefit:summary --> ``` @octo/team\n::error::x <img src=x> [x](https://evil.example)"


def test_text_of_a_stranger_does_nothing(github: GithubFake) -> None:
    one = finding(1, 5, message=HOSTILE, function=HOSTILE, clause=("ensures", HOSTILE))
    report = replace(REPORT, findings=(one,), not_checked=(NotChecked("a.c", HOSTILE, "timeout", HOSTILE),))
    github.add_artifact(RUN, "clausefit-report", archive(to_json(report)), SHA)
    run(github)
    for comment in (*github.review_comments[7], *github.issue_comments[7]):
        prose = "".join(part for at, part in enumerate(comment["body"].split("````")) if at % 2 == 0)
        assert "@octo" not in prose
        assert "<img" not in prose
        assert "](https://evil" not in prose
        assert prose.count("<!--") == prose.count("-->") <= 3


def put(github: GithubFake, report: Report) -> None:
    github.add_artifact(RUN, "clausefit-report", archive(to_json(report)), SHA)


def test_a_fork_s_report_is_posted_in_its_name_and_without_suggestions(github: GithubFake) -> None:
    better = Better("ensures x;", "  ensures x;")
    put(github, replace(REPORT, findings=(finding(1, 5, better=better), finding(2, 200, better=better))))
    assert run(github).reporter == "the fork's own run"
    bodies = [one["body"] for one in (*github.review_comments[7], *github.issue_comments[7])]
    assert len(bodies) == 2
    for body in bodies:
        assert "Reported by the fork's own run" in body and "obody has checked it" in body
        assert "```suggestion" not in body and "fits every" not in body
    assert "says the fork's own run" in github.reviews[0]["body"]


def test_an_empty_report_of_a_fork_strikes_nothing_without_saying_who_says_so(github: GithubFake) -> None:
    put(github, REPORT)
    run(github, replace(SETTINGS, check_run=True))
    put(github, Report())
    run(github, replace(SETTINGS, check_run=True))
    (struck,) = (one["body"] for one in github.review_comments[7])
    assert "so the fork's own run says, and nobody has checked it" in struck
    (summary,) = (one["body"] for one in github.issue_comments[7])
    assert "### clausefit: no findings, says the fork's own run\n" in summary
    assert "which says that it judged 0 contracts" in summary
    assert github.check_runs[-1]["output"]["title"] == "clausefit: no findings, says the fork's own run"


def test_a_branch_of_the_repository_is_no_fork_and_not_vouched_for_either(github: GithubFake) -> None:
    github.add_pull(fork(9, repository=REPOSITORY))
    put(github, REPORT)
    plan = replace(PLAN, head_repository=REPOSITORY)
    published = publish(plan, SETTINGS, GithubHost(TOKEN, REPOSITORY, github.url, PACE))
    assert (published.pull, published.reporter) == (9, "the pull request's own run")
    assert "says the pull request's own run" in github.issue_comments[9][0]["body"]


def test_the_project_is_what_this_workflow_says(github: GithubFake) -> None:
    github.pulls[7].files = [{"filename": "a/src/max.c", "patch": patch_adding(5, "x")}, *FILES]
    put(github, replace(REPORT, findings=(finding(1, 5), finding(1, 5, file="a/src/max.c"))))
    published = run(github, replace(SETTINGS, working_directory="a"))
    (comment,) = github.review_comments[7]
    assert comment["path"] == "a/src/max.c"
    (summary,) = github.issue_comments[7]
    assert "clausefit in `a`: 1 finding," in summary["body"] and "`src/max.c:5`" not in summary["body"]
    assert any("1 finding outside of a not posted" in note for note in published.posted.notes)
    assert len(published.report.findings) == 2
    assert published.posted.is_lacking


def test_a_report_of_invisible_characters_is_posted(github: GithubFake) -> None:
    hidden = "\U000e0001" * 300
    put(github, replace(REPORT, not_checked=(NotChecked(hidden, hidden, hidden, hidden, 1),) * 20))
    assert run(github, replace(SETTINGS, check_run=True)).posted.notes == ()
    assert len(github.issue_comments[7]) == len(github.check_runs) == 1
