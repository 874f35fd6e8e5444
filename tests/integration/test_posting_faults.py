"""A GitHub that refuses, forgets, breaks off or is slow: no finding is lost, and nothing is there twice."""

from __future__ import annotations

import json
import logging
from base64 import b64encode
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace

import pytest
from clausefit.ci.github_api import GithubHost
from clausefit.ci.markers import marked
from clausefit.ci.posting import post
from clausefit.hook.report import Report
from github_fake import REPOSITORY, TOKEN, Fault, GithubFake, Pull, patch_adding
from test_posting import CONTRACT, NEWER, PACE, SHA, WISHES, finding

# 60 annotations: a check run in two requests. The gone comment and the old summary make PATCH requests.
FINDINGS = tuple(finding(number, 5 + number) for number in range(60))
REPORT = Report(contracts=(CONTRACT,), findings=FINDINGS)

KINDS = [
    ("GET", r"/user$"),
    ("GET", r"/pulls/7/files$"),
    ("GET", r"/pulls/7$"),
    ("GET", r"/pulls/7/comments$"),
    ("PATCH", r"/pulls/comments/\d+$"),
    ("POST", r"/pulls/7/reviews$"),
    ("GET", r"/issues/7/comments$"),
    ("PATCH", r"/issues/comments/\d+$"),
    ("POST", r"/issues/7/comments$"),
    ("GET", r"/commits/.*/check-runs$"),
    ("POST", r"/check-runs$"),
    ("PATCH", r"/check-runs/\d+$"),
    (".*", r".*"),
]
SECONDARY = '{"message": "You have exceeded a secondary rate limit. Please wait."}'
LEAK = '{"message": "no access for ' + TOKEN + '"}'
# Those after which all was posted in the end, and those after which something is missing and a note says why.
MENDED = {
    "429 with Retry-After once": {"status": 429, "headers": {"Retry-After": "0"}, "times": 1},
    "429 without a time once": {"status": 429, "times": 1},
    "429 with a time that is none": {"status": 429, "headers": {"Retry-After": "soon"}, "times": 1},
    "403 with Retry-After once": {"status": 403, "headers": {"Retry-After": "0"}, "times": 1},
    "secondary rate limit once": {"status": 403, "body": SECONDARY, "times": 1},
    "502 once": {"status": 502, "times": 1},
    "502 once, but done": {"status": 502, "times": 1, "done": True},
    "broken off once": {"status": None, "times": 1},
    "broken off once, but done": {"status": None, "times": 1, "done": True},
    "garbage, but done": {"status": 200, "body": "<html>", "times": 1, "done": True},
}
LASTING = {
    "403": {"status": 403},
    "403 that repeats the token": {"status": 403, "body": LEAK},
    "401": {"status": 401, "body": '{"message": "Bad credentials"}'},
    "404": {"status": 404, "body": '{"message": "Not Found"}'},
    "422": {"status": 422, "body": '{"message": "Validation Failed", "errors": [{"message": "line must be part"}]}'},
    "429 for an hour": {"status": 429, "headers": {"Retry-After": "3600"}},
    "secondary rate limit for ever": {"status": 403, "body": SECONDARY},
    "429 for ever": {"status": 429},
    "502 for ever": {"status": 502, "body": "<html>Bad gateway</html>"},
    "broken off for ever": {"status": None},
    "garbage": {"status": 200, "body": "<html>"},
    "broken JSON": {"status": 200, "body": '{"id": 1, '},
    "JSON of another form": {"status": 200, "body": '[["id", 1], null, 3]'},
    "deep JSON": {"status": 200, "body": "[" * 100_000},
    "an empty answer": {"status": 200, "body": ""},
    "a list as a refusal": {"status": 403, "body": "[1]"},
    "a number as a message": {"status": 403, "body": '{"message": 5}'},
    "a redirect to nowhere": {"status": 307, "headers": {"Location": "http://127.0.0.1:9/"}},
    "moved": {"status": 301, "headers": {"Location": "http://other.example/"}},
}


@pytest.fixture(autouse=True)
def without_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")


