"""The second workflow of the pair for forks: posts what the first one, which may not write, has found.

It runs with a token that may write, so it trusts nothing of the first: the report is data that is read strictly, the
pull request is looked up at GitHub, and nothing is checked out or run.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from clausefit.ci.artifact import ARCHIVE_LIMIT, ArtifactProblem, report_text
from clausefit.ci.comments import Conclusion, Voice
from clausefit.ci.events import Publish
from clausefit.ci.host import Artifact, Host, HostProblem
from clausefit.ci.markers import is_below
from clausefit.ci.posting import Posted, Wishes, post
from clausefit.ci.settings import Settings
from clausefit.hook.cli import CLEAN, FINDINGS, exit_status
from clausefit.hook.config import Config
from clausefit.hook.report import Report
from clausefit.hook.reports.json_reader import ReportProblem, read_report

_SHORT = 12


class PublishProblem(Exception):  # noqa: N818 - what is wrong is the artifact, or the way to it
    """There is no report that could be posted. The text is one line."""


@dataclass(frozen=True)
class Published:
    """The report of the other run, the pull request that it was posted to (None: there is none), what was posted.

    ``reporter`` says which run that was, as part of a sentence.
    """

    report: Report
    pull: int | None
    posted: Posted
    reporter: str = ""


def publish(plan: Publish, settings: Settings, host: Host) -> Published:
    """Download the report of the run that triggered this one, and post it. Raises PublishProblem.

    Where the report can be read, but not be posted, ``posted`` has no ``done`` and says why. That is no lack where the
    pull request has moved on or was closed, as a newer run posts then or nobody waits for it, and where a report
    without anything to say meets two pull requests of one head. The project that it is
    about is not believed either: the input working-directory says it, and findings elsewhere are not posted.
    """
    report = _report(plan, settings.artifact, host)
    conclusion = conclusion_of(report, settings)
    target = _target(plan, host, is_empty=conclusion == "clean" and not report.findings)
    project = settings.working_directory
    inside = tuple(one for one in report.findings if is_below(one.file, project))
    reporter = reporter_of(plan, settings)
    wishes = Wishes(
        pull=target.pull,
        head_sha=plan.head_sha,
        review=settings.review,
        comment=settings.comment,
        check_run=settings.check_run,
        conclusion=conclusion,
        run_url=_run_url(plan, settings),
        voice=Voice(project, reporter),
    )
    posted = post(replace(report, findings=inside), wishes, host)
    notes = [f"comments: not posted; {target.why}"] if target.why else []
    if len(inside) < len(report.findings):
        left = len(report.findings) - len(inside)
        notes.append(
            f"comments: {left} finding{'' if left == 1 else 's'} outside of {project} not posted; the input "
            "working-directory must be the one of the first workflow"
        )
    is_lacking = target.is_lacking or len(inside) < len(report.findings) or posted.is_lacking
    return Published(report, target.pull, Posted(posted.done, (*notes, *posted.notes), is_lacking), reporter)


def reporter_of(plan: Publish, settings: Settings) -> str:
    """Whose report it is, as part of a sentence. Who can push to the branch can change what its run reports."""
    is_fork = plan.head_repository.lower() != settings.repository.lower()
    return "the fork's own run" if is_fork else "the pull request's own run"


def conclusion_of(report: Report, settings: Settings) -> Conclusion:
    """How the report of another run ends, by this workflow's own ``fail-on``: the fork's settings do not count."""
    status = exit_status(report, settings.fail_on or Config().fail_on)
    return "clean" if status == CLEAN else "findings" if status == FINDINGS else "not-checked"


def _report(plan: Publish, name: str, host: Host) -> Report:
    try:
        artifact = _chosen(host.artifacts(plan.run_id, name), plan, name)
        archive = host.download(artifact.id, ARCHIVE_LIMIT)
        return read_report(report_text(archive), f"artifact {name} of run {plan.run_id}")
    except (HostProblem, ArtifactProblem) as problem:
        refused = isinstance(problem, HostProblem) and problem.status in (403, 404)
        advice = "; the job needs `permissions: actions: read`" if refused else ""
        raise PublishProblem(f"artifact {name} of run {plan.run_id}: {problem}{advice}") from problem
    except ReportProblem as problem:
        raise PublishProblem(str(problem)) from problem


def _chosen(found: tuple[Artifact, ...], plan: Publish, name: str) -> Artifact:
    """The newest artifact of the name: a run that was repeated has one of each attempt."""
    usable = [one for one in found if not one.expired and one.head_sha in ("", plan.head_sha)]
    if not usable:
        there = "it has expired" if any(one.expired for one in found) else "the run has none"
        raise ArtifactProblem(f"{there}; the first workflow must upload the report as {name}")
    newest = max(usable, key=lambda one: one.id)
    if newest.size > ARCHIVE_LIMIT:
        raise ArtifactProblem(f"larger than {ARCHIVE_LIMIT} bytes, so it is not downloaded")
    return newest


@dataclass(frozen=True)
class _Target:
    """The pull request to post to, or None and why; ``is_lacking`` as in Posted."""

    pull: int | None
    why: str = ""
    is_lacking: bool = False


def _target(plan: Publish, host: Host, *, is_empty: bool) -> _Target:
    """The one open pull request whose head is what was judged. ``is_empty``: the report has nothing to say."""
    short = plan.head_sha[:_SHORT]
    try:
        open_ones = host.pulls_of_head(plan.head_owner, plan.head_branch)
    except HostProblem as problem:
        return _Target(None, f"the pull request of {short} could not be looked up: {problem}", is_lacking=True)
    ours = [one for one in open_ones if one.repository.lower() == plan.head_repository.lower()]
    exact = [one for one in ours if one.sha == plan.head_sha]
    if len(exact) == 1:
        return _Target(exact[0].number)
    if exact:
        numbers = ", ".join(str(one.number) for one in exact)
        why = f"{short} is the head of the pull requests {numbers}, and which of them was judged cannot be told"
        return _Target(None, why, is_lacking=not is_empty)
    if ours:
        moved = f"pull request {ours[0].number} has moved on to {ours[0].sha[:_SHORT]} from {short}"
        return _Target(None, f"{moved}, and the run of its newest commit posts")
    return _Target(None, f"no open pull request has the head {short}: it was closed, or has moved on")


def _run_url(plan: Publish, settings: Settings) -> str:
    return f"{settings.server_url}/{settings.repository}/actions/runs/{plan.run_id}" if settings.repository else ""
