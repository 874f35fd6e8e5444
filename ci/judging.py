"""Judges for ``clausefit ci``: opens the repository, finds what is compared, and runs a session."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from clausefit.ci.events import Judge
from clausefit.ci.fetching import Remote
from clausefit.ci.history import compared
from clausefit.ci.log import Log, LogProgress
from clausefit.ci.placing import placed
from clausefit.ci.repository import repository
from clausefit.ci.settings import Settings, SettingsProblem
from clausefit.hook.changes import All, Base
from clausefit.hook.cli import exit_status
from clausefit.hook.config import Config, load
from clausefit.hook.git import Git, GitProblem
from clausefit.hook.in_time import started
from clausefit.hook.report import Report
from clausefit.hook.session import Session, Wanted


@dataclass(frozen=True)
class Outcome:
    """A report with the paths of the repository, and how the run ended.

    ``commit`` is what was judged ("" where that is not known), ``status`` the exit status, ``notes`` lines for people.
    ``at_head``: lines are those of the commit that was to be judged, so that comments on them stand where they belong.
    ``project`` is the folder that was judged, below the repository's top, "." for that itself.
    """

    report: Report
    commit: str
    status: int
    notes: tuple[str, ...] = ()
    at_head: bool = True
    project: str = "."


def judged(
    settings: Settings, judge: Judge, variables: Mapping[str, str], log: Log, cancel: threading.Event
) -> Outcome:
    """Judge what ``judge`` says. Raises the problems of settings, history, git, verifiers, and OSError."""
    start = started()
    project = _inside(settings, settings.working_directory, "working-directory")
    if not project.is_dir():
        raise SettingsProblem(f"input working-directory: there is no folder {settings.working_directory}")
    git = repository(project, settings, variables)
    commit, notes, request = _request(settings, judge, git, variables, log, cancel)
    config = _config(settings, project)
    cache, unused = _cache(settings, variables)
    session = Session(
        project,
        config,
        Wanted(request, tuple(str(project / pattern) for pattern in settings.junit)),
        cancel,
        use_cache=not unused,
        cache_folder=cache,
        progress=LogProgress(log, time.monotonic),
        started=start,
    )
    with session:
        report = session.check()
    status = exit_status(report, config.fail_on, is_test=config.is_test, refused=session.refused())
    prefix = _prefix(project, git.top() if git is not None else settings.workspace)
    at_head = not judge.head or commit == judge.head
    return Outcome(placed(report, prefix), commit, status, (*notes, *unused, *session.problems), at_head, prefix or ".")


def _request(
    settings: Settings, judge: Judge, git: Git | None, variables: Mapping[str, str], log: Log, cancel: threading.Event
) -> tuple[str, tuple[str, ...], All | Base]:
    """The commit that is judged, notes, and the request."""
    if judge.base is None:
        head = git.head() if git is not None else None
        return head or settings.sha, (), All()
    if git is None:
        raise GitProblem(
            f"{settings.project} is in no git repository: put actions/checkout before this step, or set the input "
            "scope to all"
        )
    found = compared(judge, git, Remote(git, settings, variables, cancel), log.line)
    return found.head, found.notes, Base(found.base, found.head)


def _config(settings: Settings, project: Path) -> Config:
    given: dict[str, Any] = {
        "fail_on": settings.fail_on,
        "changed_with": settings.changed_with,
        "timeout": settings.timeout,
        "budget": settings.budget,
        "verifiers": settings.verifiers,
        "baseline": settings.baseline or None,
    }
    return replace(load(project), **{name: value for name, value in given.items() if value is not None})


def _cache(settings: Settings, variables: Mapping[str, str]) -> tuple[Path | None, tuple[str, ...]]:
    """The folder for verdicts, and why none are kept where a change could bring its own."""
    if not settings.cache:
        return None, ()
    folder = _inside(settings, settings.cache, "cache")
    git = repository(settings.workspace, settings, variables)
    prefix = f"{settings.cache}/".encode()
    if git is not None and any(name.startswith(prefix) for name in git.index()):
        return folder, (f"{settings.cache} is in the repository, so verdicts that lie there are not believed",)
    # In a container it is root's, and the step that keeps it is not. Where it cannot be made, the cache says why.
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return folder, ()


def _inside(settings: Settings, name: str, what: str) -> Path:
    try:
        folder = (settings.workspace / name).resolve()
        inside = folder.is_relative_to(settings.workspace.resolve())
    except (OSError, RuntimeError) as problem:  # RuntimeError: a loop of links
        raise SettingsProblem(f"input {what}: {name} cannot be opened: {problem}") from problem
    if not inside:
        raise SettingsProblem(f"input {what}: {name} is a link out of the workspace")
    return folder


def _prefix(project: Path, top: Path) -> str:
    relative = project.resolve().relative_to(top.resolve()).as_posix()
    return "" if relative == "." else relative
