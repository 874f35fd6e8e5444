"""What goes to GitHub and comes from it as JSON. Pure.

Answers are read with care: every part has the type that it should have, or the answer is not used. The shapes are
those of GitHub's REST API description (version 2022-11-28).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar, overload

import requests
from clausefit.ci.host import Artifact, CheckOutput, CheckRun, Comment, HostProblem, InlineComment, PullHead
from urllib3.exceptions import MaxRetryError, ReadTimeoutError

_T = TypeVar("_T")
_U = TypeVar("_U")
_V = TypeVar("_V")


class Misshapen(Exception):  # noqa: N818 - what is wrong is the answer
    """A part of an answer is missing or of another type; the text names it."""


@overload
def field(value: object, name: str, kind: type[_T], /) -> _T: ...
@overload
def field(value: object, name: str, kind: type[Any], name2: str, kind2: type[_U], /) -> _U: ...
@overload
def field(
    value: object, name: str, kind: type[Any], name2: str, kind2: type[Any], name3: str, kind3: type[_V], /
) -> _V: ...
def field(value: object, /, *path: Any) -> Any:
    """What is found in ``value`` by names, each followed by the type that must be there. Raises Misshapen."""
    for name, kind in zip(path[::2], path[1::2], strict=True):
        if not isinstance(value, dict) or name not in value:
            raise Misshapen(f"no {name}")
        value = value[name]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise Misshapen(f"{name} is no {kind.__name__}")
    return value


def optional_number(value: dict[str, Any], name: str) -> int | None:
    """The whole number ``name``, None where it is missing or null. Raises Misshapen for anything else."""
    return None if value.get(name) is None else field(value, name, int)


def optional_text(value: dict[str, Any], name: str) -> str | None:
    """The text ``name``, None where it is missing or null. Raises Misshapen for anything else."""
    return None if value.get(name) is None else field(value, name, str)


def items(answer: object, inside: str) -> list[dict[str, Any]]:
    """The objects of a list, which ``answer`` is, or holds under the name ``inside``. Raises Misshapen."""
    entries = field(answer, inside, list) if inside else answer
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise Misshapen("no list of objects")
    return entries


def reading(read: Callable[[], _T]) -> _T:
    """What ``read`` finds in an answer. Raises HostProblem where the answer has another shape."""
    try:
        return read()
    except Misshapen as problem:
        raise HostProblem(f"GitHub's answer has another form than its documentation says ({problem})", 200) from None


def said_in(text: str) -> str:
    """The message in the body of a refusal, with what GitHub says about single fields; empty where there is none."""
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(answer, dict):
        return ""
    errors = answer.get("errors")
    parts = [answer.get("message"), *(errors if isinstance(errors, list) else ())]
    said = [part.get("message") if isinstance(part, dict) else part for part in parts]
    return "; ".join(part for part in said if isinstance(part, str))


def network_text(problem: requests.RequestException) -> str:
    """What went wrong on the way to GitHub, in words that name neither the address nor a secret."""
    # requests keeps what urllib3 gave up on as its argument.
    inner = problem.args[0] if problem.args else None
    if isinstance(inner, MaxRetryError) and isinstance(inner.reason, ReadTimeoutError):
        return _TOO_LATE
    for kind, text in _NETWORK:
        if isinstance(problem, kind):
            return text
    return type(problem).__name__


_TOO_LATE = "no answer in time"
_NETWORK: tuple[tuple[type[Exception], str], ...] = (
    (requests.exceptions.ProxyError, "the proxy does not let us through"),
    (requests.exceptions.SSLError, "its certificate is not trusted here"),
    (requests.exceptions.Timeout, _TOO_LATE),
    (requests.exceptions.ChunkedEncodingError, "the connection broke"),
    (requests.exceptions.ConnectionError, "no connection, or it broke"),
)


def comment(value: dict[str, Any]) -> Comment:
    """A comment, on lines or below the pull request. Raises Misshapen."""
    user = value.get("user")  # null for an account that is gone
    return Comment(
        field(value, "id", int),
        field(user, "login", str) if user is not None else "",
        optional_text(value, "body") or "",
        optional_text(value, "path") or "",
        optional_number(value, "line"),
        optional_number(value, "start_line"),
    )


def check_run(value: dict[str, Any]) -> CheckRun:
    """A check run. Raises Misshapen."""
    completed = field(value, "status", str) == "completed"
    annotations = field(value, "output", dict, "annotations_count", int)
    return CheckRun(field(value, "id", int), optional_text(value, "external_id") or "", completed, annotations)


def pull_head(value: dict[str, Any]) -> PullHead:
    """A pull request in a list. Raises Misshapen."""
    head = field(value, "head", dict)
    repository = head.get("repo")  # null where the fork was deleted
    name = field(repository, "full_name", str) if repository is not None else ""
    return PullHead(field(value, "number", int), field(head, "sha", str), name)


def artifact_of(value: dict[str, Any]) -> Artifact:
    """An artifact of a run. Raises Misshapen."""
    run = value.get("workflow_run")
    sha = (optional_text(run, "head_sha") or "") if isinstance(run, dict) else ""
    return Artifact(
        field(value, "id", int),
        field(value, "name", str),
        field(value, "size_in_bytes", int),
        field(value, "expired", bool),
        sha,
    )


def inline_content(comment: InlineComment) -> dict[str, Any]:
    """A comment of a review as GitHub wants it."""
    content: dict[str, Any] = {"path": comment.path, "line": comment.line, "side": "RIGHT", "body": comment.body}
    if comment.start < comment.line:
        content |= {"start_line": comment.start, "start_side": "RIGHT"}
    return content


def output_content(output: CheckOutput) -> dict[str, Any]:
    """What a check run shows, as GitHub wants it."""
    annotations = [
        {
            "path": one.path,
            "start_line": one.start,
            "end_line": one.end,
            "annotation_level": one.level,
            "title": one.title,
            "message": one.message,
        }
        for one in output.annotations
    ]
    content: dict[str, Any] = {"title": output.title, "summary": output.summary}
    return {**content, "annotations": annotations} if annotations else content
