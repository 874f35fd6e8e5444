"""A report from its JSON text (``clausefit-report/1``), believed in nothing.

The text may come from a run on a fork: whatever it holds, it gives a ``Report`` of the right types and bounded sizes,
or one line that says what is wrong with it. ``report.schema.json`` describes the same shape for other programs.
"""

from __future__ import annotations

from typing import Any, get_args

from clausefit.hook.contracts.model import Language, NotChecked, Span
from clausefit.hook.report import (
    SEVERITIES,
    BaselineEntry,
    Better,
    ClauseCounts,
    ContractReport,
    Direction,
    Finding,
    Report,
    Score,
    Stats,
    VerifierInfo,
    Witness,
)
from clausefit.hook.reports.json_report import METRICS, SCHEMA
from clausefit.hook.reports.strict_json import (
    Misfit,
    choice,
    form,
    many,
    members,
    named,
    number,
    optional,
    parsed,
    path_inside,
    plain,
    text,
    whole,
    word,
)
from clausefit.hook.visible import shortened, visible

MAX_BYTES = 32 << 20
_LAST_LINE = 2**31 - 1  # SARIF's consumers and GitHub count lines in 32 bits
_LONGEST_RUN = 1e9

FINGERPRINT = form("[0-9a-f]{32}", "32 hex digits")
CODE = form("CF[0-9]{3}", "a rule code (CF101)")


class ReportProblem(Exception):  # noqa: N818 - what is wrong is the file
    """The text is no report; the message is one line: the report's name, the place in it, and what is wrong there."""


def read_report(text: str | bytes, name: str) -> Report:
    """The report whose JSON text this is; messages call it ``name``. Raises ReportProblem, and nothing else.

    Paths of contracts, findings and tests are relative and stay inside the project; those of what was not checked may
    be anything (system headers are named as well). What JSON does not carry (offsets of spans, numbers that are no
    numbers) is 0, or the text that was written for it.
    """
    try:
        return _report(parsed(text, MAX_BYTES), "")
    except Misfit as misfit:
        raise ReportProblem(f"{shortened(visible(name), 200)}: no {SCHEMA}: {misfit}") from misfit


def _report(value: object, place: str) -> Report:
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        raise Misfit(f'the document does not say that it is one ("schema": "{SCHEMA}")')
    found = _DOCUMENT(value, place)
    del found["schema"]
    return Report(**found)


def _contract(value: object, place: str) -> ContractReport:
    found = _CONTRACT(value, place)
    pins = found["pins"]
    return ContractReport(
        found["language"],
        found["file"],
        found["function"],
        found["line"],
        pins["static"],
        pins["recorded"],
        pins["used"],
        tuple((one["source"], one["reason"]) for one in pins["ignored"]),
        found["scores"],
        found["clauses"],
        found["decided_by"],
    )


def _scores(value: object, place: str) -> dict[str, Score]:
    found = named(_score)(value, place)
    for metric in METRICS:
        if metric not in found:
            raise Misfit(f"{place}: the key '{metric}' is missing")
    return found


def _score(value: object, place: str) -> Score:
    found = _SCORE(value, place)
    if not found["passed"] <= found["decided"] <= found["asked"]:
        raise Misfit(f"{place}: more passed than decided, or more decided than asked")
    return Score(found["passed"], found["decided"], found["asked"])


def _clause_counts(value: object, place: str) -> ClauseCounts:
    found = _CLAUSE_COUNTS(value, place)
    span = {key: found.pop(key) for key in ("line", "column", "end_line", "end_column")}
    return ClauseCounts(span=Span(**span, start=0, end=0), **found)


def _finding(value: object, place: str) -> Finding:
    found = _FINDING(value, place)
    clause = found.pop("clause")
    return Finding(clause=(clause["kind"], clause["text"]) if clause else None, **found)


def _witness(value: object, place: str) -> Witness:
    return Witness(**_WITNESS(value, place))


def _better(value: object, place: str) -> Better:
    return Better(**_BETTER(value, place))


def _stale(value: object, place: str) -> BaselineEntry:
    return BaselineEntry(**_STALE(value, place))


def _not_checked(value: object, place: str) -> NotChecked:
    return NotChecked(**_NOT_CHECKED(value, place))


def _verifier(value: object, place: str) -> VerifierInfo:
    return VerifierInfo(**_VERIFIER(value, place))


def _stats(value: object, place: str) -> Stats:
    return Stats(**_STATS(value, place))


def _seconds(value: object, place: str) -> float:
    return float("nan") if value is None else number(0, _LONGEST_RUN)(value, place)


def _test_file(value: object, place: str) -> str:
    """A path, or nothing: a recorded call may come from no known file."""
    return "" if value == "" else path_inside(value, place)


def _values(value: object, place: str) -> dict[str, Any]:
    return named(plain)(value, place)


_COUNT = whole(0)
_LINE = whole(1, _LAST_LINE)
_DECIDERS = named(_COUNT)
_CLAUSE = members({"kind": text, "text": text})
_SCORE = members({"passed": _COUNT, "decided": _COUNT, "asked": _COUNT, "score": optional(number(0, 1))})
_CLAUSE_COUNTS = members(
    {
        "kind": text,
        "text": text,
        "file": path_inside,
        "line": _LINE,
        "column": _LINE,
        "end_line": _LINE,
        "end_column": _LINE,
        "accepts_right": _COUNT,
        "rejects_right": _COUNT,
        "rejects_wrong": _COUNT,
        "accepts_wrong": _COUNT,
        "undecided": _COUNT,
        "decided_by": _DECIDERS,
    }
)
_PINS = members(
    {
        "static": _COUNT,
        "recorded": _COUNT,
        "used": _COUNT,
        "ignored": many(members({"source": text, "reason": text})),
    }
)
_CONTRACT = members(
    {
        "language": choice(get_args(Language)),
        "file": path_inside,
        "function": text,
        "line": _LINE,
        "pins": _PINS,
        "scores": _scores,
        "clauses": many(_clause_counts),
        "decided_by": _DECIDERS,
    }
)
_WITNESS = members(
    {
        "inputs": _values,
        "right": _values,
        "wrong": optional(_values),
        "test": text,
        "test_file": _test_file,
        "test_line": whole(0, _LAST_LINE),
    }
)
_BETTER = members({"clause": text, "lines": text, "calls": _COUNT})
_FINDING = members(
    {
        "code": CODE,
        "direction": choice(get_args(Direction)),
        "severity": choice(SEVERITIES),
        "file": path_inside,
        "line": _LINE,
        "end_line": _LINE,
        "column": _LINE,
        "function": text,
        "clause": optional(_CLAUSE),
        "witness": optional(_witness),
        "witnesses": _COUNT,
        "message": text,
        "fingerprint": FINGERPRINT,
        "decided_by": text,
        "better": optional(_better),
    }
)
_STALE = members({"fingerprint": FINGERPRINT, "code": CODE, "file": path_inside, "function": text, "clause": text})
_NOT_CHECKED = members(
    {"file": text, "function": optional(text), "line": optional(_LINE), "reason": word, "detail": text}
)
_VERIFIER = members({"name": text, "version": text, "provers": many(text)})
_STATS = members({"questions": _COUNT, "asked": _COUNT, "cached": _COUNT, "undecided": _COUNT, "seconds": _seconds})
_DOCUMENT = members(
    {
        "schema": text,
        "contracts": many(_contract),
        "findings": many(_finding),
        "known": many(_finding),
        "stale": many(_stale),
        "not_checked": many(_not_checked),
        "verifiers": many(_verifier),
        "stats": _stats,
    }
)
