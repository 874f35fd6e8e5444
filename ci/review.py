"""Which comments on lines are to be made, changed or struck, by what is there already. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from clausefit.ci.comments import OURS, Voice, by_weight, finding_body, gone_body
from clausefit.ci.host import Comment, InlineComment
from clausefit.ci.markers import about, fingerprint_of, is_below, marked, project_key, same_text
from clausefit.hook.report import Finding, Report

MOST_INLINE = 25
"""So many findings have comments on lines at most; more would bury the review, and GitHub slows down who posts them."""


@dataclass(frozen=True)
class Edit:
    """A comment that is there gets another text; ``finding`` is the index of the one that it shows then, if any."""

    comment: int
    body: str
    finding: int | None = None


@dataclass(frozen=True)
class ReviewPlan:
    """What to do. The keys of ``new`` and the elements of ``shown`` are indexes into the report's findings.

    ``shown`` are the findings that a comment which is there shows where it can be seen, once ``edits`` are made;
    ``held_back`` counts those on changed lines for which there is no more room.
    """

    new: Mapping[int, InlineComment]
    edits: tuple[Edit, ...]
    shown: frozenset[int]
    held_back: int = 0


def of_project(comments: Iterable[Comment], project: str) -> tuple[Comment, ...]:
    """The comments with our markers that are about findings of a project, and stand in its files."""
    key = project_key(project)
    return tuple(
        one
        for one in comments
        if (tag := marked(one.body)) is not None and tag.project == key and is_below(one.path, project)
    )


def plan_review(
    report: Report,
    sha: str,
    changed: Mapping[str, frozenset[int]],
    present: Sequence[Comment],
    *,
    complete: bool,
    voice: Voice = OURS,
) -> ReviewPlan:
    """Compare the findings with the comments of ours that are ``present``; those of other projects do not count.

    ``changed`` are the added lines of each file. ``complete``: the run came to its end, so that a finding it has not
    is gone; one about a function that could not be judged this time stays in any case.
    """
    ours: dict[str, list[Comment]] = defaultdict(list)
    for comment in sorted(of_project(present, voice.project), key=lambda one: one.id):
        tag = marked(comment.body)
        if tag is not None:
            ours[tag.fingerprint].append(comment)
    new: dict[int, InlineComment] = {}
    edits: list[Edit] = []
    shown: set[int] = set()
    unplaced: list[int] = []
    for index in by_weight(report.findings):
        finding = report.findings[index]
        there = ours[fingerprint_of(finding)]
        if not there:
            unplaced.append(index)
            continue
        comment = there.pop(0)
        body = finding_body(finding, suggest=_covers(comment, finding, changed), voice=voice)
        if not same_text(body, comment.body):
            edits.append(Edit(comment.id, body, index))
        if comment.line is not None:
            shown.add(index)
    room = max(MOST_INLINE - (len(report.findings) - len(unplaced)), 0)
    placed = [(index, at) for index in unplaced if (at := _place(report.findings[index], changed, voice))]
    for index, at in placed[:room]:
        new[index] = at
    if complete:
        left = (comment for comments in ours.values() for comment in comments)
        edits += _struck(left, report, sha, voice)
    return ReviewPlan(new, tuple(edits), frozenset(shown), max(len(placed) - room, 0))


def _place(finding: Finding, changed: Mapping[str, frozenset[int]], voice: Voice) -> InlineComment | None:
    """The comment on the finding's whole lines, or on its last one; None where the pull request adds neither."""
    lines = changed.get(finding.file, frozenset())
    if finding.end_line not in lines:
        return None
    whole = _whole(finding, lines)
    start = finding.line if whole else finding.end_line
    return InlineComment(finding.file, start, finding.end_line, finding_body(finding, suggest=whole, voice=voice))


def _whole(finding: Finding, lines: frozenset[int]) -> bool:
    count = finding.end_line - finding.line + 1
    return 0 < count <= len(lines) and all(at in lines for at in range(finding.line, finding.end_line + 1))


def _covers(comment: Comment, finding: Finding, changed: Mapping[str, frozenset[int]]) -> bool:
    """Whether a comment that is there stands on exactly the lines that the better clause would replace."""
    if comment.line is None or comment.path != finding.file:
        return False
    start = comment.start if comment.start is not None else comment.line
    is_there = (start, comment.line) == (finding.line, finding.end_line)
    return is_there and _whole(finding, changed.get(finding.file, frozenset()))


def _struck(left: Iterable[Comment], report: Report, sha: str, voice: Voice) -> list[Edit]:
    """The comments to be struck: those whose finding is gone, and not only because it was not looked for this time."""
    accepted = {fingerprint_of(finding) for finding in report.known}
    judged = {about(contract.function) for contract in report.contracts}
    unsure = {about(entry.function) for entry in report.not_checked if entry.function}
    # A contract that is not there may stand in a file that could not be read.
    all_read = all(entry.function for entry in report.not_checked)
    edits = []
    for comment in left:
        tag = marked(comment.body)
        if tag is None or tag.gone:
            continue
        is_known = tag.fingerprint in accepted
        looked_for = tag.about not in unsure and (tag.about in judged or all_read)
        if is_known or looked_for:
            edits.append(Edit(comment.id, gone_body(comment.body, sha, accepted=is_known, voice=voice)))
    return edits
