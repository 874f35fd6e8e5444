"""The doctor: real tools, and real folders in which some are missing or broken."""

from __future__ import annotations

import functools
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from clausefit.hook.doctor import Check, Environment, Run, State, as_text, diagnose, exit_status
from clausefit.verifiers import process

TOOLS = ("git", "gcc", "frama-c", "why3", "cvc4", "z3")


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    return Environment(dict(os.environ), Path.home(), tmp_path / "cache", tmp_path)


def run_with(folder: Path, home: Path | None = None) -> Run:
    """``process.run`` that finds programs in ``folder`` only."""

    @functools.wraps(process.run)
    def run(argv, *, cwd, timeout, environment=None):  # type: ignore[no-untyped-def]
        extra = {**(environment or {}), "PATH": str(folder)} | ({"HOME": str(home)} if home else {})
        program = folder / argv[0]
        if not program.exists():
            raise process.ToolMissing(argv[0])
        return process.run([str(program), *argv[1:]], cwd=cwd, timeout=timeout, environment=extra)

    return run


def folder_with(folder: Path, *tools: str, **scripts: str) -> Path:
    """A folder that holds these real programs and these shell scripts (``_`` stands for ``-``)."""
    folder.mkdir()
    for tool in tools:
        found = shutil.which(tool)
        assert found is not None
        (folder / tool).symlink_to(found)
    for name, body in scripts.items():
        script = folder / name.replace("_", "-")
        script.write_text(f"#!/bin/sh\n{body}\n")
        script.chmod(0o755)
    return folder


def by_name(checks: tuple[Check, ...]) -> dict[str, Check]:
    return {check.name: check for check in checks}


def test_this_machine_is_ready(environment: Environment) -> None:
    checks = diagnose(process.run, environment)
    assert {check.state for check in checks} == {"ok"}
    assert " ".join(check.name.replace(" ", "_") for check in checks) == (
        "python git gcc frama-c why3 why3_configuration cvc4 z3 wp cache_folder config_file"
    )
    assert by_name(checks)["wp"].found == "proves with cvc4, z3"
    assert exit_status(checks) == 0
    assert as_text(checks).endswith("Ready to judge contracts.\n")
    assert not any(check.todo for check in checks)


def test_nothing_installed(environment: Environment, tmp_path: Path) -> None:
    checks = diagnose(run_with(folder_with(tmp_path / "bin")), environment)
    found = by_name(checks)
    assert [name for name, check in found.items() if check.state == "missing"] == ["git", "gcc", "frama-c", "why3"]
    assert found["frama-c"].todo == (
        "apt-get install --no-install-recommends frama-c-base why3 z3 cvc4 && why3 config detect"
    )
    assert found["git"].todo == "apt-get install git"
    assert exit_status(checks) == 2
    assert "Not ready: 4 of 7 checks failed." in as_text(checks)


def test_why3_is_not_configured(environment: Environment, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    without = {name: value for name, value in environment.variables.items() if name != "WHY3CONFIG"}
    run = run_with(folder_with(tmp_path / "bin", *TOOLS), home)
    checks = diagnose(run, replace(environment, variables=without, home=home))
    found = by_name(checks)
    assert found["why3 configuration"].state == "missing"
    assert found["why3 configuration"].todo == "why3 config detect"
    assert found["cvc4"].found == "installed, but Why3 does not know it"
    assert "wp" not in found
    assert exit_status(checks) == 2


WHY3 = 'case "$1" in --version) echo "Why3 platform, version 1.5.1";; *) {};; esac'
Z3_ONLY = WHY3.format('echo "Z3 4.8.12"; echo "Z3 4.8.12 (noBV)"')


def test_one_prover_is_enough(environment: Environment, tmp_path: Path) -> None:
    configuration = tmp_path / "why3.conf"
    configuration.write_text("[main]\nmagic = 14\n")
    bin_folder = folder_with(tmp_path / "bin", "git", "gcc", why3=Z3_ONLY, frama_c='echo "25.0 (x)"')
    variables = {"WHY3CONFIG": str(configuration)}
    found = by_name(diagnose(run_with(bin_folder), replace(environment, variables=variables)))
    assert (found["z3"].state, found["z3"].found) == ("ok", "Z3 4.8.12")
    assert found["cvc4"].state == "warn"
    assert found["cvc4"].todo.startswith("apt-get install cvc4 && why3 config detect")
    assert not found["cvc4"].needed
    # This Frama-C ends well but proves nothing: WP must not count as working.
    assert found["wp"].state == "broken"


@pytest.mark.parametrize(
    ("output", "state"),
    [
        pytest.param("25.0-beta (Manganese)", "ok", id="the least version"),
        pytest.param("31.0 (Gallium)", "ok", id="newer"),
        pytest.param("24.0 (Chromium)", "broken", id="too old"),
        pytest.param("Sodium-20150201", "broken", id="named as in old times"),
        pytest.param("", "broken", id="says nothing"),
    ],
)
def test_frama_c_version(output: str, state: State, environment: Environment, tmp_path: Path) -> None:
    bin_folder = folder_with(tmp_path / "bin", frama_c=f'echo "{output}"')
    check = by_name(diagnose(run_with(bin_folder), environment))["frama-c"]
    assert check.state == state
    assert bool(check.todo) == (state != "ok")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("echo kaput >&2; exit 3", "exit status 3: kaput", id="fails"),
        pytest.param("kill -9 $$", "exit status -9: no version told", id="killed"),
    ],
)
def test_a_tool_that_does_not_run(body: str, expected: str, environment: Environment, tmp_path: Path) -> None:
    checks = diagnose(run_with(folder_with(tmp_path / "bin", git=body)), environment)
    assert (by_name(checks)["git"].state, by_name(checks)["git"].found) == ("broken", expected)


