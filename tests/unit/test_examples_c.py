"""The example project is real: it compiles, its tests pass, Frama-C reads its contracts, its README tells the truth."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from clausefit.hook import config
from clausefit.hook.rules import RULES

EXAMPLE = Path(__file__).parents[2] / "examples" / "c"
SOURCES = [pytest.param(path, id=path.stem) for path in sorted((EXAMPLE / "src").glob("*.c"))]


def call(*argv: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in argv], cwd=cwd, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("source", SOURCES)
def test_the_tests_pass(source: Path, tmp_path: Path) -> None:
    program = tmp_path / "program"
    test = EXAMPLE / "tests" / f"test_{source.name}"
    built = call("gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-o", program, test, source, cwd=tmp_path)
    assert built.returncode == 0, built.stderr
    assert call(program, cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("source", SOURCES)
def test_frama_c_reads_the_contracts(source: Path, tmp_path: Path) -> None:
    done = call("frama-c", "-no-autoload-plugins", "-print", source, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("assigns") >= source.read_text(encoding="utf-8").count("assigns")


def test_readme_names_clauses_that_are_there() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (EXAMPLE / "src").glob("*.c"))
    readme = (EXAMPLE / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \(`[\w/.]+`\) \| `([^`]+)` \| [^|]*\((CF\d+)\)", readme, re.MULTILINE)
    assert [function for function, _, _ in rows] == ["count_above", "percent", "window_push"]
    for function, clause, code in rows:
        contract = sources[: re.search(rf"^\w[\w ]*{function}\(", sources, re.MULTILINE).start()]  # type: ignore[union-attr]
        assert clause + ";" in contract[contract.rindex("/*@ requires") :]
        assert code in RULES


def test_the_settings_find_all_files() -> None:
    settings = config.load(EXAMPLE)
    files = [path.relative_to(EXAMPLE).as_posix() for path in EXAMPLE.rglob("*.c")]
    assert sorted(filter(settings.is_source, files)) == ["src/stats.c", "src/text.c", "src/window.c"]
    assert sorted(filter(settings.is_test, files)) == ["tests/test_stats.c", "tests/test_text.c", "tests/test_window.c"]
