"""Findings that were accepted on purpose: ``// clausefit: ignore[CF101, CF102] reason`` in a comment.

The form ``clausefit: ignore CF101, CF102 -- reason`` means the same. Inside an annotation only a ``//`` comment
can hold it (ACSL §2.1; Frama-C refuses ``/*`` there); outside any comment can. What is suppressed:

- at the end of a line, inside an annotation: the clause there; outside: the contract that ends or stands there;
- on a line of its own, inside an annotation: the next clause; outside: the contract that follows.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from clausefit.hook import rules
from clausefit.hook.changed_suppressions import MARK
from clausefit.hook.contracts.acsl_tokens import Places
from clausefit.hook.contracts.model import Clause, Contract
from clausefit.hook.messages import fingerprint, message
from clausefit.hook.report import Finding

# Every alternative that can begin also ends (at the end of the line or text if need be), so that nothing is
# scanned twice. Numbers are read for C23's digit separators: the quotes in 1'000'000 begin no literal.
_PARTS = r"""(?P<line>//(?:\\\r?\n|[^\n])*)
      | (?P<block>/\*(?s:.*?)(?:\*/|\Z))
      | "(?:\\(?s:.)|[^"\\\n])*"?
      | '(?:\\(?s:.)|[^'\\\n])*'?
      | \d(?:\w|'\w)*
      | [A-Za-z_]\w*"""
_LEXICAL = re.compile(_PARTS, re.VERBOSE)
# In C three quotes are an empty string and the start of another one.
_LEXICAL_JAVA = re.compile(rf"""\"{{3}}(?:[^"\\]|\\(?s:.)|"(?!""))*(?:\"{{3}})? | {_PARTS}""", re.VERBOSE)
_REQUEST = re.compile(r"clausefit:[ \t]*ignore\b(?P<rest>[^\n]*)")
_BRACKETED = re.compile(r"[ \t]*\[(?P<codes>[^\]]*)\](?P<reason>.*)")
_LISTED = re.compile(r"[ \t]*(?P<codes>[\w-]*\w(?:[ \t]*,[ \t]*[\w-]*\w|[ \t]+CF\w+)*)?(?P<reason>.*)")
_SPACE = re.compile(r"\s*")


@dataclass(frozen=True)
class Suppression:
    """One request. ``start`` is its offset in the text, ``line`` and ``column`` its place.

    ``scope`` is a stretch of the text (offsets, both included): the annotation that the request stands in, or else
    the annotation or the code that follows its comment; ``scope_lines`` are the lines of that.
    """

    file: str
    line: int
    column: int
    start: int
    codes: tuple[str, ...]
    reason: str
    in_annotation: bool
    own_line: bool
    scope: tuple[int, int]
    scope_lines: tuple[int, int]


@dataclass(frozen=True)
class Applied:
    """What is left of the findings, how many were suppressed, and the findings about the suppressions."""

    kept: tuple[Finding, ...]
    suppressed: int
    extra: tuple[Finding, ...]


def find(text: str, file: str) -> tuple[Suppression, ...]:
    """The suppressions in a C or Java source, in order.

    ``text`` must be the one that the contracts' spans count in.
    """
    if MARK not in text:
        return ()
    lexical = _LEXICAL_JAVA if file.endswith((".java", ".jml")) else _LEXICAL
    comments = [match for match in lexical.finditer(text) if match.lastgroup]
    places = Places(text)
    found = []
    ends = [match.start() for match in re.finditer("[{;]", text)] + [len(text)]
    last = comments[-1].end() if comments else 0
    following = (_skip(text, last), ends[bisect_left(ends, _skip(text, last))])
    # From the last comment to the first, so that what follows a row of comments is looked for once.
    for index in range(len(comments) - 1, -1, -1):
        comment = comments[index]
        scope = comment.span() if _is_annotation(text, comment) else following
        requests = _requests(text, comment, lexical)
        found.append([_suppression(text, file, places, comment, request, scope) for request in requests])
        following = _preceded(text, comment, index and comments[index - 1].end(), following, ends)
    return tuple(one for row in reversed(found) for one in row)


