"""A check run as a series of requests, each with as many annotations as GitHub takes at once. Pure."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace

from clausefit.ci.comments import Conclusion, Judged, by_weight, headline, summary_body, title_of
from clausefit.ci.escaping import one_line
from clausefit.ci.host import ANNOTATIONS_LIMIT, TITLE_LIMIT, Annotation, CheckConclusion, CheckOutput, Level
from clausefit.ci.markers import labelled
from clausefit.hook.report import Finding, Report, Severity

MOST_ANNOTATIONS = 1_000
"""More would be dozens of requests, and nobody reads them; the rest is counted in the title."""
_LEVELS: dict[Severity, Level] = {"error": "failure", "warning": "warning", "note": "notice"}
# What could not be judged may not look like a pass; "neutral" would let a required check through.
_CONCLUSIONS: dict[Conclusion, CheckConclusion] = {
    "clean": "success",
    "findings": "failure",
    "not-checked": "failure",
}
_LONGEST_MESSAGE = 4_000
_LONGEST_PATH = 4_095
"""Bytes of a path at most (PATH_MAX of Linux, without its end): no file has a longer one."""


@dataclass(frozen=True)
class CheckPlan:
    """What a check run is to say. ``outputs`` is never empty; each adds its annotations to those before.

    ``digest`` is the same for the same content: a check run that has it need not be made again. Each project of a
    repository has a ``name`` of its own.
    """

    name: str
    outputs: tuple[CheckOutput, ...]
    conclusion: CheckConclusion
    digest: str


def plan_check_run(report: Report, judged: Judged) -> CheckPlan:
    """The check run of a report."""
    name = labelled(judged.voice.project)
    ordered = (report.findings[index] for index in by_weight(report.findings))
    chosen = [one for one in ordered if len(one.file.encode("utf-8", "backslashreplace")) <= _LONGEST_PATH]
    annotations = [_annotation(finding) for finding in chosen[:MOST_ANNOTATIONS]]
    title = headline(report, judged.conclusion, judged.voice)
    if len(report.findings) > len(annotations):
        title += f", {len(annotations)} of them annotated"
    summary = summary_body(report, judged, frozenset())
    starts = range(0, max(len(annotations), 1), ANNOTATIONS_LIMIT)
    outputs = tuple(CheckOutput(title, summary, tuple(annotations[at : at + ANNOTATIONS_LIMIT])) for at in starts)
    conclusion = _CONCLUSIONS[judged.conclusion]
    # The link to the run is left out: it differs in a rerun that says the same.
    told = [name, title, summary_body(report, replace(judged, run_url=""), frozenset()), conclusion]
    content = json.dumps([told, [asdict(one) for one in annotations]])
    return CheckPlan(name, outputs, conclusion, hashlib.sha256(content.encode("ascii")).hexdigest()[:32])


def _annotation(finding: Finding) -> Annotation:
    subject = f": {finding.function}" if finding.function else ""
    return Annotation(
        path=finding.file,
        start=finding.line,
        end=max(finding.end_line, finding.line),
        level=_LEVELS[finding.severity],
        title=one_line(f"{title_of(finding)}{subject}", TITLE_LIMIT),
        message=one_line(finding.message, _LONGEST_MESSAGE) or title_of(finding),
    )
