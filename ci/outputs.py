"""Writes what a step hands on: its outputs, its summary, and files in the workspace."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

_READABLE = 0o644


class OutputProblem(Exception):  # noqa: N818 - a state of affairs
    """Something could not be written. The text is one line."""


def write_outputs(path: Path | None, values: Mapping[str, str], delimiter: str) -> None:
    """Append outputs to the file of GITHUB_OUTPUT, each between lines of ``delimiter``. Raises OutputProblem.

    The delimiter is to be random, so that no value can end its own text ("Workflow commands", Multiline strings).
    """
    if any(delimiter in value for value in values.values()):
        raise OutputProblem("an output holds the delimiter, so no output was written")
    text = "".join(f"{name}<<{delimiter}\n{value}\n{delimiter}\n" for name, value in values.items())
    _append(path, text, "GITHUB_OUTPUT")


def write_summary(path: Path | None, text: str) -> None:
    """Append Markdown to the file of GITHUB_STEP_SUMMARY. Raises OutputProblem."""
    _append(path, text, "GITHUB_STEP_SUMMARY")


def _append(path: Path | None, text: str, name: str) -> None:
    if path is None:
        raise OutputProblem(f"{name} is not set, so it is not written: is this a step of a workflow?")
    try:
        with path.open("a", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
    except (OSError, ValueError) as problem:
        raise OutputProblem(f"the file of {name} cannot be written: {_why(problem)}") from problem


def write_file(workspace: Path, name: str, text: str) -> None:
    """Write a file below the workspace, whole or not at all; a link of that name is replaced, never followed.

    The file can be read by everybody: in a container it is root's, and later steps are not. Raises OutputProblem,
    also where a folder on the way is a link out of the workspace.
    """
    target = workspace / name
    folder = target.parent
    beside = ""
    try:
        if not folder.resolve().is_relative_to(workspace.resolve()):
            raise OutputProblem(f"{name} is not written: its folder is a link out of the workspace")
        folder.mkdir(parents=True, exist_ok=True)
        descriptor, beside = tempfile.mkstemp(dir=folder, prefix=".clausefit-")
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        Path(beside).chmod(_READABLE)
        Path(beside).replace(target)
        beside = ""
    except (OSError, ValueError, RuntimeError) as problem:  # RuntimeError: a loop of links (Path.resolve)
        raise OutputProblem(f"{name} cannot be written: {_why(problem)}") from problem
    finally:
        if beside:
            Path(beside).unlink(missing_ok=True)


def _why(problem: Exception) -> str:
    return (problem.strerror if isinstance(problem, OSError) else None) or str(problem)
