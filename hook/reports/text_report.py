"""The report for people: every finding with its place, its evidence and the next step, then what was not checked.

On a terminal it is coloured and wrapped; piped it is plain text with one line a fact, so that it can be
searched. Nothing that came from a file is ever read as markup or sent to the terminal as it is.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Mapping, Sequence

from clausefit.hook.budget import HOOK_SECONDS, NOT_ASKED, REASON
from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.messages import split_advice
from clausefit.hook.report import SEVERITIES, BaselineEntry, Better, Finding, Report, Stats
from clausefit.hook.reports.order import in_order
from clausefit.hook.reports.reasons import REASONS
from clausefit.hook.reports.tally import NOTHING_JUDGED, Tally, tally
from clausefit.hook.visible import shortened, visible, visible_name
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

DEFAULT_LIMIT = 5
_STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}
_LONGEST_CLAUSE = 100
_LONGEST_DETAIL = 300
_TAB = "    "
_LEAST_WIDTH = 20


def render(
    report: Report,
    console: Console,
    *,
    sources: Mapping[str, str] | None = None,
    limit: int | None = DEFAULT_LIMIT,
    looked_at: str = "",
    renew: str = "clausefit baseline",
) -> None:
    """Print ``report`` to ``console``.

    ``sources`` maps file names, as the findings have them, to the text of the file: those findings show their line.
    ``limit`` is how many entries for each reason of the not-checked list are shown, None for all. ``looked_at`` names
    what was searched for contracts ("what is staged"): it is said when there was none. ``renew`` is the command that
    writes the baseline anew.
    """
    ordered = in_order(report)
    page = _Page(console)
    lines = _Sources(sources or {})
    for finding in ordered.findings:
        _finding(page, finding, lines)
    _stale(page, ordered.stale, limit, renew)
    _not_checked(page, ordered.not_checked, limit)
    _summary(page, ordered, looked_at)


def to_text(report: Report) -> str:
    """The report as plain text, as it looks when it is piped, without source lines."""
    buffer = io.StringIO()
    render(report, Console(file=buffer, color_system=None, force_terminal=False))
    return buffer.getvalue()


class _Page:
    """Writes to a console: wrapped below an indent on a terminal, in whole lines elsewhere."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._wraps = console.is_terminal
        self._encoding = console.encoding

    @property
    def room(self) -> int | None:
        """The columns of the terminal, or None where lines may have any length."""
        return max(self._console.width, _LEAST_WIDTH) if self._wraps else None

    def line(self, *parts: tuple[str, str], indent: str = "") -> None:
        """One paragraph made of (text, style) parts, all escaped here; long ones are wrapped on a terminal."""
        text = Text(end="")
        for part, style in parts:
            text.append(self._safe(part), style=style or None)
        rows: Sequence[Text] = [text]
        if self.room is not None:
            rows = list(text.wrap(self._console, max(self.room - len(indent), _LEAST_WIDTH)))
        for row in rows or [text]:
            row.rstrip()
            self._console.print(Text(indent) + row, soft_wrap=True, highlight=False)

    def whole(self, *parts: tuple[str, str]) -> None:
        """One line that stays in one piece (a terminal folds it), so that its place can be clicked."""
        text = Text()
        for part, style in parts:
            text.append(self._safe(part), style=style or None)
        self._console.print(text, soft_wrap=True, highlight=False)

    def _safe(self, text: str) -> str:
        # The terminal's own encoding may lack letters of a clause: they are shown as escapes too.
        shown = visible(text)
        return shown if shown.isascii() else shown.encode(self._encoding, "backslashreplace").decode(self._encoding)


