"""A check run as requests."""

import pytest
from ci_findings import SHA, finding
from clausefit.ci.check_run import MOST_ANNOTATIONS, plan_check_run
from clausefit.ci.comments import Conclusion, Judged
from clausefit.hook.report import Report

SIZES = [
    pytest.param(0, [0], id="no findings: one request that says so"),
    pytest.param(1, [1], id="one"),
    pytest.param(50, [50], id="just one request"),
    pytest.param(51, [50, 1], id="one more"),
    pytest.param(120, [50, 50, 20], id="three requests"),
    pytest.param(MOST_ANNOTATIONS + 7, [50] * (MOST_ANNOTATIONS // 50), id="more than is annotated"),
]


@pytest.mark.parametrize(("count", "expected"), SIZES)
def test_annotations_go_in_chunks(count: int, expected: list[int]) -> None:
    plan = plan_check_run(Report(findings=(finding(),) * count), Judged(SHA, "findings"))
    assert [len(output.annotations) for output in plan.outputs] == expected
    assert ("of them annotated" in plan.outputs[0].title) is (count > MOST_ANNOTATIONS)


CONCLUSIONS = [
    pytest.param("clean", "success", id="clean"),
    pytest.param("findings", "failure", id="findings"),
    pytest.param("not-checked", "failure", id="what could not be judged is no pass"),
]


@pytest.mark.parametrize(("conclusion", "expected"), CONCLUSIONS)
def test_conclusion(conclusion: Conclusion, expected: str) -> None:
    assert plan_check_run(Report(), Judged(SHA, conclusion)).conclusion == expected


def test_levels_places_and_order() -> None:
    report = Report(findings=(finding("1", 9, severity="note"), finding("2", 7, 8, severity="warning"), finding("3")))
    annotations = plan_check_run(report, Judged(SHA, "findings")).outputs[0].annotations
    assert [(one.level, one.start, one.end) for one in annotations] == [
        ("failure", 5, 5),
        ("warning", 7, 8),
        ("notice", 9, 9),
    ]


def test_annotation_text_is_one_visible_line_within_its_limits() -> None:
    one = finding(function="f" * 999, message="a\n\x1b[31m\u202e" + "b" * 9_999, line=5, end=4)
    (annotation,) = plan_check_run(Report(findings=(one,)), Judged(SHA, "findings")).outputs[0].annotations
    assert len(annotation.title) <= 255
    assert len(annotation.message) <= 4_000
    assert annotation.message.isprintable()
    assert annotation.end >= annotation.start


def test_empty_message_is_not_sent_empty() -> None:
    (annotation,) = (
        plan_check_run(Report(findings=(finding(message=""),)), Judged(SHA, "findings")).outputs[0].annotations
    )
    assert annotation.message


def test_digest_tells_contents_apart_but_not_runs() -> None:
    report = Report(findings=(finding(),))
    digest = plan_check_run(report, Judged(SHA, "findings", "https://github.com/o/r/actions/runs/1")).digest
    assert digest == plan_check_run(report, Judged(SHA, "findings", "https://github.com/o/r/actions/runs/2")).digest
    assert digest != plan_check_run(report, Judged(SHA, "not-checked")).digest
    assert digest != plan_check_run(Report(findings=(finding(line=6),)), Judged(SHA, "findings")).digest
