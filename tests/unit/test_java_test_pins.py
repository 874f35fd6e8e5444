"""Which Java pins count: those of tests that a report says passed, of code that passes its other tests as well."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from clausefit.hook.changes import All, changes
from clausefit.hook.config import Config
from clausefit.hook.java.test_pins import collect_java
from clausefit.hook.java.work import java_work_of
from clausefit.hook.pins.junit_xml import PassedTests
from clausefit.hook.prepared import PinTable

SOURCE = r"class Box { /*@ ensures \result == a + 1; @*/ static int next(int a) { return a + 1; } }"
TEST = """
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
class {name} {{
    @Test void one() {{ assertEquals({one}, Box.next(1)); }}
    @ParameterizedTest @CsvSource({{"5, 6", "7, 8"}}) void more(int a, int b) {{ assertEquals(b, Box.next(a)); }}
}}
"""


def table_of(
    folder: Path, files: dict[str, str], passed: PassedTests | None = None, config: Config | None = None
) -> PinTable:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    every, config = changes(All(), folder), config or Config()
    work = java_work_of(every, config)
    return collect_java(work.project, every.snapshot, config, work.methods, passed)


@pytest.mark.parametrize(
    ("passed", "arguments"),
    [
        pytest.param(None, [1, 5, 7], id="no report: all count"),
        pytest.param(PassedTests(frozenset({"BoxTest.one"})), [1], id="only what the report has"),
        pytest.param(
            PassedTests(frozenset({"BoxTest.more(int, int)[1]", "BoxTest.more(int, int)[2]", "BoxTest.one"})),
            [1, 5, 7],
            id="Surefire names repetitions with their types",
        ),
        pytest.param(
            PassedTests(frozenset({"BoxTest.more(int, int)[1]"}), frozenset({"BoxTest.more(int, int)[2]"})),
            [],
            id="a repetition that failed, so none is told apart",
        ),
    ],
)
def test_only_passed_tests_count(tmp_path: Path, passed: PassedTests | None, arguments: list[int]) -> None:
    table = table_of(
        tmp_path, {"src/Box.java": SOURCE, "test/BoxTest.java": TEST.format(name="BoxTest", one=2)}, passed
    )
    pins = [pin for found in table.pins.values() for pin in found]
    assert sorted(pin.arguments[0][1].value for pin in pins) == arguments  # type: ignore[union-attr]
    assert sum(len(found) for found in table.ignored.values()) == 3 - len(arguments)


def test_code_that_fails_a_test_elsewhere_is_not_believed(tmp_path: Path) -> None:
    files = {
        "src/Box.java": SOURCE,
        "test/ATest.java": TEST.format(name="ATest", one=99),
        "test/BTest.java": TEST.format(name="BTest", one=2),
    }
    table = table_of(tmp_path, files)
    assert not [pin for found in table.pins.values() for pin in found if pin.origin.file == "test/BTest.java"]
    (reasons,) = [{one.reason for one in found if "BTest" in one.source} for found in table.ignored.values()]
    assert reasons and all("does not pass ATest.one (test/ATest.java)" in reason for reason in reasons)


TWO = {
    "src/Box.java": SOURCE,
    "mutant/Box.java": SOURCE.replace("return a + 1", "return a + 2"),
    "test/BoxTest.java": TEST.format(name="BoxTest", one=2),
}


@pytest.mark.parametrize(
    "config",
    [
        pytest.param(Config(exclude=("mutant/**",)), id="excluded"),
        pytest.param(Config(sources=("src/**",)), id="outside of the sources"),
    ],
)
def test_a_class_that_the_settings_leave_out_does_not_compete(tmp_path: Path, config: Config) -> None:
    table = table_of(tmp_path, TWO, config=config)
    assert [(key, len(pins)) for key, pins in table.pins.items()] == [(("src/Box.java", "Box.next(int)"), 3)]
    assert not table.ignored and not table.not_checked


def test_classes_that_no_test_tells_apart_are_to_be_left_out(tmp_path: Path) -> None:
    table = table_of(tmp_path, TWO)
    assert not table.pins and not table.not_checked
    reasons = {file: [one.reason for one in ignored] for (file, _name), ignored in table.ignored.items()}
    said = "2 classes have a method Box.next(int), so calls of it cannot be told apart: "
    said += "leave all but one out (`exclude` in .clausefit.yaml)"
    assert reasons == {"src/Box.java": [said], "mutant/Box.java": [said]}


def test_classes_that_tests_tell_apart_are_to_be_judged_one_at_a_time(tmp_path: Path) -> None:
    both = {f"{module}/{path}": text for module in ("one", "two") for path, text in TWO.items() if "mutant" not in path}
    reasons = [one.reason for ignored in table_of(tmp_path, both).ignored.values() for one in ignored]
    assert len(reasons) == 2 and all("judge one at a time (`clausefit check FILE`)" in one for one in reasons)


def test_two_classes_of_one_name(tmp_path: Path) -> None:
    files = {
        "a/src/Box.java": SOURCE,
        "b/src/Box.java": SOURCE,
        "test/BoxTest.java": TEST.format(name="BoxTest", one=2),
    }
    table = table_of(tmp_path, files)
    assert not table.pins
    assert sorted(file for file, _function in table.ignored) == ["a/src/Box.java", "b/src/Box.java"]


BROKEN_TEST = """import org.junit.jupiter.api.Test;
class BoxTest {
    @Test void one() { assert Box.next(1) == 2; }
    @Test void two() {
        BROKEN
    }
}
"""


@pytest.mark.parametrize(
    ("statement", "detail", "reason"),
    [
        pytest.param("assert Box.next(2 == 3;", "`(` is not closed", "past line 5", id="no-parenthesis"),
        pytest.param("assert Box.next(2) == 3", "a `;` is missing", "past line 5", id="no-semicolon"),
        pytest.param("int int x = Box.next(2);", None, "past line 5", id="perhaps-newer-java"),
    ],
)
def test_a_broken_test_is_said_with_the_line_of_its_error(
    statement: str, detail: str | None, reason: str, tmp_path: Path
) -> None:
    table = table_of(tmp_path, {"src/Box.java": SOURCE, "test/BoxTest.java": BROKEN_TEST.replace("BROKEN", statement)})
    said = [(one.file, one.line, one.reason) for one in table.not_checked]
    assert said == ([("test/BoxTest.java", 5, "parse_error")] if detail else [])
    assert all(detail in one.detail for one in table.not_checked if detail)
    (ignored,) = [one for found in table.ignored.values() for one in found]
    assert ignored.source == "test/BoxTest.java:5" and reason in ignored.reason
    (pins,) = table.pins.values()
    assert [pin.origin.line for pin in pins] == [3]


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        pytest.param("src/Box.java", f"{SOURCE}\n\n\n\nclass A {{ {{", [("src/Box.java", 5)], id="far-from-the-change"),
        pytest.param("src/Box.java", "class Box {", [], id="no-contracts"),
        pytest.param("src/Box.jml", f"{SOURCE}\n\n\n\nclass A {{ {{", [("src/Box.jml", 5)], id="jml-file-beside"),
        pytest.param("src/Box.java", f"import module a.b;\n{SOURCE}", [], id="java-25"),
    ],
)
def test_a_source_that_no_java_reads_is_said_wherever_the_change_is(
    path: str, text: str, said: list[tuple[str, int]], tmp_path: Path
) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/Box.java").write_text(SOURCE)
    (tmp_path / path).write_text(text)
    every = changes(All(), tmp_path)
    first_line = [replace(one, changed_lines=((1, 1),)) for one in every.files]
    work = java_work_of(replace(every, files=tuple(first_line)), Config())
    assert [(one.file, one.line) for one in work.not_checked if one.reason == "parse_error"] == said
