"""What ``clausefit ci`` does, in order: event, report, annotations, summary, files, outputs, and posting last.

What needs no permission comes first. A step that fails is said, and the others are done all the same; however a run
ends, its outputs and its summary are written.
"""

from __future__ import annotations

import contextlib
import json
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from clausefit.ci import job_summary
from clausefit.ci.annotations import annotation_lines, by_severity, problem_line, title_of
from clausefit.ci.events import EventProblem, Judge, Nothing, Publish, plan
from clausefit.ci.history import HistoryProblem
from clausefit.ci.host import HostProblem
from clausefit.ci.job_summary import About, Conclusion
from clausefit.ci.log import Log
from clausefit.ci.outputs import OutputProblem, write_file, write_outputs, write_summary
from clausefit.ci.settings import Settings, SettingsProblem, read_settings
from clausefit.hook.arguments import UsageProblem
from clausefit.hook.cli import CLEAN, FINDINGS, NOT_CHECKED
from clausefit.hook.config import ConfigProblem
from clausefit.hook.git import GitProblem
from clausefit.hook.pins.stored import StoredProblem
from clausefit.hook.report import Finding, Report
from clausefit.hook.visible import visible_name
from clausefit.verifiers.protocol import VerifierProblem

if TYPE_CHECKING:
    from clausefit.ci.host import Host
    from clausefit.ci.judging import Outcome

_EVENT_BYTES = 32 << 20
_CONCLUSIONS: Mapping[int, Conclusion] = {CLEAN: "clean", FINDINGS: "findings", NOT_CHECKED: "not-checked"}
_PROBLEMS = (
    SettingsProblem,
    EventProblem,
    HistoryProblem,
    HostProblem,
    GitProblem,
    ConfigProblem,
    VerifierProblem,
    StoredProblem,
    UsageProblem,
)
_INSTALL = "posting needs PyGithub: pip install 'clausefit[github]'"
_EXTRA_MODULES = frozenset({"github", "requests", "urllib3"})


@dataclass(frozen=True)
class Edges:
    """What a run needs of the world: where it was started, its standard output, who judges, GitHub, and randomness.

    ``write`` prints one line. ``host`` raises ImportError without PyGithub. ``random`` gives a new word each time.
    """

    folder: Path
    write: Callable[[str], None]
    judge: Callable[[Settings, Judge, Mapping[str, str], Log, threading.Event], Outcome]
    host: Callable[[Settings], Host]
    random: Callable[[], str]
    cancel: threading.Event


def main(environment: Mapping[str, str], edges: Edges) -> int:
    """Do what the event in ``environment`` asks for; the exit status: 0 clean, 1 findings, 2 not checked.

    Raises KeyboardInterrupt alone, after the outputs were written. A run that only posts is 0 when something could be
    posted, or nothing had to be (the pull request has moved on, say), else 2: its findings have failed the run that
    judged.
    """
    run = _Run(environment, edges)
    try:
        return run.whole()
    except KeyboardInterrupt:
        run.failed("the run was interrupted; what was decided so far is in the cache")
        raise
    except _PROBLEMS as problem:
        return run.failed(str(problem))
    except OSError as problem:
        return run.failed(f"{problem.filename or 'the system'}: {problem.strerror or problem}")
    except Exception as problem:
        run.say_trace("internal error", traceback.format_exc())
        return run.failed(f"internal error, please report it with the log of this step ({type(problem).__name__})")


