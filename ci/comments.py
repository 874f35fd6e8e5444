"""The texts of comments, with the hidden markers by which they are found again.

A marker counts only at the very start of a comment, where text of a contract never comes; the rest is escaped, so
that no marker, mention or Markdown out of a file works. Texts are the same for the same findings at the same commit:
nothing is edited by a rerun.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Literal

from clausefit.ci.escaping import code_block, code_span, is_plain, markdown_text, prose
from clausefit.ci.host import COMMENT_LIMIT
from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.messages import split_advice
from clausefit.hook.report import SEVERITIES, Finding, Report
from clausefit.hook.visible import shortened

Conclusion = Literal["clean", "findings", "not-checked"]

_FINDING = re.compile(r"<!-- clausefit:finding ([0-9a-f]{8,64}) -->\n<!-- clausefit:about ([0-9a-f]{16}) -->\n")
_GONE = "<!-- clausefit:gone -->\n"
_SUMMARY = "<!-- clausefit:summary -->\n"
_COMMIT = re.compile(re.escape(_SUMMARY) + r"<!-- clausefit:commit ([0-9a-f]*) -->\n")
_RUN = "\n\n<!-- clausefit:run -->\n"
_HEXADECIMAL = re.compile(r"[0-9a-f]{8,64}")
_ADDRESS = re.compile(r"https?://[A-Za-z0-9._~:/-]{1,500}")
_LONGEST_MESSAGE = 2_000
_LONGEST_NAME = 300
_LONGEST_SUGGESTION = 8_000
_SHOWN_NOT_CHECKED = 20
_SHORT_COMMIT = 12


@dataclass(frozen=True)
class Marked:
    """What the markers of a comment of ours say: the finding, what it is about, and whether it is struck."""

    fingerprint: str
    about: str
    gone: bool


# ---- one finding, on lines ------------------------------------------------------------------------------------------


def finding_body(finding: Finding, *, suggest: bool) -> str:
    """The comment of a finding. ``suggest``: the comment stands on exactly the lines that ``better`` would replace."""
    what, advice = split_advice(finding.code, finding.message)
    parts = [_finding_markers(finding) + _title(finding)]
    if finding.clause is not None:
        parts.append(code_span(shortened(finding.clause[1], _LONGEST_NAME)))
    parts.append(_prose(what))
    if finding.decided_by == "evaluation":
        parts.append("Evaluation alone says so: no verifier could decide it.")
    if finding.better is not None:
        parts.append(_suggestion(finding.better.lines) if suggest and suggestable(finding) else _better(finding))
    elif advice:
        parts.append(_prose(advice))
    return "\n\n".join(parts) + "\n"


def suggestable(finding: Finding) -> bool:
    """Whether the better clause can be given as a suggestion: as it is, in a fence that nothing in it ends."""
    if finding.better is None:
        return False
    lines = finding.better.lines
    return is_plain(lines) and "```" not in lines and "~~~" not in lines and len(lines) <= _LONGEST_SUGGESTION


def gone_body(body: str, sha: str, *, accepted: bool) -> str:
    """The comment ``body`` of a finding, struck: it is not found at ``sha`` any more, or the baseline holds it."""
    markers = _FINDING.match(body)
    start = markers.end() if markers else 0
    title = body[start:].split("\n", 1)[0]
    why = "In the baseline now" if accepted else "No longer found"
    return f"{body[:start]}{_GONE}~~{title}~~\n\n{why} at {_short(sha)}.\n"


def marked(body: str) -> Marked | None:
    """What the markers at the start of ``body`` say, None for a comment that is no finding of ours."""
    found = _FINDING.match(body.replace("\r\n", "\n"))
    if found is None:
        return None
    return Marked(found[1], found[2], body.replace("\r\n", "\n").startswith(_GONE, found.end()))


def fingerprint_of(finding: Finding) -> str:
    """The finding's fingerprint as markers hold it; one that is no number (a report of others) is hashed."""
    if _HEXADECIMAL.fullmatch(finding.fingerprint):
        return finding.fingerprint
    return hashlib.sha256(finding.fingerprint.encode("utf-8", "backslashreplace")).hexdigest()[:32]


