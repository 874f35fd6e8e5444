"""The baseline: what is known, what is stale, what its file may hold."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
import report_generator
from clausefit.hook import baseline, baseline_file
from clausefit.hook.baseline import BaselineProblem, apply, entry_of, read, renewed, write
from clausefit.hook.contracts.model import NotChecked, Span
from clausefit.hook.report import BaselineEntry, ClauseCounts, ContractReport, Finding, Report


def finding(name: str, function: str = "f", file: str = "a.c") -> Finding:
    """A finding that is told by one letter."""
    fingerprint = (name * 32)[:32]
    return Finding(
        "CF101", "too_weak", "error", file, 1, 1, 1, function, ("ensures", "e"), None, 1, "m", fingerprint, "wp"
    )


def contract(
    function: str = "f", file: str = "a.c", pins: int = 2, clause_file: str = "", decided: int = 9
) -> ContractReport:
    clause = ClauseCounts("ensures", "e", Span(1, 1, 1, 2, 0, 0), file=clause_file)
    return ContractReport("c", file, function, 1, pins, 0, pins, (), {}, (clause,), {"wp": decided} if decided else {})


def entries(*names: str, function: str = "f", file: str = "a.c") -> list[BaselineEntry]:
    return [entry_of(finding(name, function, file)) for name in names]


def names(of: Sequence[Finding] | Sequence[BaselineEntry]) -> str:
    return "".join(one.fingerprint[0] for one in of)


@pytest.mark.parametrize(
    ("found", "accepted", "new", "known", "stale"),
    [
        pytest.param("ab", "", "ab", "", "", id="no entry"),
        pytest.param("ab", "a", "b", "a", "", id="one known"),
        pytest.param("ab", "ba", "", "ab", "", id="all known, in the report's order"),
        pytest.param("b", "ab", "", "b", "a", id="one gone"),
        pytest.param("aa", "a", "a", "a", "", id="twice needs two entries"),
        pytest.param("aaa", "aa", "a", "aa", "", id="three of two"),
        pytest.param("a", "aaa", "", "a", "aa", id="two of three are gone"),
    ],
)
def test_findings_and_entries_meet_by_fingerprint(found: str, accepted: str, new: str, known: str, stale: str) -> None:
    report = Report((contract(),), tuple(finding(name) for name in found))
    applied = apply(report, entries(*accepted), everything=False)
    assert (names(applied.findings), names(applied.known), names(applied.stale)) == (new, known, stale)
    assert renewed(report, entries(*accepted)) == tuple(entries(*found))


def not_checked(function: str | None, file: str = "a.c", reason: str = "unknown") -> Report:
    return Report((contract(),), not_checked=(NotChecked(file, function, reason, ""),))


@pytest.mark.parametrize(
    ("report", "part", "whole"),
    [
        pytest.param(Report((contract(),)), True, True, id="judged completely"),
        pytest.param(Report(), False, True, id="function is gone, or was not asked for"),
        pytest.param(Report((contract("g"),)), False, True, id="only another one judged"),
        pytest.param(Report((contract(pins=0),)), False, False, id="no pins"),
        pytest.param(Report((contract(decided=0),)), False, False, id="pins, and nobody who judged"),
        pytest.param(not_checked("f"), False, False, id="one question is open"),
        pytest.param(not_checked("g"), True, True, id="one question of another contract"),
        pytest.param(not_checked(None), False, False, id="part of the file not read"),
        pytest.param(not_checked(None, "tests/t.c", "parse_error"), True, True, id="a test not read, pins left"),
        pytest.param(not_checked(None, "x.c", "interrupted"), False, False, id="run interrupted"),
        pytest.param(not_checked(None, "x.c", "budget"), False, False, id="budget used up"),
        pytest.param(Report((contract(file="b.c"),)), False, True, id="moved to another file"),
        pytest.param(
            Report((contract(file="b.c"),), not_checked=(NotChecked("b.c", None, "parse_error", ""),)),
            False,
            False,
            id="moved to a file that is not read",
        ),
        pytest.param(Report((contract(file="b.c", clause_file="a.c"),)), True, True, id="its clauses are in a header"),
        pytest.param(
            Report((contract(), contract(file="b.c", pins=0))), True, True, id="another file's function of this name"
        ),
        pytest.param(
            Report((contract(file="b.c", clause_file="a.c"), contract(file="c.c", clause_file="a.c", pins=0))),
            False,
            False,
            id="one of two definitions of a header's contract has no pins",
        ),
    ],
)
def test_an_entry_is_stale_only_where_its_contract_was_judged_completely(
    report: Report, part: bool, whole: bool
) -> None:
    (entry,) = entries("a")
    assert bool(apply(report, [entry], everything=False).stale) == part
    assert bool(apply(report, [entry], everything=True).stale) == whole
    # What is not certainly stale stays when the baseline is written anew.
    assert renewed(report, [entry]) == (() if whole else (entry,))


def test_an_entry_about_a_comment_at_no_function_is_stale_only_where_all_was_looked_at() -> None:
    about = replace(entries("a", function="")[0], code="CF903")
    assert not apply(Report((contract(),)), [about], everything=False).stale
    assert apply(Report((contract(),)), [about], everything=True).stale == (about,)


@pytest.mark.parametrize("seed", [pytest.param(seed, id=str(seed)) for seed in range(40)])
def test_a_baseline_is_read_back_and_accepts_what_it_was_made_of(seed: int) -> None:
    report = report_generator.report(seed)
    made = list(renewed(report, ()))
    text = write(made)
    assert sorted(map(repr, read(text.encode(), "b"))) == sorted(map(repr, made))
    Random(seed).shuffle(made)
    assert write(made) == text, "the order of findings does not matter"
    assert write(read(text.encode(), "b")) == text
    applied = apply(report, read(text.encode(), "b"), everything=True)
    assert not applied.findings and not set(applied.stale) - set(report.stale)


def test_the_file_is_for_people_too() -> None:
    assert json.loads(write([*entries("b", "a"), *entries("a"), *entries("c", function="", file="A.c")])) == {
        "schema": "clausefit-baseline/1",
        "findings": [
            {"fingerprint": "c" * 32, "code": "CF101", "file": "A.c", "function": "", "clause": "e"},
            {"fingerprint": "a" * 32, "code": "CF101", "file": "a.c", "function": "f", "clause": "e", "count": 2},
            {"fingerprint": "b" * 32, "code": "CF101", "file": "a.c", "function": "f", "clause": "e"},
        ],
    }


def test_a_name_that_is_not_utf8_can_be_written() -> None:
    text = write([replace(entries("a")[0], clause="\udcff")])
    assert read(text.encode(), "b")[0].clause == "\\udcff"


ONE: dict[str, Any] = json.loads(write(entries("a")))["findings"][0]


def file_with(**members: Any) -> bytes:
    return json.dumps({"schema": "clausefit-baseline/1", "findings": [{**ONE, **members}]}).encode()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param(b"", "line 1: not JSON", id="empty"),
        pytest.param(b"\xff", "not UTF-8", id="not UTF-8"),
        pytest.param(b"[" * 100_000, "nested too deeply", id="nested"),
        pytest.param(b" " * (baseline.MAX_BYTES + 1), "larger than 8 MiB", id="too large"),
        pytest.param(b'{"version": "2.1.0", "runs": []}', "does not say that it is one", id="SARIF"),
        pytest.param(b'{"schema": "clausefit-report/1"}', "does not say that it is one", id="a report"),
        pytest.param(b"[]", "does not say that it is one", id="a list"),
        pytest.param(b'{"schema": "clausefit-baseline/1"}', "the key 'findings' is missing", id="nothing in it"),
        pytest.param(file_with(fingerprint="x"), "findings[0].fingerprint: expected 32 hex digits", id="fingerprint"),
        pytest.param(file_with(count=0), "findings[0].count: expected a whole number from 1", id="count"),
        pytest.param(file_with(count=100_001), "findings[0].count: expected", id="count without bounds"),
        pytest.param(file_with(reason="x"), "findings[0]: unknown key 'reason'", id="unknown key"),
        pytest.param(file_with(file="../a.c"), "stays inside the project", id="file outside"),
        pytest.param(
            json.dumps({"schema": "clausefit-baseline/1", "findings": [{**ONE, "count": 60_000}] * 2}).encode(),
            "more than 100000 findings",
            id="counts without bounds",
        ),
    ],
)
def test_what_is_no_baseline_is_refused_in_one_line(content: bytes, says: str) -> None:
    with pytest.raises(BaselineProblem) as caught:
        read(content, "b\n.json")
    said = str(caught.value)
    assert said.startswith("b\\n.json: no baseline of clausefit: ") and says in said
    assert said.endswith("; correct or delete it, then `clausefit baseline` writes a new one") and said.isprintable()


def test_a_baseline_is_read_from_the_disk(tmp_path: Path) -> None:
    made = entries("a", "b")
    (tmp_path / "known.json").write_text(write(made))
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "inside.json").write_text(write(made))
    (workspace / "link.json").symlink_to(tmp_path / "known.json")
    assert list(baseline_file.entries("inside.json", workspace)) == made
    assert list(baseline_file.entries(str(tmp_path / "known.json"), workspace)) == made
    assert list(baseline_file.entries(str(workspace / "link.json"), workspace)) == made, "named by hand"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        pytest.param("missing.json", "missing.json: the file does not exist", id="missing"),
        pytest.param("folder", "folder: the file cannot be read (Is a directory)", id="a folder"),
        pytest.param("/dev/zero", "/dev/zero: the file is not a regular file", id="a device"),
        pytest.param("link", "link: the file is a link out of the workspace", id="a link out of the workspace"),
        pytest.param("../x", "../x: the file ", id="outside of the workspace"),
        pytest.param("large", "large: the file ", id="too large"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(name: str, says: str, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    (workspace / "folder").mkdir(parents=True)
    (tmp_path / "x").write_text(write(()))
    (workspace / "link").symlink_to(tmp_path / "x")
    with (workspace / "large").open("wb") as large:
        large.truncate(baseline.MAX_BYTES + 1)
    with pytest.raises(BaselineProblem) as caught:
        baseline_file.entries(name, workspace)
    assert str(caught.value).startswith(says)