class _Run:
    def __init__(self, environment: Mapping[str, str], edges: Edges) -> None:
        self._environment, self._edges = environment, edges
        self._log = Log(edges.write)
        self._why = ""
        self._has_outputs = False

    def whole(self) -> int:
        settings = read_settings(self._environment, self._edges.folder)
        planned = plan(settings.event_name, _payload(settings.event_path), settings)
        if isinstance(planned, Nothing):
            self._log.line(f"nothing to do: {planned.why}")
            self._outputs(Report(), "clean", {})
            return CLEAN
        if isinstance(planned, Publish):
            return self._publish(planned, settings)
        return self._judge(planned, settings)

    def failed(self, text: str) -> int:
        """Say that nothing could be checked, wherever it is looked for."""
        text = " ".join(text.split())
        self._log.command(problem_line(text))
        with self._step("the job summary"):
            write_summary(self._file("GITHUB_STEP_SUMMARY"), job_summary.problem_summary(text, self._why))
        if not self._has_outputs:  # what was interrupted while it posted has been judged
            self._outputs(Report(), "not-checked", {}, not_checked=1)
        return NOT_CHECKED

    def say_trace(self, what: str, trace: str) -> None:
        """The trace of an internal error, folded."""
        with self._log.group(f"clausefit: {what}"):
            for line in trace.splitlines():
                self._log.line(line)

    # ---- judging ----------------------------------------------------------------------------------------------------

    def _judge(self, planned: Judge, settings: Settings) -> int:
        self._why = planned.why
        with self._log.group(f"clausefit: {planned.why}"), self._log.quiet(self._edges.random()):
            outcome = self._edges.judge(settings, planned, self._environment, self._log, self._edges.cancel)
        for note in outcome.notes:
            self._log.line(note)
        conclusion = _CONCLUSIONS[outcome.status]
        for line in annotation_lines(outcome.report, unfinished=outcome.status == NOT_CHECKED):
            self._log.command(line)
        about = self._about(settings, outcome.commit, conclusion, outcome.notes)
        self._deliver(outcome.report, about, settings)
        with self._step("posting"):
            self._post(planned, outcome, settings, conclusion)
        return outcome.status

    def _about(self, settings: Settings, commit: str, conclusion: Conclusion, notes: tuple[str, ...]) -> About:
        return About(
            self._why, conclusion, settings.server_url, settings.repository, commit, report=settings.report, notes=notes
        )

    def _deliver(self, report: Report, about: About, settings: Settings) -> None:
        """All that needs no permission."""
        counts = job_summary.severities(report.findings)
        word = job_summary.word_of(report, about.conclusion, about.conclusion)
        self._log.line(f"{counts}, {len(report.not_checked)} not checked: {word}")
        with self._step("the job summary"):
            write_summary(self._file("GITHUB_STEP_SUMMARY"), job_summary.summary(report, about))
        written: dict[str, str] = {}
        for name, path in (("sarif", settings.sarif), ("json", settings.report)):
            with self._step(path):
                from clausefit.hook.reports import REPORTERS

                write_file(settings.workspace, path, REPORTERS[name](report))
                written[name] = path
        self._outputs(report, about.conclusion, written)

    def _outputs(
        self, report: Report, conclusion: Conclusion, written: Mapping[str, str], not_checked: int | None = None
    ) -> None:
        directions = [finding.direction for finding in report.findings]
        values = {
            "findings": str(len(directions)),
            "too-weak": str(directions.count("too_weak")),
            "too-strong": str(directions.count("too_strong")),
            "not-checked": str(len(report.not_checked) if not_checked is None else not_checked),
            "sarif": written.get("sarif", ""),
            "report": written.get("json", ""),
            "conclusion": conclusion,
        }
        with self._step("the outputs"):
            write_outputs(self._file("GITHUB_OUTPUT"), values, f"clausefit-{self._edges.random()}")
            self._has_outputs = True

    # ---- posting ----------------------------------------------------------------------------------------------------

    def _post(self, planned: Judge, outcome: Outcome, settings: Settings, conclusion: Conclusion) -> None:
        review = settings.review and planned.pull is not None
        comment = settings.comment and planned.pull is not None
        head = planned.head or outcome.commit
        if not (review or comment or (settings.check_run and head)):
            return
        why_not = _without_host(settings)
        if why_not:
            self._posted((), (why_not,))
            return
        from clausefit.ci.comments import Voice
        from clausefit.ci.posting import Wishes, post

        notes: tuple[str, ...] = ()
        if not outcome.at_head and (review or settings.check_run):
            notes = ("what is checked out is not the commit under review, so nothing is posted at its lines",)
        try:
            host = self._edges.host(settings)
        except ImportError as problem:
            if problem.name not in _EXTRA_MODULES:
                raise
            self._posted((), (_INSTALL,))
            return
        wishes = Wishes(
            pull=planned.pull,
            head_sha=head,
            review=review and outcome.at_head,
            comment=comment,
            check_run=settings.check_run and outcome.at_head,
            conclusion=conclusion,
            run_url=settings.run_url,
            voice=Voice(outcome.project),
        )
        posted = post(outcome.report, wishes, host)
        self._posted(posted.done, (*notes, *posted.notes))

    def _publish(self, planned: Publish, settings: Settings) -> int:
        self._why = f"what run {planned.run_id} reported of {planned.head_sha[:12]}"
        why_not = _without_host(settings)
        if why_not:
            raise EventProblem(why_not)
        from clausefit.ci.publishing import PublishProblem, conclusion_of, publish

        try:
            host = self._edges.host(settings)
            with self._log.group(f"clausefit: {self._why}"), self._log.quiet(self._edges.random()):
                published = publish(planned, settings, host)
        except ImportError as problem:
            if problem.name not in _EXTRA_MODULES:
                raise
            return self.failed(_INSTALL)
        except PublishProblem as problem:
            return self.failed(str(problem))
        # Annotations would stand at the lines of the default branch, which this run belongs to.
        for finding in by_severity(published.report.findings):
            self._log.line(_plain(finding))
        about = self._about(settings, planned.head_sha, conclusion_of(published.report, settings), ())
        about = replace(about, reporter=published.reporter)
        self._deliver(published.report, about, settings)
        self._posted(published.posted.done, published.posted.notes)
        return NOT_CHECKED if published.posted.is_lacking and not published.posted.done else CLEAN

    def _posted(self, done: tuple[str, ...], notes: tuple[str, ...]) -> None:
        for line in (*done, *notes):
            self._log.line(line)
        text = job_summary.posting_summary(done, notes)
        if text:
            with self._step("the job summary"):
                write_summary(self._file("GITHUB_STEP_SUMMARY"), text)

    # ---- both -------------------------------------------------------------------------------------------------------

    def _file(self, name: str) -> Path | None:
        value = self._environment.get(name, "")
        return Path(value) if value else None

    @contextlib.contextmanager
    def _step(self, what: str) -> Iterator[None]:
        """A step whose failure is said, and keeps no other from being done."""
        try:
            yield
        except OutputProblem as problem:
            self._log.line(str(problem))
        except (OSError, HostProblem) as problem:
            self._log.line(f"{what}: {problem}")
        except Exception:
            self.say_trace(f"internal error in {what}; the rest is done all the same", traceback.format_exc())