def about(function: str) -> str:
    """16 hex digits that stand for a function in a marker."""
    return hashlib.sha256(function.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def same_text(one: str, other: str) -> bool:
    """Whether two comments say the same: line ends, blanks at the end and the link to the run do not count."""
    return _comparable(one) == _comparable(other)


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


def is_summary(body: str) -> bool:
    """Whether a comment is a summary of ours, by its marker."""
    return body.replace("\r\n", "\n").startswith(_SUMMARY)


def commit_of(body: str) -> str:
    """The commit that a summary is about, empty where its marker does not say."""
    found = _COMMIT.match(body.replace("\r\n", "\n"))
    return found[1] if found else ""


def summary_body(report: Report, judged: Judged, inline: Set[int]) -> str:
    """The sticky comment. ``inline`` holds the indexes of the findings that a comment on lines shows in full.

    Never longer than a comment may be; what did not fit is counted.
    """
    commit = judged.sha if _HEXADECIMAL.fullmatch(judged.sha) else ""
    head = f"{_SUMMARY}<!-- clausefit:commit {commit} -->\n### {headline(report, judged.conclusion)}\n\n{_at(judged)}"
    tail = _RUN + f"[The whole report]({judged.run_url})\n" if _ADDRESS.fullmatch(judged.run_url) else ""
    blocks = [_entry(report.findings[index], inline=index in inline) for index in by_weight(report.findings)]
    closing = [*_not_checked(report.not_checked), *_baseline(report)]
    room = COMMENT_LIMIT - _size(head) - _size(tail) - sum(_size(line) + 2 for line in closing) - 200
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


def headline(report: Report, conclusion: Conclusion) -> str:
    """What came out, in one line without Markdown."""
    found = _count(len(report.findings), "finding")
    if conclusion == "not-checked":
        return f"clausefit: not everything could be judged, {found}"
    return f"clausefit: {found}" if report.findings else "clausefit: no findings"


def title_of(finding: Finding) -> str:
    """A finding's severity, code and direction, as plain text."""
    return f"{finding.severity} {finding.code} {finding.direction.replace('_', ' ')}"


# ---- parts ----------------------------------------------------------------------------------------------------------


def _finding_markers(finding: Finding) -> str:
    subject = about(finding.function)
    return f"<!-- clausefit:finding {fingerprint_of(finding)} -->\n<!-- clausefit:about {subject} -->\n"


def _title(finding: Finding) -> str:
    subject = f": {code_span(shortened(finding.function, _LONGEST_NAME))}" if finding.function else ""
    return f"**{markdown_text(shortened(title_of(finding), _LONGEST_NAME))}**{subject}"


def _prose(text: str) -> str:
    return prose(shortened(text, _LONGEST_MESSAGE))


def _suggestion(lines: str) -> str:
    return f"This fits every tested call:\n\n{code_block(lines, 'suggestion')}"


def _better(finding: Finding) -> str:
    text = finding.better.clause if finding.better else ""
    return f"This fits every tested call: {code_span(shortened(text, _LONGEST_NAME))}"


def _entry(finding: Finding, *, inline: bool) -> str:
    place = code_span(shortened(f"{finding.file}:{finding.line}", _LONGEST_NAME))
    if inline:
        return f"- {_title(finding)}, {place} (see the comment there)"
    lines = [f"- {_title(finding)}, {place}"]
    if finding.clause is not None:
        lines.append(code_span(shortened(finding.clause[1], _LONGEST_NAME)))
    lines.append(_prose(finding.message))
    if finding.better is not None:
        lines.append(_better(finding))
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
    lines = [f"Not checked: {len(entries)}", ""]
    for entry in entries[:_SHOWN_NOT_CHECKED]:
        place = entry.file if entry.line is None else f"{entry.file}:{entry.line}"
        function = f" {code_span(shortened(entry.function, _LONGEST_NAME))}" if entry.function else ""
        detail = f": {markdown_text(shortened(entry.detail, _LONGEST_NAME))}" if entry.detail else ""
        reason = markdown_text(shortened(entry.reason, _LONGEST_NAME))
        lines.append(f"- {code_span(shortened(place, _LONGEST_NAME))}{function}, {reason}{detail}")
    if len(entries) > _SHOWN_NOT_CHECKED:
        lines.append(f"- and {len(entries) - _SHOWN_NOT_CHECKED} more: see the run")
    return ["\n".join(lines)]


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


def _comparable(body: str) -> str:
    return body.replace("\r\n", "\n").partition(_RUN)[0].rstrip()


def _count(number: int, word: str, plural: str = "") -> str:
    return f"{number} {word}" if number == 1 else f"{number} {plural or word + 's'}"
