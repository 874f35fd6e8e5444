"""The order and the ends of ``clausefit ci``, with judging and GitHub given: whatever fails, the rest is done.

The runs with real git and the real verifier are in tests/integration/test_ci_run.py.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from ci_reports import FINDING, REPORT, commands, finding
from clausefit.ci import posting, publishing, run
from clausefit.ci.events import Judge
from clausefit.ci.host import HostProblem
from clausefit.ci.judging import Outcome
from clausefit.ci.log import Log
from clausefit.ci.posting import Posted, Wishes
from clausefit.ci.publishing import Published, PublishProblem
from clausefit.ci.run import Edges, main
from clausefit.ci.settings import Settings
from clausefit.hook.report import Report

BASE, HEAD, MERGE = "b" * 40, "a" * 40, "c" * 40
PULL = {
    "pull_request": {"number": 7, "base": {"ref": "main", "sha": BASE}, "head": {"ref": "topic", "sha": HEAD}},
    "repository": {"default_branch": "main"},
}
RUN = {
    "workflow_run": {
        "id": 9,
        "event": "pull_request",
        "head_sha": HEAD,
        "head_branch": "topic",
        "head_repository": {"full_name": "fork/r", "owner": {"login": "fork"}},
    }
}


@dataclass
class World:
    """A runner's files and variables around one run; ``report`` and ``status`` are what judging gives."""

    folder: Path
    report: Report = REPORT
    status: int = 1
    commit: str = HEAD
    at_head: bool = True
    lines: list[str] = field(default_factory=list)
    wishes: list[Wishes] = field(default_factory=list)
    host: Callable[[Settings], Any] = lambda _settings: object()
    judge_error: BaseException | None = None
    noise: str = ""

    def run(self, event: str = "pull_request", payload: object = PULL, **variables: str) -> int:
        (self.folder / "event.json").write_text(json.dumps(payload))
        for name in ("output", "summary"):
            (self.folder / name).write_text("")
        environment = {
            "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(self.folder / "event.json"),
            "GITHUB_WORKSPACE": str(self.folder / "workspace"),
            "GITHUB_REPOSITORY": "o/r",
            "GITHUB_SHA": MERGE,
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "INPUT_TOKEN": "ghs_secret",
        } | variables
        (self.folder / "workspace").mkdir(exist_ok=True)
        words = (f"word{number}" for number in count())
        edges = Edges(self.folder, self.lines.append, self._judge, self.host, lambda: next(words), threading.Event())
        return main({name: value for name, value in environment.items() if value != "-"}, edges)

    def _judge(self, settings: Settings, judge: Judge, variables: Any, log: Log, cancel: threading.Event) -> Outcome:
        if self.noise:
            self.lines.append(self.noise)
        if self.judge_error is not None:
            raise self.judge_error
        return Outcome(self.report, self.commit, self.status, ("a note",), self.at_head)

    @property
    def outputs(self) -> dict[str, str]:
        parts = iter((self.folder / "output").read_text().splitlines())
        values = {}
        for head in parts:
            name, _, end = head.partition("<<")
            values[name] = "\n".join(iter(lambda: next(parts), end))
        return values

    @property
    def summary(self) -> str:
        return (self.folder / "summary").read_text()

    @property
    def said(self) -> str:
        return "\n".join(self.lines)

    @property
    def annotations(self) -> list[str]:
        return [one.name for one in commands(self.said) if one.name in ("error", "warning", "notice")]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    made = World(tmp_path)

    def post(_report: Report, wishes: Wishes, _host: object) -> Posted:
        made.wishes.append(wishes)
        return Posted(("posted a review",), ())

    monkeypatch.setattr(posting, "post", post)
    yield made
    assert "ghs_secret" not in made.said + made.summary + str(made.outputs)


def test_all_that_is_written_of_a_judged_pull_request(world: World) -> None:
    assert world.run() == 1
    assert world.outputs == {
        "findings": "1",
        "too-weak": "1",
        "too-strong": "0",
        "not-checked": "1",
        "sarif": "clausefit.sarif",
        "report": "clausefit-report.json",
        "conclusion": "findings",
    }
    assert json.loads((world.folder / "workspace" / "clausefit.sarif").read_text())["version"] == "2.1.0"
    report = json.loads((world.folder / "workspace" / "clausefit-report.json").read_text())
    assert report["schema"].startswith("clausefit-report/")
    assert world.annotations == ["error"]
    assert world.summary.startswith("## clausefit: findings to act on") and "posted a review" in world.summary
    assert world.wishes == [Wishes(7, HEAD, True, True, False, "findings", "")]


@pytest.mark.parametrize(
    ("status", "conclusion"), [(0, "clean"), (1, "findings"), (2, "not-checked")], ids=["clean", "findings", "open"]
)
def test_the_status_is_that_of_judging(world: World, status: int, conclusion: str) -> None:
    world.status = status
    assert world.run() == status and world.outputs["conclusion"] == conclusion
    assert ("title=clausefit could not check" in world.said) is (status == 2)


