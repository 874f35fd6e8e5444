"""The action as a workflow uses it: act runs it with a pull_request event, and a fake GitHub takes what it posts.

Not in the default run (./dev test -m image): the image is built first, see test_action_image.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from action_bench import Bench
from github_fake import REPOSITORY, TOKEN, Fault, GithubFake, Pull
from running import Repository

pytestmark = pytest.mark.image

IMAGE = "localhost/clausefit:test"
SECONDS = 600.0
PULL = 7
RIGHT = r"\result == (value < low ? low : value > high ? high : value)"
SPLIT = (
    r"(value < low ==> \result == low) && (value > high ==> \result == high) && "
    r"(low <= value <= high ==> \result == value)"
)
WEAK = r"low <= \result"
SOURCE = r"""/*@ requires low <= high;
    assigns \nothing;
    ensures kept: ENSURES;
*/
int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

/*@ assigns \nothing;
    ensures \result >= 0;
*/
int untouched(void)
{
    return 3;
}
"""
LINE = 3
"""Of the clause that the pull request changes."""
TEST = """#include <assert.h>

int clamp(int value, int low, int high);
int untouched(void);

static void test_clamp(void)
{
    assert(clamp(9, 1, 5) == 5);
    assert(clamp(0, 1, 5) == 1);
    assert(clamp(3, 1, 5) == 3);
    assert(untouched() == 3);
}

int main(void)
{
    test_clamp();
    return 0;
}
"""
OUTPUTS = ("findings", "too-weak", "too-strong", "not-checked", "sarif", "report", "conclusion")
WORKFLOW = """name: contracts
on: pull_request
permissions:
  contents: read
  pull-requests: write
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: clausefit/clausefit@v1
        id: clausefit
      - if: always()
        run: |
PRINTS
          ls "${{ steps.clausefit.outputs.sarif }}" "${{ steps.clausefit.outputs.report }}"
