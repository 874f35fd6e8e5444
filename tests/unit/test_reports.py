"""Reporters: what programs and people are given."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import clausefit.hook.reports as reports
import jsonschema
import pytest
from clausefit.hook.contracts.model import Clause, NotChecked, Span
from clausefit.hook.messages import message
from clausefit.hook.report import (
    BaselineEntry,
    Better,
    ClauseCounts,
    ContractReport,
    Finding,
    Report,
    Score,
    Severity,
    Stats,
    VerifierInfo,
    Witness,
)
from clausefit.hook.reports import REPORTERS
from clausefit.hook.reports.json_report import to_json
from clausefit.hook.reports.text_report import render, to_text
from rich.console import Console

SCHEMA = json.loads((Path(reports.__file__).parent / "report.schema.json").read_text(encoding="utf-8"))
SPAN = Span(3, 4, 3, 26, 30, 52)
POS = Clause("ensures", "ensures pos: level > 0", "level > 0", SPAN, ("pos",))
WITNESS = Witness({"level": -1}, {"level": 3}, {"level": 9}, "main", "test.c", 6)
SOURCE = "#include <x.h>\n/*@ requires a;\n\t@ ensures pos: level > 0;  // why\n*/\n"
WEAK = Finding(
    "CF101",
    "too_weak",
    "error",
    "src/a.c",
    3,
    3,
    4,
    "rearm",
    ("ensures", POS.text),
    WITNESS,
    4,
    message("CF101", "rearm", POS, WITNESS),
    "f" * 32,
    "frama-c-wp",
)
WHOLE = replace(
    WEAK,
    code="CF103",
    severity="warning",
    line=9,
    clause=None,
    witness=None,
    witnesses=1,
    message="Free text.",
    decided_by="",
)
CONTRACT = ContractReport(
    "c",
    "src/a.c",
    "rearm",
    4,
    3,
    0,
    2,
    (("test.c:9", "calls a macro"),),
    {"PreCorr": Score(1, 1, 1), "PostCorr": Score(3, 3, 3), "PostComp": Score(0, 0, 5)},
    (ClauseCounts("ensures", POS.text, SPAN, 3, 0, 9, 3, 1, {"frama-c-wp": 15}),),
    {"frama-c-wp": 40},
)
REPORT = Report(
    (CONTRACT,),
    (WEAK, WHOLE),
    (NotChecked("src/b.c", None, "parse_error", "line 3: bad"), NotChecked("src/b.c", "g", "no_pins", "none", 7)),
    (VerifierInfo("frama-c-wp", "25.0", ("cvc4",)),),
    Stats(108, 40, 68, 3, 7.31),
)
HOSTILE = "\x1b[31m[bold]x[/bold]\n::error::\u202e\u200b\udcff :warning: é"


def hostile() -> Report:
    """A report in which every text that a file can choose is hostile."""
    witness = Witness({HOSTILE: HOSTILE, "n": float("nan")}, {HOSTILE: [float("inf")]}, None, HOSTILE, HOSTILE, 1)
    finding = replace(
        WEAK, file=HOSTILE, function=HOSTILE, clause=("ensures", HOSTILE), witness=witness, message=HOSTILE
    )
    contract = replace(CONTRACT, file=HOSTILE, function=HOSTILE, ignored=((HOSTILE, HOSTILE),))
    unchecked = NotChecked(HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    return Report((contract,), (finding,), (unchecked,), (VerifierInfo(HOSTILE, HOSTILE, (HOSTILE,)),), Stats())


REPORTS = [
    pytest.param(Report(), id="empty"),
    pytest.param(REPORT, id="usual"),
    pytest.param(hostile(), id="hostile"),
    pytest.param(replace(Report(), stats=Stats(seconds=float("nan"))), id="no time"),
]


def shown(report: Report, width: int | None = None, **options: Any) -> str:
    buffer = io.StringIO()
    console = Console(file=buffer, force_terminal=width is not None, width=width, color_system=None)
    render(report, console, **options)
    return buffer.getvalue()


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("name", [pytest.param(name, id=name) for name in REPORTERS])
def test_every_reporter_takes_every_report(name: str, report: Report) -> None:
    text = REPORTERS[name](report)
    assert text.endswith("\n")
    text.encode("utf-8")
    assert REPORTERS[name](report) == text


@pytest.mark.parametrize("name", [pytest.param(name, id=name) for name in REPORTERS])
def test_the_order_of_parts_does_not_matter(name: str) -> None:
    turned = replace(REPORT, findings=REPORT.findings[::-1], not_checked=REPORT.not_checked[::-1])
    assert REPORTERS[name](turned) == REPORTERS[name](REPORT)


@pytest.mark.parametrize("report", REPORTS)
def test_json_fits_the_schema(report: Report) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(json.loads(to_json(report), parse_constant=refuse), SCHEMA)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        pytest.param(("schema",), "clausefit-report/2", id="other version"),
        pytest.param(("more",), 1, id="unknown key"),
        pytest.param(("findings", 0, "direction"), "sideways", id="unknown direction"),
        pytest.param(("findings", 0, "line"), 0, id="line before the first"),
        pytest.param(("contracts", 0, "scores", "PostComp"), None, id="score missing"),
    ],
)
def test_the_schema_can_refuse(place: tuple[Any, ...], value: Any) -> None:
    document = json.loads(to_json(REPORT))
    target = document
    for step in place[:-1]:
        target = target[step]
    target[place[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, SCHEMA)


@pytest.mark.parametrize(
    ("decided_by", "says"),
    [
        pytest.param("evaluation", True, id="nobody proved it"),
        pytest.param("key", False, id="KeY proved it"),
    ],
)
def test_text_says_what_only_evaluation_decided(decided_by: str, says: bool) -> None:
    contract = replace(CONTRACT, language="java", decided_by={decided_by: 7, "frama-c-wp": 1})
    text = shown(Report((contract,), (replace(WEAK, decided_by=decided_by),), stats=Stats(8, 8, 0, 0, 1.0)))
    assert ("Evaluation alone says so: no verifier could decide it." in text) == says
    assert ("8 asked, 0 cached, 7 judged by evaluation alone; 1.0 s" in text) == says


@pytest.mark.parametrize(
    ("better", "says"),
    [
        pytest.param(
            Better("ensures a == 3", "ensures a == 3;", 4),
            "  better: `ensures a == 3` fits all 4 tested calls\n",
            id="calls",
        ),
        pytest.param(
            Better("ensures a", "ensures a;", 1), "  better: `ensures a` fits the one tested call\n", id="one-call"
        ),
        pytest.param(
            Better("ensures a", "ensures a;"), "  better: `ensures a` fits all tested calls\n", id="calls-not-counted"
        ),
        pytest.param(
            Better("a\n\x1b[31m", "a", 2), "  better: `a\\n\\x1b[31m` fits all 2 tested calls\n", id="odd-characters"
        ),
    ],
)
def test_text_shows_a_better_clause_before_more(better: Better, says: str) -> None:
    text = shown(Report((CONTRACT,), (replace(WEAK, better=better),), stats=Stats()))
    assert f"{says}  more: clausefit explain" in text


def test_text_says_nothing_of_a_better_clause_where_none_is_known() -> None:
    assert "better" not in shown(Report((CONTRACT,), (WEAK,), stats=Stats()))


@pytest.mark.parametrize("other", ["a b.c", "a\\nb.c", "a\u2028b.c"])
def test_no_two_names_look_the_same(other: str) -> None:
    skipped = NotChecked("x.c", None, "unsupported", "")
    for made in (
        lambda name: Report((CONTRACT,), (replace(WEAK, file=name),)),
        lambda name: Report((CONTRACT,), not_checked=(replace(skipped, file=name),)),
    ):
        assert shown(made("a\nb.c")) != shown(made(other))


def test_what_is_hidden_is_counted() -> None:
    assert "hidden" not in shown(Report((CONTRACT,), (WEAK,)))
    text = shown(Report((CONTRACT,), (), suppressed=2, ignored=1))
    assert ", 2 hidden by comments, 1 hidden by the setting `ignore`" in text


def test_json_is_the_published_format() -> None:
    better = replace(WEAK, better=Better("level == 3", "\t@ ensures level == 3;", 4))
    stale = (BaselineEntry("0" * 32, "CF101", "src/a.c", "gone", "ensures a"),)
    document = json.loads(to_json(replace(REPORT, findings=(better, WHOLE), stale=stale)))
    names = ["schema", "contracts", "findings", "known", "stale", "not_checked", "verifiers", "stats"]
    assert list(document) == names
    assert document == {
        "schema": "clausefit-report/1",
        "contracts": [
            {
                "language": "c",
                "file": "src/a.c",
                "function": "rearm",
                "line": 4,
                "pins": {
                    "static": 3,
                    "recorded": 0,
                    "used": 2,
                    "ignored": [{"source": "test.c:9", "reason": "calls a macro"}],
                },
                "scores": {
                    "PostCorr": {"passed": 3, "decided": 3, "asked": 3, "score": 1.0},
                    "PostComp": {"passed": 0, "decided": 0, "asked": 5, "score": None},
                    "PreCorr": {"passed": 1, "decided": 1, "asked": 1, "score": 1.0},
                    "PreComp": {"passed": 0, "decided": 0, "asked": 0, "score": None},
                },
                "clauses": [
                    {
                        "kind": "ensures",
                        "text": "ensures pos: level > 0",
                        "file": "src/a.c",
                        "line": 3,
                        "column": 4,
                        "end_line": 3,
                        "end_column": 26,
                        "accepts_right": 3,
                        "rejects_right": 0,
                        "rejects_wrong": 9,
                        "accepts_wrong": 3,
                        "undecided": 1,
                        "decided_by": {"frama-c-wp": 15},
                    }
                ],
                "decided_by": {"frama-c-wp": 40},
            }
        ],
        "findings": [
            {
                "code": "CF101",
                "direction": "too_weak",
                "severity": "error",
                "file": "src/a.c",
                "line": 3,
                "end_line": 3,
                "column": 4,
                "function": "rearm",
                "clause": {"kind": "ensures", "text": "ensures pos: level > 0"},
                "witness": {
                    "inputs": {"level": -1},
                    "right": {"level": 3},
                    "wrong": {"level": 9},
                    "test": "main",
                    "test_file": "test.c",
                    "test_line": 6,
                },
                "witnesses": 4,
                "message": WEAK.message,
                "fingerprint": "f" * 32,
                "decided_by": "frama-c-wp",
                "better": {"clause": "level == 3", "lines": "\t@ ensures level == 3;", "calls": 4},
            },
            {
                "code": "CF103",
                "direction": "too_weak",
                "severity": "warning",
                "file": "src/a.c",
                "line": 9,
                "end_line": 3,
                "column": 4,
                "function": "rearm",
                "clause": None,
                "witness": None,
                "witnesses": 1,
                "message": "Free text.",
                "fingerprint": "f" * 32,
                "decided_by": "",
                "better": None,
            },
        ],
        "known": [],
        "stale": [
            {"fingerprint": "0" * 32, "code": "CF101", "file": "src/a.c", "function": "gone", "clause": "ensures a"}
        ],
        "not_checked": [
            {"file": "src/b.c", "function": None, "line": None, "reason": "parse_error", "detail": "line 3: bad"},
            {"file": "src/b.c", "function": "g", "line": 7, "reason": "no_pins", "detail": "none"},
        ],
        "verifiers": [{"name": "frama-c-wp", "version": "25.0", "provers": ["cvc4"]}],
        "stats": {"questions": 108, "asked": 40, "cached": 68, "undecided": 3, "seconds": 7.31},
    }
    finding = document["findings"][0]
    assert list(finding)[:8] == ["code", "direction", "severity", "file", "line", "end_line", "column", "function"]


def test_json_numbers_that_json_cannot_hold() -> None:
    document = json.loads(to_json(hostile()))
    witness = document["findings"][0]["witness"]
    assert witness["inputs"]["n"] == "nan"
    assert list(witness["right"].values()) == [["inf"]]


def test_json_keeps_letters_and_writes_out_surrogates() -> None:
    text = to_json(replace(REPORT, findings=(replace(WEAK, file="é\udcff.c"),)))
    assert '"file": "é\\\\udcff.c"' in text


USUAL = """\
src/a.c:3:4: error CF101 too weak: rearm: ensures pos: level > 0
  `ensures pos: level > 0` also accepts level = 9 after rearm(level = -1); test main (test.c:6) shows 3.
  3 more outcomes show the same.
  3 |     @ ensures pos: level > 0;  // why
    |       ^^^^^^^^^^^^^^^^^^^^^^
  help: Say exactly what the outcome is, in every case.
  more: clausefit explain CF101

