"""The tests of the Java example pass, which is what makes their calls count as right."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "java"


def test_the_tests_pass(tmp_path: Path) -> None:
    folder = tmp_path / "java"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("target"))
    done = subprocess.run(["mvn", "-B", "test"], cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout
    (total,) = re.findall(r"^\[\w+\] Tests run: (\d+), Failures: 0, Errors: 0, Skipped: 0$", done.stdout, re.MULTILINE)
    assert int(total) == sum(path.read_text("utf-8").count("@Test\n") for path in folder.rglob("*Test.java")) + 4