""".replace(
    "PRINTS", "\n".join(f"          echo 'output {name}=${{{{ steps.clausefit.outputs.{name} }}}}'" for name in OUTPUTS)
)


@dataclass
class Change:
    """A repository whose branch is checked out, and the pull request that asks to merge it."""

    repository: Repository
    base: str
    head: str
    pull: Pull
    event: Path


@dataclass(frozen=True)
class Workflow:
    """How a workflow ended, the lines that its steps printed, and the job summary."""

    status: int
    lines: list[str]
    summary: str

    @property
    def outputs(self) -> dict[str, str]:
        return dict(re.findall(r"^output ([a-z-]+)=(.*)$", "\n".join(self.lines), re.MULTILINE))

    def commands(self, level: str) -> list[str]:
        return [line for line in self.lines if line.startswith(f"::{level} ")]


def changed(folder: Path, clause: str) -> Change:
    """A pull request that makes the clause of ``clamp`` this one."""
    repository = Repository(folder / "repository", folder / "cache")
    repository.add("src/clamp.c", SOURCE.replace("ENSURES", RIGHT))
    repository.add("tests/test_clamp.c", TEST)
    repository.add(".github/workflows/contracts.yml", WORKFLOW)
    base = repository.commit()
    repository.git("checkout", "-q", "-b", "topic")
    repository.add("src/clamp.c", SOURCE.replace("ENSURES", clause))
    head = repository.commit()
    patch = repository.git("diff", base, head, "--", "src/clamp.c")
    files = [{"filename": "src/clamp.c", "status": "modified", "patch": patch[patch.index("@@") :]}]
    event = folder / "event.json"
    event.write_text(
        json.dumps(
            {
                "action": "opened",
                "number": PULL,
                "pull_request": {
                    "number": PULL,
                    "base": {"sha": base, "ref": "main", "repo": {"full_name": REPOSITORY}},
                    "head": {"sha": head, "ref": "topic", "repo": {"full_name": REPOSITORY}},
                },
                "repository": {"full_name": REPOSITORY, "default_branch": "main"},
            }
        )
    )
    return Change(repository, base, head, Pull(PULL, head, files), event)


def run(bench: Bench, shipped: Path, change: Change, github: GithubFake) -> Workflow:
    # act builds what action.yml names, and takes an image that is there under the name that it would give it.
    bench.podman("tag", IMAGE, "localhost/act-clausefit-clausefit-v1-dockeraction:latest")
    done = bench.act(
        change.repository.folder,
        [
            "pull_request",
            f"--eventpath={change.event}",
            "--platform=ubuntu-latest=debian:bookworm-slim",
            "--pull=false",
            "--rebuild=false",
            "--container-daemon-socket=-",
            f"--local-repository=clausefit/clausefit@v1={shipped}",
            f"--secret=GITHUB_TOKEN={TOKEN}",
            f"--env=GITHUB_API_URL={github.url}",
            f"--env=GITHUB_REPOSITORY={REPOSITORY}",
        ],
        SECONDS,
    )
    (change.event.parent / "act.log").write_text(done.stdout + done.stderr)
    # Lines that were printed stand after a bar, workflow commands after a sign of act's, the summary as it is.
    printed = re.findall(r"^\[contracts/check\] +(?:\| |\S+ +(?=::))(.*)$", done.stdout, re.MULTILINE)
    summary = re.search(r" Summary - (.*?)^\[contracts/check\]", done.stdout, re.MULTILINE | re.DOTALL)
    return Workflow(done.returncode, printed, summary[1] if summary else "")


@pytest.fixture
def github() -> Iterator[GithubFake]:
    with GithubFake() as fake:
        yield fake
        assert fake.violations == []


def test_a_weak_clause_is_seen_by_the_reviewer(
    bench: Bench, image: str, shipped: Path, tmp_path: Path, github: GithubFake
) -> None:
    change = changed(tmp_path, WEAK)
    github.add_pull(change.pull)
    ran = run(bench, shipped, change, github)
    assert ran.status == 1, ran.lines
    (annotation,) = ran.commands("error")
    assert annotation.startswith(f"::error file=src/clamp.c,line={LINE},"), annotation
    assert "clamp" in annotation and "untouched" not in annotation
    expected = {"findings": "1", "too-weak": "1", "too-strong": "0", "not-checked": "0", "conclusion": "findings"}
    assert ran.outputs == expected | {"sarif": "clausefit.sarif", "report": "clausefit-report.json"}
    (comment,) = github.review_comments[PULL]
    assert (comment["path"], comment["line"]) == ("src/clamp.c", LINE)
    (summary,) = github.issue_comments[PULL]
    assert "clamp" in summary["body"]
    assert [one.path for one in github.writes] == [
        f"/repos/{REPOSITORY}/pulls/{PULL}/reviews",
        f"/repos/{REPOSITORY}/issues/{PULL}/comments",
    ]
    assert "1 finding (1 error)" in ran.summary and f"/blob/{change.head}/src/clamp.c#L{LINE}" in ran.summary
    assert {"clausefit.sarif", "clausefit-report.json"} <= set(ran.lines)  # the next step finds them
    again = run(bench, shipped, change, github)
    assert again.outputs == ran.outputs and len(github.writes) == 2


def test_a_token_that_may_only_read_loses_nothing(
    bench: Bench, image: str, shipped: Path, tmp_path: Path, github: GithubFake
) -> None:
    change = changed(tmp_path, WEAK)
    github.add_pull(change.pull)
    github.faults.append(Fault("POST|PATCH", "/repos/"))
    ran = run(bench, shipped, change, github)
    assert ran.status == 1 and ran.outputs["findings"] == "1"
    assert len(ran.commands("error")) == 1
    assert github.review_comments[PULL] == github.issue_comments[PULL] == []
    assert any("403" in line for line in ran.lines)
    assert "1 finding (1 error)" in ran.summary


def test_a_right_clause_passes(bench: Bench, image: str, shipped: Path, tmp_path: Path, github: GithubFake) -> None:
    change = changed(tmp_path, SPLIT)
    github.add_pull(change.pull)
    ran = run(bench, shipped, change, github)
    assert ran.status == 0, ran.lines
    assert (ran.outputs["conclusion"], ran.outputs["findings"], ran.outputs["not-checked"]) == ("clean", "0", "0")
    assert ran.commands("error") == [] and github.review_comments[PULL] == []
