"""Whatever a report holds, every text that is made of it fits where it goes: generated hostile reports."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from ci_findings import SHA, contract, finding
from clausefit.ci.annotations import annotation_lines, problem_line
from clausefit.ci.check_run import plan_check_run
from clausefit.ci.comments import Judged, Voice, finding_body, gone_body, summary_body
from clausefit.ci.job_summary import About, posting_summary, summary
from clausefit.ci.markers import labelled
from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.report import BaselineEntry, Better, ContractReport, Finding, Report, Severity, Witness

COMMENT, CHECK_TEXT, TITLE, MESSAGE, STEP_SUMMARY = 65_536, 65_535, 255, 64 << 10, 1 << 20
# What grows most when it is made visible or escaped, and what is long in bytes.
LETTERS = (*'\U000e0001#:@"`|\u202e\udc80漢😀x \n', "``x`", "a1b2c3d")


def texts(source: random.Random) -> str:
    length = source.choice((0, 1, 30, 300, 2_000, 9_000))
    if source.random() < 0.5:
        return source.choice(LETTERS) * length
    return "".join(source.choice(LETTERS) for _ in range(length))


def findings(source: random.Random, count: int) -> tuple[Finding, ...]:
    severities: tuple[Severity, ...] = ("note", "warning", "error")
    return tuple(
        Finding(
            code=texts(source),
            direction="too_weak",
            severity=source.choice(severities),
            file=texts(source),
            line=source.choice((1, 2**31 - 1)),
            end_line=2**31 - 1,
            column=1,
            function=texts(source),
            clause=source.choice((None, ("ensures", texts(source)))),
            witness=source.choice((None, Witness({}, {}, None, texts(source), texts(source), 3))),
            witnesses=2**53 - 1,
            message=texts(source),
            fingerprint=texts(source),
            decided_by="evaluation",
            better=source.choice((None, Better(texts(source), texts(source), 2**53 - 1))),
        )
        for _ in range(count)
    )


def report(source: random.Random) -> Report:
    def word() -> str:
        return texts(source)

    many = source.choice((0, 1, 40))
    contracts: tuple[ContractReport, ...] = tuple(replace(contract(word(), word()), line=n + 1) for n in range(many))
    return Report(
        contracts=contracts,
        findings=findings(source, source.choice((0, 1, 60))),
        not_checked=tuple(NotChecked(word(), word(), word(), word(), 2**31 - 1) for _ in range(many)),
        known=findings(source, many),
        stale=tuple(BaselineEntry(word(), word(), word(), word(), word()) for _ in range(many)),
    )


HIDDEN = "\U000e0001" * 300
WORST = Report(not_checked=(NotChecked(HIDDEN, HIDDEN, HIDDEN, HIDDEN, 1),) * 20)
"""With this one a summary had 252,004 characters."""
SEEDS = range(25)
VOICES = [Voice(), Voice("a/" + HIDDEN, "the fork's own run")]


def length(text: str) -> int:
    return max(len(text), len(text.encode("utf-8", "backslashreplace")))


def reports() -> list[Report]:
    of_one = [Report(not_checked=(NotChecked(text, text, text, text, 1),) * 40) for text in (x * 999 for x in LETTERS)]
    return [WORST, *of_one, *(report(random.Random(seed)) for seed in SEEDS)]


@pytest.fixture(scope="module")
def generated() -> list[Report]:
    return reports()


@pytest.mark.parametrize("voice", VOICES, ids=["ours", "a fork's, of a folder"])
def test_comments_and_check_runs_fit(generated: list[Report], voice: Voice) -> None:
    for one in generated:
        judged = Judged(SHA, "findings", f"https://github.com/{'x' * 400}", "#" * 99, voice)
        for inline in (frozenset[int](), frozenset(range(60))):
            body = summary_body(one, judged, inline)
            assert length(body) <= CHECK_TEXT
            assert ("Not checked: " in body) is bool(one.not_checked)
        for each in one.findings:
            body = finding_body(each, suggest=True, voice=voice)
            assert length(body) <= COMMENT
            assert length(gone_body(body, "#" * 99, accepted=False, voice=voice)) <= COMMENT
        plan = plan_check_run(one, judged)
        assert length(plan.name) <= TITLE
        for output in plan.outputs:
            assert len(output.title) <= TITLE and length(output.summary) <= CHECK_TEXT
            for annotation in output.annotations:
                assert len(annotation.title) <= TITLE and 0 < length(annotation.message) <= MESSAGE
                assert length(annotation.path) <= 4096


def full(text: str) -> Report:
    """A report with more than fits of everything."""
    one = replace(finding(function=text, clause=text, message=text, better=text), file=text)
    return Report(
        contracts=(contract(text, text),) * 400,
        findings=(one,) * 400,
        not_checked=(NotChecked(text, text, text, text, 1),) * 400,
        known=(one,) * 400,
        stale=(BaselineEntry(text, text, text, text, text),) * 400,
    )


def test_summary_of_the_step_fits_with_what_was_posted(generated: list[Report]) -> None:
    for one in (*generated, *(full(letter * 300) for letter in "#:漢\U000e0001")):
        about = About(HIDDEN * 9, "findings", "https://g", "o/r", SHA, HIDDEN, ("#" * 999,) * 99, "the fork's own run")
        page = summary(one, about) + posting_summary(("#" * 9_999,) * 99, (HIDDEN,) * 99)
        assert length(page) < STEP_SUMMARY


def test_annotations_of_the_step_fit(generated: list[Report]) -> None:
    for one in generated:
        for line in annotation_lines(one, unfinished=True):
            title = line.partition("title=")[2].partition("::")[0]
            assert len(title.replace("%3A", ":").replace("%2C", ",").replace("%25", "%")) <= TITLE
            assert length(line.partition("::")[2].rpartition("::")[2]) <= MESSAGE
    assert length(problem_line(HIDDEN * 300)) <= MESSAGE


def test_a_long_folder_has_a_short_label() -> None:
    assert length(labelled(HIDDEN)) <= TITLE


def test_what_matters_is_not_lost_for_its_size() -> None:
    harmless = tuple(NotChecked("a.c", HIDDEN, "no_pins", HIDDEN, n) for n in range(1, 60))
    cause = NotChecked("z.c", None, "parse_error", "no end", 7)
    one = Report(findings=(finding(),), not_checked=(*harmless, cause))
    body = summary_body(one, Judged(SHA, "not-checked"), frozenset())
    assert "CF101" in body and body.index("`z.c:7`") < body.index("`a.c:1`")
    shown = body.count(", no\\_pins")
    assert 0 < shown < len(harmless) and f"- and {len(harmless) - shown} more: see the run" in body
