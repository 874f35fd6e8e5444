"""Which comments on lines are new, changed or struck."""

from dataclasses import replace

import pytest
from ci_findings import SHA, contract, finding
from clausefit.ci.comments import Voice, finding_body, gone_body
from clausefit.ci.host import Comment
from clausefit.ci.markers import marked
from clausefit.ci.review import MOST_INLINE, ReviewPlan, plan_review
from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.report import Finding, Report

CHANGED = {"src/max.c": frozenset(range(5, 9))}


def plan(report: Report, *present: Comment, complete: bool = True) -> ReviewPlan:
    return plan_review(report, SHA, CHANGED, present, complete=complete)


def there(one: Finding, *, number: int = 1, line: int | None = 5, body: str = "") -> Comment:
    return Comment(number, "bot", body or finding_body(one, suggest=False), one.file, line)


PLACES = [
    pytest.param(finding(line=5), (5, 5), id="a changed line"),
    pytest.param(finding(line=5, end=7), (5, 7), id="several, all changed"),
    pytest.param(finding(line=3, end=6), (6, 6), id="the last is changed: there, and only there"),
    pytest.param(finding(line=7, end=10), None, id="the first alone is changed"),
    pytest.param(finding(line=40), None, id="no changed line"),
    pytest.param(finding(line=5, file="src/min.c"), None, id="a file that is not in the diff"),
    pytest.param(finding(line=5, end=2**31 - 1), None, id="lines up to the largest number"),
    pytest.param(finding(line=-(2**31), end=6), (6, 6), id="lines from a number that there is not"),
]


@pytest.mark.parametrize(("one", "expected"), PLACES)
def test_place_of_a_new_comment(one: Finding, expected: tuple[int, int] | None) -> None:
    found = [(at.start, at.line) for at in plan(Report(findings=(one,))).new.values()]
    assert found == ([expected] if expected else [])


SUGGESTIONS = [
    pytest.param(finding(better="  ensures x;"), True, id="whole line"),
    pytest.param(finding(line=5, end=6, better="a\nb\nc"), True, id="several whole lines by others"),
    pytest.param(finding(line=4, end=6, better="a"), False, id="a line before the diff would be replaced as well"),
    pytest.param(finding(better="ensures x; // ```"), False, id="a fence in the text"),
    pytest.param(finding(better="ensures x; // ~~~"), False, id="the other fence in the text"),
    pytest.param(finding(better="ensures x;\r"), False, id="line ends that would not come through"),
    pytest.param(finding(better="ensures \u202e x;"), False, id="characters that are shown as escapes"),
    pytest.param(finding(better="\tensures x;"), True, id="tabs stay tabs"),
]


@pytest.mark.parametrize(("one", "expected"), SUGGESTIONS)
def test_suggestion_only_where_it_can_be_taken_as_it_stands(one: Finding, expected: bool) -> None:
    (comment,) = plan(Report(findings=(one,))).new.values()
    assert ("```suggestion\n" in comment.body) is expected
    if expected and one.better is not None:
        assert f"```suggestion\n{one.better.lines}\n```\n" in comment.body


def test_what_is_there_already_is_left_alone() -> None:
    one = finding()
    planned = plan(Report(findings=(one,)), there(one))
    assert (planned.new, planned.edits, planned.shown) == ({}, (), {0})


def test_line_ends_of_the_server_are_no_difference() -> None:
    one = finding()
    comment = there(one, body=finding_body(one, suggest=False).replace("\n", "\r\n").rstrip())
    assert plan(Report(findings=(one,)), comment).edits == ()


def test_outdated_comment_is_not_made_again_and_does_not_show_the_finding() -> None:
    one = finding()
    planned = plan(Report(findings=(one,)), there(one, line=None))
    assert (planned.new, planned.edits, planned.shown) == ({}, (), frozenset())


def test_suggestion_goes_when_the_comment_stands_elsewhere_now() -> None:
    one = finding(better="  ensures x;")
    comment = there(one, line=6, body=finding_body(one, suggest=True))
    (edit,) = plan(Report(findings=(one,)), comment).edits
    assert "```suggestion" not in edit.body
    assert "ensures x;" in edit.body


def test_same_fingerprint_twice_is_two_comments() -> None:
    report = Report(findings=(finding(line=5), finding(line=6)))
    assert len(plan(report).new) == 2
    planned = plan(report, there(report.findings[0], number=1), there(report.findings[1], number=2, line=6))
    assert (len(planned.new), len(planned.edits)) == (0, 0)
    assert len(plan(report, there(report.findings[0])).new) == 1


def test_gone_finding_is_struck_once_and_comes_back() -> None:
    one = finding()
    (edit,) = plan(Report(contracts=(contract(),)), there(one)).edits
    assert "~~**error CF101 too weak**: `max`~~" in edit.body
    assert f"No longer found at `{SHA[:12]}`" in edit.body
    struck = there(one, body=edit.body)
    tag = marked(edit.body)
    assert tag is not None
    assert tag.gone
    assert plan(Report(contracts=(contract(),)), struck).edits == ()
    (restored,) = plan(Report(findings=(one,)), struck).edits
    assert restored.body == finding_body(one, suggest=False)


