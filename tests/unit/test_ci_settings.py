"""Inputs and variables of the runner: what each becomes, and the one line for a bad value."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest
from clausefit.ci.settings import INPUTS, Settings, SettingsProblem, read_settings

HERE = Path("/work/space")


def read(**inputs: str) -> Settings:
    return read_settings({f"INPUT_{name.upper().replace('_', '-')}": value for name, value in inputs.items()}, HERE)


def test_without_anything_all_are_defaults() -> None:
    assert read_settings({}, HERE) == replace(Settings(), workspace=HERE)


def test_empty_inputs_are_defaults() -> None:
    assert read_settings({f"INPUT_{name.upper()}": "  " for name in INPUTS}, HERE) == replace(
        Settings(), workspace=HERE
    )


def test_what_the_runner_says() -> None:
    said = read_settings(
        {
            "GITHUB_EVENT_NAME": "pull_request",
            "GITHUB_EVENT_PATH": "/github/event.json",
            "GITHUB_WORKSPACE": "/github/workspace",
            "GITHUB_REPOSITORY": "o/r.x",
            "GITHUB_SHA": "a" * 40,
            "GITHUB_REF": "refs/pull/7/merge",
            "GITHUB_API_URL": "https://ghe.example:8443/api/v3",
            "GITHUB_SERVER_URL": "https://ghe.example/",
            "GITHUB_RUN_ID": "12",
            "GITHUB_RUN_ATTEMPT": "2",
        },
        HERE,
    )
    assert said == Settings(
        event_name="pull_request",
        event_path=Path("/github/event.json"),
        workspace=Path("/github/workspace"),
        repository="o/r.x",
        sha="a" * 40,
        ref="refs/pull/7/merge",
        api_url="https://ghe.example:8443/api/v3",
        server_url="https://ghe.example",
        run_id="12",
        run_attempt="2",
    )
    assert said.run_url == "https://ghe.example/o/r.x/actions/runs/12/attempts/2"


GOOD = [
    ("token", "ghs_x", "token", "ghs_x"),
    ("scope", "all", "scope", "all"),
    ("base", "origin/main", "base", "origin/main"),
    ("working-directory", "lib/c/", "working_directory", "lib/c"),
    ("fail-on", "never", "fail_on", "never"),
    ("changed-with", "contracts, code,code", "changed_with", ("contracts", "code")),
    ("junit", "build/*.xml\n\n  target/**/T*.xml \n", "junit", ("build/*.xml", "target/**/T*.xml")),
    ("baseline", ".clausefit-baseline.json", "baseline", ".clausefit-baseline.json"),
    ("timeout", "7", "timeout", 7),
    ("budget", "600", "budget", 600),
    ("verifier", "openjml,key", "verifiers", ("openjml", "key")),
    ("review", "False", "review", False),
    ("comment", "off", "comment", False),
    ("check-run", "TRUE", "check_run", True),
    ("sarif", "out/a.sarif", "sarif", "out/a.sarif"),
    ("report", "a.json", "report", "a.json"),
    ("artifact", "my report", "artifact", "my report"),
    ("cache", ".cache/clausefit", "cache", ".cache/clausefit"),
]


@pytest.mark.parametrize(("name", "value", "field", "expected"), GOOD, ids=[row[0] for row in GOOD])
def test_an_input_is_read(name: str, value: str, field: str, expected: object) -> None:
    settings = read_settings({f"INPUT_{name.upper()}": value}, HERE)
    assert getattr(settings, field) == expected
    changed = {one.name for one in fields(Settings) if getattr(settings, one.name) != getattr(read(), one.name)}
    assert changed == {field}


def test_every_input_has_a_row() -> None:
    assert tuple(row[0] for row in GOOD) == INPUTS


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("token", "a\nb"),
        ("scope", "some"),
        ("base", "--upload-pack=x"),
        ("base", "a..b"),
        ("base", "a b"),
        ("base", "a\u202e\x7f"),
        ("base", "a@{1}"),
        ("base", "a\udcff"),
        ("working-directory", "../x"),
        ("working-directory", "/etc"),
        ("fail-on", "Error"),
        ("changed-with", "contracts,"),
        ("junit", "ok.xml\n../../*.xml"),
        ("baseline", "/b.json"),
        ("timeout", "0"),
        ("timeout", "1e3"),
        ("timeout", "٣"),
        ("timeout", "9" * 5000),
        ("budget", "-1"),
        ("verifier", "frama"),
        ("review", "maybe"),
        ("comment", "2"),
        ("check-run", "y e s"),
        ("sarif", "a/../../b"),
        ("report", "a\x00b"),
        ("artifact", "a/b"),
        ("cache", "~/../.."),
    ],
)
def test_a_bad_input_is_one_line_that_names_it(name: str, value: str) -> None:
    with pytest.raises(SettingsProblem) as raised:
        read_settings({f"INPUT_{name.upper()}": value}, HERE)
    text = str(raised.value)
    assert text.startswith(f"input {name}: ") and text.isprintable() and len(text) < 300


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GITHUB_EVENT_NAME", "a b"),
        ("GITHUB_REPOSITORY", "o/r/../x"),
        ("GITHUB_REPOSITORY", "-o/r"),
        ("GITHUB_SHA", "HEAD"),
        ("GITHUB_SHA", "-" + "a" * 39),
        ("GITHUB_API_URL", "file:///etc/passwd"),
        ("GITHUB_SERVER_URL", "https://user:pass@host"),
        ("GITHUB_RUN_ID", "1; x"),
    ],
)
def test_a_bad_variable_is_one_line_that_names_it(name: str, value: str) -> None:
    with pytest.raises(SettingsProblem, match=f"^{name}: "):
        read_settings({name: value}, HERE)


def test_an_odd_ref_stops_nothing() -> None:
    assert read_settings({"GITHUB_REF": "refs/heads/a~b"}, HERE).ref == ""


def test_a_token_is_never_shown() -> None:
    settings = read(token="ghs_secret")
    assert settings.token == "ghs_secret" and "ghs_secret" not in repr(settings)
    with pytest.raises(SettingsProblem) as raised:
        read(token="ghs_secret\x01")
    assert "ghs_secret" not in str(raised.value)


@pytest.mark.parametrize(
    "name", ["fix-\U0001f469\u200d\U0001f4bb", "caf\u00e9", "a\u00a0b", "a\u202eb", "a\u2028b", "@"]
)
def test_a_branch_may_have_any_name_that_git_allows(name: str) -> None:
    assert read_settings({"INPUT_BASE": name}, HERE).base == name


@pytest.mark.parametrize(
    "inputs",
    [
        pytest.param({"INPUT_SARIF": "a.json", "INPUT_REPORT": "a.json"}, id="alike"),
        pytest.param({"INPUT_SARIF": "./x//a.json", "INPUT_REPORT": "x/./a.json"}, id="in other words"),
        pytest.param({"INPUT_REPORT": "clausefit.sarif"}, id="the default of the other"),
        pytest.param({"INPUT_SARIF": "a\n" * 500, "INPUT_REPORT": "a\n" * 500}, id="no path"),
    ],
)
def test_two_reports_are_two_files(inputs: dict[str, str]) -> None:
    with pytest.raises(SettingsProblem, match="sarif") as raised:
        read_settings(inputs, HERE)
    assert str(raised.value).isprintable() and len(str(raised.value)) < 300
