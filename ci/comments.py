"""The texts of comments. What is text of a file or of a report in them is escaped, and each has its longest form.

They begin with markers (``markers.py``), so no marker, mention or Markdown out of a file works. Texts are the same for
the same findings at the same commit: nothing is edited by a rerun.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Literal

from clausefit.ci.escaping import code_block, code_span, is_plain, markdown_text, one_line, prose
from clausefit.ci.host import CHECK_TEXT_LIMIT, COMMENT_LIMIT
from clausefit.ci.markers import RUN, WHOLE, finding_markers, project_name, struck_through, summary_markers
from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.messages import names_clause, split_advice
from clausefit.hook.report import SEVERITIES, Finding, Report
from clausefit.hook.reports.reasons import causes_first
from clausefit.hook.visible import visible_name

Conclusion = Literal["clean", "findings", "not-checked"]

_ADDRESS = re.compile(r"https?://[A-Za-z0-9._~:/-]{1,500}")
# Lengths before escaping, which makes nine characters of one at most.
_LONGEST_MESSAGE = 2_000
_LONGEST_NAME = 300
_LONGEST_SUGGESTION = 8_000
_LONGEST_SUMMARY = min(COMMENT_LIMIT, CHECK_TEXT_LIMIT)
_ROOM_NOT_CHECKED = 16_000
_SHOWN_NOT_CHECKED = 20
_SHORT_COMMIT = 12


@dataclass(frozen=True)
class Voice:
    """For whom comments speak: the folder of the project (``.``: the whole), and who reported what they say.

    ``reporter`` is "" for this run itself; else a run of others, as part of a sentence: nothing of it is vouched for.
    """

    project: str = WHOLE
    reporter: str = ""


OURS = Voice()
"""This run, and the whole repository."""


# ---- one finding, on lines ------------------------------------------------------------------------------------------


def finding_body(finding: Finding, *, suggest: bool, voice: Voice = OURS) -> str:
    """The comment of a finding. ``suggest``: the comment stands on exactly the lines that ``better`` would replace.

    Never longer than a comment may be.
    """
    what, advice = split_advice(finding.code, finding.message)
    parts = [finding_markers(finding, voice.project) + _title(finding), *_clause(finding), _prose(what)]
    if finding.decided_by == "evaluation":
        parts.append("Evaluation alone says so: no verifier could decide it.")
    if finding.better is not None:
        as_suggestion = suggest and not voice.reporter and suggestable(finding)
        parts.append(_suggestion(finding.better.lines) if as_suggestion else _better(finding, voice))
    elif advice:
        parts.append(_prose(advice))
    if voice.reporter:
        parts.append(f"Reported by {voice.reporter}; nobody has checked it.")
    return "\n\n".join(parts) + "\n"


def suggestable(finding: Finding) -> bool:
    """Whether the better clause can be given as a suggestion: as it is, in a fence that nothing in it ends."""
    if finding.better is None:
        return False
    lines = finding.better.lines
    return is_plain(lines) and "```" not in lines and "~~~" not in lines and len(lines) <= _LONGEST_SUGGESTION


def gone_body(body: str, sha: str, *, accepted: bool, voice: Voice = OURS) -> str:
    """The comment ``body`` of a finding, struck: it is not found at ``sha`` any more, or the baseline holds it."""
    why = "In the baseline now" if accepted else "No longer found"
    said = f": so {voice.reporter} says, and nobody has checked it" if voice.reporter else ""
    return struck_through(body, f"{why} at {_short(sha)}{said}.")


# ---- the summary ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Judged:
    """What the summary says of the run beside its report.

    ``moved_to`` is the commit that the pull request has now, empty while that is ``sha``.
    """

    sha: str
    conclusion: Conclusion
    run_url: str = ""
    moved_to: str = ""
    voice: Voice = OURS


def summary_body(report: Report, judged: Judged, inline: Set[int]) -> str:
    """The sticky comment. ``inline`` holds the indexes of the findings that a comment on lines shows in full.

    Never longer than a comment or the text of a check run may be; what did not fit is counted.
    """
    voice = judged.voice
    where = "" if voice.project == WHOLE else f" in {code_span(project_name(voice.project))}"
    heading = f"### clausefit{where}: {_outcome(report, judged.conclusion, voice)}"
    head = "\n\n".join((summary_markers(judged.sha, voice.project) + heading, *_reported(report, voice), _at(judged)))
    tail = RUN + f"[The whole report]({judged.run_url})\n" if _ADDRESS.fullmatch(judged.run_url) else ""
    blocks = [_entry(report.findings[at], voice, inline=at in inline) for at in by_weight(report.findings)]
    closing = [*_not_checked(causes_first(report)), *_baseline(report)]
    room = _LONGEST_SUMMARY - _size(head) - _size(tail) - sum(_size(part) + 2 for part in closing) - 200
    kept = _fitting(blocks, room)
    parts = [head, "\n".join(kept)] if kept else [head]
    if len(kept) < len(blocks):
        parts.append(f"{_count(len(blocks) - len(kept), 'more finding')} did not fit here: see the run.")
    return "\n\n".join((*parts, *closing)) + tail


def by_weight(findings: Sequence[Finding]) -> list[int]:
    """The indexes of the findings: the most severe first, then by place."""
    order = {name: place for place, name in enumerate(reversed(SEVERITIES))}
    places = range(len(findings))
    return sorted(places, key=lambda at: (order[findings[at].severity], findings[at].file, findings[at].line, at))


def headline(report: Report, conclusion: Conclusion, voice: Voice = OURS) -> str:
    """What came out, in one short line without Markdown; the project is not named."""
    return f"clausefit: {_outcome(report, conclusion, voice)}"


def title_of(finding: Finding) -> str:
    """A finding's severity, code and direction, as plain text."""
    return f"{finding.severity} {finding.code} {finding.direction.replace('_', ' ')}"


