"""What is to be done for an event of GitHub. Pure; the payload is hostile, and nothing in it is taken on trust."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from clausefit.ci.settings import Settings, clean_revision, is_commit_id
from clausefit.hook.visible import shortened, visible

_OWNER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*/[A-Za-z0-9_.-]+")
_LARGEST_ID = 1 << 63
_SHORT = 12


@dataclass(frozen=True)
class Judge:
    """Judge what ``head`` changes against ``base``: ids of commits, or what the input ``base`` names.

    ``base`` None: every contract of the working tree (``head`` is then the commit that is checked out, or "").
    ``base`` "": what the default branch has not. ``branch`` is what is compared with then, and where ``base`` is gone
    (the default branch; of a pull request the one that it is for); "" where that is not known, and for the default
    branch itself. ``pull`` is the pull request to post to, ``why`` one line for the log.

    ``is_move``: ``base`` is where the branch was and ``head`` where it is now, so what was there and is no more
    counts, however the two are related. ``or_all``: where nothing is left to compare with, every contract is judged.
    """

    base: str | None
    head: str
    pull: int | None
    why: str
    branch: str = ""
    is_move: bool = False
    or_all: bool = False


@dataclass(frozen=True)
class Publish:
    """Post what another run of a workflow reported of a pull request."""

    run_id: int
    head_sha: str
    head_owner: str
    head_branch: str
    head_repository: str


@dataclass(frozen=True)
class Nothing:
    """There is nothing to do, and why."""

    why: str


class EventProblem(Exception):  # noqa: N818 - what is wrong is the event, or the workflow
    """What to do for the event cannot be told. The text is one line."""


def plan(name: str, payload: Mapping[str, object], settings: Settings) -> Judge | Publish | Nothing:
    """What the event ``name`` asks for. Raises EventProblem.

    The payloads are those of GitHub's "Webhook events and payloads"; which commit is checked out for which event is
    in "Events that trigger workflows".
    """
    if name == "pull_request_target":
        raise EventProblem(
            "pull_request_target has a token that may write and must not read a fork's files: use pull_request, and "
            "a second workflow with workflow_run to post (README, Forks and Dependabot)"
        )
    if name == "workflow_run":
        return _publish(payload)
    read = {"pull_request": _pull_request, "push": _push, "merge_group": _merge_group}.get(name)
    planned = read(payload) if read is not None else _whole(name, payload, settings)
    return _scoped(planned, settings, name) if isinstance(planned, Judge) else planned


def _pull_request(payload: Mapping[str, object]) -> Judge | Nothing:
    pull = _inner(payload, "pull_request")
    number = _number(pull, "number")
    if payload.get("action") == "closed":
        return Nothing(f"pull request {number} was closed")
    base, head = _inner(pull, "base"), _inner(pull, "head")
    start, end = _commit(base, "sha"), _commit(head, "sha")
    branch = base.get("ref")
    why = f"pull request {number}: what {end[:_SHORT]} changes against {_shown(branch)} ({start[:_SHORT]})"
    other = branch if isinstance(branch, str) and _is_branch(branch) else _default_branch(payload)
    return Judge(start, end, number, why, other)


def _push(payload: Mapping[str, object]) -> Judge | Nothing:
    branch = _shown(payload.get("ref"))
    if payload.get("deleted") is True:
        return Nothing(f"{branch} was deleted")
    start, end = _commit(payload, "before"), _commit(payload, "after")
    default = _default_branch(payload)
    if _is_zero(end):
        return Nothing(f"{branch} was deleted")
    is_default = payload.get("ref") == f"refs/heads/{default}"
    if not _is_zero(start):
        why = f"push: what {end[:_SHORT]} changes against {start[:_SHORT]}"
        # The default branch cannot stand in for what it was itself: it holds what was pushed already.
        return Judge(start, end, None, why, "" if is_default else default, is_move=True, or_all=True)
    if is_default or not default:
        return Judge(None, end, None, f"push: {branch} is new and has nothing to compare with; every contract")
    return Judge("", end, None, f"push: what the new {branch} changes against {_shown(default)}", default)


def _merge_group(payload: Mapping[str, object]) -> Judge:
    group = _inner(payload, "merge_group")
    start, end = _commit(group, "base_sha"), _commit(group, "head_sha")
    why = f"merge group: what {end[:_SHORT]} changes against {start[:_SHORT]}"
    return Judge(start, end, None, why, _default_branch(payload), is_move=True)


def _whole(name: str, payload: Mapping[str, object], settings: Settings) -> Judge:
    return Judge(None, settings.sha, None, f"{name or 'no event'}: every contract", _default_branch(payload))


def _scoped(planned: Judge, settings: Settings, name: str) -> Judge:
    """``planned`` as the inputs ``scope`` and ``base`` change it."""
    pull = f" of pull request {planned.pull}" if planned.pull is not None else ""
    if settings.scope == "all":
        why = f"every contract of what is checked out{pull} (input scope)"
        return Judge(None, planned.head, planned.pull, why, planned.branch)
    head = planned.head or settings.sha or "HEAD"
    if settings.base:
        why = f"what {_shown(head)}{pull} changes against {_shown(settings.base)} (input base)"
        return Judge(settings.base, head, planned.pull, why, planned.branch)
    if settings.scope == "changed" and planned.base is None:
        if not planned.branch or settings.ref == f"refs/heads/{planned.branch}":
            raise EventProblem(f"input scope: changed needs something to compare with on {name}: set the input base")
        why = f"what {_shown(head)} changes against {_shown(planned.branch)} (input scope)"
        return Judge("", head, planned.pull, why, planned.branch)
    return replace(planned, or_all=planned.or_all and settings.scope != "changed")


def _publish(payload: Mapping[str, object]) -> Publish | Nothing:
    run = _inner(payload, "workflow_run")
    if run.get("event") != "pull_request":
        return Nothing(f"the other workflow ran for {_shown(run.get('event'))}, not for a pull request")
    if "head_repository" in run and run["head_repository"] is None:
        return Nothing("the repository that the other workflow's commit came from is gone, as a deleted fork is")
    repository = _inner(run, "head_repository")
    owner = _inner(repository, "owner").get("login")
    full_name = repository.get("full_name")
    branch = run.get("head_branch")
    if not isinstance(owner, str) or not _OWNER.fullmatch(owner):
        raise EventProblem("the event's workflow_run.head_repository.owner.login is no name")
    if not isinstance(full_name, str) or not _REPOSITORY.fullmatch(full_name):
        raise EventProblem("the event's workflow_run.head_repository.full_name is no OWNER/NAME")
    if not isinstance(branch, str) or not _is_branch(branch):
        raise EventProblem("the event's workflow_run.head_branch is no branch")
    return Publish(_number(run, "id"), _commit(run, "head_sha"), owner, branch, full_name)


def _inner(holder: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = holder.get(name)
    if not isinstance(value, Mapping):
        raise EventProblem(f"the event has no {name}: is GITHUB_EVENT_NAME that of the file in GITHUB_EVENT_PATH?")
    return value


def _commit(holder: Mapping[str, object], name: str) -> str:
    value = holder.get(name)
    if not isinstance(value, str) or not is_commit_id(value):
        raise EventProblem(f"the event's {name} is {_shown(value)}, which is not the id of a commit")
    return value


def _number(holder: Mapping[str, object], name: str) -> int:
    value = holder.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < _LARGEST_ID:
        raise EventProblem(f"the event's {name} is {_shown(value)}, which is not a number from 1 on")
    return value


def _default_branch(payload: Mapping[str, object]) -> str:
    """The default branch, or "" where the event has none that is a branch's name."""
    repository = payload.get("repository")
    name = repository.get("default_branch") if isinstance(repository, Mapping) else None
    return name if isinstance(name, str) and _is_branch(name) else ""


def _is_branch(name: str) -> bool:
    if not name or len(name) > 1024:
        return False
    try:
        return clean_revision(name) == name
    except ValueError:
        return False


def _is_zero(commit: str) -> bool:
    return not commit.strip("0")


def _shown(value: object) -> str:
    """A value of the payload in a line for people."""
    if not isinstance(value, str):
        return "missing" if value is None else f"a {type(value).__name__}"
    return visible(shortened(value, 100)) or "empty"
