"""The doctor: real tools, and real folders in which some are missing or broken."""

from __future__ import annotations

import functools
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from clausefit.hook.config import Config
from clausefit.hook.doctor import Check, Environment, Run, State, as_text, diagnose, exit_status, languages_of
from clausefit.hook.doctor_checks import Language
from clausefit.verifiers import key_tools, process
from clausefit.verifiers.cache import default_folder
from clausefit.verifiers.key_tools import PROJECT

TOOLS_OF_C = ("gcc", "frama-c", "why3", "cvc4", "z3")
TOOLS = ("git", *TOOLS_OF_C)
JDK = "apt-get install --no-install-recommends openjdk-17-jdk-headless"


@pytest.fixture(autouse=True)
def _java_of_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)


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
    checks = diagnose(process.run, replace(environment, cache_folder=default_folder()))
    found = by_name(checks)
    assert {check.state for check in checks if check.needed} == {"ok"}
    assert " ".join(name.replace(" ", "_") for name in found if name != "maven") == (
        "python git gcc frama-c why3 why3_configuration cvc4 z3 wp gdb java javac key openjml jdi "
        "cache_folder config_file"
    )
    assert found["wp"].found == "proves with cvc4, z3"
    assert exit_status(checks) == 0
    assert as_text(checks).endswith("Ready to judge contracts in C and Java.\n")


def test_nothing_installed(environment: Environment, tmp_path: Path) -> None:
    checks = diagnose(run_with(folder_with(tmp_path / "bin")), environment)
    found = by_name(checks)
    assert [name for name, check in found.items() if check.state == "missing"] == [
        *("git", "gcc", "frama-c", "why3"),
        *("java", "javac", "maven"),
    ]
    assert found["frama-c"].todo == (
        "apt-get install --no-install-recommends frama-c-base why3 z3 cvc4 && why3 config detect"
    )
    assert found["git"].todo == "apt-get install git"
    assert found["java"].todo == found["javac"].todo == JDK
    assert found["maven"].todo == "apt-get install --no-install-recommends maven"
    assert exit_status(checks) == 2
    assert f"Not ready: 7 of {len(checks)} checks failed." in as_text(checks)


JAVA_17 = "echo 'openjdk version \"17.0.15\" 2025-04-15' >&2"
MAVEN = "printf '\\033[1mApache Maven 3.8.7\\033[m\\nMaven home: /usr/share/maven\\n'"


@pytest.mark.parametrize(
    ("sources", "tools", "missing", "notes", "closing"),
    [
        pytest.param(["a.c"], TOOLS, [], ["java", "javac", "maven"], "Ready to judge contracts in C.", id="C-only"),
        pytest.param(
            ["src/A.java"],
            ("git",),
            ["java", "javac", "maven"],
            ["gcc", "frama-c", "why3"],
            "Not ready: 3 of",
            id="Java-without-a-JDK",
        ),
        pytest.param(
            ["A.jml", "a.h"], TOOLS, ["java", "javac", "maven"], [], "Not ready: 3 of", id="both-of-which-one-is-ready"
        ),
        pytest.param([], TOOLS, [], ["java", "javac", "maven"], "Ready to judge contracts in C.", id="no-source-yet"),
        pytest.param(
            ["README.md", "a.py"], TOOLS, [], ["java", "javac", "maven"], "contracts in C.", id="other-files-only"
        ),
        pytest.param(
            ["a.c", "target/generated-sources/x/A.java", ".hidden/A.java"],
            TOOLS,
            [],
            ["java", "javac", "maven"],
            "contracts in C.",
            id="generated-and-hidden-files-do-not-count",
        ),
    ],
)
def test_only_the_languages_of_the_workspace_are_needed(
    sources: list[str],
    tools: tuple[str, ...],
    missing: list[str],
    notes: list[str],
    closing: str,
    environment: Environment,
    tmp_path: Path,
) -> None:
    workspace = tmp_path / "w"
    for name in sources:
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).write_text("")
    workspace.mkdir(exist_ok=True)
    run = run_with(folder_with(tmp_path / "bin", *tools), Path.home())
    checks = diagnose(run, replace(environment, workspace=workspace))
    assert [check.name for check in checks if check.state == "missing"] == missing
    noted = [check for check in checks if check.state == "note" and check.needed]
    assert [check.name for check in noted] == notes
    assert all(check.todo.startswith(f"only for {check.language}: apt-get install") for check in noted)
    assert exit_status(checks) == (2 if missing else 0)
    assert closing in as_text(checks)


