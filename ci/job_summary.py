"""The summary of a job, in Markdown: all that a run found, the worst first. Needs no permission.

GitHub drops a summary beyond 1 MiB whole, so every part has its share, and says how many of it are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from clausefit.ci.annotations import by_severity, counted, fits, title_of
from clausefit.ci.escaping import code_block, code_cell, code_span, file_url, html_text, markdown_text, one_line, prose
from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.messages import names_clause, split_advice
from clausefit.hook.report import SEVERITIES, BaselineEntry, ContractReport, Finding, Report, Score
from clausefit.hook.reports.reasons import causes_first
from clausefit.hook.reports.tally import NOTHING_JUDGED, is_nothing_judged, tally
from clausefit.hook.visible import shortened, visible_name

Conclusion: TypeAlias = Literal["clean", "findings", "not-checked"]

LIMIT = 940_000
"""Bytes of a summary at most; GitHub's limit is 1,048,576 a step, and what was posted has to fit behind it."""
_SHARES = {
    "table": 220_000,
    "details": 340_000,
    "not checked": 150_000,
    "scores": 100_000,
    "known": 20_000,
    "stale": 20_000,
}
_LONGEST_TEXT = 2_000
_LONGEST_CLAUSE = 300
_LONGEST_LINKED = 1_000
_MOST_NOTES = 20
_METRICS = ("PostCorr", "PostComp", "PreCorr", "PreComp")
_MEANINGS = """\
- PostCorr: how many right outcomes of tests the postcondition accepts
- PostComp: how many wrong outcomes (right ones with a change) it rejects
- PreCorr: how many calls of tests that go well the precondition accepts
- PreComp: how many calls that fail it rejects; empty where no test shows one"""
_HEADS: dict[Conclusion, str] = {
    "clean": "nothing to act on",
    "findings": "findings to act on",
    "not-checked": "not everything could be checked",
}


@dataclass(frozen=True)
class About:
    """What a summary says beside the report: what was judged, how it ended, and where lines can be looked at.

    Without ``repository`` or ``commit`` places are not linked. ``report`` is the name of the file with everything.
    ``reporter`` is the run of others whose report this is, as part of a sentence: nothing of it is vouched for.
    """

    why: str
    conclusion: Conclusion
    server: str = ""
    repository: str = ""
    commit: str = ""
    report: str = ""
    notes: tuple[str, ...] = ()
    reporter: str = ""