def test_a_run_that_judged_nothing_is_not_called_clean_but_by_the_output(world: World) -> None:
    world.report, world.status = Report(), 0
    assert world.run() == 0 and world.outputs["conclusion"] == "clean"
    assert "0 findings, 0 not checked: nothing judged" in world.said
    assert world.summary.startswith("## clausefit: nothing judged\n")


@pytest.mark.parametrize(
    ("variables", "event", "payload", "expected"),
    [
        pytest.param({"INPUT_REVIEW": "false"}, "pull_request", PULL, (7, False, True, False), id="no review"),
        pytest.param({"INPUT_CHECK-RUN": "true"}, "pull_request", PULL, (7, True, True, True), id="a check run too"),
        pytest.param({"INPUT_CHECK-RUN": "true"}, "schedule", {}, (None, False, False, True), id="a check run alone"),
        pytest.param({}, "schedule", {}, None, id="nothing to post to"),
        pytest.param(
            {"INPUT_REVIEW": "false", "INPUT_COMMENT": "false"}, "pull_request", PULL, None, id="nothing wished for"
        ),
        pytest.param({"INPUT_TOKEN": ""}, "pull_request", PULL, None, id="no token"),
        pytest.param({"GITHUB_REPOSITORY": ""}, "pull_request", PULL, None, id="no repository"),
    ],
)
def test_what_is_posted(
    world: World, variables: dict[str, str], event: str, payload: object, expected: tuple[object, ...] | None
) -> None:
    assert world.run(event, payload, **variables) == 1
    seen = [(one.pull, one.review, one.comment, one.check_run) for one in world.wishes]
    assert seen == ([expected] if expected else [])


def test_lines_of_another_commit_are_not_commented_on(world: World) -> None:
    world.commit, world.at_head = MERGE, False
    assert world.run(INPUT_SCOPE="all", **{"INPUT_CHECK-RUN": "true"}) == 1
    assert world.wishes == [Wishes(7, HEAD, False, True, False, "findings", "")]
    assert "nothing is posted at its lines" in world.summary
    assert f"/blob/{MERGE}/" in world.summary


def test_posting_never_changes_the_status(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: object) -> Posted:
        raise RuntimeError("a bug")

    monkeypatch.setattr(posting, "post", broken)
    assert world.run() == 1
    assert world.outputs["conclusion"] == "findings" and "RuntimeError: a bug" in world.said


@pytest.mark.parametrize(
    ("problem", "says"),
    [
        pytest.param(ModuleNotFoundError("x", name="github"), "pip install 'clausefit[github]'", id="no PyGithub"),
        pytest.param(ModuleNotFoundError("x", name="requests"), "pip install 'clausefit[github]'", id="no requests"),
        pytest.param(
            ModuleNotFoundError("x", name="clausefit.ci.oops"), "internal error in posting", id="our own fault"
        ),
        pytest.param(HostProblem("no network", None), "no network", id="no network"),
    ],
)
def test_without_github_all_else_is_done(world: World, problem: Exception, says: str) -> None:
    def refuse(_settings: Settings) -> None:
        raise problem

    world.host = refuse
    assert world.run() == 1
    assert says in world.said and world.outputs["findings"] == "1"


@pytest.mark.parametrize("name", ["GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"])
def test_a_file_of_the_runner_that_is_not_there_is_said(world: World, name: str) -> None:
    assert world.run(**{name: "-"}) == 1
    assert f"{name} is not set" in world.said and world.annotations == ["error"]
    assert world.outputs if name == "GITHUB_STEP_SUMMARY" else world.summary


def test_a_report_that_cannot_be_written_is_no_output(world: World) -> None:
    (world.folder / "workspace" / "clausefit.sarif").mkdir(parents=True)
    assert world.run() == 1
    assert world.outputs["sarif"] == "" and world.outputs["report"] == "clausefit-report.json"
    assert "clausefit.sarif cannot be written" in world.said


def test_a_fault_in_one_format_keeps_no_other_from_being_written(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: object) -> str:
        raise KeyError("a bug")

    monkeypatch.setattr(run.job_summary, "summary", broken)
    assert world.run() == 1
    assert world.outputs["report"] and world.wishes and "KeyError: 'a bug'" in world.said


