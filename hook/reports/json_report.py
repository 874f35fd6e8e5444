"""The report in the format ``clausefit-report/1`` (DESIGN §11), which other programs rely on.

``report.schema.json`` beside this module describes it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.report import BaselineEntry, Better, ClauseCounts, ContractReport, Finding, Report, Score, Witness
from clausefit.hook.reports.order import in_order

SCHEMA = "clausefit-report/1"
METRICS = ("PostCorr", "PostComp", "PreCorr", "PreComp")


def to_json(report: Report) -> str:
    """The report as indented JSON with a final new line; the same report always gives the same text.

    The text can be encoded as UTF-8 (a byte of a file name that is not UTF-8 is written as ``\\udcff``), and holds
    no NaN: in a witness such a number is a string, elsewhere null. TypeError when a witness holds anything that is
    no JSON value.
    """
    ordered = in_order(report)
    document = {
        "schema": SCHEMA,
        "contracts": [_contract(contract) for contract in ordered.contracts],
        "findings": [_finding(finding) for finding in ordered.findings],
        "known": [_finding(finding) for finding in ordered.known],
        "stale": [_stale(entry) for entry in ordered.stale],
        "not_checked": [_not_checked(entry) for entry in ordered.not_checked],
        "verifiers": [{"name": v.name, "version": v.version, "provers": v.provers} for v in ordered.verifiers],
        "stats": {
            "questions": ordered.stats.questions,
            "asked": ordered.stats.asked,
            "cached": ordered.stats.cached,
            "undecided": ordered.stats.undecided,
            "seconds": _finite(ordered.stats.seconds),
        },
    }
    return json.dumps(encodable(document), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def _contract(contract: ContractReport) -> dict[str, Any]:
    further = sorted(set(contract.scores) - set(METRICS))
    return {
        "language": contract.language,
        "file": contract.file,
        "function": contract.function,
        "line": contract.line,
        "pins": {
            "static": contract.static_pins,
            "recorded": contract.recorded_pins,
            "used": contract.used_pins,
            "ignored": [{"source": source, "reason": reason} for source, reason in contract.ignored],
        },
        "scores": {name: _score(contract.scores.get(name, Score())) for name in (*METRICS, *further)},
        "clauses": [_clause(clause, contract.file) for clause in contract.clauses],
        "decided_by": dict(contract.decided_by),
    }


def _score(score: Score) -> dict[str, Any]:
    return {"passed": score.passed, "decided": score.decided, "asked": score.asked, "score": score.score}


def _clause(clause: ClauseCounts, file: str) -> dict[str, Any]:
    return {
        "kind": clause.kind,
        "text": clause.text,
        "file": clause.file or file,
        "line": clause.span.line,
        "column": clause.span.column,
        "end_line": clause.span.end_line,
        "end_column": clause.span.end_column,
        "accepts_right": clause.accepts_right,
        "rejects_right": clause.rejects_right,
        "rejects_wrong": clause.rejects_wrong,
        "accepts_wrong": clause.accepts_wrong,
        "undecided": clause.undecided,
        "decided_by": dict(clause.decided_by),
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "direction": finding.direction,
        "severity": finding.severity,
        "file": finding.file,
        "line": finding.line,
        "end_line": finding.end_line,
        "column": finding.column,
        "function": finding.function,
        "clause": {"kind": finding.clause[0], "text": finding.clause[1]} if finding.clause else None,
        "witness": _witness(finding.witness) if finding.witness else None,
        "witnesses": finding.witnesses,
        "message": finding.message,
        "fingerprint": finding.fingerprint,
        "decided_by": finding.decided_by,
        "better": _better(finding.better) if finding.better else None,
    }


def _stale(entry: BaselineEntry) -> dict[str, Any]:
    return {
        "fingerprint": entry.fingerprint,
        "code": entry.code,
        "file": entry.file,
        "function": entry.function,
        "clause": entry.clause,
    }


def _not_checked(entry: NotChecked) -> dict[str, Any]:
    return {
        "file": entry.file,
        "function": entry.function,
        "line": entry.line,
        "reason": entry.reason,
        "detail": entry.detail,
    }


def _better(better: Better) -> dict[str, Any]:
    return {"clause": better.clause, "lines": better.lines, "calls": better.calls}


def _witness(witness: Witness) -> dict[str, Any]:
    return {
        "inputs": _plain(witness.inputs),
        "right": _plain(witness.right),
        "wrong": _plain(witness.wrong),
        "test": witness.test,
        "test_file": witness.test_file,
        "test_line": witness.test_line,
    }


def _plain(value: Any) -> Any:
    """``value`` with numbers that JSON cannot hold as strings (``nan``, ``inf``, ``-inf``)."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(element) for element in value]
    return value


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def encodable(value: Any) -> Any:
    """A JSON value with every lone surrogate in its strings written out, since UTF-8 has no form for them."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {encodable(name): encodable(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [encodable(element) for element in value]
    return value
