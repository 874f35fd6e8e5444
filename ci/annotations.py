"""Findings as workflow commands: GitHub shows them at their lines, and no permission is needed for it.

The form is that of @actions/core (command.ts); GitHub shows at most ten of each level from one step ("Limits for
annotations"), so no more are made, and what was left out is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from clausefit.ci.escaping import command_data, command_property, log_line, one_line
from clausefit.ci.host import TITLE_LIMIT
from clausefit.hook.config import Config
from clausefit.hook.report import SEVERITIES, Better, Finding, Report, Severity
from clausefit.hook.reports.reasons import causes, causes_first
from clausefit.hook.visible import visible_name

PER_LEVEL = 10
_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "note": "notice"}
_LONGEST_MESSAGE = 4000
_LONGEST_CLAUSE = 2000


def annotation_lines(report: Report, *, unfinished: bool = False) -> tuple[str, ...]:
    """The lines for standard output: the worst findings first, and one line that counts what was left out.

    ``unfinished``: the run fails for what could not be checked, so an annotation says what, before all others.
    """
    ordered = by_severity(report.findings)
    lines: list[str] = [_unchecked(report)] if unfinished else []
    left: list[str] = []
    for severity in reversed(SEVERITIES):
        of_level = [finding for finding in ordered if finding.severity == severity]
        room = PER_LEVEL - (unfinished and severity == "error")
        lines += [_annotation(finding) for finding in of_level[:room]]
        if len(of_level) > room:
            left.append(counted(len(of_level) - room, f"more {severity}"))
    if left:
        lines.append(log_line(f"{' and '.join(left)} without an annotation ({PER_LEVEL} a level): see the job summary"))
    return tuple(lines)


def problem_line(text: str) -> str:
    """The annotation that says that something could not be checked, and why."""
    return f"::error title=clausefit could not check::{command_data(one_line(text, _LONGEST_MESSAGE))}"


def by_severity(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, the worst first, then by place."""
    return sorted(findings, key=lambda f: (-SEVERITIES.index(f.severity), f.file, f.line, f.column, f.code))


def title_of(finding: Finding) -> str:
    """Code, direction and function in one line, not escaped."""
    subject = f": {finding.function}" if finding.function else ""
    return f"{finding.code} {finding.direction.replace('_', ' ')}{subject}"


def fits(better: Better) -> str:
    """How much speaks for a better clause: ``fits all 3 tested calls``."""
    calls = {0: "all tested calls", 1: "the one tested call"}.get(better.calls, f"all {better.calls} tested calls")
    return f"fits {calls}"


def counted(number: int, word: str) -> str:
    """``1 finding``, ``2 findings``."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _annotation(finding: Finding) -> str:
    place = [("file", finding.file), ("line", str(finding.line)), ("endLine", str(finding.end_line))]
    if finding.end_line == finding.line:  # the runner takes no column where there are several lines
        place.append(("col", str(finding.column)))
    place.append(("title", one_line(title_of(finding), TITLE_LIMIT)))
    properties = ",".join(f"{name}={command_property(value)}" for name, value in place)
    return f"::{_LEVELS[finding.severity]} {properties}::{command_data(_message(finding))}"


def _unchecked(report: Report) -> str:
    """What ended the run: its reason first, and the place of the first entry that has it."""
    # Which files are tests is here what it is without settings: it decides only what is named first.
    is_test = Config().is_test
    entries = causes_first(report, is_test)
    ending = {entry.reason for entry in causes(report, is_test)}
    reasons = Counter(entry.reason for entry in entries)
    ordered = sorted(reasons.items(), key=lambda one: (one[0] not in ending, -one[1]))
    kinds = ", ".join(f"{number} {reason}" for reason, number in ordered)
    first = next(iter(entries), None)
    name = "" if first is None else visible_name(first.file)
    place = "" if first is None else f"; {name}{f':{first.line}' if first.line else ''}: {first.detail}"
    return problem_line(f"not checked: {kinds or 'a file that was named'}{place}")


def _message(finding: Finding) -> str:
    better = ""
    if finding.better is not None:
        better = f"\n`{one_line(finding.better.clause, _LONGEST_CLAUSE)}` {fits(finding.better)}."
    return one_line(finding.message, _LONGEST_MESSAGE - len(better)) + better
