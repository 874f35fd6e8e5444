"""Reports are read back as they were written, and nothing hostile passes for one."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import clausefit.hook.reports as reports
import jsonschema
import pytest
import report_generator
from clausefit.hook.report import Report, Stats
from clausefit.hook.reports import json_reader, order
from clausefit.hook.reports.json_reader import ReportProblem, read_report
from clausefit.hook.reports.json_report import to_json

SCHEMA = json.loads((Path(reports.__file__).parent / "report.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
SEEDS = [pytest.param(seed, id=str(seed)) for seed in range(60)]
FULL = 193
"""A seed whose report has everything in it (a test sees to that)."""


def document() -> Any:
    return json.loads(to_json(report_generator.report(FULL)))


def changed(place: tuple[Any, ...], value: Any) -> str:
    """The full report with another value at a place."""
    whole = document()
    target = whole
    for step in place[:-1]:
        target = target[step]
    target[place[-1]] = value
    return json.dumps(whole)


def problem_of(text: str | bytes, name: str = "report.json") -> str:
    with pytest.raises(ReportProblem) as caught:
        read_report(text, name)
    said = str(caught.value)
    assert said.isprintable() and len(said) < 600
    return said


def test_the_full_report_is_full() -> None:
    whole = document()
    assert all(whole[key] for key in whole)
    assert whole["contracts"][0]["clauses"] and whole["contracts"][0]["pins"]["ignored"]
    first = whole["findings"][0]
    assert first["witness"]["inputs"] and first["witness"]["wrong"] and first["better"] and first["clause"]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_report_is_read_back_as_it_was(seed: int) -> None:
    made = report_generator.report(seed)
    text = to_json(made)
    VALIDATOR.validate(json.loads(text))
    read = read_report(text, "report.json")
    assert read == order.in_order(made)
    assert read_report(text.encode(), "report.json") == read
    assert to_json(read) == text


@pytest.mark.parametrize(
    ("made", "seconds"),
    [
        pytest.param(Report(), 0.0, id="nothing in it"),
        pytest.param(Report(stats=Stats(seconds=float("inf"))), None, id="a time that is no number"),
    ],
)
def test_a_small_report_keeps_its_text(made: Report, seconds: float | None) -> None:
    assert json.loads(to_json(read_report(to_json(made), "r")))["stats"]["seconds"] == seconds


def test_thousands_of_findings_are_read() -> None:
    one = next(f for seed in range(60) for f in report_generator.report(seed).findings if f.witness and f.better)
    many = Report(findings=tuple(replace(one, line=number) for number in range(1, 6001)))
    assert read_report(to_json(many), "r") == many


SMALL = to_json(Report())
DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param(b"", "line 1: not JSON: Expecting value", id="empty"),
        pytest.param(b"\xff\xfe{", "not UTF-8 (byte 0)", id="not UTF-8"),
        pytest.param(to_json(report_generator.report(FULL))[:-20], "not JSON", id="cut off"),
        pytest.param("[]", "does not say that it is one", id="a list"),
        pytest.param("null", "does not say that it is one", id="null"),
        pytest.param('{"version": "2.1.0"}', "does not say that it is one", id="another format"),
        pytest.param(SMALL.replace("report/1", "report/2"), "does not say that it is one", id="another version"),
        pytest.param(b" " * (json_reader.MAX_BYTES + 1), "larger than 32 MiB", id="too large"),
        pytest.param(DEEP, "nested too deeply", id="lists in lists"),
        pytest.param('{"a":' * 100_000, "nested too deeply", id="objects in objects"),
        pytest.param(SMALL.replace('"seconds": 0.0', '"seconds": NaN'), "NaN is no number", id="NaN"),
        pytest.param(SMALL.replace('"seconds": 0.0', '"seconds": -Infinity'), "-Infinity is no number", id="infinite"),
        pytest.param(SMALL.replace('"seconds": 0.0', '"seconds": 1e999'), "'1e999' is too large", id="float too large"),
        pytest.param(SMALL.replace('"seconds": 0.0', '"seconds": ' + "9" * 999), "stats.seconds: expected", id="huge"),
        pytest.param(SMALL.replace('"asked": 0', '"asked": ' + "9" * 100_000), "100000 digits", id="digits"),
        pytest.param(SMALL.replace('"asked": 0', '"asked": -1'), "stats.asked: expected a whole number", id="negative"),
        pytest.param(SMALL.replace('"asked": 0', '"asked": true'), "stats.asked: expected", id="true is no number"),
        pytest.param(SMALL.replace('"asked": 0', '"asked": 0, "asked": 0'), "'asked' is there twice", id="key twice"),
        pytest.param(SMALL.replace('"stats"', '"status"'), "unknown key 'status'; did you mean 'stats'?", id="key"),
        pytest.param(SMALL.replace('"known": [],', ""), "the key 'known' is missing", id="key missing"),
    ],
)
def test_what_is_no_report_is_refused_in_one_line(text: str | bytes, says: str) -> None:
    assert says in problem_of(text)


F, C, K = ("findings", 0), ("contracts", 0), ("contracts", 0, "clauses", 0)
OUTSIDE = "expected a relative path that stays inside the project"


@pytest.mark.parametrize(
    ("place", "value", "says"),
    [
        pytest.param((*F, "file"), "/etc/passwd", f"findings[0].file: {OUTSIDE}, found '/etc/passwd'", id="absolute"),
        pytest.param((*F, "file"), "a/../../b", OUTSIDE, id="path leads out"),
        pytest.param((*F, "file"), "..", OUTSIDE, id="path is the folder above"),
        pytest.param((*F, "file"), "a\\..\\b", OUTSIDE, id="path leads out, with the other slash"),
        pytest.param((*F, "file"), "\\\\host\\share", OUTSIDE, id="path on another machine"),
        pytest.param((*F, "file"), "C:/a.c", OUTSIDE, id="path on a drive"),
        pytest.param((*F, "file"), "a\0b", OUTSIDE, id="path that no file can have"),
        pytest.param((*F, "file"), "", "a text that is not empty", id="no path"),
        pytest.param((*C, "file"), "/a", OUTSIDE, id="contract outside"),
        pytest.param((*K, "file"), "../a", OUTSIDE, id="clause outside"),
        pytest.param(("known", 0, "file"), "../a", OUTSIDE, id="known finding outside"),
        pytest.param(("stale", 0, "file"), "../a", OUTSIDE, id="stale entry outside"),
        pytest.param((*F, "witness", "test_file"), "/home/me/test.c", OUTSIDE, id="test outside"),
        pytest.param(
            (*F, "witness", "right"), {"x": ["\udcff"]}, "findings[0].witness.right.x", id="surrogate in a value"
        ),
        pytest.param((*F, "message"), "\ud800", "half a character", id="lone surrogate"),
        pytest.param((*F, "message"), None, "expected a text, found null", id="null for a text"),
        pytest.param((*F, "fingerprint"), "-->" + "0" * 29, "32 hex digits", id="fingerprint ends a comment"),
        pytest.param((*F, "fingerprint"), "0" * 32 + "\n", "32 hex digits", id="fingerprint with a new line"),
        pytest.param((*F, "code"), "CF१०१", "a rule code", id="code with other digits"),
        pytest.param((*F, "line"), 2**31, "from 1 to 2147483647, found 2147483648", id="line beyond 32 bits"),
        pytest.param((*F, "line"), 1.0, "found 1.0", id="line with a fraction"),
        pytest.param((*F, "clause"), ["ensures", "x"], "expected an object, found a list", id="clause as a list"),
        pytest.param((*F, "severity"), "fatal", "one of note, warning, error, found 'fatal'", id="severity"),
        pytest.param((*C, "scores"), {}, "the key 'PostCorr' is missing", id="no scores"),
        pytest.param((*C, "scores", "PostComp", "passed"), 2**53 - 1, "more passed than decided", id="score above 1"),
        pytest.param((*C, "decided_by"), {"\ud800": 1}, "half a character", id="lone surrogate in a key"),
        pytest.param(("findings",), {"0": {}}, "findings: expected a list, found an object", id="object for a list"),
    ],
)
def test_a_wrong_value_is_named_with_its_place(place: tuple[Any, ...], value: Any, says: str) -> None:
    assert says in problem_of(changed(place, value))


def test_a_witness_is_not_nested_deeper_than_others_can_follow() -> None:
    deep: Any = 0
    for _ in range(70):
        deep = [deep]
    whole = document()
    whole["findings"][0]["witness"]["inputs"] = {"x": deep}
    assert "nested deeper than 64 levels" in problem_of(json.dumps(whole))


def test_names_of_reports_are_shown_escaped_and_cut() -> None:
    assert problem_of("", "a\n::error::\x1b" + "x" * 1000).startswith("a\\n::error::\\x1bxxx")


def places(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [here, *(place for key, one in inner for place in places(one, (*here, key)))]


VALUES = (None, True, 0, -1, 1.5, 2**70, "", "x", "/x", "../x", "0" * 32, [], {}, [[]], {"x": 1}, "CF101", "c", "error")


@pytest.mark.parametrize("seed", [pytest.param(seed, id=str(seed)) for seed in range(8)])
def test_nothing_passes_that_the_schema_refuses(seed: int) -> None:
    random, whole = Random(seed), document()
    every = [place for place in places(whole) if place]
    refused = 0
    for place in random.sample(every, 60):
        other = copy.deepcopy(whole)
        target = other
        for step in place[:-1]:
            target = target[step]
        if isinstance(target, dict) and random.random() < 0.2:
            del target[place[-1]]
        else:
            target[place[-1]] = random.choice(VALUES)
        try:
            read_report(json.dumps(other), "r")
        except ReportProblem:
            refused += 1
        else:
            VALIDATOR.validate(other)
    assert refused > 10
