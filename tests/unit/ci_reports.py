"""Findings and reports for tests of ``clausefit.ci``, and workflow commands as the runner reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from clausefit.hook.contracts.model import NotChecked, Span
from clausefit.hook.report import (
    BaselineEntry,
    Better,
    ClauseCounts,
    ContractReport,
    Finding,
    Report,
    Score,
    Witness,
)

WITNESS = Witness({"a": 3}, {"result": 4}, {"result": 5}, "test_next", "tests/test_next.c", 9)
FINDING = Finding(
    code="CF101",
    direction="too_weak",
    severity="error",
    file="src/next.c",
    line=3,
    end_line=3,
    column=5,
    function="next",
    clause=("ensures", "ensures \\result > a"),
    witness=WITNESS,
    witnesses=2,
    message="`ensures \\result > a` also accepts \\result = 5 after next(a = 3); test test_next shows 4.",
    fingerprint="f" * 32,
    decided_by="frama-c-wp",
)
BETTER = Better("ensures \\result == a + 1;", "/*@ ensures \\result == a + 1; */", 3)
CONTRACT = ContractReport(
    "c",
    "src/next.c",
    "next",
    4,
    3,
    1,
    2,
    (),
    {"PostCorr": Score(3, 3, 3), "PostComp": Score(1, 4, 5)},
    (ClauseCounts("ensures", "ensures \\result > a", Span(3, 4, 3, 20, 0, 10)),),
    {"frama-c-wp": 8},
)
SKIPPED = NotChecked("src/other.c", "other", "no_pins", "no test calls it", 7)
STALE = BaselineEntry("e" * 32, "CF102", "src/old.c", "old", "ensures x")
REPORT = Report((CONTRACT,), (FINDING,), (SKIPPED,))


def finding(**changes: Any) -> Finding:
    """``FINDING`` with changes."""
    return replace(FINDING, **changes)


@dataclass(frozen=True)
class Issued:
    """A workflow command as the runner understands it."""

    name: str
    properties: dict[str, str]
    data: str


_COMMANDS = {
    "error", "warning", "notice", "debug", "group", "endgroup", "add-mask", "set-output", "set-env", "add-path",
    "save-state", "echo", "stop-commands", "add-matcher", "remove-matcher", "set-repo-path", "save-cache",
}  # fmt: skip


def commands(output: str) -> list[Issued]:
    """The commands in a step's output, as the runner finds them (ActionCommand.cs, both forms, and stop-commands)."""
    found: list[Issued] = []
    stopped = ""
    for line in re.split(r"\r\n|\r|\n", output):
        issued = _second_form(line, stopped) or (_first_form(line) if not stopped else None)
        if issued is None:
            continue
        if stopped:
            stopped = "" if issued.name == stopped else stopped
        elif issued.name == "stop-commands":
            stopped = issued.data
        found.append(issued)
    return found


def _second_form(line: str, stopped: str) -> Issued | None:
    text = line.lstrip()
    end = text.find("::", 2)
    if not text.startswith("::") or end < 0:
        return None
    name, _, rest = text[2:end].partition(" ")
    if (stopped and name != stopped) or (not stopped and name not in _COMMANDS):
        return None
    pairs = [pair.split("=", 1) for pair in rest.strip().split(",") if "=" in pair]
    properties = {key.strip(): _unescaped(value, inside=True) for key, value in pairs}
    return Issued(name, properties, _unescaped(text[end + 2 :], inside=False))


def _first_form(line: str) -> Issued | None:
    match = re.search(r"##\[([^\] ]*)(?: ([^\]]*))?\](.*)", line)
    return Issued(match[1], {}, match[3]) if match is not None and match[1] in _COMMANDS else None


def _unescaped(text: str, *, inside: bool) -> str:
    for code, letter in (("%0D", "\r"), ("%0A", "\n"), *((("%3A", ":"), ("%2C", ",")) if inside else ()), ("%25", "%")):
        text = text.replace(code, letter)
    return text
