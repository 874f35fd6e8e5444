"""What the doctor says of gdb and of the JDK's debug interface: real ones, and ones that do not work."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from clausefit.hook.doctor_checks import Asker, Check, Environment, Run, State
from clausefit.hook.doctor_record import check_of_gdb, check_of_jdi
from clausefit.verifiers import process
from clausefit.verifiers.process import Completed, ToolMissing


def run_in(folder: Path) -> Run:
    """``process.run`` that finds programs in ``folder`` only."""

    def run(
        argv: Sequence[str], *, cwd: Path, timeout: float, environment: Mapping[str, str] | None = None
    ) -> Completed:
        if not (folder / argv[0]).exists():
            raise ToolMissing(argv[0])
        return process.run([str(folder / argv[0]), *argv[1:]], cwd=cwd, timeout=timeout, environment=environment)

    return run


def asker(folder: Path, **scripts: str) -> Asker:
    for name, body in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{body}\n")
        (folder / name).chmod(0o755)
    return Asker(run_in(folder), folder, Environment(dict(os.environ), folder, None, folder))


def with_real(folder: Path, name: str) -> Asker:
    found = shutil.which(name)
    assert found is not None
    (folder / name).symlink_to(found)
    return asker(folder)


def is_only_a_warning(check: Check) -> bool:
    return check.state == "warn" and not check.failed and "only `clausefit record` needs it" in check.todo


def test_the_gdb_of_this_machine_watches_programs(tmp_path: Path) -> None:
    check = check_of_gdb(with_real(tmp_path, "gdb"))
    state: State = "ok"
    assert (check.state, check.todo) == (state, "")


def test_the_java_of_this_machine_has_the_debug_interface(tmp_path: Path) -> None:
    assert check_of_jdi(with_real(tmp_path, "java")).found.startswith("jdk.jdi@")


@pytest.mark.parametrize(
    ("script", "found", "todo"),
    [
        pytest.param(None, "not found", "apt-get install", id="missing"),
        pytest.param(
            "echo 'Scripting in the \"Python\" language is not supported in this copy of GDB.' >&2; exit 1",
            *("has no Python", "apt-get install"),
            id="without-python",
        ),
        pytest.param(
            "echo 'python works'; echo 'warning: Could not trace the inferior process.' >&2",
            *("Could not trace", "--cap-add=SYS_PTRACE"),
            id="may-not-trace",
        ),
    ],
)
def test_a_gdb_that_does_not_record(script: str | None, found: str, todo: str, tmp_path: Path) -> None:
    check = check_of_gdb(asker(tmp_path, **({"gdb": script} if script is not None else {})))
    assert found in check.found
    assert todo in check.todo
    assert is_only_a_warning(check)


@pytest.mark.parametrize(
    ("script", "found"),
    [
        pytest.param(None, "no java", id="missing"),
        pytest.param("echo java.base@17.0.15", "no whole JDK", id="runtime-only"),
        pytest.param("exit 1", "no whole JDK", id="broken"),
    ],
)
def test_a_java_that_does_not_record(script: str | None, found: str, tmp_path: Path) -> None:
    check = check_of_jdi(asker(tmp_path, **({"java": script} if script is not None else {})))
    assert found in check.found
    assert is_only_a_warning(check)
