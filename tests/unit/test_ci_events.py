"""What each event asks for; payloads as GitHub sends them, and hostile ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from clausefit.ci.events import EventProblem, Judge, Nothing, Publish, plan
from clausefit.ci.settings import Settings

BASE, HEAD, SHA, ZERO = "b" * 40, "a" * 40, "c" * 40, "0" * 40
HOME = {"repository": {"default_branch": "main"}}
PULL: dict[str, Any] = {
    "action": "synchronize",
    "pull_request": {"number": 7, "base": {"ref": "dev", "sha": BASE}, "head": {"ref": "topic", "sha": HEAD}},
} | HOME
PUSH: dict[str, Any] = {"ref": "refs/heads/topic", "before": BASE, "after": HEAD, "deleted": False} | HOME
GROUP: dict[str, Any] = {"merge_group": {"base_sha": BASE, "head_sha": HEAD}} | HOME
RUN: dict[str, Any] = {
    "workflow_run": {
        "id": 99,
        "event": "pull_request",
        "head_sha": HEAD,
        "head_branch": "topic/ü",
        "head_repository": {"full_name": "fork_x/r", "owner": {"login": "fork_x"}},
    }
}


def of(name: str, payload: Mapping[str, object], **settings: Any) -> Judge | Publish | Nothing:
    return plan(name, payload, Settings(event_name=name, sha=SHA, ref="refs/heads/main", **settings))


def kind(planned: Judge | Publish | Nothing) -> tuple[bool, bool]:
    assert isinstance(planned, Judge)
    return planned.is_move, planned.or_all


MAIN = PUSH | {"ref": "refs/heads/main"}


@pytest.mark.parametrize(
    ("name", "payload", "settings", "branch", "expected"),
    [
        pytest.param("push", PUSH, {}, "main", (True, True), id="a push moves a branch"),
        pytest.param("push", MAIN, {}, "", (True, True), id="the default branch does not stand in for itself"),
        pytest.param("push", PUSH, {"scope": "changed"}, "main", (True, False), id="changed is never everything"),
        pytest.param("push", PUSH, {"base": "v1"}, "main", (False, False), id="the input base is where it grew from"),
        pytest.param("push", PUSH | {"before": ZERO}, {}, "main", (False, False), id="a new branch"),
        pytest.param("merge_group", GROUP, {}, "main", (True, False), id="a merge group moves what it is for"),
        pytest.param("pull_request", PULL, {}, "dev", (False, False), id="a pull request has grown"),
    ],
)
def test_what_moves_a_branch(
    name: str, payload: Mapping[str, object], settings: dict[str, Any], branch: str, expected: tuple[bool, bool]
) -> None:
    planned = of(name, payload, **settings)
    assert kind(planned) == expected
    assert isinstance(planned, Judge) and planned.branch == branch


def seen(planned: Judge | Publish | Nothing) -> tuple[object, ...]:
    """A plan without its line for people."""
    if isinstance(planned, Judge):
        return (planned.base, planned.head, planned.pull, planned.branch)
    return (type(planned).__name__,)


@pytest.mark.parametrize(
    ("name", "payload", "settings", "expected"),
    [
        pytest.param("pull_request", PULL, {}, (BASE, HEAD, 7, "dev"), id="the head, not the merge"),
        pytest.param("pull_request", PULL | {"action": "closed"}, {}, ("Nothing",), id="closed"),
        pytest.param("pull_request", PULL, {"scope": "all"}, (None, HEAD, 7, "dev"), id="all of a pull request"),
        pytest.param("pull_request", PULL, {"base": "v1"}, ("v1", HEAD, 7, "dev"), id="another base"),
        pytest.param("pull_request", PULL, {"scope": "changed"}, (BASE, HEAD, 7, "dev"), id="changed is what it is"),
        pytest.param("push", PUSH, {}, (BASE, HEAD, None, "main"), id="before to after"),
        pytest.param("push", PUSH | {"deleted": True, "after": ZERO}, {}, ("Nothing",), id="deleted"),
        pytest.param("push", PUSH | {"after": ZERO}, {}, ("Nothing",), id="deleted, told by the id alone"),
        pytest.param("push", PUSH | {"before": ZERO}, {}, ("", HEAD, None, "main"), id="a new branch"),
        pytest.param(
            "push", PUSH | {"before": ZERO, "ref": "refs/heads/main"}, {}, (None, HEAD, None, ""), id="the first push"
        ),
        pytest.param(
            "push", PUSH | {"before": ZERO, "repository": {}}, {}, (None, HEAD, None, ""), id="no default branch known"
        ),
        pytest.param("merge_group", GROUP, {}, (BASE, HEAD, None, "main"), id="merge group"),
        pytest.param("schedule", HOME, {}, (None, SHA, None, "main"), id="schedule"),
        pytest.param("workflow_dispatch", HOME, {}, (None, SHA, None, "main"), id="by hand"),
        pytest.param(
            "workflow_dispatch", HOME, {"base": "main"}, ("main", SHA, None, "main"), id="by hand with a base"
        ),
        pytest.param("release", {}, {}, (None, SHA, None, ""), id="an event that is not known"),
        pytest.param("", {}, {}, (None, SHA, None, ""), id="no event"),
        pytest.param("workflow_run", RUN, {}, ("Publish",), id="posts what another run reported"),
        pytest.param(
            "workflow_run", {"workflow_run": RUN["workflow_run"] | {"event": "push"}}, {}, ("Nothing",), id="of a push"
        ),
        pytest.param(
            "workflow_run",
            {"workflow_run": RUN["workflow_run"] | {"head_repository": None}},
            {},
            ("Nothing",),
            id="the fork is deleted",
        ),
        pytest.param(
            "push", PUSH | {"before": "1" * 64, "after": "2" * 64}, {}, ("1" * 64, "2" * 64, None, "main"), id="SHA-256"
        ),
        pytest.param(
            "push", PUSH | {"repository": {"default_branch": "--x"}}, {}, (BASE, HEAD, None, ""), id="no branch's name"
        ),
    ],
)
def test_plan(name: str, payload: Mapping[str, object], settings: dict[str, Any], expected: tuple[object, ...]) -> None:
    assert seen(of(name, payload, **settings)) == expected


def test_publish_holds_what_the_server_is_asked_for() -> None:
    assert of("workflow_run", RUN) == Publish(99, HEAD, "fork_x", "topic/ü", "fork_x/r")


@pytest.mark.parametrize("branch", ["fix-\U0001f469\u200d\U0001f4bb", "a\u202eb", "a\u00a0b"])
def test_a_branch_may_have_any_name_that_git_allows(branch: str) -> None:
    planned = of("workflow_run", {"workflow_run": RUN["workflow_run"] | {"head_branch": branch}})
    assert isinstance(planned, Publish) and planned.head_branch == branch
    base = {"ref": branch, "sha": BASE}
    pull = of("pull_request", PULL | {"pull_request": PULL["pull_request"] | {"base": base}})
    assert isinstance(pull, Judge) and pull.branch == branch and pull.why.isprintable()


def test_changed_on_another_branch_compares_with_the_default_one() -> None:
    settings = Settings(event_name="workflow_dispatch", sha=SHA, ref="refs/heads/topic", scope="changed")
    assert seen(plan("workflow_dispatch", HOME, settings)) == ("", SHA, None, "main")


@pytest.mark.parametrize(
    ("name", "payload", "settings", "says"),
    [
        pytest.param("pull_request_target", PULL, {}, "workflow_run", id="never with a token that may write"),
        pytest.param("pull_request", {}, {}, "no pull_request", id="another event's file"),
        pytest.param("pull_request", {"pull_request": []}, {}, "no pull_request", id="a list"),
        pytest.param("pull_request", {"pull_request": PULL["pull_request"] | {"number": "7"}}, {}, "number", id="text"),
        pytest.param(
            "pull_request", {"pull_request": PULL["pull_request"] | {"number": True}}, {}, "number", id="bool"
        ),
        pytest.param("pull_request", {"pull_request": PULL["pull_request"] | {"number": 0}}, {}, "number", id="zero"),
        pytest.param(
            "pull_request",
            {"pull_request": PULL["pull_request"] | {"head": {"sha": "--upload-pack=evil" + "a" * 22}}},
            {},
            "sha",
            id="an option for an id",
        ),
        pytest.param("push", PUSH | {"before": "main"}, {}, "before", id="a name for an id"),
        pytest.param("push", PUSH | {"after": "A" * 40}, {}, "after", id="upper case"),
        pytest.param("push", PUSH | {"after": "a" * 40 + "\n"}, {}, "after", id="a new line after the id"),
        pytest.param("push", PUSH | {"after": None}, {}, "after is missing", id="null"),
        pytest.param("merge_group", {"merge_group": {"base_sha": BASE}}, {}, "head_sha", id="no head"),
        pytest.param("schedule", HOME, {"scope": "changed"}, "input base", id="changed without a base"),
        pytest.param("workflow_run", {}, {}, "workflow_run", id="no run"),
        pytest.param(
            "workflow_run",
            {"workflow_run": {"event": "pull_request"}},
            {},
            "no head_repository",
            id="no word of the fork",
        ),
        pytest.param(
            "workflow_run",
            {"workflow_run": RUN["workflow_run"] | {"head_branch": "a:b\n"}},
            {},
            "head_branch",
            id="no branch",
        ),
        pytest.param(
            "workflow_run",
            {
                "workflow_run": RUN["workflow_run"]
                | {"head_repository": {"full_name": "o/r", "owner": {"login": "o:x"}}}
            },
            {},
            "login",
            id="no owner",
        ),
        pytest.param(
            "workflow_run", {"workflow_run": RUN["workflow_run"] | {"id": 1 << 80}}, {}, "id", id="a number beyond all"
        ),
    ],
)
def test_what_cannot_be_told_is_one_line(
    name: str, payload: Mapping[str, object], settings: dict[str, Any], says: str
) -> None:
    with pytest.raises(EventProblem) as raised:
        of(name, payload, **settings)
    assert says in str(raised.value) and str(raised.value).isprintable()


def test_a_hostile_branch_is_shown_on_one_line() -> None:
    payload = {
        "pull_request": PULL["pull_request"] | {"base": {"ref": "x\n::error::\x1b[31m" + "y" * 999, "sha": BASE}}
    }
    planned = of("pull_request", payload)
    assert isinstance(planned, Judge) and planned.why.isprintable() and len(planned.why) < 300
    assert planned.branch == ""
