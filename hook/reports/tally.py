"""How many contracts a run judged, and what became of each of the others: numbers that add up."""

from __future__ import annotations

from dataclasses import dataclass

from clausefit.hook.budget import NOT_ASKED, REASON
from clausefit.hook.report import ContractReport, Report

NOTHING_JUDGED = "nothing judged"
"""The word for a run that says nothing for or against any contract: it is no clean one."""


@dataclass(frozen=True)
class Tally:
    """The contracts of a run, each counted once."""

    judged: int = 0
    without_pins: int = 0
    undecided: int = 0
    unreached: int = 0
    unasked: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.judged + self.without_pins + self.undecided + self.unreached + self.unasked


def tally(report: Report) -> Tally:
    """Count the contracts of ``report``."""
    others = [contract for contract in report.contracts if not was_judged(contract)]
    left = {(one.file, one.function, one.reason) for one in report.not_checked if one.function is not None}
    return Tally(
        judged=len(report.contracts) - len(others),
        without_pins=sum(not contract.used_pins for contract in others),
        undecided=sum(bool(contract.used_pins) for contract in others),
        unreached=sum(reason == REASON for _file, _function, reason in left),
        unasked=sum(reason == NOT_ASKED for _file, _function, reason in left),
    )


def was_judged(contract: ContractReport) -> bool:
    """Whether a question about the contract was decided. One without pins may have been asked all the same, whether its
    precondition can hold."""
    return bool(contract.decided_by) or any(score.decided for score in contract.scores.values())


def is_nothing_judged(report: Report) -> bool:
    """Whether the run neither judged a contract nor found anything (a wrong suppression, say)."""
    return not report.findings and not report.known and not tally(report).judged