@pytest.mark.parametrize(
    ("has_jars", "tools", "said", "todo"),
    [
        pytest.param(
            False,
            {"java": JAVA_17, "javac": "echo javac 17.0.15"},
            "not fetched",
            "install maven (above)",
            id="no-maven",
        ),
        pytest.param(False, {}, "not fetched", "install java, javac, maven (above)", id="nothing"),
        pytest.param(False, {"mvn": MAVEN}, "not fetched", "install java, javac (above)", id="Maven-alone"),
        pytest.param(
            False,
            {"java": JAVA_17, "javac": "echo javac 17.0.15", "mvn": MAVEN},
            "not fetched",
            "nothing to do: the first check of Java contracts fetches",
            id="all-but-the-jars",
        ),
        pytest.param(
            True, {"mvn": MAVEN}, "nothing to run them", "install java, javac (above); Maven is not", id="jars-alone"
        ),
    ],
)
def test_key_and_maven_do_not_contradict_each_other(
    has_jars: bool,
    tools: dict[str, str],
    said: str,
    todo: str,
    environment: Environment,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "A.java").write_text("")
    if has_jars:
        monkeypatch.setattr(key_tools, "jars_at_hand", lambda **_: tmp_path)
    checks = by_name(diagnose(run_with(folder_with(tmp_path / "bin", "git", **tools)), environment))
    key = checks["key"]
    assert key.state == "warn" and said in key.found and key.todo.startswith(todo)
    assert ("key_jars" in key.todo) == (not has_jars and "mvn" not in tools)
    assert ("maven" in checks) == (not has_jars)


@pytest.mark.parametrize(
    ("ready", "failing"),
    [
        pytest.param(True, [], id="made-before"),
        pytest.param(False, ["javac", "maven"], id="to-be-made"),
    ],
)
def test_what_was_made_before_needs_no_compiler(
    ready: bool, failing: list[str], environment: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "A.java").write_text("")
    if ready:
        monkeypatch.setenv(key_tools.READY_VARIABLE, str(tmp_path))
        monkeypatch.setattr(key_tools, "jars_at_hand", lambda **_: tmp_path)
    checks = diagnose(run_with(folder_with(tmp_path / "bin", "git", java=JAVA_17)), environment)
    assert [check.name for check in checks if check.language == "Java" and check.state == "missing"] == failing


def test_what_git_ignores_does_not_count(environment: Environment, tmp_path: Path) -> None:
    workspace = tmp_path / "w"
    (workspace / "node_modules").mkdir(parents=True)
    (workspace / "node_modules" / "addon.c").write_text("")
    (workspace / "A.java").write_text("")
    (workspace / ".gitignore").write_text("node_modules/\n")
    process.run(["git", "init", "-q"], cwd=workspace, timeout=30)
    run = run_with(folder_with(tmp_path / "bin", "git", java=JAVA_17, javac="echo javac 17.0.15", mvn=MAVEN))
    checks = diagnose(run, replace(environment, workspace=workspace))
    found = by_name(checks)
    assert found["gcc"].state == "note" and exit_status(checks) == 0
    assert (found["java"].found, found["javac"].found, found["maven"].found) == ("17.0.15", "17.0.15", "3.8.7")
    assert (found["key"].state, found["key"].found) == ("warn", "not fetched yet")
    assert as_text(checks).endswith("Ready to judge contracts in Java.\n")


@pytest.mark.parametrize(
    ("paths", "settings", "expected"),
    [
        pytest.param(["a.h"], Config(), {"C"}, id="header"),
        pytest.param(["p/A.jml"], Config(), {"Java"}, id="contracts-beside-sources"),
        pytest.param(["A.java", "a.c"], Config(exclude=("a.c",)), {"Java"}, id="excluded"),
        pytest.param(["a.inc"], Config(sources=("*.inc",)), {"C"}, id="named-by-a-setting"),
        pytest.param(["pom.xml", "Makefile"], Config(), set(), id="none"),
    ],
)
def test_languages(paths: list[str], settings: Config, expected: set[Language]) -> None:
    assert languages_of(paths, settings) == expected


