"""Which files are taken for test reports: none that a change lets lie outside of the workspace."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from clausefit.hook.config import ConfigProblem
from clausefit.hook.report_files import anywhere, below


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Reports in the workspace and outside of it, and links between them."""
    folder = tmp_path / "w"
    for path in (folder / "build" / "a.xml", folder / "build" / "deep" / "b.xml", tmp_path / "out" / "c.xml"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("<testsuite/>")
    (folder / "inside").symlink_to("build")
    (folder / "leads-out").symlink_to(tmp_path / "out")
    (folder / "x").mkdir()
    (folder / "x" / "c.xml").symlink_to(tmp_path / "out" / "c.xml")
    (folder / "x" / "zero.xml").symlink_to("/dev/zero")
    (folder / "loop").symlink_to("loop")
    (folder / "pipes").mkdir()
    os.mkfifo(folder / "pipes" / "p.xml")
    return folder


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        pytest.param("build/*.xml", ["build/a.xml"], id="a pattern"),
        pytest.param("build/**/*.xml", ["build/a.xml", "build/deep/b.xml"], id="any folder"),
        pytest.param("build/a.xml", ["build/a.xml"], id="a file"),
        pytest.param("inside/*.xml", ["inside/a.xml"], id="a link that stays inside"),
        pytest.param("none/*.xml", [], id="nothing"),
    ],
)
def test_reports_in_the_workspace(workspace: Path, pattern: str, found: list[str]) -> None:
    assert below([pattern], workspace) == [workspace / one for one in found]


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        pytest.param("leads-out/*.xml", "a link out of the workspace", id="a folder by its name"),
        pytest.param("leads-out/**/*.xml", "a link out of the workspace", id="a whole disk"),
        pytest.param("*/c.xml", "a link out of the workspace", id="a folder by a pattern"),
        pytest.param("x/c.xml", "a link out of the workspace", id="a file by its name"),
        pytest.param("x/c*", "a link out of the workspace", id="a file by a pattern"),
        pytest.param("x/zero.xml", "a link out of the workspace", id="a device"),
        pytest.param("pipes/*", "no regular file", id="a pipe"),
        pytest.param("build/*", "no regular file", id="a folder among files"),
        pytest.param("loop/*.xml", "cannot be opened", id="a loop"),
    ],
)
def test_reports_elsewhere_are_refused(workspace: Path, pattern: str, says: str) -> None:
    with pytest.raises(ConfigProblem, match=says) as raised:
        below([pattern], workspace)
    assert str(raised.value).isprintable()


def test_who_types_a_path_may_name_any(workspace: Path) -> None:
    assert anywhere(str(workspace / "leads-out" / "*.xml")) == [workspace / "leads-out" / "c.xml"]
    assert anywhere(str(workspace / "none.xml")) == [workspace / "none.xml"]
