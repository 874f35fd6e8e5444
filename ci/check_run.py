"""A check run as a series of requests, each with as many annotations as GitHub takes at once. Pure."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass

from clausefit.ci.comments import Conclusion, Judged, by_weight, headline, summary_body, title_of
from clausefit.ci.host import ANNOTATIONS_LIMIT, Annotation, CheckConclusion, CheckOutput, Level
from clausefit.hook.report import Finding, Report, Severity
from clausefit.hook.visible import shortened, visible

NAME = "clausefit"
MOST_ANNOTATIONS = 1_000
"""More would be dozens of requests, and nobody reads them; the rest is counted in the title."""
_LEVELS: dict[Severity, Level] = {"error": "failure", "warning": "warning", "note": "notice"}
# What could not be judged may not look like a pass; "neutral" would let a required check through.
_CONCLUSIONS: dict[Conclusion, CheckConclusion] = {
    "clean": "success",
    "findings": "failure",
    "not-checked": "failure",
}
_LONGEST_TITLE = 250
_LONGEST_MESSAGE = 4_000


@dataclass(frozen=True)
class CheckPlan:
    """What a check run is to say. ``outputs`` is never empty; each adds its annotations to those before.

    ``digest`` is the same for the same content: a check run that has it need not be made again.
    """

    outputs: tuple[CheckOutput, ...]
    conclusion: CheckConclusion
    digest: str


def plan_check_run(report: Report, judged: Judged) -> CheckPlan:
    """The check run of a report."""
    chosen = by_weight(report.findings)
    annotations = [_annotation(report.findings[index]) for index in chosen[:MOST_ANNOTATIONS]]
    title = headline(report, judged.conclusion)
    if len(chosen) > len(annotations):
        title += f", {len(annotations)} of them annotated"
    summary = summary_body(report, judged, frozenset())
    starts = range(0, max(len(annotations), 1), ANNOTATIONS_LIMIT)
    outputs = tuple(CheckOutput(title, summary, tuple(annotations[at : at + ANNOTATIONS_LIMIT])) for at in starts)
    conclusion = _CONCLUSIONS[judged.conclusion]
    # The link to the run is left out: it differs in a rerun that says the same.
    told = [title, summary_body(report, Judged(judged.sha, judged.conclusion), frozenset()), conclusion]
    content = json.dumps([told, [asdict(one) for one in annotations]])
    return CheckPlan(outputs, conclusion, hashlib.sha256(content.encode("ascii")).hexdigest()[:32])


def _annotation(finding: Finding) -> Annotation:
    subject = f": {finding.function}" if finding.function else ""
    return Annotation(
        path=finding.file,
        start=finding.line,
        end=max(finding.end_line, finding.line),
        level=_LEVELS[finding.severity],
        title=shortened(visible(f"{title_of(finding)}{subject}"), _LONGEST_TITLE),
        message=shortened(visible(finding.message) or title_of(finding), _LONGEST_MESSAGE),
    )
