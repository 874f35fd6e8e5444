"""``clausefit ci`` from the commit to GitHub: what a run judges is posted, and the pair for forks does the same.

Every fault of GitHub is in test_posting_faults.py; here only that the whole ends well, and with the right status.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from github_fake import REPOSITORY, TOKEN, Fault, GithubFake, Pull
from workflow_runs import GOOD, TEST, WEAK, Workflow, annotations, weakened

PATCH = f"@@ -1,5 +1,5 @@\n-/*@ ensures good; */\n+{WEAK.splitlines()[0]}\n" + "".join(
    f" {line}\n" for line in WEAK.splitlines()[1:]
)


@pytest.fixture
def github() -> Iterator[GithubFake]:
    with GithubFake("/api/v3") as fake:
        yield fake
        assert fake.violations == []


@pytest.fixture
def workflow(tmp_path: Path, shared_cache: Path) -> Iterator[Workflow]:
    made = weakened(tmp_path, shared_cache)
    yield made
    assert TOKEN not in made.summary


@pytest.fixture
def payload(workflow: Workflow, github: GithubFake) -> dict[str, Any]:
    """The event of pull request 1, which GitHub has as well."""
    found = workflow.pull()
    files = [{"filename": "src/max.c", "status": "modified", "additions": 1, "deletions": 1, "patch": PATCH}]
    github.add_pull(Pull(1, found["pull_request"]["head"]["sha"], files))
    return found


def variables(github: GithubFake, **others: str) -> dict[str, str]:
    return {"INPUT_TOKEN": TOKEN, "GITHUB_API_URL": github.url, "GITHUB_REPOSITORY": REPOSITORY} | others


def test_findings_stand_at_their_lines_and_a_second_run_changes_nothing(
    workflow: Workflow, github: GithubFake, payload: dict[str, Any]
) -> None:
    ran = workflow.run("pull_request", payload, **variables(github, **{"INPUT_CHECK-RUN": "true"}))
    assert ran.status == 1 and TOKEN not in ran.out
    [comment] = github.review_comments[1]
    assert (comment["path"], comment["line"]) == ("src/max.c", 1) and "CF101" in comment["body"]
    [summary] = github.issue_comments[1]
    assert "CF101" in summary["body"]
    [check] = github.check_runs
    assert check["head_sha"] == payload["pull_request"]["head"]["sha"]
    assert "### Posted" in workflow.summary
    before = len(github.writes)
    assert workflow.run("pull_request", payload, **variables(github)).status == 1
    assert len(github.writes) == before


def test_a_token_that_may_not_write_changes_nothing_of_the_rest(
    workflow: Workflow, github: GithubFake, payload: dict[str, Any]
) -> None:
    github.faults.append(Fault("POST|PATCH", ""))
    ran = workflow.run("pull_request", payload, **variables(github))
    assert ran.status == 1 and len(annotations(ran)) == 1
    assert "### Not posted" in workflow.summary and "CF101" in workflow.summary
    assert ran.out.count("Resource not accessible") <= 1
    assert workflow.outputs["conclusion"] == "findings"


def test_all_of_what_is_checked_out_is_said_in_the_summary_comment_alone(
    workflow: Workflow, github: GithubFake, payload: dict[str, Any]
) -> None:
    assert workflow.run("pull_request", payload, **variables(github, INPUT_SCOPE="all")).status == 1
    assert github.review_comments[1] == [] and len(github.issue_comments[1]) == 1


def workflow_run(payload: dict[str, Any]) -> dict[str, Any]:
    return {
        "workflow_run": {
            "id": 77,
            "event": "pull_request",
            "head_sha": payload["pull_request"]["head"]["sha"],
            "head_branch": "topic",
            "head_repository": {"full_name": REPOSITORY, "owner": {"login": REPOSITORY.split("/")[0]}},
        }
    }


def zipped(content: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("clausefit-report.json", content)
    return held.getvalue()


@pytest.mark.parametrize("may_write", [True, False], ids=["posted", "refused"])
def test_the_pair_for_forks(workflow: Workflow, github: GithubFake, payload: dict[str, Any], may_write: bool) -> None:
    assert workflow.run("pull_request", payload).status == 1
    report = (workflow.clone / workflow.outputs["report"]).read_bytes()
    github.add_artifact(77, "clausefit-report", zipped(report), payload["pull_request"]["head"]["sha"])
    if not may_write:
        github.faults.append(Fault("POST|PATCH", ""))
    ran = workflow.run("workflow_run", workflow_run(payload), **variables(github))
    assert ran.status == (0 if may_write else 2), ran.out
    assert len(github.review_comments[1]) == len(github.issue_comments[1]) == int(may_write)
    assert annotations(ran) == [] and "src/max.c:1:5: error CF101" in ran.out
    assert "CF101" in workflow.summary and workflow.outputs["conclusion"] == "findings"
    assert "Reported by the pull request's own run; nobody has checked it" in workflow.summary


@pytest.mark.parametrize(
    "archive", [None, b"PK", zipped(b"{}"), zipped(b"[" * 100_000)], ids=["none", "no zip", "no report", "hostile"]
)
def test_a_bad_report_of_a_fork_is_one_line(
    workflow: Workflow, github: GithubFake, payload: dict[str, Any], archive: bytes | None
) -> None:
    if archive is not None:
        github.add_artifact(77, "clausefit-report", archive, payload["pull_request"]["head"]["sha"])
    ran = workflow.run("workflow_run", workflow_run(payload), **variables(github))
    assert ran.status == 2 and len(annotations(ran)) == 1 and "artifact clausefit-report" in ran.out
    assert github.writes == [] and workflow.outputs["conclusion"] == "not-checked"


def test_jobs_of_two_folders_leave_each_other_s_comments_alone(
    tmp_path: Path, shared_cache: Path, github: GithubFake
) -> None:
    two = Workflow(tmp_path, shared_cache)

    def both(source: str) -> dict[str, str]:
        return {"a/src/max.c": source, "b/src/max.c": source}

    two.commit(**both(GOOD), **{"a/tests/test_max.c": TEST, "b/tests/test_max.c": TEST})
    two.work.git("checkout", "-q", "-b", "topic")
    two.commit(**both(WEAK))
    two.work.git("checkout", "-q", "main")
    payload = two.pull()
    files = [{"filename": name, "status": "modified", "patch": PATCH} for name in both(WEAK)]
    github.add_pull(Pull(1, payload["pull_request"]["head"]["sha"], files))
    for folder in ("a", "b"):
        ran = two.run("pull_request", payload, **variables(github, **{"INPUT_WORKING-DIRECTORY": folder}))
        assert ran.status == 1, ran.out
    assert [one["path"] for one in github.review_comments[1]] == ["a/src/max.c", "b/src/max.c"]
    assert all("clausefit:gone" not in one["body"] for one in github.review_comments[1])
    summaries = [one["body"] for one in github.issue_comments[1]]
    assert [f"clausefit in `{name}`: 1 finding" in body for name, body in zip("ab", summaries, strict=True)] == [
        True
    ] * 2
    before = len(github.writes)
    for folder in ("a", "b"):
        two.run("pull_request", payload, **variables(github, **{"INPUT_WORKING-DIRECTORY": folder}))
    assert len(github.writes) == before
