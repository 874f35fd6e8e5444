"""The markers of comments: what they say is read again, and each project of a repository knows its own."""

from __future__ import annotations

import itertools

import pytest
from ci_findings import SHA, finding
from clausefit.ci.markers import (
    commit_of,
    finding_markers,
    is_below,
    is_summary,
    labelled,
    marked,
    project_key,
    struck_through,
    summary_markers,
)

PROJECTS = [
    pytest.param(".", id="the whole"),
    pytest.param("a", id="a folder"),
    pytest.param("lib/c", id="a folder in one"),
    pytest.param("--> <!-- clausefit:summary -->\n", id="markers"),
    pytest.param("a\udcff\u202e", id="no text"),
    pytest.param("x" * 4000, id="long"),
]


@pytest.mark.parametrize("project", PROJECTS)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_what_markers_say_is_read_again(project: str, end: str) -> None:
    body = (finding_markers(finding(), project) + "**title**\n\ntext\n").replace("\n", end)
    assert (tag := marked(body)) is not None
    assert (tag.fingerprint, tag.gone, tag.project) == ("1" * 32, False, project_key(project))
    struck = marked(struck_through(body, "gone"))
    assert struck is not None and struck.gone and struck.project == tag.project
    summary = (summary_markers(SHA, project) + "### title").replace("\n", end)
    assert is_summary(summary, project) and commit_of(summary) == SHA
    assert marked(summary) is None and not is_summary(body, project)


def test_projects_are_told_apart() -> None:
    projects = [".", "a", "b", "a/b", "x" * 200, "x" * 199 + "y", "a\n", "a\\n"]
    for one, other in itertools.permutations(projects, 2):
        assert not is_summary(summary_markers(SHA, one), other)
        assert labelled(one) != labelled(other)
    assert max(len(labelled(one)) for one in projects) <= 100
    assert labelled(".") == "clausefit" and labelled("lib/c") == "clausefit (lib/c)"


OLD = [
    pytest.param("<!-- clausefit:summary -->\ntext", id="of the first version"),
    pytest.param(f"<!-- clausefit:summary -->\n<!-- clausefit:commit {SHA} -->\ntext", id="with a commit"),
]


@pytest.mark.parametrize("body", OLD)
def test_markers_without_a_project_are_of_the_whole(body: str) -> None:
    assert is_summary(body, ".") and not is_summary(body, "a")


def test_a_finding_without_a_project_is_of_the_whole() -> None:
    old = f"<!-- clausefit:finding {'1' * 32} -->\n<!-- clausefit:about {'2' * 16} -->\n**title**\n"
    assert (tag := marked(old)) is not None
    assert tag.project == project_key(".")


@pytest.mark.parametrize(
    ("path", "project", "expected"),
    [
        pytest.param("src/a.c", ".", True, id="all is below the whole"),
        pytest.param("a/src/a.c", "a", True, id="below"),
        pytest.param("ab/a.c", "a", False, id="a name that only begins so"),
        pytest.param("a", "a", False, id="the folder itself is no file"),
        pytest.param("b/a/a.c", "a", False, id="elsewhere"),
    ],
)
def test_is_below(path: str, project: str, expected: bool) -> None:
    assert is_below(path, project) is expected
