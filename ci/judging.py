"""Judges for ``clausefit ci``: opens the repository, finds what is compared, and runs a session."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from clausefit.ci.caveats import edited, hidden, removed, sources_of, unjudged
from clausefit.ci.events import Judge
from clausefit.ci.fetching import Remote
from clausefit.ci.history import HistoryProblem, compared
from clausefit.ci.log import Log, LogProgress
from clausefit.ci.overwriting import refuse_to_overwrite
from clausefit.ci.placing import placed
from clausefit.ci.repository import repository
from clausefit.ci.settings import Settings, SettingsProblem
from clausefit.ci.verdicts import inside, verdicts_folder
from clausefit.hook.budget import REASON
from clausefit.hook.changes import All, Base
from clausefit.hook.cli import exit_status
from clausefit.hook.config import FILE_NAME, Config, load
from clausefit.hook.git import Git, GitProblem
from clausefit.hook.in_time import started
from clausefit.hook.report import Report
from clausefit.hook.session import Session, Wanted
from clausefit.hook.visible import visible
from clausefit.verifiers.openjml_tools import HOME_VARIABLE


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
    project = inside(settings, settings.working_directory, "working-directory")
    if not project.is_dir():
        raise SettingsProblem(f"input working-directory: there is no folder {settings.working_directory}")
    refuse_to_overwrite(settings, variables)
    git = repository(project, settings, variables)
    commit, notes, request = _request(settings, judge, git, variables, log, cancel)
    config, ignored = _config(settings, project)
    sources = sources_of(project, git, settings, config) if isinstance(request, All) else 0
    cache, unused = verdicts_folder(settings, git, variables)
    session = Session(
        project,
        config,
        Wanted(request, junit_below=settings.junit),
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
    caveats = _caveats(request, git, project, config, session, report, sources)
    said = (*notes, *caveats, *ignored, *unused, *session.problems)
    return Outcome(placed(report, prefix), commit, status, said, at_head, prefix or ".")


def _request(
    settings: Settings, judge: Judge, git: Git | None, variables: Mapping[str, str], log: Log, cancel: threading.Event
) -> tuple[str, tuple[str, ...], All | Base]:
    """The commit that is judged, notes, and the request."""
    if judge.base is None:
        return _checked_out(git, settings), (), All()
    if git is None:
        raise GitProblem(
            f"{settings.project} is in no git repository: put actions/checkout before this step, or set the input "
            "scope to all"
        )
    found = compared(judge, git, Remote(git, settings, variables, cancel), log.line)
    if settings.base and found.base == found.head:  # that would be a change of nothing, and look like a pass
        raise HistoryProblem(
            f"input base: {visible(settings.base)} holds {found.head[:12]}, the commit that is judged, so there is "
            "nothing to compare: name a commit before it, or set the input scope to all"
        )
    if found.base is None:
        return _checked_out(git, settings), found.notes, All()
    return found.head, found.notes, Base(found.base, found.head, as_it_is=True)


def _checked_out(git: Git | None, settings: Settings) -> str:
    """The commit of the working tree, which is what is judged when everything is; "" where that is not known."""
    head = git.head() if git is not None else None
    return head or settings.sha


def _caveats(
    request: All | Base,
    git: Git | None,
    project: Path,
    config: Config,
    session: Session,
    report: Report,
    sources: int,
) -> tuple[str, ...]:
    """What the report alone would not tell."""
    if isinstance(request, All) or git is None:
        return (*unjudged(report, sources), *hidden(report))
    in_time = not any(entry.reason == REASON for entry in report.not_checked)
    lost = removed(session.changed_files, config) if in_time else ()
    return (*edited(git, request, project, config), *lost, *hidden(report))


def _config(settings: Settings, project: Path) -> tuple[Config, tuple[str, ...]]:
    """The settings, and what of the file is not followed."""
    given: dict[str, Any] = {
        "fail_on": settings.fail_on,
        "changed_with": settings.changed_with,
        "timeout": settings.timeout,
        "budget": settings.budget,
        "verifiers": settings.verifiers,
        "baseline": settings.baseline or None,
    }
    config = replace(load(project), **{name: value for name, value in given.items() if value is not None})
    if config.openjml is None:
        return config, ()
    # A change may write the file, and the programs of the runner are not its to choose from.
    why = f"openjml of {FILE_NAME} is not followed here: set {HOME_VARIABLE} in the workflow"
    return replace(config, openjml=None), (why,)


def _prefix(project: Path, top: Path) -> str:
    relative = project.resolve().relative_to(top.resolve()).as_posix()
    return "" if relative == "." else relative