def test_output_of_a_tool_is_escaped(environment: Environment, tmp_path: Path) -> None:
    bin_folder = folder_with(tmp_path / "bin", frama_c="printf '25.0 \\033[31mred\\n'")
    assert "\x1b" not in as_text(diagnose(run_with(bin_folder), environment))


@pytest.mark.parametrize(
    ("content", "state", "said"),
    [
        pytest.param(b"pins: 5\n", "ok", "", id="good"),
        pytest.param(b"", "ok", "", id="empty"),
        pytest.param(b"pins: [1\n", "broken", "not YAML", id="no YAML"),
        pytest.param(b"- a\n", "broken", "expected settings", id="a list"),
        pytest.param(b"a: \xff\n", "broken", "not UTF-8", id="not UTF-8"),
        pytest.param(b"[" * 20_000, "broken", ".clausefit.yaml", id="nested too deeply"),
        pytest.param(b"pins: !!python/object:os.system x\n", "broken", "pins", id="a tag"),
        pytest.param(b"pinns: 5\n", "broken", "unknown key", id="a key that does not exist"),
        pytest.param(None, "ok", "defaults", id="absent"),
    ],
)
def test_config_file(content: bytes | None, state: State, said: str, environment: Environment, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / ".clausefit.yaml").write_bytes(content)
    check = by_name(diagnose(run_with(folder_with(tmp_path / "bin")), environment))["config file"]
    assert check.state == state
    assert said in check.found


def test_config_file_is_a_folder(environment: Environment, tmp_path: Path) -> None:
    (tmp_path / ".clausefit.yaml").mkdir()
    check = by_name(diagnose(run_with(folder_with(tmp_path / "bin")), environment))["config file"]
    assert check.state == "broken"


def test_cache_folder_that_cannot_be_made(environment: Environment, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    changed = replace(environment, cache_folder=tmp_path / "file" / "cache")
    checks = diagnose(run_with(folder_with(tmp_path / "bin")), changed)
    check = by_name(checks)["cache folder"]
    assert (check.state, check.needed) == ("warn", False)


def test_cache_switched_off(environment: Environment, tmp_path: Path) -> None:
    checks = diagnose(run_with(folder_with(tmp_path / "bin")), replace(environment, cache_folder=None))
    assert by_name(checks)["cache folder"].state == "warn"


@pytest.mark.parametrize(
    ("version", "state"),
    [
        pytest.param((3, 11, 0), "ok", id="the least"),
        pytest.param((4, 0, 0), "ok", id="newer"),
        pytest.param((3, 10, 9), "broken", id="too old"),
    ],
)
def test_python_version(version: tuple[int, ...], state: State, environment: Environment, tmp_path: Path) -> None:
    checks = diagnose(run_with(folder_with(tmp_path / "bin")), replace(environment, python=version))
    assert by_name(checks)["python"].state == state


@pytest.mark.parametrize(
    ("states", "status"),
    [
        pytest.param([("ok", True), ("warn", True)], 0, id="a warning is no failure"),
        pytest.param([("missing", False)], 0, id="not needed"),
        pytest.param([("ok", True), ("missing", True)], 2, id="missing"),
        pytest.param([("broken", True)], 2, id="broken"),
    ],
)
def test_exit_status(states: list[tuple[State, bool]], status: int) -> None:
    assert exit_status([Check("x", state, "", needed=needed) for state, needed in states]) == status
