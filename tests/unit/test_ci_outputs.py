"""Outputs, summary and files: what is written, and what is never written over or out of the workspace."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from clausefit.ci.outputs import OutputProblem, write_file, write_outputs, write_summary


def read_outputs(text: str) -> dict[str, str]:
    """Outputs as the runner reads them (FileCommandManager.cs)."""
    values, lines = {}, iter(text.split("\n"))
    for line in lines:
        if line:
            name, delimiter = line.split("<<", 1)
            value = []
            while (inner := next(lines)) != delimiter:
                value.append(inner)
            values[name] = "\n".join(value)
    return values


def test_outputs_are_appended_and_come_back(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("before<<E\n1\nE\n")
    values = {"a": "1", "empty": "", "hostile": "x\nevil<<E\ny\nE\n%0A=::set-output name=z::1"}
    write_outputs(path, values, "random-1")
    assert read_outputs(path.read_text()) == {"before": "1"} | values


def test_a_value_that_holds_the_delimiter_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with pytest.raises(OutputProblem):
        write_outputs(path, {"a": "x\nD\nevil=1"}, "D")
    assert not path.exists()


@pytest.mark.parametrize("name", ["GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"])
@pytest.mark.parametrize("where", [None, "gone/out", "."])
def test_what_cannot_be_written_is_one_line(tmp_path: Path, name: str, where: str | None) -> None:
    path = tmp_path / where if where is not None else None
    with pytest.raises(OutputProblem) as raised:
        if name == "GITHUB_OUTPUT":
            write_outputs(path, {"a": "1"}, "D")
        else:
            write_summary(path, "x")
    assert name in str(raised.value) and str(raised.value).isprintable()


def test_a_summary_is_appended_whatever_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "summary"
    path.write_text("before\n")
    write_summary(path, "é \udcff\n")
    assert path.read_text("utf-8") == "before\né \\udcff\n"


def test_a_file_is_written_and_replaced_readable_by_all(tmp_path: Path) -> None:
    for text in ("one", "two"):
        write_file(tmp_path, "out/a.json", text)
    target = tmp_path / "out" / "a.json"
    assert target.read_text() == "two" and target.stat().st_mode & 0o777 == 0o644
    assert os.listdir(tmp_path / "out") == ["a.json"]  # noqa: PTH208 - also hidden ones


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("kept")
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "a.json").symlink_to(outside)
    write_file(workspace, "a.json", "new")
    assert outside.read_text() == "kept"
    assert (workspace / "a.json").read_text() == "new" and not (workspace / "a.json").is_symlink()


@pytest.mark.parametrize("kind", ["a link out", "a loop", "a file for a folder", "a folder of that name"])
def test_what_leads_out_or_is_in_the_way_is_one_line(tmp_path: Path, kind: str) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (tmp_path / "outside").mkdir()
    folder = workspace / "out"
    if kind == "a link out":
        folder.symlink_to(tmp_path / "outside")
    elif kind == "a loop":
        folder.symlink_to(folder)
    elif kind == "a file for a folder":
        folder.write_text("")
    else:
        (folder / "a.json").mkdir(parents=True)
    with pytest.raises(OutputProblem, match=r"out/a\.json"):
        write_file(workspace, "out/a.json", "x")
    assert os.listdir(tmp_path / "outside") == []  # noqa: PTH208
    assert not [name for name in os.listdir(workspace) if name.startswith(".clausefit")]  # noqa: PTH208