# ---- parts ----------------------------------------------------------------------------------------------------------


def _outcome(report: Report, conclusion: Conclusion, voice: Voice) -> str:
    found = _count(len(report.findings), "finding")
    said = f", says {voice.reporter}" if voice.reporter else ""
    if conclusion == "not-checked":
        return f"not everything could be judged, {found}{said}"
    return (found if report.findings else "no findings") + said


def _reported(report: Report, voice: Voice) -> list[str]:
    """What this is worth where others say it: a report may be empty for other reasons than that all is well."""
    if not voice.reporter:
        return []
    contracts = _count(len(report.contracts), "contract")
    return [
        f"Reported by {voice.reporter}, which says that it judged {contracts}. Nobody has checked it: findings may be "
        "untrue, and true ones may be missing."
    ]


def _title(finding: Finding) -> str:
    subject = f": {_code(finding.function)}" if finding.function else ""
    return f"**{markdown_text(one_line(title_of(finding), _LONGEST_NAME))}**{subject}"


def _clause(finding: Finding) -> list[str]:
    """The blamed clause, unless the message begins with it."""
    if finding.clause is None or names_clause(finding.message, finding.clause[1]):
        return []
    return [_code(finding.clause[1])]


def _code(text: str) -> str:
    return code_span(one_line(text, _LONGEST_NAME))


def _prose(text: str) -> str:
    return prose(one_line(text, _LONGEST_MESSAGE))


def _suggestion(lines: str) -> str:
    return f"This fits every tested call:\n\n{code_block(lines, 'suggestion')}"


def _better(finding: Finding, voice: Voice) -> str:
    text = finding.better.clause if finding.better else ""
    return f"{'That run proposes' if voice.reporter else 'This fits every tested call'}: {_code(text)}"


def _entry(finding: Finding, voice: Voice, *, inline: bool) -> str:
    place = _code(f"{visible_name(finding.file)}:{finding.line}")
    if inline:
        return f"- {_title(finding)}, {place} (see the comment there)"
    lines = [f"- {_title(finding)}, {place}", *_clause(finding), _prose(finding.message)]
    if finding.better is not None:
        lines.append(_better(finding, voice))
    # Two blanks of indent keep the lines in the item, and a backslash at the end breaks the line.
    return "\\\n  ".join(lines)


def _at(judged: Judged) -> str:
    if judged.moved_to:
        return (
            f"Judged at {_short(judged.sha)}. The pull request has moved on to {_short(judged.moved_to)} since, "
            "so nothing was put on lines."
        )
    return f"Judged at {_short(judged.sha)}."


def _short(sha: str) -> str:
    return code_span(sha[:_SHORT_COMMIT]) if sha else "the working tree"


def _not_checked(entries: Sequence[NotChecked]) -> list[str]:
    if not entries:
        return []
    kept = _fitting([_unjudged(entry) for entry in entries[:_SHOWN_NOT_CHECKED]], _ROOM_NOT_CHECKED)
    lines = [f"Not checked: {len(entries)}", "", *kept]
    if len(entries) > len(kept):
        lines.append(f"- and {len(entries) - len(kept)} more: see the run")
    return ["\n".join(lines)]


def _unjudged(entry: NotChecked) -> str:
    file = visible_name(entry.file)
    place = _code(file if entry.line is None else f"{file}:{entry.line}")
    function = f" {_code(entry.function)}" if entry.function else ""
    detail = f": {markdown_text(one_line(entry.detail, _LONGEST_NAME))}" if entry.detail else ""
    return f"- {place}{function}, {markdown_text(one_line(entry.reason, _LONGEST_NAME))}{detail}"


def _baseline(report: Report) -> list[str]:
    parts = [f"{_count(len(report.known), 'finding')} in the baseline"] if report.known else []
    if report.stale:
        parts.append(f"{_count(len(report.stale), 'entry', 'entries')} of the baseline no longer found: remove them")
    return [f"{'; '.join(parts)}."] if parts else []


def _fitting(blocks: Sequence[str], room: int) -> list[str]:
    kept = []
    for block in blocks:
        room -= _size(block) + 1
        if room < 0:
            break
        kept.append(block)
    return kept


def _size(text: str) -> int:
    # GitHub counts characters; in bytes we are never above its count, whatever it takes for a character.
    return len(text.encode("utf-8", "backslashreplace"))


def _count(number: int, word: str, plural: str = "") -> str:
    return f"{number} {word}" if number == 1 else f"{number} {plural or word + 's'}"