def summary(report: Report, about: About) -> str:
    """The summary of a report; below ``LIMIT`` bytes in UTF-8, ended by a new line."""
    page = _Page(about)
    findings = by_severity(report.findings)
    parts = [
        page.head(report),
        page.table(findings),
        page.details(findings),
        page.not_checked(causes_first(report)),
        page.scores(report.contracts),
        page.known(report.known),
        page.stale(report.stale),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def problem_summary(text: str, why: str = "") -> str:
    """The summary of a run that could not check anything."""
    judged = f"\n\n{markdown_text(one_line(why, _LONGEST_TEXT))}" if why else ""
    return f"## clausefit: could not check{judged}\n\n{markdown_text(one_line(text, _LONGEST_TEXT))}\n"


def posting_summary(done: Sequence[str], notes: Sequence[str]) -> str:
    """What was posted and what was not, to follow a summary."""
    lines = [f"- {markdown_text(one_line(line, _LONGEST_CLAUSE))}" for line in (*done, *notes)]
    if len(lines) > _MOST_NOTES:
        lines = [*lines[:_MOST_NOTES], f"- {len(lines) - _MOST_NOTES} more, in the log"]
    return "\n".join(("", "### Posted" if done else "### Not posted", "", *lines)) + "\n" if lines else ""


def word_of(report: Report, conclusion: Conclusion, word: str) -> str:
    """``word`` for how the run ended; where nothing was judged it is not said to be clean."""
    return NOTHING_JUDGED if conclusion == "clean" and is_nothing_judged(report) else word


def severities(findings: Iterable[Finding]) -> str:
    """``3 findings (1 error, 2 warnings)``."""
    found = [finding.severity for finding in findings]
    kinds = ", ".join(counted(found.count(name), name) for name in reversed(SEVERITIES) if name in found)
    return counted(len(found), "finding") + (f" ({kinds})" if kinds else "")


class _Page:
    def __init__(self, about: About) -> None:
        self._about = about

    def head(self, report: Report) -> str:
        about = self._about
        number = tally(report)
        facts = [f"{counted(number.judged, 'contract')} judged"]
        facts += [f"{number.without_pins} without pins"] if number.without_pins else []
        facts += [f"{number.undecided} undecided"] if number.undecided else []
        facts += [severities(report.findings)]
        facts += [f"{len(report.not_checked)} not checked"] if report.not_checked else []
        facts += [f"{counted(len(report.known), 'finding')} known in the baseline"] if report.known else []
        facts += [f"{len(report.stale)} stale in the baseline"] if report.stale else []
        title = f"## clausefit: {word_of(report, about.conclusion, _HEADS[about.conclusion])}"
        lines = [title, f"**{', '.join(facts)}**", markdown_text(one_line(about.why, _LONGEST_TEXT))]
        if about.reporter:
            lines.append(f"Reported by {about.reporter}; nobody has checked it: findings may be untrue or missing.")
        lines += [f"> {markdown_text(one_line(note, _LONGEST_CLAUSE))}" for note in about.notes[:_MOST_NOTES]]
        return "\n\n".join(line for line in lines if line)

    def table(self, findings: Sequence[Finding]) -> str:
        if not findings:
            return ""
        head = "### Findings\n\n| | Place | Finding | Clause |\n|---|---|---|---|"
        rows = (
            f"| {finding.severity} | {self._place(finding.file, finding.line, finding.end_line)} "
            f"| {markdown_text(one_line(title_of(finding), _LONGEST_CLAUSE))} | {_clause_cell(finding)} |"
            for finding in findings
        )
        return self._fitted(head, rows, len(findings), "table")

    def details(self, findings: Sequence[Finding]) -> str:
        return self._fitted("", (self._detail(finding) for finding in findings), len(findings), "details", "\n\n")

    def _detail(self, finding: Finding) -> str:
        what, advice = split_advice(finding.code, finding.message)
        place = self._place(finding.file, finding.line, finding.end_line)
        lines = [f"#### {finding.severity} {markdown_text(one_line(title_of(finding), _LONGEST_CLAUSE))} at {place}"]
        if finding.clause is not None and not names_clause(what, finding.clause[1]):
            lines.append(code_span(one_line(finding.clause[1], _LONGEST_TEXT)))
        lines.append(prose(one_line(what, _LONGEST_TEXT)))
        facts = []
        if finding.witness is not None and finding.witness.test_file:
            witness = finding.witness
            test = self._place(witness.test_file, witness.test_line, witness.test_line)
            facts.append(f"Test: {code_span(one_line(witness.test, _LONGEST_CLAUSE))} at {test}")
        if finding.witnesses > 1:
            others = finding.witnesses - 1
            facts.append(f"{counted(others, 'more outcome')} {'shows' if others == 1 else 'show'} the same")
        if finding.decided_by == "evaluation":
            facts.append("Evaluation alone says so: no verifier could decide it")
        if advice:
            facts.append(f"Help: {prose(advice)}")
        lines += ["\n".join(f"- {fact}" for fact in facts)] if facts else []
        if finding.better is not None:
            clause = code_block(shortened(finding.better.clause, _LONGEST_TEXT))
            why = "That run proposes" if self._about.reporter else f"Better, for it {fits(finding.better)}"
            lines += [f"{why}:", clause]
        return "\n\n".join(lines)

    def not_checked(self, entries: Sequence[NotChecked]) -> str:
        if not entries:
            return ""
        rows = (
            f"| {markdown_text(one_line(entry.reason, _LONGEST_CLAUSE))} "
            f"| {self._place(entry.file, entry.line or 0, entry.line or 0)} "
            f"| {code_cell(one_line(entry.function, _LONGEST_CLAUSE)) if entry.function else ''} "
            f"| {markdown_text(one_line(entry.detail, _LONGEST_CLAUSE))} |"
            for entry in entries
        )
        head = "| Reason | Place | Function | Why |\n|---|---|---|---|"
        return _collapsed(f"Not checked ({len(entries)})", self._fitted(head, rows, len(entries), "not checked"))

    def scores(self, contracts: Sequence[ContractReport]) -> str:
        if not contracts:
            return ""
        ordered = sorted(contracts, key=lambda c: (c.file, c.line, c.function))
        rows = (
            f"| {self._place(one.file, one.line, one.line)} | {code_cell(one_line(one.function, _LONGEST_CLAUSE))} "
            f"| {one.used_pins} of {one.static_pins + one.recorded_pins} "
            f"| {' | '.join(_score(one.scores.get(name)) for name in _METRICS)} |"
            for one in ordered
        )
        head = f"| Place | Contract | Pins | {' | '.join(_METRICS)} |\n|---|---|---|{'---|' * len(_METRICS)}"
        table = self._fitted(head, rows, len(contracts), "scores")
        return _collapsed(f"Scores of {counted(len(contracts), 'contract')}", f"{table}\n\n{_MEANINGS}")

    def known(self, findings: Sequence[Finding]) -> str:
        if not findings:
            return ""
        rows = (
            f"- {self._place(one.file, one.line, one.end_line)} "
            f"{markdown_text(one_line(title_of(one), _LONGEST_CLAUSE))}"
            for one in by_severity(findings)
        )
        return _collapsed(f"Known in the baseline ({len(findings)})", self._fitted("", rows, len(findings), "known"))

    def stale(self, entries: Sequence[BaselineEntry]) -> str:
        if not entries:
            return ""
        rows = (
            f"- {code_cell(one_line(_name(one.file), _LONGEST_CLAUSE))} "
            f"{markdown_text(one_line(one.code, _LONGEST_CLAUSE))} "
            f"{markdown_text(one_line(one.function, _LONGEST_CLAUSE))}"
            for one in entries
        )
        title = f"Stale in the baseline ({len(entries)}): no finding answers to them, take them out"
        return _collapsed(title, self._fitted("", rows, len(entries), "stale"))

    def _place(self, file: str, line: int, end_line: int) -> str:
        about = self._about
        shown = code_cell(one_line(f"{_name(file)}:{line}" if line else _name(file), _LONGEST_CLAUSE))
        if not (about.server and about.repository and about.commit and 0 < len(file) <= _LONGEST_LINKED):
            return shown
        return f"[{shown}]({file_url(about.server, about.repository, about.commit, file, (line, end_line))})"

    def _fitted(self, head: str, rows: Iterable[str], count: int, share: str, between: str = "\n") -> str:
        """``head`` and as many rows as fit into the share, then how many did not."""
        kept = [head] if head else []
        room, shown = _SHARES[share] - len(head.encode("utf-8", "replace")), 0
        for row in rows:
            room -= len(row.encode("utf-8", "backslashreplace")) + len(between)
            if room < 0:
                break
            kept.append(row)
            shown += 1
        if shown < count:
            where = (
                f"; {code_span(one_line(self._about.report, _LONGEST_CLAUSE))} holds all" if self._about.report else ""
            )
            kept.append(f"\n{count - shown} of {count} are not shown here, for its size{where}.")
        return between.join(kept)


def _name(file: str) -> str:
    return visible_name(file[:_LONGEST_LINKED])  # before blanks are made one: a line end is no blank of a name


def _clause_cell(finding: Finding) -> str:
    return code_cell(one_line(finding.clause[1], _LONGEST_CLAUSE)) if finding.clause else "the whole contract"


def _score(score: Score | None) -> str:
    if score is None or not score.asked:
        return ""
    undecided = f" ({score.asked - score.decided} undecided)" if score.decided < score.asked else ""
    return f"{score.passed}/{score.decided}{undecided}"


def _collapsed(title: str, body: str) -> str:
    return f"<details><summary>{html_text(title)}</summary>\n\n{body}\n\n</details>"