NOT_LOOKED_FOR = [
    pytest.param(Report(not_checked=(NotChecked("src/max.c", "max", "timeout", ""),)), id="its function timed out"),
    pytest.param(
        Report(contracts=(contract(),), not_checked=(NotChecked("inc/max.h", "max", "unknown", ""),)),
        id="one clause of its function was not decided",
    ),
    pytest.param(
        Report(not_checked=(NotChecked("src/max.c", None, "parse_error", ""),)), id="a file could not be read"
    ),
]


@pytest.mark.parametrize("report", NOT_LOOKED_FOR)
def test_what_was_not_looked_for_is_not_struck(report: Report) -> None:
    assert plan(report, there(finding())).edits == ()


def test_judged_function_is_struck_although_another_file_could_not_be_read() -> None:
    report = Report(contracts=(contract(),), not_checked=(NotChecked("src/min.c", None, "parse_error", ""),))
    assert len(plan(report, there(finding())).edits) == 1


def test_nothing_is_struck_by_a_run_that_did_not_come_to_its_end() -> None:
    assert plan(Report(contracts=(contract(),)), there(finding()), complete=False).edits == ()


def test_finding_in_the_baseline_is_struck_as_that() -> None:
    (edit,) = plan(Report(known=(finding(),)), there(finding())).edits
    assert "In the baseline now" in edit.body


def test_most_severe_come_first_where_there_is_no_room_for_all() -> None:
    notes = tuple(replace(finding(line=5), fingerprint=f"{i:032x}", severity="note") for i in range(MOST_INLINE + 4))
    report = Report(findings=(*notes, finding(line=8)))
    planned = plan(report)
    assert len(planned.new) == MOST_INLINE
    assert len(notes) in planned.new
    assert planned.held_back == 5
    shown = [there(report.findings[at], number=at + 1) for at in planned.new]
    assert not plan(report, *shown).new


FOREIGN = [
    pytest.param("Thanks!", id="no marker"),
    pytest.param("> <!-- clausefit:finding " + "1" * 32 + " -->", id="a quoted marker"),
    pytest.param("<!-- clausefit:finding " + "1" * 32 + " -->", id="a marker without the rest"),
    pytest.param("<!-- clausefit:finding zz -->\n<!-- clausefit:about 0 -->\n", id="a marker that is none of ours"),
    pytest.param("", id="empty"),
]


@pytest.mark.parametrize("body", FOREIGN)
def test_comments_without_our_marker_are_nothing_to_us(body: str) -> None:
    planned = plan(Report(contracts=(contract(),)), Comment(1, "bot", body, "src/max.c", 5))
    assert planned.edits == ()


def test_gone_body_keeps_the_markers() -> None:
    body = gone_body(finding_body(finding(), suggest=False), SHA, accepted=False)
    assert (found := marked(body)) is not None
    assert found.fingerprint == "1" * 32


JUDGED_A = Report(contracts=(contract(file="a/src/max.c"),))
OTHERS = [
    pytest.param("b", "b/src/max.c", "a", id="of a project beside it"),
    pytest.param(".", "a/src/max.c", "a", id="of the whole, in the folder of a project"),
    pytest.param("a", "a/src/max.c", ".", id="of a folder, seen by the whole"),
    pytest.param("a", "b/src/max.c", "a", id="of the same project by its marker, in a file outside of it"),
]


@pytest.mark.parametrize(("owner", "path", "judged"), OTHERS)
def test_comments_of_another_project_are_neither_struck_nor_taken_over(owner: str, path: str, judged: str) -> None:
    foreign = finding(file=path)
    comment = there(foreign, body=finding_body(foreign, suggest=False, voice=Voice(owner)))
    planned = plan_review(JUDGED_A, SHA, {}, [comment], complete=True, voice=Voice(judged))
    assert planned.edits == ()
    # Fingerprints are made of paths below the project, so two projects may have the same.
    own = replace(foreign, file="a/src/max.c", line=7, end_line=7)
    changed = {"a/src/max.c": frozenset({7})}
    found = Report(findings=(own,))
    planned = plan_review(found, SHA, changed, [comment], complete=True, voice=Voice(judged))
    assert list(planned.new) == [0] and planned.edits == ()


def test_comments_of_the_same_project_are_struck() -> None:
    one = finding(file="a/src/max.c")
    comment = there(one, body=finding_body(one, suggest=False, voice=Voice("a")))
    (edit,) = plan_review(JUDGED_A, SHA, {}, [comment], complete=True, voice=Voice("a")).edits
    assert "No longer found" in edit.body


def test_what_a_fork_no_longer_reports_is_struck_in_its_name() -> None:
    voice = Voice(reporter="the fork's own run")
    (edit,) = plan_review(Report(), SHA, {}, [there(finding())], complete=True, voice=voice).edits
    assert edit.body.endswith(
        f"No longer found at `{SHA[:12]}`: so the fork's own run says, and nobody has checked it.\n"
    )
