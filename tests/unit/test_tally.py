"""How many contracts were judged, and what became of the others."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ci_reports import CONTRACT, FINDING
from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.report import Report, Score
from clausefit.hook.reports.tally import Tally, is_nothing_judged, tally

NO_PINS = replace(CONTRACT, function="a", used_pins=0, decided_by={}, scores={})
OPEN = replace(CONTRACT, function="b", used_pins=2, decided_by={}, scores={"PostCorr": Score(0, 0, 4)})
LATE, UNASKED = NotChecked("a.c", "c", "budget", "", 4), NotChecked("a.c", "d", "not_asked", "", 9)
BROKEN = NotChecked("a.c", "d", "parse_error", "", 9)


@pytest.mark.parametrize(
    ("report", "expected", "nothing"),
    [
        pytest.param(Report(), Tally(), True, id="nothing-at-all"),
        pytest.param(Report((CONTRACT,)), Tally(judged=1), False, id="judged"),
        pytest.param(Report((NO_PINS,)), Tally(without_pins=1), True, id="without-pins"),
        pytest.param(
            Report((replace(NO_PINS, decided_by={"key": 1}),)), Tally(judged=1), False, id="its-precondition-was-asked"
        ),
        pytest.param(Report((OPEN,)), Tally(undecided=1), True, id="no-answer"),
        pytest.param(Report(not_checked=(LATE, UNASKED)), Tally(unreached=1, unasked=1), True, id="left-out"),
        pytest.param(Report(not_checked=(UNASKED, BROKEN)), Tally(unasked=1), True, id="two-reasons-are-one-contract"),
        pytest.param(
            Report((CONTRACT, NO_PINS, OPEN), not_checked=(LATE, UNASKED)), Tally(1, 1, 1, 1, 1), False, id="of-all"
        ),
        pytest.param(Report(findings=(FINDING,)), Tally(), False, id="a-finding-about-a-comment"),
        pytest.param(Report(known=(FINDING,)), Tally(), False, id="one-of-the-baseline"),
    ],
)
def test_tally(report: Report, expected: Tally, nothing: bool) -> None:
    assert tally(report) == expected
    assert is_nothing_judged(report) is nothing
    assert expected.total == len(report.contracts) + len({one.function for one in report.not_checked})
