"""The report as SARIF 2.1.0, for GitHub's code scanning and other viewers.

Section numbers are those of the standard: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from clausefit.hook.contracts.model import NotChecked, Span
from clausefit.hook.report import SEVERITIES, Finding, Report, VerifierInfo
from clausefit.hook.reports.json_report import encodable
from clausefit.hook.reports.order import in_order
from clausefit.hook.reports.reasons import REASONS
from clausefit.hook.reports.sarif_rules import descriptors, index_of
from clausefit.hook.reports.sarif_text import artifact, plain

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
# https://docs.github.com/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning:
# a run with more results is refused as a whole; of those in it the worst are shown.
MOST_RESULTS = 25_000
MOST_SHOWN = 5_000
_UNFINISHED = frozenset({"interrupted", "budget", "crash", "verifier_missing"})
_EXPECTED = frozenset({"no_pins", "outcome_not_known"})


def to_sarif(report: Report, folder: str = "", most_results: int = MOST_RESULTS) -> str:
    """The report as indented JSON with a final new line; the same report always gives the same text.

    ``folder`` is where the project lies in its repository, since code scanning wants paths from there. Findings that
    the baseline holds are suppressed results; what was not checked are notifications of the run. Of more than
    ``most_results`` the most severe are kept, and a notification says so.
    """
    ordered = in_order(report)
    findings = [*((one, False) for one in ordered.findings), *((one, True) for one in ordered.known)]
    kept = findings
    if len(findings) > most_results:
        by_weight = sorted(findings, key=lambda one: (one[1], -SEVERITIES.index(one[0].severity)))
        kept = by_weight[:most_results]
    spans = _spans(ordered)
    seen: Counter[str] = Counter()
    reasons = sorted({entry.reason for entry in ordered.not_checked})
    run = {
        "tool": {"driver": _driver(reasons), **_extensions(ordered.verifiers)},
        "invocations": [
            {
                "executionSuccessful": not any(entry.reason in _UNFINISHED for entry in ordered.not_checked),
                "toolExecutionNotifications": [
                    *_limits(len(findings), len(kept)),
                    *(_notification(entry, folder, reasons) for entry in ordered.not_checked),
                ],
            }
        ],
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The top folder of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, is_known, folder, spans, seen) for one, is_known in kept],
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(encodable(document), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


# ---- the tool and its run -------------------------------------------------------------------------------------------


def _driver(reasons: Sequence[str]) -> dict[str, Any]:
    notifications = [
        {"id": one, "shortDescription": {"text": plain(REASONS.get(one, "not checked"))}} for one in reasons
    ]
    return {
        "name": "clausefit",
        "version": version("clausefit"),
        "rules": descriptors(),
        "notifications": notifications,
    }


def _extensions(verifiers: Sequence[VerifierInfo]) -> dict[str, Any]:
    if not verifiers:
        return {}
    # Components of a tool are told apart by their name (§3.18.3).
    by_name = {one.name: one for one in verifiers}
    return {
        "extensions": [
            {"name": one.name, "version": one.version, "properties": {"provers": list(one.provers)}}
            for one in by_name.values()
        ]
    }


def _limits(found: int, kept: int) -> list[dict[str, Any]]:
    if kept < found:
        text = f"{found - kept} of {found} findings are left out here: code scanning takes {kept} at most. "
        return [_said("error", f"{text}The JSON report has all of them.")]
    if found > MOST_SHOWN:
        text = f"{found} findings: code scanning shows the {MOST_SHOWN} most severe. The JSON report has all of them."
        return [_said("warning", text)]
    return []


def _said(level: str, text: str) -> dict[str, Any]:
    return {"level": level, "message": {"text": text}}


def _notification(entry: NotChecked, folder: str, reasons: Sequence[str]) -> dict[str, Any]:
    """§3.58; a viewer that shows no descriptor has the reason in the text."""
    where = f"{entry.function}: " if entry.function else ""
    detail = f": {entry.detail}" if entry.detail else ""
    said = _said(
        "note" if entry.reason in _EXPECTED else "warning", plain(f"{where}not checked ({entry.reason}){detail}")
    )
    said["descriptor"] = {"id": entry.reason, "index": reasons.index(entry.reason)}
    if entry.file:
        physical: dict[str, Any] = {"artifactLocation": artifact(entry.file, folder)}
        if entry.line is not None and entry.line > 0:
            physical["region"] = {"startLine": entry.line}
        said["locations"] = [{"physicalLocation": physical}]
    return said


# ---- results --------------------------------------------------------------------------------------------------------

_ClauseKey = tuple[str, str, str, int, int]


def _spans(report: Report) -> dict[_ClauseKey, Span]:
    return {
        (clause.file or contract.file, clause.kind, clause.text, clause.span.line, clause.span.column): clause.span
        for contract in report.contracts
        for clause in contract.clauses
    }


def _result(
    finding: Finding, is_known: bool, folder: str, spans: dict[_ClauseKey, Span], seen: Counter[str]
) -> dict[str, Any]:
    seen[finding.fingerprint] += 1
    text = finding.message or f"{finding.code}: {finding.function}"
    if finding.better is not None:
        text += f" This fits every tested call: `{finding.better.clause}`."
    physical = {"artifactLocation": artifact(finding.file, folder), "region": _region(finding, spans)}
    location: dict[str, Any] = {"physicalLocation": physical}
    if finding.function:
        location["logicalLocations"] = [{"fullyQualifiedName": finding.function, "kind": "function"}]
    result: dict[str, Any] = {"ruleId": finding.code}
    index = index_of(finding.code)
    if index is not None:
        result["ruleIndex"] = index
    result |= {"level": finding.severity, "message": {"text": plain(text)}, "locations": [location]}
    result |= _test(finding, folder)
    # Code scanning looks at the first alone, and calls it by what others make it of: a hash, and which of its equals.
    result["partialFingerprints"] = {
        "primaryLocationLineHash": f"{finding.fingerprint}:{seen[finding.fingerprint]}",
        "clausefitFinding/v1": finding.fingerprint,
    }
    if is_known:
        accepted = "A finding that the baseline holds."
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": accepted}]
    if finding.better is not None:
        result["fixes"] = [_fix(finding, finding.better.lines, folder)]
    result["properties"] = {
        "direction": finding.direction,
        "decidedBy": finding.decided_by,
        "witnesses": finding.witnesses,
    }
    return result


def _region(finding: Finding, spans: dict[_ClauseKey, Span]) -> dict[str, int]:
    """§3.30; without an end column it goes on to the end of its last line."""
    line, column = max(finding.line, 1), max(finding.column, 1)
    region = {"startLine": line, "startColumn": column, "endLine": max(finding.end_line, line)}
    if finding.clause is not None:
        span = spans.get((finding.file, *finding.clause, finding.line, finding.column))
        if (
            span is not None
            and (span.end_line, span.end_column) > (line, column)
            and span.end_line == region["endLine"]
        ):
            region["endColumn"] = span.end_column
    return region


def _test(finding: Finding, folder: str) -> dict[str, Any]:
    witness = finding.witness
    if witness is None or not witness.test_file:
        return {}
    physical: dict[str, Any] = {"artifactLocation": artifact(witness.test_file, folder)}
    if witness.test_line > 0:
        physical["region"] = {"startLine": witness.test_line}
    text = plain(f"test {witness.test} shows the outcome")
    return {"relatedLocations": [{"id": 1, "physicalLocation": physical, "message": {"text": text}}]}


def _fix(finding: Finding, lines: str, folder: str) -> dict[str, Any]:
    line = max(finding.line, 1)
    replacement = {
        "deletedRegion": {"startLine": line, "endLine": max(finding.end_line, line)},
        "insertedContent": {"text": lines},
    }
    change = {"artifactLocation": artifact(finding.file, folder), "replacements": [replacement]}
    return {"description": {"text": "Write a clause that fits every tested call."}, "artifactChanges": [change]}
