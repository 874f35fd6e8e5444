"""Where OpenJML is looked for, and what people are told when it is not there or does not start."""

from __future__ import annotations

from pathlib import Path

import pytest
from clausefit.verifiers import openjml_tools
from clausefit.verifiers.protocol import VerifierProblem
from openjml_stand_in import StandIn, by_table, script


def stand_in(folder: Path) -> StandIn:
    return by_table(folder, [])


def test_the_setting_goes_first_then_the_variable_then_path(tmp_path: Path) -> None:
    named, home, path = (stand_in(tmp_path / name) for name in ("named", "home", "path"))
    everything = {"OPENJML_HOME": str(home.folder), "PATH": f"/nowhere:{path.folder}"}
    assert openjml_tools.find(named.folder, variables=everything).program == str(named.program)
    assert openjml_tools.find(named.program, variables=everything).program == str(named.program)
    assert openjml_tools.find(variables=everything).program == str(home.program)
    assert openjml_tools.find(variables={"PATH": everything["PATH"]}).program == str(path.program)
    assert openjml_tools.find(variables={"OPENJML_HOME": "", "PATH": everything["PATH"]}).program == str(path.program)


def test_without_variables_it_is_looked_for_in_those_of_this_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENJML_HOME", str(stand_in(tmp_path).folder))
    assert openjml_tools.find().version == "21-0.19"


@pytest.mark.parametrize(
    ("setting", "variables", "says"),
    [
        pytest.param(None, {}, "openjml was not found: unpack a release", id="nowhere"),
        pytest.param(None, {"PATH": "bin:."}, "was not found", id="a relative folder on PATH does not count"),
        pytest.param("rel/ative", {}, "must be an absolute path", id="a relative setting"),
        pytest.param("/nowhere/at/all", {}, "there is no program /nowhere/at/all that can", id="nothing there"),
        pytest.param(None, {"OPENJML_HOME": "/tmp"}, "OPENJML_HOME is /tmp, but", id="a folder without it"),
        pytest.param(None, {"OPENJML_HOME": "rel"}, "OPENJML_HOME is rel: it must be", id="a relative variable"),
    ],
)
def test_where_it_is_not(setting: str | None, variables: dict[str, str], says: str) -> None:
    with pytest.raises(VerifierProblem, match=says) as told:
        openjml_tools.find(Path(setting) if setting else None, variables=variables)
    assert "\n" not in str(told.value)


def test_a_file_that_cannot_be_started_is_none(tmp_path: Path) -> None:
    made = stand_in(tmp_path)
    made.program.chmod(0o644)
    with pytest.raises(VerifierProblem, match="there is no program"):
        openjml_tools.find(made.folder, variables={})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param(
            "print('openjml 0.8.59-20211116')", "is OpenJML 0.8.59-20211116, for Java 8 only", id="for Java 8"
        ),
        pytest.param("print('usage: something')", "says no version", id="no version"),
        pytest.param("pass", "says no version", id="nothing"),
    ],
)
def test_what_is_no_openjml_of_today(tmp_path: Path, text: str, says: str) -> None:
    made = script(tmp_path, text)
    with pytest.raises(VerifierProblem, match=says) as told:
        openjml_tools.find(made.folder, variables={})
    assert "\n" not in str(told.value)


def test_the_version_may_be_on_stderr(tmp_path: Path) -> None:
    made = script(tmp_path, "import sys; print('openjml 0.21.0-alpha', file=sys.stderr)")
    assert openjml_tools.find(made.folder, variables={}).version == "0.21.0-alpha"


def test_another_installation_is_another_identity(tmp_path: Path) -> None:
    made = stand_in(tmp_path)
    before = openjml_tools.find(made.folder, variables={}).identity
    assert openjml_tools.find(made.folder, variables={}).identity == before
    (made.folder / "jmlruntime.jar").write_text("new")
    assert openjml_tools.find(made.folder, variables={}).identity != before


def test_a_link_is_followed(tmp_path: Path) -> None:
    made = stand_in(tmp_path / "opt")
    (made.folder / "jmlruntime.jar").write_text("old")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "openjml").symlink_to(made.program)
    found = openjml_tools.find(variables={"PATH": str(tmp_path / "bin")})
    assert found.program == str(tmp_path / "bin" / "openjml")
    assert "jmlruntime.jar" in found.identity


def test_a_version_that_is_known_is_not_asked(tmp_path: Path) -> None:
    made = stand_in(tmp_path)
    found = openjml_tools.find(made.folder, variables={}, known=lambda _identity, _ask: "21-0.20")
    assert (found.version, made.version_calls()) == ("21-0.20", 0)