def _payload(path: Path | None) -> Mapping[str, object]:
    """The event's payload, empty where there is no file of one. Raises EventProblem."""
    if path is None:
        return {}
    try:
        with path.open("rb") as file:
            content = file.read(_EVENT_BYTES + 1)
    except (OSError, ValueError) as problem:
        why = (problem.strerror if isinstance(problem, OSError) else None) or str(problem)
        raise EventProblem(f"the event file {path} (GITHUB_EVENT_PATH) cannot be read: {why}") from problem
    if len(content) > _EVENT_BYTES:
        raise EventProblem(f"the event file {path} is larger than {_EVENT_BYTES >> 20} MiB")
    try:
        payload = json.loads(content)
    except (ValueError, RecursionError) as problem:
        raise EventProblem(f"the event file {path} is no JSON: {problem}") from problem
    if not isinstance(payload, dict):
        raise EventProblem(f"the event file {path} holds no JSON object")
    return payload


def _without_host(settings: Settings) -> str:
    """Why GitHub cannot be asked at all, or ""."""
    if not settings.token:
        return "nothing is posted: the input token is empty"
    return "" if settings.repository else "nothing is posted: GITHUB_REPOSITORY is not set"


def _plain(finding: Finding) -> str:
    place = f"{visible_name(finding.file)}:{finding.line}:{finding.column}"
    return f"{place}: {finding.severity} {title_of(finding)}: {finding.message}"