@pytest.mark.parametrize(
    ("event", "payload", "variables", "says"),
    [
        pytest.param("pull_request", [1], {}, "no JSON object", id="no object"),
        pytest.param("pull_request", {}, {}, "has no pull_request", id="another event"),
        pytest.param("pull_request_target", PULL, {}, "workflow_run", id="a token that may write"),
        pytest.param("pull_request", PULL, {"GITHUB_EVENT_PATH": "/gone/event"}, "cannot be read", id="no event file"),
        pytest.param("pull_request", PULL, {"GITHUB_EVENT_PATH": "/"}, "cannot be read", id="a folder"),
        pytest.param("pull_request", PULL, {"INPUT_TIMEOUT": "soon"}, "input timeout", id="a bad input"),
        pytest.param("pull request", PULL, {}, "GITHUB_EVENT_NAME", id="a bad variable"),
    ],
)
def test_a_problem_is_said_everywhere(
    world: World, event: str, payload: object, variables: dict[str, str], says: str
) -> None:
    assert world.run(event, payload, **variables) == 2
    assert world.annotations == ["error"] and says in world.said
    assert world.summary.startswith("## clausefit: could not check")
    assert world.outputs == {
        "findings": "0",
        "too-weak": "0",
        "too-strong": "0",
        "not-checked": "1",
        "sarif": "",
        "report": "",
        "conclusion": "not-checked",
    }
    assert not world.wishes


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 200_000, b'{"a":' * 200_000, b"9" * 10_000])
def test_a_broken_event_file_is_a_problem(world: World, content: bytes) -> None:
    path = world.folder / "broken.json"
    path.write_bytes(content)
    assert world.run(GITHUB_EVENT_PATH=str(path)) == 2
    assert world.outputs["conclusion"] == "not-checked" and "internal error" not in world.said


def test_a_crash_is_said_with_its_trace_and_outputs_are_written(world: World) -> None:
    world.judge_error = ZeroDivisionError("::error::x\n##[add-mask]y")
    assert world.run() == 2
    assert world.outputs["conclusion"] == "not-checked"
    assert "internal error" in world.summary and "ZeroDivisionError" in world.said
    assert [one.name for one in commands(world.said) if one.name == "add-mask"] == []


def test_an_interrupted_run_writes_its_outputs(world: World) -> None:
    world.judge_error = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        world.run()
    assert world.outputs["conclusion"] == "not-checked" and "interrupted" in world.summary


def test_what_is_interrupted_while_it_posts_has_been_judged(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: object) -> Posted:
        raise KeyboardInterrupt

    monkeypatch.setattr(posting, "post", interrupted)
    with pytest.raises(KeyboardInterrupt):
        world.run()
    assert world.outputs["conclusion"] == "findings" and "interrupted" in world.summary


def test_nothing_in_the_judging_is_a_command(world: World) -> None:
    world.noise = "::error::from a verifier\n##[add-mask]x\n::endgroup::"
    world.run()
    assert [one.name for one in commands(world.said)] == ["group", "stop-commands", "word0", "endgroup", "error"]


def test_a_hostile_report_gives_no_other_command(world: World) -> None:
    text = "x\n::add-mask::a\r::error::b%0A::notice::c ##[add-mask]d"
    world.report = Report(findings=(finding(file=text, function=text, message=text, severity="warning"),))
    world.run("schedule", {})
    assert world.annotations == ["warning"] and "add-mask" not in {one.name for one in commands(world.said)}


@pytest.mark.parametrize("event", ["pull_request", "push"])
def test_nothing_to_do_is_clean(world: World, event: str) -> None:
    payload = PULL | {"action": "closed", "deleted": True}
    assert world.run(event, payload) == 0
    assert world.outputs["conclusion"] == "clean" and not world.annotations


# ---- workflow_run ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("posted", "status"),
    [
        pytest.param(Posted(("a comment",), ()), 0, id="posted"),
        pytest.param(Posted(("a comment",), ("no review",)), 0, id="posted in part"),
        pytest.param(Posted(("a comment",), ("403",), True), 0, id="refused in part"),
        pytest.param(Posted((), ("403",), True), 2, id="posted nowhere"),
        pytest.param(Posted((), ("moved on",)), 0, id="nothing had to be posted"),
        pytest.param(Posted((), ()), 0, id="nothing wished for"),
    ],
)
def test_publishing(world: World, monkeypatch: pytest.MonkeyPatch, posted: Posted, status: int) -> None:
    report = replace(REPORT, findings=(finding(file="::error::x\ny"),))
    monkeypatch.setattr(publishing, "publish", lambda *_arguments: Published(report, 7, posted))
    assert world.run("workflow_run", RUN) == status
    assert world.annotations == [] and FINDING.message in world.said
    assert world.outputs["findings"] == "1" and world.outputs["conclusion"] == "findings"
    assert "## clausefit: findings" in world.summary


@pytest.mark.parametrize(
    ("problem", "variables", "says"),
    [
        pytest.param(PublishProblem("the artifact is no zip"), {}, "no zip", id="a bad artifact"),
        pytest.param(None, {"INPUT_TOKEN": ""}, "token", id="no token"),
        pytest.param(ModuleNotFoundError("x", name="github"), {}, "pip install", id="no PyGithub"),
    ],
)
def test_what_cannot_be_published(
    world: World, monkeypatch: pytest.MonkeyPatch, problem: Exception | None, variables: dict[str, str], says: str
) -> None:
    def refuse(*_arguments: object) -> Published:
        assert problem is not None
        raise problem

    monkeypatch.setattr(publishing, "publish", refuse)
    assert world.run("workflow_run", RUN, **variables) == 2
    assert says in world.said and world.outputs["conclusion"] == "not-checked"