src/a.c:9:4: warning CF103 too weak: rearm: the whole contract
  Free text.
  more: clausefit explain CF103

Not checked (2):
  no_pins (1): no test shows a call of the function; add one with plain inputs and an expected outcome
    src/b.c:7: g: none
  parse_error (1): could not be read; correct the text there
    src/b.c: line 3: bad

1 contract judged, 2 findings (1 error, 1 warning), 2 listed as not checked, 3 undecided; \
108 questions: 40 asked, 68 cached; 7.3 s
"""


def test_text_when_piped() -> None:
    assert shown(REPORT, sources={"src/a.c": SOURCE}) == USUAL


@pytest.mark.parametrize(
    ("pins", "decided_by", "expected"),
    [
        pytest.param((1, 2), {}, "2 contracts judged, 0 findings", id="all"),
        pytest.param((1, 0, 0), {}, "1 of 3 contracts judged, 2 without pins, 0 findings", id="some-without-pins"),
        pytest.param((0,), {}, "Nothing judged: 1 contract without pins", id="none"),
        pytest.param((0,), {"key": 1}, "1 contract judged, 0 findings", id="asked-without-pins"),
    ],
)
def test_what_has_no_pins_is_not_counted_as_judged(
    pins: tuple[int, ...], decided_by: dict[str, int], expected: str
) -> None:
    one = REPORT.contracts[0]
    contracts = tuple(
        replace(one, used_pins=number, decided_by=decided_by, scores=one.scores if number else {}) for number in pins
    )
    summary = shown(replace(REPORT, contracts=contracts, findings=())).splitlines()[-1]
    assert summary.startswith(f"{expected}, 2 listed as not checked, ")


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        pytest.param("rearm", "src/a.c:9:4: warning CF901 suppression: rearm", id="at-a-function"),
        pytest.param("", "src/a.c:9:4: warning CF901 suppression", id="at-no-function"),
    ],
)
def test_a_finding_about_a_comment_blames_no_contract(function: str, expected: str) -> None:
    about = replace(WHOLE, code="CF901", direction="suppression", function=function)
    assert shown(Report(findings=(about,))).splitlines()[0] == expected


def test_text_counts_what_is_known_and_lists_what_is_stale() -> None:
    gone = tuple(
        BaselineEntry(f"{number:032x}", "CF101", "src/a.c", f"f{number}", "ensures a\n") for number in range(3)
    )
    whole = BaselineEntry("f" * 32, "CF903", "src/z\x1b.c", "", "")
    report = replace(REPORT, findings=(WEAK,), known=(WHOLE, WHOLE), stale=(whole, *gone))
    text = shown(report, limit=None)
    assert (
        """
