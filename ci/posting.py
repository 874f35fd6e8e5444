"""Posts a report to GitHub: comments on changed lines, one summary comment, a check run.

Nothing here is needed for the findings to be seen: annotations, the job's summary and the files come before. So a
refusal is noted, once for each cause, and what else can be posted is posted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from clausefit.ci.check_run import CheckPlan, plan_check_run
from clausefit.ci.comments import OURS, Conclusion, Judged, Voice, summary_body
from clausefit.ci.escaping import markdown_text
from clausefit.ci.host import CheckOutput, CheckRun, Comment, Host, HostProblem
from clausefit.ci.markers import commit_of, is_summary, labelled, same_text
from clausefit.ci.review import Edit, ReviewPlan, of_project, plan_review
from clausefit.hook.report import Report
from clausefit.hook.reports.order import in_order

_T = TypeVar("_T")
MOST_EDITS = 50
"""So many comments on lines are changed by one run at most; each is a request of its own, with a pause."""
_SILENCES = 2
_SHORT = 12
_UNFINISHED = "-unfinished"


@dataclass(frozen=True)
class Wishes:
    """What to post, and where. ``head_sha`` is the commit that was judged, ``pull`` None where there is only that.

    ``run_url`` is the page of the workflow's run, empty where there is none. ``voice`` says of which project of the
    repository it is (what others posted is left alone), and whose report it is.
    """

    pull: int | None
    head_sha: str
    review: bool
    comment: bool
    check_run: bool
    conclusion: Conclusion
    run_url: str = ""
    voice: Voice = OURS


@dataclass(frozen=True)
class Posted:
    """One line each: what was posted (or is there already), and what was not and why.

    ``is_lacking``: something had to be posted and was not. What a newer run posts in its place had not to be.
    """

    done: tuple[str, ...]
    notes: tuple[str, ...]
    is_lacking: bool = False


def post(report: Report, wishes: Wishes, host: Host) -> Posted:
    """Post what is wished for, as far as GitHub lets us. Paths in the report are relative to the repository's root.

    Posted again, the same report changes nothing. Never raises HostProblem.
    """
    posting = _Posting(in_order(report), wishes, host)
    if wishes.pull is not None and (wishes.review or wishes.comment):
        posting.on_pull(wishes.pull)
    if wishes.check_run:
        posting.check_run()
    return posting.posted()


class _Posting:
    """One call of ``post``: what was done so far, and what went wrong."""

    def __init__(self, report: Report, wishes: Wishes, host: Host) -> None:
        self._report, self._wishes, self._host = report, wishes, host
        self._done: list[str] = []
        self._notes: list[str] = []
        self._failed: dict[str, list[str]] = {}
        self._silences = 0
        self._stopped = ""
        self._lacks_commit = False

    def posted(self) -> Posted:
        """What came of it."""
        failed = [f"{', '.join(dict.fromkeys(what))}: not done; {why}" for why, what in self._failed.items()]
        return Posted(tuple(self._done), (*self._notes, *failed), self._lacks_commit or bool(failed))

    def _attempt(self, what: str, act: Callable[[], _T]) -> _T | None:
        """The outcome of ``act``, or None with the cause noted. Once GitHub is of no use, nothing more is tried."""
        if self._stopped:
            self._failed[self._stopped].append(what)
            return None
        try:
            outcome = act()
        except HostProblem as problem:
            text = _advised(problem)
            self._failed.setdefault(text, []).append(what)
            self._silences += problem.status is None
            if problem.status in (401, 429) or self._silences >= _SILENCES:
                self._stopped = text
            return None
        self._silences = 0
        return outcome

    # ---- a pull request ---------------------------------------------------------------------------------------------

    def on_pull(self, pull: int) -> None:
        """The comments on lines and the summary comment."""
        whats = {"comments on lines": self._wishes.review, "the summary comment": self._wishes.comment}
        wanted = " and ".join(what for what, is_wanted in whats.items() if is_wanted)
        login = self._attempt(wanted, self._host.login)
        if login is None:
            return
        on_lines = self._wishes.review
        changed = self._attempt("comments on lines", lambda: self._changed(pull)) if on_lines else None
        # In this order: if the head is still what was judged, the lines are its lines.
        what = "comments on lines" if on_lines else "finding out whether the pull request has moved on"
        head = self._attempt(what, lambda: self._host.head_of(pull))
        shown: frozenset[int] = frozenset()
        moved_to = head if head is not None and head != self._wishes.head_sha else ""
        if moved_to and on_lines:
            self._notes.append(
                f"comments on lines: not posted; pull request {pull} has moved on to {moved_to[:_SHORT]}, and "
                f"{self._wishes.head_sha[:_SHORT] or 'the working tree'} was judged"
            )
        elif changed is not None and head is not None:
            shown = self._review(pull, login, changed)
        if self._wishes.comment:
            self._attempt("the summary comment", lambda: self._summary(pull, login, moved_to, shown))

    def _changed(self, pull: int) -> Mapping[str, frozenset[int]]:
        return self._host.changed_lines(pull) if self._report.findings else {}

    def _review(self, pull: int, login: str, changed: Mapping[str, frozenset[int]]) -> frozenset[int]:
        """Bring the comments on lines up to date; returns the findings that one of them shows."""
        present = self._attempt("comments on lines", lambda: self._on_lines(pull, login))
        if present is None:
            return frozenset()
        wishes = self._wishes
        complete = wishes.conclusion != "not-checked" or bool(self._report.contracts)
        plan = plan_review(self._report, wishes.head_sha, changed, present, complete=complete, voice=wishes.voice)
        made = self._edit(plan.edits)
        shown = plan.shown - {edit.finding for edit in plan.edits[made:] if edit.finding is not None}
        if plan.held_back and not wishes.comment:
            self._notes.append(
                f"comments on lines: {plan.held_back} more findings have none; they are in the log alone"
            )
        if not plan.new:
            return shown
        if self._attempt("comments on lines", lambda: self._make_review(pull, login, plan, len(present))) is None:
            return shown
        self._done.append(f"comments on lines: {len(plan.new)} new")
        return shown | frozenset(plan.new)

    def _edit(self, edits: Sequence[Edit]) -> int:
        """How many were made: the first that fails ends it, the others would fail as well."""
        made = 0
        for edit in edits[:MOST_EDITS]:
            if self._attempt("changes of older comments", partial(self._change, edit)) is None:
                break
            made += 1
        if made:
            self._done.append(f"comments on lines: {made} brought up to date")
        if made == MOST_EDITS < len(edits):
            self._notes.append(f"{len(edits) - made} older comments are brought up to date by the next run")
        return made

    def _change(self, edit: Edit) -> bool:
        self._host.edit_review_comment(edit.comment, edit.body)
        return True

    def _make_review(self, pull: int, login: str, plan: ReviewPlan, before: int) -> bool:
        """``before`` is how many comments of ours were there."""
        comments = tuple(plan.new.values())
        count = f"{len(comments)} finding{'' if len(comments) == 1 else 's'}"
        said = f", says {self._wishes.voice.reporter}" if self._wishes.voice.reporter else ""
        label = markdown_text(labelled(self._wishes.voice.project))
        body = f"{label}: {count} on lines that this pull request changes{said}."

        def there() -> bool:
            return len(self._on_lines(pull, login)) >= before + len(comments)

        _once(lambda: self._host.create_review(pull, self._wishes.head_sha, body, comments), there)
        return True

    def _summary(self, pull: int, login: str, moved_to: str, shown: frozenset[int]) -> bool:
        wishes = self._wishes
        judged = Judged(wishes.head_sha, wishes.conclusion, wishes.run_url, moved_to, wishes.voice)
        body = summary_body(self._report, judged, shown)
        present = self._summaries(pull, login)
        if not present:
            if not self._report.findings and wishes.conclusion == "clean":
                return True  # nothing to say, and nobody was told anything before
            _once(lambda: _true(self._host.create_comment(pull, body)), lambda: bool(self._summaries(pull, login)))
            self._done.append("the summary comment: posted")
        elif moved_to and commit_of(present[0].body) == moved_to:
            self._notes.append(f"the summary comment: left as it is; it is about {moved_to[:_SHORT]}, which is newer")
        elif same_text(present[0].body, body):
            self._done.append("the summary comment: says the same already")
        else:
            self._host.edit_comment(present[0].id, body)
            self._done.append("the summary comment: brought up to date")
        return True

    def _summaries(self, pull: int, login: str) -> list[Comment]:
        found = self._ours(self._host.issue_comments(pull), login)
        project = self._wishes.voice.project
        return sorted((one for one in found if is_summary(one.body, project)), key=lambda one: one.id)

    def _on_lines(self, pull: int, login: str) -> tuple[Comment, ...]:
        return of_project(self._ours(self._host.review_comments(pull), login), self._wishes.voice.project)

    @staticmethod
    def _ours(comments: tuple[Comment, ...], login: str) -> tuple[Comment, ...]:
        # A marker alone proves nothing: anybody can write one.
        return tuple(one for one in comments if one.author.lower() == login.lower())

    # ---- a check run ------------------------------------------------------------------------------------------------

    def check_run(self) -> None:
        """The check run, unless the commit has it already."""
        if not self._wishes.head_sha:
            self._notes.append("the check run: not posted; it is not known which commit was judged")
            self._lacks_commit = True
            return
        wishes = self._wishes
        judged = Judged(wishes.head_sha, wishes.conclusion, wishes.run_url, voice=wishes.voice)
        plan = plan_check_run(self._report, judged)
        self._attempt("the check run", lambda: self._make_check_run(plan))

    def _make_check_run(self, plan: CheckPlan) -> bool:
        host, sha = self._host, self._wishes.head_sha
        if self._check_runs(plan.name, plan.digest, completed=True):
            self._done.append("the check run: says the same already")
            return True
        first, *more = plan.outputs
        if more:
            # Until all is there it has another name of ours, so that a rerun does not take it for complete.
            self._fill(self._open_check_run(first, plan), more, plan)
        else:
            _once(
                lambda: _true(host.create_check_run(plan.name, sha, plan.digest, first, plan.conclusion)),
                lambda: bool(self._check_runs(plan.name, plan.digest, completed=True)),
            )
        self._done.append("the check run: posted")
        return True

    def _open_check_run(self, output: CheckOutput, plan: CheckPlan) -> int:
        external_id = plan.digest + _UNFINISHED
        for last in (False, True):
            try:
                return self._host.create_check_run(plan.name, self._wishes.head_sha, external_id, output, None)
            except HostProblem as problem:
                if not problem.uncertain:
                    raise
                there = self._check_runs(plan.name, external_id, completed=False)
                if there:
                    return there[-1].id
                if last:
                    raise
        raise AssertionError("the second attempt returns or raises")

    def _check_runs(self, name: str, external_id: str, *, completed: bool) -> list[CheckRun]:
        found = self._host.check_runs(self._wishes.head_sha, name)
        return [one for one in found if one.external_id == external_id and one.completed == completed]

    def _fill(self, run: int, more: list[CheckOutput], plan: CheckPlan) -> None:
        host, sent = self._host, len(plan.outputs[0].annotations)
        try:
            for output in more:
                sent += len(output.annotations)
                ends = output is more[-1]
                conclusion, external_id = (plan.conclusion, plan.digest) if ends else (None, None)
                _once(
                    partial(host.update_check_run, run, output, conclusion, external_id),
                    partial(self._has_annotations, plan.name, run, sent),
                )
        except HostProblem:
            # A run without a conclusion would block the pull request for ever.
            host.update_check_run(run, CheckOutput(more[-1].title, more[-1].summary), plan.conclusion)
            raise

    def _has_annotations(self, name: str, run: int, count: int) -> bool:
        found = self._host.check_runs(self._wishes.head_sha, name)
        return any(one.id == run and one.annotations >= count for one in found)


def _once(make: Callable[[], object], is_there: Callable[[], bool]) -> None:
    """Make something exactly once: where the answer got lost, look before it is made again. Raises HostProblem."""
    try:
        make()
        return
    except HostProblem as problem:
        if not problem.uncertain:
            raise
    if is_there():
        return
    try:
        make()
    except HostProblem as problem:
        if not problem.uncertain or not is_there():
            raise


def _true(_done: object) -> bool:
    return True


def _advised(problem: HostProblem) -> str:
    """The cause, and for refusals what to do about it."""
    if problem.status == 401:
        return f"{problem}: the input `token` is not valid any more, or not for this server"
    if problem.status == 403:
        return (
            f"{problem}: the job needs `permissions: pull-requests: write` (and `checks: write` for a check run); "
            "pull requests of forks and Dependabot need the pair of workflows in the README"
        )
    if problem.status == 404:
        return f"{problem}: it is not there, or the token may not see it"
    return str(problem)
