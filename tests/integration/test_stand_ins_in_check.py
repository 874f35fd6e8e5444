"""Calls that may be of another definition, or owe their outcome to a fake, show nothing (the real Frama-C and gdb)."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from running import Command

CLOCK = r"""#include "clock.h"
/*@ assigns \nothing; ensures \result == raw * 10; */
int clock_ms(int raw) { return raw * 10; }
"""
LATER = r"""#include "clock.h"
/*@ assigns \nothing; ensures \result == raw * 10 + 1; */
int later(int raw) { return clock_ms(raw) + 1; }
/*@ assigns \nothing; ensures \result >= raw; */
int next(int raw) { return raw + 1; }
"""
HEADER = "int clock_ms(int raw);\nint later(int raw);\nint next(int raw);\n"
SEPARATOR = r"""/*@ assigns \nothing; ensures \result == (c == '%s' ? 1 : 0); */
int is_separator(int c) { return c == '%s'; }
"""
TEST = '#include <assert.h>\n#include "clock.h"\n%s\nint main(void) { %s return 0; }\n'
ALL = "assert(later(5) == %s); assert(next(3) == 4);"
NEXT = ["CF101"]
"""Of ``next`` something is found wherever its calls count."""


@pytest.mark.parametrize(
    ("tests", "reasons"),
    [
        pytest.param({"test_a.c": TEST % ("", ALL % "51")}, 0, id="the-real-clock"),
        pytest.param({"test_a.c": TEST % ("int clock_ms(int raw) { return raw; }", ALL % "6")}, 1, id="a-fake"),
        pytest.param({"test_a.c": TEST % ("int __wrap_clock_ms(int r) { return r; }", ALL % "6")}, 1, id="a-wrap"),
        pytest.param(
            {"test_a.c": TEST % ("", ALL % "6"), "tests/clock.c": "int clock_ms(int r) { return r; }\n"},
            1,
            id="a-fake-in-a-file-of-its-own",
        ),
        pytest.param({"test_a.c": TEST % ("static int help(int r) { return r; }", ALL % "help(51)")}, 0, id="a-helper"),
    ],
)
def test_a_stand_in(project: Command, tests: dict[str, str], reasons: int) -> None:
    for path, text in {"clock.h": HEADER, "clock.c": CLOCK, "later.c": LATER, **tests}.items():
        project.write(path, text)
    ran = project.run("check", "--all", "--format", "json")
    assert [(f["function"], f["code"]) for f in ran.report["findings"]] == [("next", "CF101")], ran.out
    contracts = {one["function"]: one["pins"] for one in ran.report["contracts"]}
    assert sum("stand-in" in one["reason"] for one in contracts["later"]["ignored"]) == reasons
    assert contracts["later"]["used"] == 1 - reasons


def test_two_definitions_of_one_function(project: Command) -> None:
    for name, character in (("posix", "/"), ("win", "\\\\")):
        project.write(f"{name}/separator.c", SEPARATOR % (character, character))
        test = f"assert(is_separator('{character}') == 1); assert(is_separator('x') == 0);"
        project.write(f"test_{name}.c", f"#include <assert.h>\nint is_separator(int c);\nint main(void) {{ {test} }}\n")
    ran = project.run("check", "--all", "--format", "json")
    assert not ran.report["findings"], ran.out
    assert {one["reason"] for one in ran.report["not_checked"]} == {"no_pins"}
    assert all("`clausefit record` tells them apart" in one["detail"] for one in ran.report["not_checked"])

    if shutil.which("gdb"):
        for name in ("posix", "win"):
            command = ["gcc", "-g", f"{name}/separator.c", f"test_{name}.c", "-o", f"run_{name}"]
            subprocess.run(command, cwd=project.folder, check=True)
            recorded = project.run("record", "--", f"./run_{name}")
            assert recorded.status == 0, recorded.err
        ran = project.run("check", "--all", "--format", "json")
        assert not ran.report["findings"] and not ran.report["not_checked"], ran.out
        assert [one["pins"]["used"] for one in ran.report["contracts"]] == [2, 2]


def test_a_test_that_includes_one_of_them_is_about_it(project: Command) -> None:
    for name, character in (("posix", "/"), ("win", "\\\\")):
        project.write(f"{name}/separator.c", SEPARATOR % (character, character))
    project.write(
        "test_posix.c",
        "#include <assert.h>\n#include \"posix/separator.c\"\nint main(void) { assert(is_separator('/')); }\n",
    )
    ran = project.run("check", "--all", "--format", "json")
    used = {one["file"]: one["pins"]["used"] for one in ran.report["contracts"]}
    assert used == {"posix/separator.c": 1, "win/separator.c": 0}
    assert not ran.report["findings"], ran.out


@pytest.mark.parametrize("setting", ["exclude: ['win/**']", "sources: ['posix/**']"])
def test_a_definition_that_the_settings_leave_out_is_one_all_the_same(project: Command, setting: str) -> None:
    for name, character in (("posix", "/"), ("win", "\\\\")):
        project.write(f"{name}/separator.c", SEPARATOR % (character, character))
        main = f"int is_separator(int c);\nint main(void) {{ assert(is_separator('{character}') == 1); }}\n"
        project.write(f"test_{name}.c", f"#include <assert.h>\n{main}")
    project.write(".clausefit.yaml", f"{setting}\n")
    ran = project.run("check", "--all", "--format", "json")
    assert not ran.report["findings"], ran.out
    assert [one["file"] for one in ran.report["contracts"]] == ["posix/separator.c"]


@pytest.mark.skipif(not shutil.which("gdb"), reason="needs gdb")
def test_the_recorded_call_of_a_mock_is_none_of_the_contract_in_the_header(project: Command) -> None:
    contracts = r"/*@ assigns \nothing; ensures 0 <= \result <= 255; */ int uart_read(void);"
    contracts += "\n" + r"/*@ requires 0 <= t; assigns \nothing; ensures \result <= 255 + t; */ int poll_byte(int t);"
    project.write("uart.h", contracts + "\n")
    project.write("uart.c", '#include "uart.h"\nint uart_read(void) { return 0x41; }\n')
    project.write("poll.c", '#include "uart.h"\nint poll_byte(int t) { return uart_read() + t; }\n')
    project.write("tests/mock_uart.c", '#include "uart.h"\nint value;\nint uart_read(void) { return value; }\n')
    main = "int main(void) { value = 1000; assert(poll_byte(1) == 1001); assert(uart_read() == 1000); return 0; }"
    project.write("tests/test_poll.c", f'#include <assert.h>\n#include "uart.h"\nextern int value;\n{main}\n')
    project.write(".clausefit.yaml", "include_dirs: ['.']\n")
    command = ["gcc", "-g", "-I.", "poll.c", "tests/mock_uart.c", "tests/test_poll.c", "-o", "run_it"]
    subprocess.run(command, cwd=project.folder, check=True)
    recorded = project.run("record", "--", "./run_it")
    assert recorded.status == 0 and "stored" in recorded.err, recorded.err
    ran = project.run("check", "--all", "--format", "json")
    assert not ran.report["findings"], ran.out