class _Sources:
    """The lines of the sources, each file split once."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._lines: dict[str, list[str]] = {}

    def line(self, file: str, number: int) -> str | None:
        """The line (from 1) without its end, or None when it is not known."""
        if file not in self._texts:
            return None
        if file not in self._lines:
            # Not str.splitlines: it also splits at form feeds, which compilers and readers do not count.
            self._lines[file] = re.split(r"\r\n|\r|\n", self._texts[file])
        lines = self._lines[file]
        return lines[number - 1] if 0 < number <= len(lines) else None


def _finding(page: _Page, finding: Finding, lines: _Sources) -> None:
    clause = shortened(finding.clause[1], _LONGEST_CLAUSE) if finding.clause else "the whole contract"
    subject = [(": ", ""), (finding.function, "bold")] if finding.function else []
    if finding.direction != "suppression":  # that is about a comment, which may stand at no function
        subject.append((f": {clause}", ""))
    page.whole(
        (f"{visible_name(finding.file)}:{finding.line}:{finding.column}:", "bold"),
        (" ", ""),
        (finding.severity, _STYLES.get(finding.severity, "bold")),
        (f" {finding.code} {finding.direction.replace('_', ' ')}", ""),
        *subject,
    )
    what, advice = split_advice(finding.code, finding.message)
    page.line((what, ""), indent="  ")
    if finding.witnesses > 1:
        others = finding.witnesses - 1
        page.line((f"{_count(others, 'more outcome')} {'shows' if others == 1 else 'show'} the same.", ""), indent="  ")
    source = lines.line(finding.file, finding.line)
    if finding.decided_by == _EVALUATION:
        page.line(("Evaluation alone says so: no verifier could decide it.", ""), indent="  ")
    if source is not None:
        _snippet(page, finding, source)
    if advice:
        page.line(("help: ", "bold green"), (advice, ""), indent="  ")
    if finding.better is not None:
        _better(page, finding.better)
    page.whole((f"  more: clausefit explain {finding.code}", "dim"))
    page.whole()


def _better(page: _Page, better: Better) -> None:
    """A suggestion, said with what it rests on."""
    fits = {0: "all tested calls", 1: "the one tested call"}.get(better.calls, f"all {better.calls} tested calls")
    page.line(
        ("better: ", "bold green"), (f"`{shortened(better.clause, _LONGEST_CLAUSE)}` fits {fits}", ""), indent="  "
    )


def _snippet(page: _Page, finding: Finding, source: str) -> None:
    """The source line with what is blamed underlined; a line that is too long is shown around that place."""
    column = min(max(finding.column, 1), len(source) + 1) - 1
    end = len(source.rstrip())
    if finding.clause and finding.end_line == finding.line:
        found = source.startswith(finding.clause[1], column)
        end = column + len(finding.clause[1]) if found else end
    gutter = f"  {finding.line} | "
    room = (page.room or 160) - len(gutter)
    # Only so much of a line of any length is looked at as can be shown.
    before, blamed = _shown(source[max(column - room, 0) : column]), _shown(source[column : min(end, column + room)])
    if column > room or cell_len(before) + cell_len(blamed) > room:
        before = "..." if before else ""
    blamed = _fitting(blamed, room - cell_len(before))
    after = _fitting(_shown(source[end : end + room].rstrip()), room - cell_len(before) - cell_len(blamed))
    page.whole((gutter, "blue"), (before + blamed + after, ""))
    carets = "^" * max(cell_len(blamed), 1)
    page.whole((" " * (len(gutter) - 2) + "| ", "blue"), (" " * cell_len(before) + carets, "bold red"))


def _shown(text: str) -> str:
    return visible(text.replace("\t", _TAB))


def _fitting(text: str, room: int) -> str:
    """``text`` cut to ``room`` columns (a wide letter takes two)."""
    if cell_len(text) <= room:
        return text
    kept, used = [], 0
    for letter in text:
        used += cell_len(letter)
        if used > room - 3:
            break
        kept.append(letter)
    return "".join(kept) + "..." if room >= 3 else ""


def _stale(page: _Page, entries: Sequence[BaselineEntry], limit: int | None, renew: str) -> None:
    if not entries:
        return
    page.whole((f"Stale in the baseline ({len(entries)}):", "bold"), (" no longer found", ""))
    shown = entries if limit is None else entries[:limit]
    for entry in shown:
        clause = f": {shortened(entry.clause, _LONGEST_CLAUSE)}" if entry.clause else ""
        file = visible_name(entry.file)
        where = f"{file}: {entry.function}" if entry.function else file
        page.line((f"{entry.code} {where}", ""), (clause, "dim"), indent="  ")
    if len(shown) < len(entries):
        page.whole((f"  ... and {len(entries) - len(shown)} more; --verbose lists them all", ""))
    page.line(("help: ", "bold green"), (f"run `{renew}` to drop them", ""), indent="  ")
    page.whole()


def _not_checked(page: _Page, entries: Sequence[NotChecked], limit: int | None) -> None:
    if limit is not None:  # of each of these there is nothing more to say than the summary does
        entries = [entry for entry in entries if entry.reason != NOT_ASKED]
    if not entries:
        return
    groups: dict[str, list[NotChecked]] = {}
    for entry in entries:
        groups.setdefault(entry.reason, []).append(entry)
    page.whole((f"Not checked ({len(entries)}):", "bold"))
    hidden = 0
    for reason in sorted(groups):
        group = groups[reason]
        meaning = f": {REASONS[reason]}" if reason in REASONS else ""
        page.line((reason, "yellow"), (f" ({len(group)}){meaning}", ""), indent="  ")
        shown = group if limit is None else group[:limit]
        for entry in shown:
            file = visible_name(entry.file)
            place = file if entry.line is None else f"{file}:{entry.line}"
            where = f"{place}: {entry.function}" if entry.function else place
            detail = f": {shortened(entry.detail, _LONGEST_DETAIL)}" if entry.detail else ""
            page.line((where, ""), (detail, "dim"), indent="    ")
        if len(shown) < len(group):
            page.whole((f"    ... and {len(group) - len(shown)} more", ""))
            hidden += len(group) - len(shown)
    if hidden:
        page.line((f"{hidden} of {len(entries)} are not listed here; --verbose lists them all.", ""), indent="  ")
    page.whole()


_EVALUATION = "evaluation"
"""Who decided, where no verifier could (``Judgement.decided_by``)."""


def _summary(page: _Page, report: Report, looked_at: str) -> None:
    stats, counted = report.stats, tally(report)
    listed = _listed(report)
    if not counted.total and not report.findings:
        where = f" in {looked_at}" if looked_at else ""
        page.line((f"No contract to judge{where}{listed}; {stats.seconds:.1f} s", "bold"))
        return
    by_severity = {name: sum(f.severity == name for f in report.findings) for name in reversed(SEVERITIES)}
    kinds = ", ".join(_count(number, name) for name, number in by_severity.items() if number)
    found = _count(len(report.findings), "finding") + (f" ({kinds})" if kinds else "")
    worst = next((name for name, number in by_severity.items() if number), None)
    asked = f", {stats.undecided} undecided; {_questions(report)}" if stats.questions else ""
    if not counted.judged and not report.findings:
        page.line((f"{_judged(counted, stats)}{listed}{asked}; {stats.seconds:.1f} s", "bold"))
        return
    page.line(
        (f"{_judged(counted, stats)}, ", ""),
        (found, _STYLES[worst] if worst else "bold" if _is_cut(report) else "bold green"),
        (f"{listed}{asked}; {stats.seconds:.1f} s", ""),
    )


def _want_of_time(counted: Tally, stats: Stats) -> str:
    """Whether to run again: where not one answer came, the time may be too short for a verifier to start in."""
    if counted.judged or stats.asked or stats.cached:
        return "what was decided is kept, and the next run goes on from there"
    enough = max(HOOK_SECONDS, 2 * math.ceil(stats.seconds))
    return f"nothing was decided: a verifier takes some seconds to start; give it more, as `--budget {enough:g}`"


def _judged(counted: Tally, stats: Stats) -> str:
    """How many contracts were judged, and why the others were not; the numbers add up."""
    whys = {
        "without pins": counted.without_pins,
        "undecided": counted.undecided,
        f"for want of time ({_want_of_time(counted, stats)})": counted.unreached,
        "not asked about (no verifier was started)": counted.unasked,
    }
    parts = [(number, why) for why, number in whys.items() if number]
    if not counted.judged:
        # The first number says what all of them count.
        said = [f"{number if at else _count(number, 'contract')} {why}" for at, (number, why) in enumerate(parts)]
        return f"{NOTHING_JUDGED.capitalize()}: {', '.join(said)}" if said else NOTHING_JUDGED.capitalize()
    if not parts:
        return f"{_count(counted.judged, 'contract')} judged"
    rest = ", ".join(f"{number} {why}" for number, why in parts)
    return f"{counted.judged} of {_count(counted.total, 'contract')} judged, {rest}"


def _questions(report: Report) -> str:
    stats = report.stats
    evaluated = sum(contract.decided_by.get(_EVALUATION, 0) for contract in report.contracts)
    left = stats.questions - stats.asked - stats.cached
    return (
        f"{_count(stats.questions, 'question')}: {stats.asked} asked, {stats.cached} cached"
        + (f", {left} left" if left > 0 else "")
        + (f", {evaluated} judged by evaluation alone" if evaluated else "")
    )


def _is_cut(report: Report) -> bool:
    return any(entry.reason in (REASON, NOT_ASKED) for entry in report.not_checked)


def _listed(report: Report) -> str:
    """What is listed or hidden beside the findings, as a part of the summary: each begins with a comma."""
    listed = sum(entry.reason != NOT_ASKED for entry in report.not_checked)
    parts = f", {len(report.known)} known from the baseline" if report.known else ""
    parts += f", {report.suppressed} hidden by comments" if report.suppressed else ""
    parts += f", {report.ignored} hidden by the setting `ignore`" if report.ignored else ""
    return parts + (f", {listed} listed as not checked" if listed else "")


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
