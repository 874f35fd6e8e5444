"""Recorded calls that are given pointers to variables side by side: they are two, and each clause speaks of its own.

The real gcc, gdb and Frama-C.
"""

from __future__ import annotations

import shutil
import subprocess

import pytest
from running import Command

pytestmark = pytest.mark.skipif(not shutil.which("gdb"), reason="needs gdb")

# A struct keeps them side by side whatever the compiler does with variables.
DIVMOD = "void divmod(int a, int d, int *q, int *r)", "{ *q = a / d; *r = a % d; }", "divmod(17, 5, &s.q, &s.r)"
NEXT = "int *after(int *q, int *r)", "{ *r = 5; return q + 1; }", "after(&s.q, &s.r)"
CELLS = r"requires \valid(q) && \valid(r) && d != 0; assigns *q, *r; "
PLACES = r"requires \valid(q) && \valid(r); assigns *r; ensures *r == 5; "


@pytest.mark.parametrize(
    ("function", "clauses", "expected"),
    [
        pytest.param(DIVMOD, CELLS + "ensures *q == a / d;", [("CF102", "")], id="nothing of the other cell"),
        pytest.param(DIVMOD, CELLS + "ensures *q == a / d; ensures *r == a % d;", [], id="both"),
        pytest.param(DIVMOD, CELLS + "ensures *q == a / d; ensures *r < d;", [("CF101", "*r < d")], id="a bound"),
        pytest.param(NEXT, PLACES + r"ensures \result == q + 1;", [], id="one past the first is the second"),
        pytest.param(NEXT, PLACES + r"ensures \result == r;", [], id="the second is one past the first"),
        pytest.param(NEXT, PLACES + r"ensures \result == q;", [("CF201", r"\result == q")], id="neither"),
    ],
)
def test_variables_side_by_side(
    project: Command, function: tuple[str, str, str], clauses: str, expected: list[tuple[str, str]]
) -> None:
    declared, body, call = function
    project.write("f.c", f"/*@ {clauses} */\n{declared} {body}\n")
    run = f"static void run(void) {{ struct {{ int q, r; }} s = {{0, 0}}; {call}; }}"
    project.write("t.c", f"{declared};\n{run}\nint main(void) {{ run(); return 0; }}\n")
    subprocess.run(["gcc", "-g", "-O0", "f.c", "t.c", "-o", "t"], cwd=project.folder, check=True)
    ran = project.run("record", "--", "./t")
    assert "stored 1 call of 1 function" in ran.err, ran.err
    checked = project.run("check", "--all", "--format", "json")
    blamed = [(f["code"], f["clause"] or {"text": ""}) for f in checked.report["findings"]]
    assert [(code, clause["text"].removeprefix("ensures ")) for code, clause in blamed] == expected, checked.out