@pytest.mark.parametrize(
    ("java", "javac", "states", "said"),
    [
        pytest.param(JAVA_17, "echo javac 17.0.15", ("ok", "ok"), "17.0.15", id="the-least-version"),
        pytest.param("echo 'java version \"25\"' >&2", "echo javac 25", ("ok", "ok"), "25", id="newer"),
        pytest.param(
            "echo 'openjdk version \"11.0.2\"' >&2", "", ("broken", "ok"), "is Java 11; KeY needs 17", id="old"
        ),
        pytest.param("echo 'java version \"1.8.0_292\"' >&2", "", ("broken", "ok"), "is Java 8", id="numbered-1.8"),
        pytest.param("exit 1", "exit 1", ("broken", "broken"), "does not run", id="does-not-run"),
        pytest.param(JAVA_17, None, ("ok", "missing"), "17.0.15", id="a-runtime-only"),
    ],
)
def test_java_version(
    java: str, javac: str | None, states: tuple[State, State], said: str, environment: Environment, tmp_path: Path
) -> None:
    (tmp_path / "A.java").write_text("")
    scripts = {"java": java} | ({"javac": javac} if javac is not None else {})
    checks = by_name(diagnose(run_with(folder_with(tmp_path / "bin", **scripts)), environment))
    assert (checks["java"].state, checks["javac"].state) == states
    assert said in checks["java"].found
    for name, state in zip(("java", "javac"), states, strict=True):
        assert bool(checks[name].todo) == (state != "ok")


def fake_openjml(folder: Path, body: str) -> Path:
    folder.mkdir()
    (folder / "openjml").write_text(f"#!/bin/sh\n{body}\n")
    (folder / "openjml").chmod(0o755)
    return folder


@pytest.mark.parametrize(
    ("verifiers", "named", "body", "state", "status", "said"),
    [
        pytest.param("[key, openjml]", "", None, "note", 0, "not found; what KeY leaves", id="not-there"),
        pytest.param("[openjml]", "", None, "missing", 2, "not found", id="not-there-and-alone"),
        pytest.param("[key, openjml]", "OPENJML_HOME", "echo 'openjml 21-0.21'", "ok", 0, "21-0.21", id="there"),
        pytest.param("[openjml]", "setting", "echo 'openjml 21-0.21'", "ok", 0, "21-0.21", id="there-and-alone"),
        pytest.param("[key, openjml]", "setting", None, "warn", 0, "no program", id="not-where-the-setting-says"),
        pytest.param("[key, openjml]", "OPENJML_HOME", "exit 3", "warn", 0, "does not run", id="does-not-run"),
        pytest.param("[openjml]", "OPENJML_HOME", "exit 3", "broken", 2, "does not run", id="alone-and-does-not-run"),
    ],
)
def test_openjml(
    verifiers: str, named: str, body: str | None, state: State, status: int, said: str,
    environment: Environment, tmp_path: Path,
) -> None:  # fmt: skip
    workspace, home = tmp_path / "w", tmp_path / "openjml"
    workspace.mkdir()
    (workspace / "A.java").write_text("")
    settings = f"verifiers: {verifiers}\n" + (f"openjml: {home}\n" if named == "setting" else "")
    (workspace / ".clausefit.yaml").write_text(settings)
    if body is not None:
        fake_openjml(home, body)
    variables = {"PATH": str(tmp_path / "bin")} | ({"OPENJML_HOME": str(home)} if named == "OPENJML_HOME" else {})
    run = run_with(folder_with(tmp_path / "bin", "git", java=JAVA_17, javac="echo javac 17.0.15", mvn=MAVEN))
    checks = diagnose(run, replace(environment, workspace=workspace, variables=variables))
    check = by_name(checks)["openjml"]
    assert check.state == state and said in check.found
    assert bool(check.todo) == (state != "ok")
    assert exit_status(checks) == status


@pytest.mark.parametrize(
    ("jar", "said"),
    [
        pytest.param(None, "is missing: KeY needs it", id="empty-folder"),
        pytest.param(b"x", "not the jar", id="another"),
    ],
)
def test_key_jars_that_are_not_those_wanted(
    jar: bytes | None, said: str, environment: Environment, tmp_path: Path
) -> None:
    (tmp_path / "jars").mkdir()
    if jar is not None:
        for line in (PROJECT / "checksums.txt").read_text().splitlines():
            (tmp_path / "jars" / line.split()[1]).write_bytes(jar)
    (tmp_path / ".clausefit.yaml").write_text("key_jars: jars\n")
    (tmp_path / "A.java").write_text("")
    run = run_with(folder_with(tmp_path / "bin", java=JAVA_17, javac="echo javac 17.0.15"))
    check = by_name(diagnose(run, environment))["key"]
    assert check.state == "broken" and said in check.found and "`key_jars`" in check.todo


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


def test_config_file_of_another_name(environment: Environment, tmp_path: Path) -> None:
    (tmp_path / ".clausefit.yml").write_text("pins: 5\n")
    check = by_name(diagnose(run_with(folder_with(tmp_path / "bin")), environment))["config file"]
    assert (check.state, check.found, check.todo) == (
        "warn",
        ".clausefit.yml is not read",
        "rename it to .clausefit.yaml",
    )


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