def _requests(text: str, comment: re.Match[str], lexical: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """The requests in a comment; in an annotation those in its ``//`` comments, not in its strings."""
    if not _is_annotation(text, comment):
        yield from _REQUEST.finditer(text, comment.start(), comment.end())
        return
    for inner in lexical.finditer(text, comment.start() + 2, comment.end()):
        if inner.lastgroup == "line":
            yield from _REQUEST.finditer(text, inner.start(), inner.end())


def apply(
    findings: Iterable[Finding],
    suppressions: Iterable[Suppression],
    contracts: Iterable[Contract],
    judged: Callable[[Contract], bool] = lambda _: True,
) -> Applied:
    """Take the suppressed findings out, and report suppressions that are unused (CF901), give no reason (CF902,
    these suppress nothing) or name no rule (CF903).

    ``contracts`` are those of the files of the suppressions. A suppression at a contract that was not ``judged``
    is not called unused: its finding may be there still. Call this before findings are dropped for other reasons.
    """
    index = _Index(contracts)
    all_findings = tuple(findings)
    open_findings: dict[tuple[str, str], list[Finding]] = {}
    for finding in all_findings:
        open_findings.setdefault((finding.function, finding.code), []).append(finding)
    extra: list[Finding] = []
    for one in suppressions:
        target = index.target(one)
        function = target.contract.function if target else ""
        codes = _known_codes(one, function, extra)
        if codes and not one.reason:
            extra.append(_about(one, "CF902", ", ".join(codes), function))
            continue
        for code in codes:
            candidates = open_findings.get((function, code), [])
            left = [finding for finding in candidates if target is None or not target.covers(finding)]
            if len(left) < len(candidates):
                open_findings[function, code] = left
            elif target is None or judged(target.contract):
                extra.append(_about(one, "CF901", code, function))
    still_open = {id(finding) for row in open_findings.values() for finding in row}
    kept = tuple(finding for finding in all_findings if id(finding) in still_open)
    return Applied(kept, len(all_findings) - len(kept), tuple(extra))


def targets(
    suppressions: Iterable[Suppression], contracts: Iterable[Contract]
) -> list[tuple[Contract, Clause | None] | None]:
    """What each suppression stands at: a contract and, where it is about one clause only, that; None: no contract."""
    index = _Index(contracts)
    found = [index.target(one) for one in suppressions]
    return [None if target is None else (target.contract, target.clause) for target in found]


def _known_codes(one: Suppression, function: str, extra: list[Finding]) -> tuple[str, ...]:
    """The rule codes that are asked for; what is no rule goes to ``extra`` as a CF903."""
    known = {}
    for written in one.codes or ("",):
        rule = rules.find(written)
        if rule is None:
            extra.append(_about(one, "CF903", written, function))
        else:
            known[rule.code] = written
    return tuple(known)


@dataclass(frozen=True)
class _Target:
    """The contract, or the one clause of it, that a suppression stands at."""

    contract: Contract
    clause: Clause | None

    def covers(self, finding: Finding) -> bool:
        if finding.function != self.contract.function:
            return False
        if self.clause is None:
            files = {clause.file for clause in self.contract.clauses if clause.file} | {self.contract.file}
            return finding.file in files
        if finding.file != _file_of(self.clause, self.contract):
            return False
        span = self.clause.span
        return (span.line, span.column) <= (finding.line, finding.column) < (span.end_line, span.end_column)


class _Index:
    """Clauses and contracts by their places, file by file."""

    def __init__(self, contracts: Iterable[Contract]) -> None:
        self._clauses: dict[str, list[tuple[int, Contract, Clause]]] = {}
        self._starts: dict[str, list[tuple[int, Contract]]] = {}
        self._lines: dict[str, list[tuple[int, Contract]]] = {}
        for contract in contracts:
            for clause in contract.clauses:
                self._clauses.setdefault(_file_of(clause, contract), []).append((clause.span.start, contract, clause))
            self._lines.setdefault(contract.file, []).append((contract.line, contract))
            if contract.span is not None:
                self._starts.setdefault(contract.file, []).append((contract.span.start, contract))
                self._lines[contract.file].append((contract.span.end_line, contract))
        for clauses in self._clauses.values():
            clauses.sort(key=_place)
        for contracts_there in (*self._starts.values(), *self._lines.values()):
            contracts_there.sort(key=_place)

    def target(self, one: Suppression) -> _Target | None:
        clauses = _between(self._clauses.get(one.file, []), one.scope)
        if one.in_annotation:
            return self._clause(one, clauses)
        if not one.own_line:
            beside = _between(self._lines.get(one.file, []), (one.line, one.line))
            return _Target(beside[0][1], None) if beside else None
        if clauses:
            return _Target(clauses[0][1], None)
        # An annotation without clauses of its own, or (its clauses are in a header) the function itself.
        starts = _between(self._starts.get(one.file, []), one.scope)
        found = starts or _between(self._lines.get(one.file, []), one.scope_lines)
        return _Target(found[0][1], None) if found else None

    def _clause(self, one: Suppression, clauses: Sequence[tuple[int, Contract, Clause]]) -> _Target | None:
        position = bisect_right(clauses, one.start, key=_place)
        if position:
            _, contract, before = clauses[position - 1]
            # The span of a clause ends before its semicolon; the comment behind that still belongs to it.
            if one.start < before.span.end or (not one.own_line and before.span.end_line == one.line):
                return _Target(contract, before)
        return _Target(*clauses[position][1:]) if position < len(clauses) else None


_Row = TypeVar("_Row", bound=tuple[Any, ...])


def _place(row: tuple[Any, ...]) -> int:
    return int(row[0])


def _between(rows: Sequence[_Row], stretch: tuple[int, int]) -> Sequence[_Row]:
    """The rows, sorted by their first element, for which that lies in ``stretch``."""
    return rows[bisect_left(rows, stretch[0], key=_place) : bisect_right(rows, stretch[1], key=_place)]


def _file_of(clause: Clause, contract: Contract) -> str:
    return clause.file or contract.file


def _suppression(
    text: str,
    file: str,
    places: Places,
    comment: re.Match[str],
    request: re.Match[str],
    scope: tuple[int, int],
) -> Suppression:
    in_annotation = _is_annotation(text, comment)
    content = request["rest"]
    if request.end() == comment.end() and comment.lastgroup == "block":
        content = content.removesuffix("*/").rstrip().removesuffix("@" if in_annotation else "")
    codes, reason = _codes_and_reason(content)
    before = text[text.rfind("\n", 0, request.start()) + 1 : request.start()]
    return Suppression(
        file=file,
        line=places.line(request.start()),
        column=len(before) + 1,
        start=request.start(),
        codes=codes,
        reason=reason,
        in_annotation=in_annotation,
        own_line=not before.strip(" \t\r@*/"),
        scope=scope,
        scope_lines=(places.line(scope[0]), places.line(scope[1])),
    )


def _codes_and_reason(content: str) -> tuple[tuple[str, ...], str]:
    match = _BRACKETED.match(content) or _LISTED.match(content)
    if match is None:
        return (), ""
    codes = tuple(dict.fromkeys(word for word in re.split(r"[\s,]+", match["codes"] or "") if word))
    reason = match["reason"].strip(" \t\r-:")
    return codes, reason if any(character.isalnum() for character in reason) else ""


def _preceded(
    text: str, comment: re.Match[str], before: int, following: tuple[int, int], ends: Sequence[int]
) -> tuple[int, int]:
    """What follows the comment that ends at ``before``: the annotation ``comment``, or code up to its ``{`` or ``;``.

    ``following`` is what follows ``comment``; it stays when ``comment`` is an ordinary one.
    """
    start = _skip(text, before)
    if start != comment.start():
        return start, ends[bisect_left(ends, start)]
    return comment.span() if _is_annotation(text, comment) else following


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _is_annotation(text: str, comment: re.Match[str]) -> bool:
    return text.startswith("@", comment.start() + 2)


def _about(one: Suppression, code: str, detail: str, function: str) -> Finding:
    rule = rules.RULES[code]
    return Finding(
        code=code,
        direction=rule.direction,
        severity=rule.severity,
        file=one.file,
        line=one.line,
        end_line=one.line,
        column=one.column,
        function=function,
        clause=None,
        witness=None,
        witnesses=0,
        message=message(code, function, None, None, detail),
        # Several codes at one function are several findings, although no clause tells them apart.
        fingerprint=fingerprint(
            code=code, file=one.file, function=f"{function} {detail}", clause=None, direction=rule.direction
        ),
    )
