"""The files of the test reports of one run, by the patterns that name them (an edge)."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

from clausefit.hook.config import ConfigProblem
from clausefit.hook.visible import visible


def below(patterns: Iterable[str], workspace: Path) -> list[Path]:
    """The reports in the workspace that match, sorted for each pattern.

    A change may bring the files, and the patterns of the settings. Raises ConfigProblem for one that is reached by a
    link out of the workspace, or is no regular file.
    """
    found: list[Path] = []
    for pattern in patterns:
        fixed = workspace.joinpath(*_without_wildcards(pattern))
        _check(fixed, workspace, is_file=False)  # before a whole disk behind a link is searched
        for path in sorted(workspace.glob(pattern)):
            _check(path, workspace, is_file=True)
            found.append(path)
    return found


def anywhere(pattern: str) -> list[Path]:
    """The files of a pattern of the command line, which may lie anywhere; itself where it matches none."""
    path = Path(pattern)
    rest = path.relative_to(path.anchor)
    return (sorted(Path(path.anchor or ".").glob(str(rest))) if rest.parts else []) or [path]


def _without_wildcards(pattern: str) -> Sequence[str]:
    parts = Path(pattern).parts
    count = next((n for n, part in enumerate(parts) if any(sign in part for sign in "*?[")), len(parts))
    return parts[:count]


def _check(path: Path, workspace: Path, *, is_file: bool) -> None:
    shown = visible(str(path))
    try:
        real = path.resolve()
        inside = real.is_relative_to(workspace.resolve())
        regular = not is_file or not inside or stat.S_ISREG(real.stat().st_mode)
    except (OSError, RuntimeError) as problem:  # RuntimeError: a loop of links
        raise ConfigProblem(f"{shown}: the test report cannot be opened: {problem}") from problem
    if not inside:
        raise ConfigProblem(
            f"{shown}: a link out of the workspace, where no test report is read: let the tests write into it"
        )
    if not regular:
        raise ConfigProblem(f"{shown}: no regular file, so no test report: make the pattern narrower")
