"""The words of the not-checked list: what each reason means, what to do next, and which of them end a run with 2."""

from __future__ import annotations

from collections.abc import Callable

from clausefit.hook.budget import REASON
from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.report import Report

REASONS = {
    "no_pins": "no test shows a call of the function; add one with plain inputs and an expected outcome",
    "unsupported": "something that cannot be judged yet; put it more simply where you want it judged",
    "parse_error": "could not be read; correct the text there",
    "disagreement": "the verifier and our evaluation contradict each other; please report it",
    "verifier_missing": "no verifier is installed; see `clausefit doctor`",
    "timeout": "the verifier ran out of time; try a larger `--timeout`",
    "unknown": "the verifier could not decide; a simpler clause, or a test with smaller values, may help",
    "undefined": "the clause has no value there; guard it, or exclude the input with `requires`",
    "crash": "the verifier ended with an error; run it again, and report it if that does not help",
    "dropped": "the verifier dropped an annotation; correct what it complains about",
    "vacuous": "the contract or its logic contradicts itself; mend that finding first",
    "outcome_not_known": "the tests do not show the outcome; assert it in one",
    "stale_pins": "recorded calls are of other code or another test; record again with `clausefit record -- …`",
    "interrupted": "the run was stopped; run it again",
    "budget": "the time of `--budget` was up; run it again, which goes on from what is decided, or give it more time",
    "not_asked": "no verifier was started; `clausefit check` without `--no-verifier` asks one",
    "missing_file": "a file is missing; add it, or correct the path",
    "git": "git could not tell; run the git command by hand",
}

_BROKEN = frozenset({"parse_error", "dropped", "verifier_missing", "missing_file", "crash", "git", "disagreement"})
"""Reasons for exit status 2 where nothing else tells that a test's trouble did no harm."""


def causes(report: Report, is_test: Callable[[str], bool] = lambda _path: False) -> tuple[NotChecked, ...]:
    """What a run ends with exit status 2 for, unless it has findings that fail it.

    A test that cannot be read counts only when it leaves a contract without pins.
    """
    without_pins = any(entry.reason == "no_pins" for entry in report.not_checked)
    judged = {contract.file for contract in report.contracts}

    def counts(entry: NotChecked) -> bool:
        telling = entry.file in judged or without_pins or not report.contracts or not is_test(entry.file)
        return entry.reason == REASON or (entry.reason in _BROKEN and telling)

    return tuple(entry for entry in report.not_checked if counts(entry))


def causes_first(report: Report, is_test: Callable[[str], bool] = lambda _path: False) -> tuple[NotChecked, ...]:
    """What was not checked: first what a run ends with exit status 2 for, then the rest, each by place."""
    first = set(causes(report, is_test))
    ordered = sorted(report.not_checked, key=lambda n: (n.file, n.line or 0, n.function or "", n.reason, n.detail))
    return tuple(sorted(ordered, key=lambda entry: entry not in first))
