"""The report as data: what every reporter is given (the JSON reporter writes it in the format clausefit-report/1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from clausefit.hook.contracts.model import NotChecked, Span

Direction = Literal["too_weak", "too_strong", "vacuous", "suppression"]
Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("note", "warning", "error")


@dataclass(frozen=True)
class Score:
    """One metric: of ``asked`` questions ``decided`` got a judgement and ``passed`` the expected one."""

    passed: int = 0
    decided: int = 0
    asked: int = 0

    @property
    def score(self) -> float | None:
        """passed / decided, or None when nothing was decided."""
        return self.passed / self.decided if self.decided else None


@dataclass(frozen=True)
class ClauseCounts:
    """What the judgements say of one clause: how many right and wrong outcomes it accepts and rejects.

    A wrong outcome is put to all clauses together first, and to one by itself only where that tells whom to blame. So
    of several clauses ``rejects_wrong`` counts what each was asked by itself, and 0 may mean that it was not.
    ``decided_by`` counts the judgements about it by who made them. ``file`` is where it stands, in C perhaps a header;
    empty: the contract's file.
    """

    kind: str
    text: str
    span: Span
    accepts_right: int = 0
    rejects_right: int = 0
    rejects_wrong: int = 0
    accepts_wrong: int = 0
    undecided: int = 0
    decided_by: dict[str, int] = field(default_factory=dict)
    file: str = ""


@dataclass(frozen=True)
class ContractReport:
    """The judged contract: its pins, scores (PostCorr, PostComp, PreCorr, PreComp) and clauses.

    ``decided_by`` counts its judgements by who made them: a verifier's name, or ``evaluation``.
    """

    language: str
    file: str
    function: str
    line: int
    static_pins: int
    recorded_pins: int
    used_pins: int
    ignored: tuple[tuple[str, str], ...]
    scores: dict[str, Score]
    clauses: tuple[ClauseCounts, ...]
    decided_by: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Witness:
    """The call that shows a finding, in plain JSON values; ``wrong`` is None for a too strong clause."""

    inputs: dict[str, Any]
    right: dict[str, Any]
    wrong: dict[str, Any] | None
    test: str
    test_file: str
    test_line: int


@dataclass(frozen=True)
class Better:
    """A clause that fits every tested call, right and wrong: ``clause`` as reports show it, ``lines`` what the lines
    ``line`` to ``end_line`` of the finding's file would be with it, without the last line end.

    ``calls`` is how many calls it was tried on; 0 where that is not known.
    """

    clause: str
    lines: str
    calls: int = 0


@dataclass(frozen=True)
class Finding:
    """One thing to act on. ``clause`` is (kind, text) or None when the contract as a whole is blamed.

    ``decided_by`` is who made the judgement about the witness: a verifier's name, or ``evaluation`` alone.
    ``better`` is a clause that evaluation found to fit, where it found one.
    """

    code: str
    direction: Direction
    severity: Severity
    file: str
    line: int
    end_line: int
    column: int
    function: str
    clause: tuple[str, str] | None
    witness: Witness | None
    witnesses: int
    message: str
    fingerprint: str
    decided_by: str = ""
    better: Better | None = None


@dataclass(frozen=True)
class BaselineEntry:
    """A finding that a team knows and accepts for now; ``fingerprint`` tells it, the rest is for people."""

    fingerprint: str
    code: str
    file: str
    function: str
    clause: str


@dataclass(frozen=True)
class VerifierInfo:
    """A verifier that was asked."""

    name: str
    version: str
    provers: tuple[str, ...]


@dataclass(frozen=True)
class Stats:
    """Counts over the whole run; ``seconds`` is wall-clock time."""

    questions: int = 0
    asked: int = 0
    cached: int = 0
    undecided: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Report:
    """Everything that one run of ``check`` has to say.

    ``known`` are findings that the baseline holds: they are counted and fail nothing. ``stale`` are entries of the
    baseline that no finding answers to any more. ``suppressed`` and ``ignored`` count the findings that comments and
    the setting ``ignore`` hide; the JSON form has no such counts.
    """

    contracts: tuple[ContractReport, ...] = ()
    findings: tuple[Finding, ...] = ()
    not_checked: tuple[NotChecked, ...] = ()
    verifiers: tuple[VerifierInfo, ...] = ()
    stats: Stats = field(default_factory=Stats)
    known: tuple[Finding, ...] = ()
    stale: tuple[BaselineEntry, ...] = ()
    suppressed: int = 0
    ignored: int = 0
