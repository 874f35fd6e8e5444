"""SARIF: it fits the official schema whatever the report holds, and says what code scanning needs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import report_generator
from clausefit.hook.contracts.model import NotChecked, Span
from clausefit.hook.report import Better, ClauseCounts, ContractReport, Finding, Report, Score, VerifierInfo, Witness
from clausefit.hook.reports.json_report import METRICS
from clausefit.hook.reports.sarif_report import to_sarif
from clausefit.hook.reports.sarif_text import plain
from clausefit.hook.rules import RULES

# As published by npm's @microsoft/sarif-multitool-linux 5.7.0.
SCHEMA = json.loads((Path(__file__).parents[1] / "data" / "sarif" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.validators.validator_for(SCHEMA)(SCHEMA)

WEAK = Finding(
    "CF101",
    "too_weak",
    "error",
    "src/a b.c",
    3,
    4,
    5,
    "rearm",
    ("ensures", "ensures level > 0"),
    Witness({"level": -1}, {"level": 3}, {"level": 9}, "main", "tests/test.c", 6),
    4,
    "`ensures level > 0` also accepts level = 9.",
    "f" * 32,
    "frama-c-wp",
)
CLAUSE = ClauseCounts("ensures", "ensures level > 0", Span(3, 5, 4, 17, 0, 0), file="src/a b.c")
CONTRACT = ContractReport(
    "c", "src/a b.c", "rearm", 6, 1, 0, 1, (), {name: Score() for name in METRICS}, (CLAUSE,), {"frama-c-wp": 1}
)


def run_of(report: Report, **options: Any) -> Any:
    log = json.loads(to_sarif(report, **options))
    VALIDATOR.validate(log)
    (run,) = log["runs"]
    return run


def result_of(finding: Finding, *contracts: ContractReport, **options: Any) -> Any:
    (result,) = run_of(Report(contracts, (finding,)), **options)["results"]
    return result


@pytest.mark.parametrize("seed", [pytest.param(seed, id=str(seed)) for seed in range(60)])
def test_every_report_fits_the_schema(seed: int) -> None:
    report = report_generator.report(seed)
    run = run_of(report)
    assert len(run["results"]) == len(report.findings) + len(report.known)
    assert len(run["invocations"][0]["toolExecutionNotifications"]) == len(report.not_checked)
    for result in run["results"]:
        if "ruleIndex" in result:
            assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


@pytest.mark.parametrize(
    ("place", "value"),
    [
        pytest.param(("runs", 0, "results", 0, "level"), "fatal", id="unknown level"),
        pytest.param(("runs", 0, "results", 0, "message"), "text", id="message as a text"),
        pytest.param(("runs", 0, "results", 0, "more"), 1, id="unknown key"),
    ],
)
def test_the_schema_can_refuse(place: tuple[Any, ...], value: Any) -> None:
    log = json.loads(to_sarif(Report(findings=(WEAK,))))
    target = log
    for step in place[:-1]:
        target = target[step]
    target[place[-1]] = value
    assert not VALIDATOR.is_valid(log)


def test_a_result_says_what_code_scanning_reads() -> None:
    result = result_of(WEAK, CONTRACT)
    assert result["ruleId"] == "CF101"
    assert result["level"] == "error"
    assert result["message"] == {"text": WEAK.message}
    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "src/a%20b.c", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 3, "startColumn": 5, "endLine": 4, "endColumn": 17},
    }
    assert location["logicalLocations"] == [{"fullyQualifiedName": "rearm", "kind": "function"}]
    assert result["relatedLocations"][0]["physicalLocation"]["region"] == {"startLine": 6}
    assert result["partialFingerprints"]["primaryLocationLineHash"] == "f" * 32 + ":1"
    assert "suppressions" not in result and "fixes" not in result


def test_the_same_fingerprint_twice_is_told_apart() -> None:
    results = run_of(Report(findings=(WEAK, replace(WEAK, line=8, end_line=8))))["results"]
    hashes = [one["partialFingerprints"]["primaryLocationLineHash"] for one in results]
    assert hashes == ["f" * 32 + ":1", "f" * 32 + ":2"]


def test_a_known_finding_is_suppressed_from_outside() -> None:
    (result,) = run_of(Report(known=(WEAK,)))["results"]
    assert [(one["kind"], one["status"]) for one in result["suppressions"]] == [("external", "accepted")]


def test_a_better_clause_is_a_fix_of_whole_lines() -> None:
    better = Better("ensures level == 3", "    ensures level == 3;\n    // two lines")
    result = result_of(replace(WEAK, better=better))
    (change,) = result["fixes"][0]["artifactChanges"]
    assert change["replacements"] == [
        {"deletedRegion": {"startLine": 3, "endLine": 4}, "insertedContent": {"text": better.lines}}
    ]
    assert result["message"]["text"].endswith("This fits every tested call: `ensures level == 3`.")


@pytest.mark.parametrize(
    ("path", "folder", "uri", "base"),
    [
        pytest.param("src/a.c", "", "src/a.c", True, id="plain"),
        pytest.param("a.c", "libs/one", "libs/one/a.c", True, id="project in a folder of the repository"),
        pytest.param("é %#?.c", "", "%C3%A9%20%25%23%3F.c", True, id="letters that a URI has not"),
        pytest.param("c:d.c", "", "c%3Ad.c", True, id="no scheme"),
        pytest.param("a\\b.c", "", "a%5Cb.c", True, id="a backslash is part of the name"),
        pytest.param("\udcff.c", "", "%FF.c", True, id="a byte that is not UTF-8"),
        pytest.param("\ud800.c", "", "%5Cud800.c", True, id="no byte at all"),
        pytest.param("/usr/include/x.h", "libs", "file:///usr/include/x.h", False, id="outside of the project"),
    ],
)
def test_paths_are_uris(path: str, folder: str, uri: str, base: bool) -> None:
    entry = NotChecked(path, None, "parse_error", "not read")
    (said,) = run_of(Report(not_checked=(entry,)), folder=folder)["invocations"][0]["toolExecutionNotifications"]
    found = said["locations"][0]["physicalLocation"]["artifactLocation"]
    assert found == ({"uri": uri, "uriBaseId": "%SRCROOT%"} if base else {"uri": uri})


@pytest.mark.parametrize(
    ("line", "end_line", "column", "clauses", "region"),
    [
        pytest.param(3, 4, 5, (), (3, 5, 4, None), id="no span: to the end of the line"),
        pytest.param(3, 4, 6, (CLAUSE,), (3, 6, 4, None), id="another place than the clause's"),
        pytest.param(9, 3, 5, (), (9, 5, 9, None), id="the end before the start"),
        pytest.param(3, 4, 5, (replace(CLAUSE, file=""),), (3, 5, 4, 17), id="clause in the contract's file"),
        pytest.param(3, 4, 5, (replace(CLAUSE, file="src/a.h"),), (3, 5, 4, None), id="the same place in a header"),
        pytest.param(
            3, 3, 5, (replace(CLAUSE, span=Span(3, 5, 3, 5, 0, 0)),), (3, 5, 3, None), id="a clause without a letter"
        ),
    ],
)
def test_regions(
    line: int, end_line: int, column: int, clauses: tuple[ClauseCounts, ...], region: tuple[int | None, ...]
) -> None:
    finding = replace(WEAK, line=line, end_line=end_line, column=column)
    found = result_of(finding, replace(CONTRACT, clauses=clauses))["locations"][0]["physicalLocation"]["region"]
    assert tuple(found.get(key) for key in ("startLine", "startColumn", "endLine", "endColumn")) == region


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("values = {3, 11}", "values = {3, 11}", id="an array"),
        pytest.param("values = {3}", "values = { 3 }", id="no placeholder"),
        pytest.param("{{1, 2}, {3}}", "{ {1, 2}, { 3 } }", id="no escaped braces"),
        pytest.param("{{{0}}}", "{ { { 0 } } }", id="both"),
        pytest.param("[click](https://example.org)", "[click] (https://example.org)", id="no link"),
        pytest.param("a[0](1)", "a[0] (1)", id="no link to a location"),
        pytest.param("\\result == a[0]", "\\result == a[0]", id="ACSL"),
        pytest.param("a\n\x1b[31m\u202e", "a\\n\\x1b[31m\\u202e", id="what does not print"),
        pytest.param("x" * 9000, "x" * 7997 + "...", id="too long"),
    ],
)
def test_nothing_in_a_message_is_markup(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_rules_have_help() -> None:
    rules = run_of(Report())["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted(RULES)
    for rule in rules:
        assert len(rule["shortDescription"]["text"]) <= 1024 and len(rule["fullDescription"]["text"]) <= 1024
        assert f"{rule['id']} {rule['name']}" in rule["help"]["text"]
        assert rule["help"]["markdown"].count("```") % 2 == 0
        assert rule["defaultConfiguration"]["level"] == RULES[rule["id"]].severity


@pytest.mark.parametrize(
    ("reason", "level", "successful"),
    [
        pytest.param("no_pins", "note", True, id="usual"),
        pytest.param("parse_error", "warning", True, id="to be mended"),
        pytest.param("budget", "warning", False, id="the run did not get so far"),
        pytest.param("made up", "warning", True, id="reason of a later version"),
    ],
)
def test_what_was_not_checked_is_said_of_the_run(reason: str, level: str, successful: bool) -> None:
    run = run_of(Report(not_checked=(NotChecked("a.c", "f", reason, "because", 7),)))
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] == successful
    (said,) = invocation["toolExecutionNotifications"]
    assert said["level"] == level
    assert said["message"]["text"] == f"f: not checked ({reason}): because"
    assert run["tool"]["driver"]["notifications"][said["descriptor"]["index"]]["id"] == reason
    assert said["locations"][0]["physicalLocation"]["region"] == {"startLine": 7}


def test_verifiers_are_extensions_each_once() -> None:
    infos = (VerifierInfo("key", "2.12", ("z3",)), VerifierInfo("key", "2.12", ("z3",)))
    (extension,) = run_of(Report(verifiers=infos))["tool"]["extensions"]
    assert extension == {"name": "key", "version": "2.12", "properties": {"provers": ["z3"]}}


@pytest.mark.parametrize(
    ("count", "most", "kept", "level", "says"),
    [
        pytest.param(3, 3, 3, None, "", id="all fit"),
        pytest.param(4, 3, 3, "error", "1 of 4 findings are left out here: code scanning takes 3", id="too many"),
        pytest.param(5001, 25000, 5001, "warning", "5001 findings: code scanning shows the 5000 most", id="many"),
    ],
)
def test_what_a_limit_cuts_off_is_said(count: int, most: int, kept: int, level: str | None, says: str) -> None:
    findings = tuple(replace(WEAK, line=number, severity="note", witness=None) for number in range(1, count))
    log = json.loads(to_sarif(Report(findings=(*findings, replace(WEAK, file="z.c"))), most_results=most))
    (run,) = log["runs"]
    assert len(run["results"]) == kept
    assert any(one["level"] == "error" for one in run["results"]), "the most severe is kept"
    said = [(one["level"], one["message"]["text"]) for one in run["invocations"][0]["toolExecutionNotifications"]]
    assert [one for one, _ in said] == ([level] if level else [])
    assert all(text.startswith(says) for _, text in said)
