"""Settings that do nothing are said: a file under another name, patterns that no file matches."""

from __future__ import annotations

from pathlib import Path

import pytest
from clausefit.hook.config import parse
from clausefit.hook.vain_settings import idle_exclusions, idle_patterns, missing_paths, unread_file

PATHS = ("src/main/java/a/Next.java", "src/test/java/a/NextTest.java", "docs/notes.md")
NO_TEST = ", so no test is read; correct or remove it"


@pytest.mark.parametrize(
    ("files", "here", "expected"),
    [
        pytest.param([], ".", None, id="no-file"),
        pytest.param([".clausefit.yaml"], ".", None, id="the-right-name"),
        pytest.param([".clausefit.yml"], ".", ".clausefit.yml is not read: rename it to .clausefit.yaml", id="yml"),
        pytest.param(["clausefit.yaml"], ".", "clausefit.yaml is not read: rename it to .clausefit.yaml", id="no-dot"),
        pytest.param([".clausefit.yml"], "src/a", ".clausefit.yml is not read: rename", id="from-a-folder-below"),
        pytest.param(["src/.clausefit.yml"], "src/a", "src/.clausefit.yml is not read: rename", id="in-a-folder-below"),
        pytest.param(
            [".clausefit.yaml", ".clausefit.yml"],
            ".",
            ".clausefit.yml is not read, .clausefit.yaml beside it is: move its settings there, and delete it",
            id="both",
        ),
        pytest.param(["../.clausefit.yml"], "src", None, id="outside-of-the-workspace"),
    ],
)
def test_a_settings_file_of_another_name(files: list[str], here: str, expected: str | None, tmp_path: Path) -> None:
    workspace = tmp_path / "w"
    (workspace / "src/a").mkdir(parents=True)
    for name in files:
        (workspace / name).write_text("pins: 3\n")
    said = unread_file(workspace, (workspace / here).resolve())
    assert said == expected or (said is not None and expected is not None and said.startswith(expected))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("pins: 3", [], id="defaults"),
        pytest.param("", [], id="empty-file"),
        pytest.param("tests: []", [], id="empty-list"),
        pytest.param("tests: [src/test/]", [], id="a-folder-that-is-there"),
        pytest.param('sources: ["*.java", "*.h"]', [], id="names-of-files-to-come"),
        pytest.param("tests: [src/tst/]", [(1, "tests", f"`src/tst/`{NO_TEST}")], id="a-folder-that-is-not-there"),
        pytest.param('tests:\n  - "*Tset.java"', [(2, "tests", f"`*Tset.java`{NO_TEST}")], id="a-name-that-none-has"),
        pytest.param("tests: [docs/]", [(1, "tests", f"`docs/`{NO_TEST}")], id="files-of-no-language-of-ours"),
        pytest.param(
            'sources:\n  - "*.java"\n  - src/mian/**', [(3, "sources", "`src/mian/**`; correct or remove it")], id="one"
        ),
        pytest.param(
            'sources: ["*.h"]\ntests: [a/]',
            [(1, "sources", "`*.h`, so nothing is judged; correct or remove it"), (2, "tests", f"`a/`{NO_TEST}")],
            id="both-keys",
        ),
    ],
)
def test_patterns_that_no_file_matches(text: str, expected: list[tuple[int, str, str]]) -> None:
    parse(text.encode())
    lines = [f".clausefit.yaml:{line}: {key}: no C or Java file matches {rest}" for line, key, rest in expected]
    assert list(idle_patterns(text.encode(), lambda: PATHS)) == lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", [], id="empty-file"),
        pytest.param("compile_commands: build/c.json\ninclude_dirs: [include, build]", [], id="all-are-there"),
        pytest.param("include_dirs: []", [], id="empty-list"),
        pytest.param(
            "compile_commands: no.json",
            ["1: compile_commands: there is no file `no.json`, so no compilation database is used"],
            id="no-such-file",
        ),
        pytest.param(
            "compile_commands: build",
            ["1: compile_commands: there is no file `build`, so no compilation database is used"],
            id="a-folder-for-a-file",
        ),
        pytest.param(
            "pins: 3\ninclude_dirs:\n  - include\n  - nosuch\n  - build/c.json",
            [
                f"{line}: include_dirs: there is no folder `{name}`, so nothing is included from it"
                for line, name in ((4, "nosuch"), (5, "build/c.json"))
            ],
            id="no-such-folder-and-a-file-for-one",
        ),
    ],
)
def test_paths_that_lead_nowhere(text: str, expected: list[str], tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "build").mkdir()
    (tmp_path / "build/c.json").write_text("[]")
    parse(text.encode())
    lines = [f".clausefit.yaml:{line}; correct or remove it" for line in expected]
    assert list(missing_paths(text.encode(), tmp_path)) == lines


def test_without_settings_of_patterns_no_file_is_listed() -> None:
    def never() -> tuple[str, ...]:
        raise AssertionError("a commit should not wait for this")

    assert list(idle_patterns(None, never)) == [] == list(idle_patterns(b"pins: 3", never))


KNOWN = {
    "login": frozenset({"user", "password", "attempts"}),
    "Bank.pay(String, int)": frozenset({"this", "pin", "amount", "Bank.key"}),
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("record: [ctest]", [], id="commands-alone"),
        pytest.param("record: {exclude: [login]}", [], id="a-function"),
        pytest.param('record: {exclude: ["log*", Bank.pay, pay, "Bank.pay(String, int)"]}', [], id="all-that-match"),
        pytest.param(
            "record: {exclude_parameters: [login.password, pay.pin, Bank.pay.Bank.key, '*.user']}", [], id="parameters"
        ),
        pytest.param(
            "record:\n  exclude:\n    - logn",
            ["3: record: exclude: no function with a contract is called `logn`, so nothing is left out; did you mean"
             " 'login'?"],
            id="a-function-misspelt",
        ),
        pytest.param(
            "record: {exclude_parameters: [login.pasword]}",
            ["1: record: exclude_parameters: no parameter or variable of a function with a contract is called "
             "`login.pasword`, so no value is hidden; did you mean 'login.password'?"],
            id="a-parameter-misspelt",
        ),
        pytest.param(
            "record: {exclude_parameters: ['zzzzzzzz.?']}",
            ["1: record: exclude_parameters: no parameter or variable of a function with a contract is called "
             "`zzzzzzzz.?`, so no value is hidden"],
            id="nothing-is-near",
        ),
        pytest.param(
            "record: {exclude_parameters: [pay.pni]}",
            ["1: record: exclude_parameters: no parameter or variable of a function with a contract is called "
             "`pay.pni`, so no value is hidden; did you mean 'pay.pin'?"],
            id="of-a-method",
        ),
    ],
)  # fmt: skip
def test_exclusions_that_mean_nothing(text: str, expected: list[str]) -> None:
    parse(text.encode())
    assert list(idle_exclusions(text.encode(), lambda: KNOWN)) == [f".clausefit.yaml:{line}" for line in expected]


def test_without_exclusions_no_contract_is_read() -> None:
    def never() -> dict[str, frozenset[str]]:
        raise AssertionError("a commit should not wait for this")

    for content in (None, b"", b"record: [ctest]", b"record: {exclude: []}"):
        assert list(idle_exclusions(content, never)) == []