@pytest.fixture
def github() -> Iterator[GithubFake]:
    with GithubFake() as fake:
        fake.add_pull(Pull(7, SHA, [{"filename": "src/max.c", "patch": patch_adding(5, *["x"] * 60)}]))
        yield fake
        assert fake.violations == []


def host(fake: GithubFake) -> GithubHost:
    return GithubHost(TOKEN, REPOSITORY, fake.url, PACE)


def prepared(fake: GithubFake, path: str) -> None:
    """An older state, so that each kind of request is made: a gone finding, a summary that says something else."""
    if "issues/7" not in path:  # a summary is made there
        fake.add_comment(7, f"<!-- clausefit:summary -->\n<!-- clausefit:commit {NEWER} -->\nold")
    body = f"<!-- clausefit:finding {'f' * 32} -->\n<!-- clausefit:about {'0' * 16} -->\n**gone**\n\nold\n"
    fake.add_review_comment(7, body, "src/max.c", 5)


def seen_findings(fake: GithubFake) -> set[str]:
    """The fingerprints or places of all findings that somebody can read."""
    comments = [one["body"] for one in fake.review_comments[7]]
    on_lines = {tag.fingerprint for one in comments if (tag := marked(one)) is not None and not tag.gone}
    summaries = "".join(one["body"] for one in fake.issue_comments[7])
    listed = {one.fingerprint for one in FINDINGS if f"`src/max.c:{one.line}`" in summaries}
    return {one.fingerprint for one in FINDINGS} & (on_lines | listed)


def is_complete(fake: GithubFake) -> bool:
    tags = [marked(one["body"]) for one in fake.review_comments[7]]
    alive = [tag.fingerprint for tag in tags if tag is not None and not tag.gone]
    summaries = [one["body"] for one in fake.issue_comments[7]]
    finished = [one for one in fake.check_runs if one["status"] == "completed" and len(one["annotations"]) == 60]
    assert len(alive) == len(set(alive)) <= 25, "a comment is there twice"
    assert len(summaries) <= 1, "a summary is there twice"
    return len(alive) == 25 and len(summaries) == 1 and SHA in summaries[0] and len(finished) == 1


def rerun_mends_it(fake: GithubFake) -> None:
    fake.faults.clear()
    # Two runs at most: the first may have to strike or complete, the next finds nothing to do.
    assert post(REPORT, WISHES, host(fake)).notes == ()
    assert is_complete(fake)
    writes = len(fake.writes)
    post(REPORT, WISHES, host(fake))
    assert len(fake.writes) == writes


@pytest.mark.parametrize("kind", KINDS, ids=[f"{method} {path}" for method, path in KINDS])
@pytest.mark.parametrize("fault", MENDED)
def test_passing_fault_is_mended_by_trying_again(github: GithubFake, kind: tuple[str, str], fault: str) -> None:
    prepared(github, kind[1])
    github.faults.append(Fault(*kind, **deepcopy(MENDED[fault])))  # type: ignore[arg-type]
    done = post(REPORT, WISHES, host(github))
    reading_garbage = fault.startswith("garbage") and kind[0] != "POST"
    if not reading_garbage and github.faults[0].times == 0 and kind != (".*", ".*"):
        assert done.notes == ()
        assert is_complete(github)
    assert done.notes or len(seen_findings(github)) == 60
    rerun_mends_it(github)


