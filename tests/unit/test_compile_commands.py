"""Settings for a test file: what is taken from compilation databases, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from clausefit.hook.compile_commands import databases, settings_for


def workspace(tmp_path: Path, entry: object, place: str = "compile_commands.json") -> Path:
    root = tmp_path / "ws"
    for folder in ("tests", "include", "build", "lib/inc"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "tests/t.c").write_text("")
    (root / place).write_text(entry if isinstance(entry, str) else json.dumps(entry))
    return root


def command(root: str, *words: str) -> list[dict[str, object]]:
    return [{"directory": root, "file": "tests/t.c", "arguments": ["cc", *words, "-c", "tests/t.c"]}]


@pytest.mark.parametrize(
    ("words", "field", "expected"),
    [
        pytest.param(["-Iinclude", "-I", "lib/inc"], "include_dirs", ["include", "lib/inc"], id="-I joined and apart"),
        pytest.param(["-iquote", "lib/inc"], "quote_dirs", ["lib/inc"], id="-iquote"),
        pytest.param(["-isystem", "lib/inc"], "system_dirs", ["lib/inc"], id="-isystem"),
        pytest.param(["-include", "tests/t.c"], "forced_includes", ["tests/t.c"], id="-include"),
        pytest.param(["-DA", "-D", "B=1", "-DF(x)=x"], "defines", ["A", "B=1", "F(x)=x"], id="-D"),
        pytest.param(["-DA", "-UA"], "undefines", ["A"], id="the last of -D and -U counts"),
        pytest.param(["-DA", "-UA"], "defines", [], id="-U takes a -D back"),
        pytest.param(["-std=c99"], "standard", "c99", id="-std"),
        pytest.param(["-std=c++17"], "standard", None, id="C++ standards are not taken"),
        pytest.param(["-m32", "-O2", "-Wall"], "other_sizes", ["-m32"], id="other sizes"),
        pytest.param(["-fplugin=x.so", "-wrapper", "sh", "@args", "-imacros", "x"], "defines", [], id="other options"),
        pytest.param(["-I/etc", "-I../.."], "include_dirs", [], id="outside of the workspace"),
        pytest.param(["-I/usr/include"], "include_dirs", ["/usr/include"], id="system folder"),
        pytest.param(["-Iinclude\n", "-I\0", "-Iinclude/\x1b"], "include_dirs", [], id="control characters"),
        pytest.param(["-DA=1\n#include </etc/x>", "-DB\r=2"], "defines", [], id="control characters in macros"),
        pytest.param(["-D-x", "-D$(id)"], "defines", [], id="no macro"),
    ],
)
def test_options(tmp_path: Path, words: list[str], field: str, expected: object) -> None:
    root = workspace(tmp_path, [])
    (root / "compile_commands.json").write_text(json.dumps(command(str(root), *words)))
    found = getattr(settings_for(root / "tests/t.c", root), field)
    if isinstance(found, tuple):
        found = [
            str(item.relative_to(root) if isinstance(item, Path) and item.is_relative_to(root) else item)
            for item in found
        ]
    assert found == expected


def test_a_folder_with_a_new_line_in_its_name_is_not_taken(tmp_path: Path) -> None:
    root = workspace(tmp_path, [])
    (root / "x\n" / "lib").mkdir(parents=True)
    entry = command(str(root), "-Ilib")[0] | {"directory": str(root / "x\n"), "file": str(root / "tests/t.c")}
    (root / "compile_commands.json").write_text(json.dumps([entry]))
    found = settings_for(root / "tests/t.c", root)
    assert found.include_dirs == () and "control characters" in found.problems[0]


def test_refusals_are_told(tmp_path: Path) -> None:
    root = workspace(tmp_path, [])
    (root / "compile_commands.json").write_text(json.dumps(command(str(root), "-I/etc", "-D1x")))
    problems = settings_for(root / "tests/t.c", root).problems
    assert ["/etc" in problems[0], "1x" in problems[1]] == [True, True]


def test_command_strings_are_split_without_a_shell(tmp_path: Path) -> None:
    root = workspace(tmp_path, [])
    entry = {
        "directory": str(root),
        "file": str(root / "tests/t.c"),
        "command": "cc '-DX=\"a b\"' -Iinclude; touch /tmp/x",
    }
    (root / "compile_commands.json").write_text(json.dumps([entry]))
    assert settings_for(root / "tests/t.c", root).defines == ('X="a b"',)


def test_build_folders_are_searched(tmp_path: Path) -> None:
    root = workspace(tmp_path, [], "build/compile_commands.json")
    (root / "build/compile_commands.json").write_text(
        json.dumps([{"directory": str(root / "build"), "file": "../tests/t.c", "arguments": ["cc", "-I../include"]}])
    )
    assert databases(root) == [root / "build/compile_commands.json"]
    assert settings_for(root / "tests/t.c", root).include_dirs == (root / "include",)


def test_a_file_without_an_entry_gets_the_usual_folders_and_those_of_others(tmp_path: Path) -> None:
    root = workspace(tmp_path, [])
    other = {"directory": str(root), "file": "a.c", "arguments": ["cc", "-Ilib/inc", "-DSECRET"]}
    (root / "compile_commands.json").write_text(json.dumps([other]))
    found = settings_for(root / "tests/t.c", root, [root / "build", Path("/etc")])
    assert found.include_dirs == (root / "tests", root, root / "include", root / "build", root / "lib/inc")
    assert found.defines == ()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("[" * 100_000, id="deep"),
        pytest.param('{"a": 1}', id="no list"),
        pytest.param(
            '[1, {"file": 3}, {"file": "tests/t.c", "directory": "\\u0000"}, {"command": "\'"}]', id="odd entries"
        ),
    ],
)
def test_broken_databases_fall_back(tmp_path: Path, text: str) -> None:
    root = workspace(tmp_path, text)
    assert root / "tests" in settings_for(root / "tests/t.c", root).include_dirs


def test_links_out_of_the_workspace_are_refused(tmp_path: Path) -> None:
    root = workspace(tmp_path, [])
    (root / "out").symlink_to("/etc")
    (root / "compile_commands.json").write_text(json.dumps(command(str(root), "-Iout")))
    assert settings_for(root / "tests/t.c", root).include_dirs == ()
