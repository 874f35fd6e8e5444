"""Reports made at random, in all shapes that the pipeline can give, with texts that files can choose."""

from __future__ import annotations

from random import Random
from typing import Any, get_args

from clausefit.hook.contracts.model import NotChecked, Span
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
from clausefit.hook.reports.json_report import METRICS
from clausefit.hook.rules import RULES

TEXTS = (
    "",
    "ensures \\result >= 0",
    "a[0](1) {0} {{1}, {2}} }} {{",
    "\x1b[31m[bold]x[/bold]\n::error::\u202e\u200b :warning: é",
    "日本語 \U0001f600",
    '"quoted" \\u0041 \x00 \x7f',
    "<script>@all #1 ](https://example.org) `",
)
PATHS = ("a.c", "src/a b.c", "src/é%20#?.c", "src/a:b.c", "日本/\U0001f600.java", "x" * 200, "a\\b.c", "..a/..b", "\n")


def report(seed: int) -> Report:
    """The report of this seed, always the same."""
    return _Maker(Random(seed)).report()


class _Maker:
    def __init__(self, random: Random) -> None:
        self.random = random

    def report(self) -> Report:
        return Report(
            self.several(self.contract),
            self.several(self.finding),
            self.several(self.not_checked),
            self.several(lambda: VerifierInfo(self.text(), self.text(), self.several(self.text))),
            Stats(self.count(), self.count(), self.count(), self.count(), self.random.random() * 1000),
            self.several(self.finding),
            self.several(self.entry),
        )

    def several(self, make: Any) -> Any:
        return tuple(make() for _ in range(self.random.randrange(4)))

    def text(self) -> str:
        return self.random.choice(TEXTS)

    def path(self) -> str:
        return self.random.choice(PATHS)

    def count(self) -> int:
        return self.random.choice((0, 1, 7, 2**31, 2**53 - 1))

    def line(self) -> int:
        return self.random.choice((1, 2, 80, 2**31 - 1))

    def fingerprint(self) -> str:
        return f"{self.random.choice((0, 1, self.random.getrandbits(128))):032x}"

    def deciders(self) -> dict[str, int]:
        return {self.text(): self.count() for _ in range(self.random.randrange(3))}

    def maybe(self, make: Any) -> Any:
        return make() if self.random.random() < 0.7 else None

    def contract(self) -> ContractReport:
        names = (*METRICS, "More") if self.random.random() < 0.3 else METRICS
        return ContractReport(
            self.random.choice(("c", "java")),
            self.path(),
            self.text(),
            self.line(),
            self.count(),
            self.count(),
            self.count(),
            self.several(lambda: (self.text(), self.text())),
            {name: self.score() for name in names},
            self.several(self.clause),
            self.deciders(),
        )

    def score(self) -> Score:
        return Score(*sorted(self.count() for _ in range(3)))

    def clause(self) -> ClauseCounts:
        span = Span(self.line(), self.line(), self.line(), self.line(), 0, 0)
        counts = [self.count() for _ in range(5)]
        return ClauseCounts(self.text(), self.text(), span, *counts, self.deciders(), self.path())

    def finding(self) -> Finding:
        return Finding(
            self.random.choice((*RULES, "CF999")),
            self.random.choice(get_args(Direction)),
            self.random.choice(SEVERITIES),
            self.path(),
            self.line(),
            self.line(),
            self.line(),
            self.text(),
            self.maybe(lambda: (self.text(), self.text())),
            self.maybe(self.witness),
            self.count(),
            self.text(),
            self.fingerprint(),
            self.text(),
            self.maybe(lambda: Better(self.text(), self.text(), self.count())),
        )

    def witness(self) -> Witness:
        file = self.random.choice(("", self.path()))
        return Witness(self.values(), self.values(), self.maybe(self.values), self.text(), file, self.count() % 2**31)

    def values(self) -> dict[str, Any]:
        return {self.text(): self.value(0) for _ in range(self.random.randrange(4))}

    def value(self, depth: int) -> Any:
        made = self.random.randrange(8 if depth < 3 else 6)
        if made == 6:
            return [self.value(depth + 1) for _ in range(3)]
        if made == 7:
            return {self.text(): self.value(depth + 1)}
        return (None, True, -(2**63), 2**128, 1.5e-300, self.text())[made]

    def entry(self) -> BaselineEntry:
        code = self.random.choice((*RULES, "CF999"))
        return BaselineEntry(self.fingerprint(), code, self.path(), self.text(), self.text())

    def not_checked(self) -> NotChecked:
        reason = self.random.choice(("no_pins", "crash", "budget", "?\n"))
        file = self.random.choice((self.path(), "", "?", "/usr/include/stdio.h", "../outside.c"))
        return NotChecked(file, self.maybe(self.text), reason, self.text(), self.maybe(self.line))