@pytest.mark.parametrize("kind", KINDS, ids=[f"{method} {path}" for method, path in KINDS])
@pytest.mark.parametrize("fault", LASTING)
def test_lasting_fault_is_told_once_and_the_rest_is_posted(
    github: GithubFake, kind: tuple[str, str], fault: str, capfd: pytest.CaptureFixture[str]
) -> None:
    prepared(github, kind[1])
    github.faults.append(Fault(*kind, **deepcopy(LASTING[fault])))  # type: ignore[arg-type]
    done = post(REPORT, WISHES, host(github))
    was_met = github.faults[0].times < 10_000
    harmless = kind == ("GET", "/user$") and LASTING[fault]["status"] == 403  # as it is for every token of an app
    if was_met and not harmless:
        assert done.notes
    causes = [note.partition("; ")[2] for note in done.notes]
    assert len(causes) == len(set(causes)), "one cause, one note"
    assert all("\n" not in note for note in done.notes)
    assert TOKEN not in "".join((*done.done, *done.notes, *capfd.readouterr()))
    assert done.notes or len(seen_findings(github)) == 60
    stops_all = fault in ("401", "429 for an hour", "429 for ever", "secondary rate limit for ever")
    if kind[1] == r"/pulls/7/reviews$" and not stops_all:
        assert len(seen_findings(github)) == 60, "what could not be put on lines is in the summary"
    if kind[1] not in (r"/check-runs$", r"/check-runs/\d+$", r"/commits/.*/check-runs$", ".*") and not stops_all:
        assert any(one["status"] == "completed" for one in github.check_runs)
    rerun_mends_it_after(github, fault)


def rerun_mends_it_after(fake: GithubFake, fault: str) -> None:
    fake.faults.clear()
    post(REPORT, WISHES, host(fake))
    assert is_complete(fake), fault


def test_every_kind_of_request_is_made(github: GithubFake) -> None:
    """The tables above are about something."""
    prepared(github, "")
    post(REPORT, WISHES, host(github))
    made = {(one.method, one.path) for one in github.requests}
    github.issue_comments[7].clear()
    post(REPORT, WISHES, host(github))
    made |= {(one.method, one.path) for one in github.requests}
    import re

    missing = [kind for kind in KINDS if not any(re.fullmatch(kind[0], m) and re.search(kind[1], p) for m, p in made)]
    assert missing == []


HOPELESS = [
    pytest.param({"status": 401, "body": '{"message": "Bad credentials"}'}, "the input `token`", id="not let in"),
    pytest.param({"status": 429, "headers": {"Retry-After": "3600"}}, "too long", id="the rate limit is used up"),
]


@pytest.mark.parametrize(("fault", "expected"), HOPELESS)
def test_github_is_not_asked_again_where_that_is_of_no_use(
    github: GithubFake, fault: dict[str, object], expected: str
) -> None:
    github.faults.append(Fault("GET", r"/pulls/7/files$", **fault))  # type: ignore[arg-type]
    (note,) = post(REPORT, WISHES, host(github)).notes
    assert expected in note
    assert note.startswith("comments on lines, the summary comment, the check run: not done; ")
    assert github.requests[-1].path.endswith("/pulls/7/files")


def test_unfinished_check_run_gets_a_conclusion(github: GithubFake) -> None:
    github.faults.append(Fault("PATCH", r"/check-runs/\d+$", status=422, times=1))
    done = post(REPORT, replace(WISHES, review=False, comment=False), host(github))
    assert len(done.notes) == 1
    assert [one["conclusion"] for one in github.check_runs] == ["failure"]


GRAPHQL = [
    pytest.param(Fault("POST", "/graphql$", status=502, times=2), "", id="502 twice"),
    pytest.param(Fault("POST", "/graphql$", status=None, times=2), "", id="broken off twice"),
    pytest.param(
        Fault("POST", "/graphql$", status=502), "5xx", id="502 for ever: nothing is posted under a guessed name"
    ),
    pytest.param(Fault("POST", "/graphql$", status=200, body="<html>"), "no JSON", id="garbage"),
]


@pytest.mark.parametrize(("fault", "expected"), GRAPHQL)
def test_name_of_an_app_is_known_or_nothing_is_posted(github: GithubFake, fault: Fault, expected: str) -> None:
    github.app_login = "our-reviewer"
    wishes = replace(WISHES, check_run=False)
    post(REPORT, wishes, host(github))
    writes = len(github.writes)
    github.faults.append(replace(fault))
    done = post(REPORT, wishes, host(github))
    assert len(github.writes) == writes
    assert [expected in note for note in done.notes] == ([True] if expected else [])