Stale in the baseline (4): no longer found
  CF101 src/a.c: f0: ensures a\\n
  CF101 src/a.c: f1: ensures a\\n
  CF101 src/a.c: f2: ensures a\\n
  CF903 src/z\\x1b.c
  help: run `clausefit baseline` to drop them

Not checked (2):
"""
        in text
    )
    assert "1 contract judged, 1 finding (1 error), 2 known from the baseline, 2 listed as not checked, " in text
    assert "f1: ensures a\\n\n  ... and 2 more; --verbose lists them all\n" in shown(report, limit=2)
    alone = shown(Report(known=(WHOLE,)))
    assert alone == "No contract to judge, 1 known from the baseline; 0.0 s\n"


def test_text_without_sources_shows_no_line() -> None:
    assert to_text(REPORT) == "".join(
        line for line in USUAL.splitlines(keepends=True) if not line.lstrip().startswith(("3 |", "|"))
    )


def test_nothing_judged_does_not_look_like_a_pass() -> None:
    assert to_text(Report()) == "No contract to judge; 0.0 s\n"
    missing = Report(not_checked=(NotChecked("a.c", None, "missing_file", "the file does not exist"),))
    summary = shown(missing, looked_at="what is staged").splitlines()[-1]
    assert summary == "No contract to judge in what is staged, 1 listed as not checked; 0.0 s"


@pytest.mark.parametrize(
    ("limit", "listed", "more"),
    [
        pytest.param(5, 5, "... and 35 more", id="cut"),
        pytest.param(40, 40, None, id="all fit"),
        pytest.param(None, 40, None, id="no limit"),
        pytest.param(0, 0, "... and 40 more", id="none shown, still counted"),
    ],
)
def test_long_lists_are_cut_with_a_count(limit: int | None, listed: int, more: str | None) -> None:
    entries = tuple(NotChecked("a.c", f"f{n}", "no_pins", "none") for n in range(40))
    text = shown(Report(not_checked=entries), limit=limit)
    assert text.count("a.c: f") == listed
    assert "Not checked (40):" in text
    assert more in text if more else "more" not in text
    assert ("--verbose lists them all" in text) == (more is not None)


@pytest.mark.parametrize("width", [pytest.param(w, id=str(w)) for w in (1, 20, 40, 80, 200)])
@pytest.mark.parametrize("report", REPORTS)
def test_hostile_text_never_reaches_the_terminal(report: Report, width: int) -> None:
    text = shown(report, width, sources={"src/a.c": SOURCE, HOSTILE: "a\nb\n\x1b[31m\u202e\t" + "x" * 5000})
    assert all(character == "\n" or character.isprintable() for character in text)


def test_hostile_text_is_shown_escaped() -> None:
    text = to_text(hostile())
    assert "\\x1b[31m[bold]x[/bold]\\n::error::\\u202e\\u200b\\udcff :warning: é:3:4: error CF101" in text
    assert not any(line.startswith("::") for line in text.splitlines())


@pytest.mark.parametrize("width", [pytest.param(w, id=str(w)) for w in (40, 60, 80, 120)])
def test_only_places_are_wider_than_the_terminal(width: int) -> None:
    long_source = SOURCE.replace("// why", "// " + "z" * 4000)
    lines = shown(REPORT, width, sources={"src/a.c": long_source}).splitlines()
    assert [line for line in lines if len(line) > width and not line.startswith("src/")] == []


@pytest.mark.parametrize(
    ("source", "column", "clause", "expected"),
    [
        pytest.param("/*@ ensures a; */", 5, "ensures a", ["/*@ ensures a; */", "    ^^^^^^^^^"], id="clause"),
        pytest.param("\tensures a;", 2, "ensures a", ["    ensures a;", "    ^^^^^^^^^"], id="tab"),
        pytest.param(
            "/* 日本 */ ensures a;",
            10,
            "ensures a",
            ["/* 日本 */ ensures a;", "           ^^^^^^^^^"],
            id="wide",
        ),
        pytest.param("a\x1bb ensures a;", 5, "ensures a", ["a\\x1bb ensures a;", "       ^^^^^^^^^"], id="escaped"),
        pytest.param("  ensures  a;  ", 3, "ensures a", ["  ensures  a;", "  ^^^^^^^^^^^"], id="blanks differ"),
        pytest.param("short", 99, "ensures a", ["short", "     ^"], id="column beyond the line"),
        pytest.param("", 1, "ensures a", ["", "^"], id="empty line"),
    ],
)
def test_caret_line(source: str, column: int, clause: str, expected: list[str]) -> None:
    finding = replace(WEAK, line=1, end_line=1, column=column, clause=("ensures", clause))
    lines = shown(Report(findings=(finding,)), sources={"src/a.c": source}).splitlines()
    found = [line.split("| ", 1)[1] for line in lines if line.startswith(("  1 | ", "    | "))]
    assert found == expected


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        pytest.param(1, ["ensures pos: level > 0" + "y" * 49 + "...", "^" * 22], id="at the start"),
        pytest.param(900_001, ["..." + "ensures pos: level > 0" + "y" * 46 + "...", "   " + "^" * 22], id="far away"),
    ],
)
def test_a_line_of_any_length_is_shown_around_the_clause(column: int, expected: list[str]) -> None:
    source = "x" * (column - 1) + POS.text + "y" * 1_000_000
    finding = replace(WEAK, line=1, end_line=1, column=column)
    lines = shown(Report(findings=(finding,)), 80, sources={"src/a.c": source}).splitlines()
    assert [line.split("| ", 1)[1] for line in lines if line.startswith(("  1 | ", "    | "))] == expected


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("one\r\ntwo\r\nthree", "three", id="CRLF"),
        pytest.param("one\rtwo\rthree", "three", id="CR"),
        pytest.param("one\ntwo\x0c\nthree", "three", id="form feed ends no line"),
        pytest.param("one\ntwo", None, id="line is not there"),
    ],
)
def test_lines_are_counted_as_compilers_do(text: str, line: str | None) -> None:
    out = shown(Report(findings=(WEAK,)), sources={"src/a.c": text})
    assert (f"  3 | {line}" in out) if line else ("  3 |" not in out)


def test_colours_only_where_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    def rendered(terminal: bool) -> str:
        buffer = io.StringIO()
        render(REPORT, Console(file=buffer, force_terminal=terminal, width=100))
        return buffer.getvalue()

    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[1;31merror" in rendered(terminal=True)
    assert "\x1b" not in rendered(terminal=False)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "31m" not in rendered(terminal=True)


@pytest.mark.parametrize(
    "encoding",
    [pytest.param("ascii", id="ascii"), pytest.param("latin-1", id="latin-1"), pytest.param("utf-8", id="utf-8")],
)
def test_letters_that_the_terminal_lacks_are_escaped(encoding: str) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding)
    render(Report(findings=(replace(WEAK, function="日é"),)), Console(file=stream))
    stream.flush()
    written = raw.getvalue().decode(encoding)
    assert "日é".encode(encoding, "backslashreplace").decode(encoding) in written


@pytest.mark.parametrize(
    ("severities", "expected"),
    [
        pytest.param(["note"], "1 finding (1 note)", id="one"),
        pytest.param(["note", "error", "error"], "3 findings (2 errors, 1 note)", id="worst first"),
    ],
)
def test_summary_counts(severities: list[Severity], expected: str) -> None:
    findings = tuple(replace(WEAK, severity=severity) for severity in severities)
    assert expected in to_text(Report(findings=findings)).splitlines()[-1]
