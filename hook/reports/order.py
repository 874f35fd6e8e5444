"""One order for every reporter, so that the same findings always give the same text."""

from __future__ import annotations

from dataclasses import replace

from clausefit.hook.report import BaselineEntry, Finding, Report


def in_order(report: Report) -> Report:
    """``report`` with contracts, findings (new, known, stale) and what was not checked sorted by place; equal places
    keep their order."""
    return replace(
        report,
        contracts=tuple(sorted(report.contracts, key=lambda c: (c.file, c.line, c.function))),
        findings=tuple(sorted(report.findings, key=_place)),
        known=tuple(sorted(report.known, key=_place)),
        stale=tuple(sorted(report.stale, key=of_entry)),
        not_checked=tuple(
            sorted(report.not_checked, key=lambda n: (n.file, n.line or 0, n.function or "", n.reason, n.detail))
        ),
        verifiers=tuple(sorted(report.verifiers, key=lambda v: (v.name, v.version))),
    )


def _place(finding: Finding) -> tuple[str, int, int, str, str]:
    return finding.file, finding.line, finding.column, finding.code, finding.function


def of_entry(entry: BaselineEntry) -> tuple[str, str, str, str, str]:
    """What entries of a baseline are sorted by."""
    return entry.file, entry.function, entry.code, entry.clause, entry.fingerprint
