"""Paths of a report as the repository has them, where the project that was judged is a folder of it."""

from __future__ import annotations

from dataclasses import replace

from clausefit.hook.report import ContractReport, Finding, Report


def placed(report: Report, prefix: str) -> Report:
    """``report`` with ``prefix`` (a folder of the repository, "" for its top) before every path; fingerprints stay."""
    if not prefix:
        return report

    def moved(path: str) -> str:
        return f"{prefix}/{path}" if path else path

    def contract(one: ContractReport) -> ContractReport:
        clauses = tuple(replace(clause, file=moved(clause.file)) for clause in one.clauses)
        return replace(one, file=moved(one.file), clauses=clauses)

    def finding(one: Finding) -> Finding:
        witness = one.witness and replace(one.witness, test_file=moved(one.witness.test_file))
        return replace(one, file=moved(one.file), witness=witness)

    return replace(
        report,
        contracts=tuple(contract(one) for one in report.contracts),
        findings=tuple(finding(one) for one in report.findings),
        not_checked=tuple(replace(one, file=moved(one.file)) for one in report.not_checked),
        known=tuple(finding(one) for one in report.known),
        stale=tuple(replace(one, file=moved(one.file)) for one in report.stale),
    )