CLOSED = [
    pytest.param({"status": 403}, id="refused"),
    pytest.param({"status": 404, "body": "{}"}, id="not there"),
    pytest.param({"status": 200, "body": '{"data": null, "errors": [{"message": "no"}]}'}, id="errors"),
]


@pytest.mark.parametrize("fault", CLOSED)
def test_where_graphql_is_closed_the_token_is_that_of_actions(github: GithubFake, fault: dict[str, object]) -> None:
    github.faults.append(Fault("POST", "/graphql$", **fault))  # type: ignore[arg-type]
    assert post(REPORT, WISHES, host(github)).notes == ()
    writes = len(github.writes)
    post(REPORT, WISHES, host(github))
    assert len(github.writes) == writes


def test_finding_whose_struck_comment_cannot_be_restored_is_in_the_summary(github: GithubFake) -> None:
    report, clean = Report(contracts=(CONTRACT,), findings=FINDINGS[:1]), replace(WISHES, conclusion="clean")
    post(report, WISHES, host(github))
    post(Report(contracts=(CONTRACT,)), clean, host(github))
    github.faults.append(Fault("PATCH", r"/pulls/comments/"))
    done = post(report, WISHES, host(github))
    assert "changes of older comments: not done; GitHub answers 403" in done.notes[0]
    assert FINDINGS[0].message.split(". ")[0] in github.issue_comments[7][0]["body"]
    github.faults.clear()
    post(report, WISHES, host(github))
    assert "(see the comment there)" in github.issue_comments[7][0]["body"]


def test_slow_answer_is_not_waited_for(github: GithubFake) -> None:
    github.faults.append(Fault("GET", r"/pulls/7/files$", status=200, body="[]", delay=1.6, times=2))
    impatient = GithubHost(TOKEN, REPOSITORY, github.url, replace(PACE, timeout=1, attempts=2))
    done = post(REPORT, WISHES, impatient)
    assert done.notes == ("comments on lines: not done; GitHub cannot be reached: no answer in time",)
    assert len(seen_findings(github)) == 60


def test_nobody_there() -> None:
    with GithubFake() as fake:
        address = fake.url
    done = post(REPORT, WISHES, GithubHost(TOKEN, REPOSITORY, address, PACE))
    assert len(done.notes) == 1
    assert "GitHub cannot be reached: no connection" in done.notes[0]
    assert done.done == ()


def test_proxy_of_the_environment_is_used(github: GithubFake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_PROXY")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    done = post(REPORT, WISHES, host(github))
    assert "the proxy does not let us through" in done.notes[0]
    assert github.requests == []


def test_token_is_in_no_log(github: GithubFake, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    github.faults += [
        Fault("GET", r"/pulls/7/files$", status=403, body=LEAK),
        Fault("GET", r"/pulls/7/comments$", status=None),
        Fault("POST", r"/issues/7/comments$", status=502, body=LEAK),
    ]
    asked = host(github)
    done = post(REPORT, WISHES, asked)
    assert done.notes
    assert TOKEN not in "".join(f"{record.getMessage()}{record.exc_text}" for record in caplog.records)
    assert TOKEN not in repr(asked) + "".join(done.notes)


@pytest.mark.parametrize("form", [b64encode(f"x-access-token:{TOKEN}".encode()).decode(), f"{TOKEN[:19]} {TOKEN[19:]}"])
def test_token_that_comes_back_in_another_form_is_shown_in_none(github: GithubFake, form: str) -> None:
    github.faults.append(Fault("GET", "/user$", status=400, body=json.dumps({"message": f"bad {form}"})))
    (note,) = (one for one in post(REPORT, WISHES, host(github)).notes if "GitHub answers 400: bad" in one)
    assert form not in note and TOKEN[19:] not in note and "***" in note


@pytest.mark.filterwarnings("error")
def test_nothing_warns_in_the_log_of_the_action(github: GithubFake) -> None:
    github.faults.append(Fault("GET", "/user$", status=502, times=1))
    github.add_artifact(5, "clausefit-report", b"content", SHA)
    asked = host(github)
    assert post(REPORT, WISHES, asked).notes == ()
    assert asked.download(next(iter(github.archives)), 100) == b"content"
