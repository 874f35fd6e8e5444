"""What GitHub's API description lets through although GitHub or its documentation does not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_LONGEST_COMMENT = 65_536
_LONGEST_TEXT = 65_535


def broken_rules(method: str, path: str, query: Mapping[str, str], body: Any, names: set[str] | None) -> list[str]:
    """One line for each rule that a request breaks. ``names``: those that the body may have."""
    where = f"{method} {path}"
    broken = [f"{where}: per_page above 100"] if int(query.get("per_page", "30")) > 100 else []
    if body is None:
        return broken
    if names is not None and set(body) - names:
        broken.append(f"{where}: unknown fields {sorted(set(body) - names)}")
    if "body" in body and not 0 < len(body["body"]) <= _LONGEST_COMMENT:
        broken.append(f"{where}: a body of {len(body['body'])} characters")
    broken += [f"{where}: {text}" for comment in body.get("comments", []) for text in _comment(comment)]
    if "check-runs" in path:
        broken += [f"{where}: {text}" for text in _check_run(body)]
    return broken


def shown_lines(patch: str) -> set[int]:
    """The lines of the head side that a patch shows: GitHub takes comments on those alone."""
    shown: set[int] = set()
    at = 0
    for line in patch.split("\n"):
        hunk = re.match(r"@@ -\S+ \+(\d+)", line)
        if hunk:
            at = int(hunk[1])
        elif line[:1] in ("+", " "):
            shown.add(at)
            at += 1
    return shown


def _comment(comment: dict[str, Any]) -> list[str]:
    broken = []
    if "line" not in comment or comment.get("side") != "RIGHT":
        broken.append("a review comment without line or side")
    if "start_line" in comment and not comment["start_line"] < comment.get("line", 0):
        broken.append("start_line must come before line")
    if "start_line" in comment and "start_side" not in comment:
        broken.append("start_line without start_side")
    if not 0 < len(comment["body"]) <= _LONGEST_COMMENT:
        broken.append(f"a review comment of {len(comment['body'])} characters")
    return broken


def _check_run(run: dict[str, Any]) -> list[str]:
    output = run.get("output", {})
    broken = []
    if run.get("status") == "completed" and not run.get("conclusion"):
        broken.append("completed without a conclusion")
    if run.get("status") == "in_progress" and run.get("conclusion"):
        broken.append("in progress with a conclusion")
    for name in ("summary", "text"):
        if len(output.get(name, "")) > _LONGEST_TEXT:
            broken.append(f"a {name} of {len(output[name])} characters")
    if len(output.get("title", "")) > 255:
        broken.append("a title of more than 255 characters")
    annotations = output.get("annotations", [])
    if len(annotations) > 50:
        broken.append(f"{len(annotations)} annotations")
    for one in annotations:
        if one["end_line"] < one["start_line"] or one["start_line"] < 1 or not one["message"]:
            broken.append(f"an annotation without place or message: {one}")
        if len(one.get("title", "")) > 255 or len(one["message"]) > 64 * 1024:
            broken.append("an annotation that is too long")
    return broken
