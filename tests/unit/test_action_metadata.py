"""action.yml, the README, the Dockerfile, the package and the code say the same of inputs, outputs and version."""

from __future__ import annotations

import json
import re
import threading
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml
from clausefit.ci.run import Edges, main
from clausefit.ci.settings import INPUTS, Settings, read_settings
from clausefit.hook.report import Report
from clausefit.hook.reports import REPORTERS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
_SECTION = README[README.index("### Inputs and outputs") : README.index("## Every night")]
_ROW = re.compile(r"^\| `([a-z-]+)` \| (?:`([^`]+)`)? ?\| (.+) \|$", re.MULTILINE)
SHOWN = {name: (default, meaning) for name, default, meaning in _ROW.findall(_SECTION)}
_PULL = json.dumps({"number": 1, "base": {"sha": "a" * 40}, "head": {"sha": "b" * 40}})
FROM_THE_RUN = {"token": "${{ github.token }}"}
"""Defaults that are expressions, which the runner replaces."""
NAMES = {"verifier": "verifiers"}
"""Inputs whose field in Settings has another name."""


def test_the_inputs_are_those_of_the_code_in_its_order() -> None:
    assert tuple(ACTION["inputs"]) == INPUTS


def test_every_input_is_a_setting() -> None:
    known = {field.name for field in fields(Settings)}
    assert {NAMES.get(name, name).replace("-", "_") for name in INPUTS} <= known


def test_the_defaults_of_the_action_are_those_of_the_code() -> None:
    """With what the runner passes for an empty ``with:``, the settings are those without any input."""
    given = {f"INPUT_{name.upper()}": one["default"] for name, one in ACTION["inputs"].items() if name != "token"}
    assert read_settings(given, ROOT) == read_settings({}, ROOT)
    assert ACTION["inputs"]["token"]["default"] == FROM_THE_RUN["token"]


def test_a_default_is_spelled_out_where_the_code_has_one() -> None:
    """An empty default of an input whose setting has a value would hide it from who reads action.yml."""
    for name, one in ACTION["inputs"].items():
        value = getattr(Settings(), NAMES.get(name, name).replace("-", "_"))
        if name not in FROM_THE_RUN:
            assert (one["default"] == "") == (value in (None, "", ())), name


def test_no_input_is_required_and_each_says_what_it_is() -> None:
    for name, one in ACTION["inputs"].items():
        assert set(one) == {"description", "default"}, name
        assert one["description"].strip().endswith("."), name


def test_the_table_of_the_readme_has_every_input_with_its_default() -> None:
    assert list(SHOWN) == list(INPUTS)
    assert {name: default for name, (default, _) in SHOWN.items()} == {
        name: one["default"] for name, one in ACTION["inputs"].items()
    }


def test_the_readme_names_every_output() -> None:
    line = _SECTION[_SECTION.index("Outputs:") : _SECTION.index("The image")]
    assert set(re.findall(r"`([a-z-]+)`", line)) == {*ACTION["outputs"], "clean", "findings", "not-checked"}


def test_the_outputs_are_those_that_a_run_writes(tmp_path: Path) -> None:
    def never(*_: object) -> Any:
        raise AssertionError("a pull request that was closed needs neither a judge nor GitHub")

    (tmp_path / "event.json").write_text('{"action": "closed", "pull_request": ' + _PULL + "}")
    environment = {
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
    }
    said: list[str] = []
    assert main(environment, Edges(tmp_path, said.append, never, never, lambda: "word", threading.Event())) == 0, said
    written = re.findall(r"^([a-z-]+)<<", (tmp_path / "output").read_text(), re.MULTILINE)
    assert sorted(written) == sorted(ACTION["outputs"])


@pytest.mark.parametrize("name", ACTION["outputs"])
def test_an_output_says_what_it_is(name: str) -> None:
    assert set(ACTION["outputs"][name]) == {"description"} and ACTION["outputs"][name]["description"].strip()


def test_the_action_is_the_image_that_is_built_here() -> None:
    runs = ACTION["runs"]
    assert runs == {"using": "docker", "image": "Dockerfile", "args": ["ci"]}
    docker = (ROOT / runs["image"]).read_text(encoding="utf-8")
    assert 'ENTRYPOINT ["clausefit"]' in docker
    assert "'.[github]'" in docker, "posting needs PyGithub"


def test_the_readme_says_which_version_its_workflows_use() -> None:
    used = re.findall(r"uses: your-org/clausefit@[0-9a-f]{40} # v(\S+)", README)
    assert len(used) == README.count("uses: your-org/clausefit@") and set(used) == {VERSION}


@pytest.mark.parametrize("name", ["README.md", ".pre-commit-hooks.yaml"])
def test_an_image_is_named_with_the_version(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert set(re.findall(r"(?<![\w/-])clausefit:(\d[\w.]*)", text)) == {VERSION}


def test_sarif_has_the_version_of_the_package() -> None:
    [run] = json.loads(REPORTERS["sarif"](Report()))["runs"]
    assert run["tool"]["driver"]["version"] == VERSION


def test_the_picture_is_there_and_not_large() -> None:
    [name] = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)
    content = (ROOT / name).read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n") and len(content) < 200_000


@pytest.mark.parametrize("text", [README, (ROOT / "SECURITY.md").read_text(), (ROOT / "CONTRIBUTING.md").read_text()])
def test_a_link_leads_to_a_file_that_is_there(text: str) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / target).exists(), target
