"""The recorded examples: stored pins are what the tests passed and saw, and bring up the planted faults, no others."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from clausefit.hook.pins.stored import from_yaml
from clausefit.hook.pins.values import Array, Block, Failed, Integer, Origin, Pin, Pointer, Returned, Struct, Value
from recorded_log import Line, Log, by_function, changes_memory, failure, has_aliases, line_of, read_log
from running import Ran, Repository

EXAMPLES = Path(__file__).parents[2] / "examples"
C_FUNCTIONS = {"gcd", "spread", "position", "reverse", "capitals", "transfer", "take_numbers"}
JAVA_FUNCTIONS = {"Purse", "take", "moveTo", "rotate", "countAbove", "find", "reduced"}
C_FAULTS = {("CF101", "gcd"), ("CF201", "spread")}
JAVA_FAULTS = {("CF101", "Rows.countAbove(int[], int)"), ("CF201", "Discount.reduced(int, int)")}


@dataclass(frozen=True)
class Recorded:
    """An example after ``clausefit record``: what the command said, what is stored, what the tests say themselves."""

    repository: Repository
    before: dict[str, Any]
    ran: Ran
    pins: tuple[Pin, ...]
    log: Log

    def lines(self, function: str) -> list[Line]:
        """The stored calls of a function."""
        return by_function(self.pins).get(function, [])


def recorded(name: str, folder: Path, cache: Path) -> Recorded:
    """A clean copy of an example, judged, then recorded by the commands of its own settings."""
    repository = Repository(folder / name, cache)
    left_out = shutil.ignore_patterns("build", "target", "pins")
    shutil.copytree(EXAMPLES / name, repository.folder, dirs_exist_ok=True, ignore=left_out)
    repository.git("add", "-A")
    repository.git("commit", "-qm", "start")
    before = repository.check("--all").report
    log = folder / "log.jsonl"
    ran = repository.run("record", env={"CLAUSEFIT_LOG": str(log)})
    pins: list[Pin] = []
    for path in sorted((repository.folder / ".clausefit" / "pins").rglob("*.yaml")):
        source, stored = from_yaml(path.read_text("utf-8"), path.name)
        assert (repository.folder / source).is_file()
        pins += [one.pin for one in stored]
    return Recorded(repository, before, ran, tuple(pins), read_log(log))


@pytest.fixture(scope="module")
def c_example(tmp_path_factory: pytest.TempPathFactory, shared_cache: Path) -> Recorded:
    return recorded("recorded-c", tmp_path_factory.mktemp("recorded"), shared_cache)


@pytest.fixture(scope="module")
def java_example(tmp_path_factory: pytest.TempPathFactory, shared_cache: Path) -> Recorded:
    return recorded("recorded-java", tmp_path_factory.mktemp("recorded"), shared_cache)


@pytest.fixture(params=["c_example", "java_example"], ids=["C", "Java"])
def example(request: pytest.FixtureRequest) -> Recorded:
    found: Recorded = request.getfixturevalue(request.param)
    return found


def test_the_tests_pass_while_they_are_recorded(example: Recorded) -> None:
    assert example.ran.status == 0, example.ran.err


def test_without_a_recording_there_is_nothing_to_find(example: Recorded) -> None:
    assert example.before["findings"] == []
    assert [contract["function"] for contract in example.before["contracts"] if contract["pins"]["used"]] == []


@pytest.mark.parametrize(
    ("name", "functions"),
    [pytest.param("c_example", C_FUNCTIONS, id="C"), pytest.param("java_example", JAVA_FUNCTIONS, id="Java")],
)
def test_every_contract_has_pins(name: str, functions: set[str], request: pytest.FixtureRequest) -> None:
    assert set(by_function(request.getfixturevalue(name).pins)) == functions


def test_every_stored_call_is_one_that_the_tests_made(example: Recorded) -> None:
    assert [line for pin in example.pins if (line := line_of(pin)) not in example.log.every] == []


def test_every_stored_call_names_a_test_that_is_there(example: Recorded) -> None:
    for pin in example.pins:
        assert pin.origin.kind == "recorded"
        lines = (example.repository.folder / pin.origin.file).read_text("utf-8").splitlines()
        assert pin.origin.test.split(".")[-1].split("(")[0] in "\n".join(lines)
        assert 1 <= pin.origin.line <= len(lines)


@pytest.mark.parametrize(
    ("name", "function", "shows"),
    [
        pytest.param("c_example", "reverse", changes_memory, id="C: a row changed in place"),
        pytest.param("c_example", "capitals", changes_memory, id="C: a text changed in place"),
        pytest.param("c_example", "take_numbers", changes_memory, id="C: a global changed"),
        pytest.param("c_example", "transfer", has_aliases, id="C: two pointers to one account"),
        pytest.param("c_example", "transfer", changes_memory, id="C: members of structs changed"),
        pytest.param("c_example", "transfer", lambda line: failure(line) == "abort", id="C: a failed assert"),
        pytest.param("java_example", "rotate", changes_memory, id="Java: an array changed in place"),
        pytest.param("java_example", "moveTo", has_aliases, id="Java: receiver and argument are one object"),
        pytest.param("java_example", "moveTo", changes_memory, id="Java: fields of two objects changed"),
        pytest.param(
            "java_example",
            "take",
            lambda line: failure(line) == "java.lang.IllegalArgumentException",
            id="Java: an exception",
        ),
    ],
)
def test_what_a_call_did_is_stored(
    name: str, function: str, shows: Callable[[Line], bool], request: pytest.FixtureRequest
) -> None:
    example: Recorded = request.getfixturevalue(name)
    assert any(shows(line) for line in example.log.every if line.function == function), "the log has none"
    assert any(shows(line) for line in example.lines(function))


@pytest.mark.parametrize(
    ("name", "functions"),
    [
        pytest.param("c_example", {"gcd", "position"}, id="C"),
        pytest.param("java_example", {"find", "take"}, id="Java: of itself, and of another method of the object"),
    ],
)
def test_calls_that_only_other_calls_make_are_stored(
    name: str, functions: set[str], request: pytest.FixtureRequest
) -> None:
    example: Recorded = request.getfixturevalue(name)
    for function in functions:
        assert any(line in example.log.inner for line in example.lines(function)), function


@pytest.mark.parametrize(
    ("name", "faults"),
    [pytest.param("c_example", C_FAULTS, id="C"), pytest.param("java_example", JAVA_FAULTS, id="Java")],
)
def test_the_planted_faults_are_found_and_no_others(
    name: str, faults: set[tuple[str, str]], request: pytest.FixtureRequest
) -> None:
    example: Recorded = request.getfixturevalue(name)
    report = example.repository.check("--all").report
    assert {(finding["code"], finding["function"]) for finding in report["findings"]} == faults
    assert len(report["findings"]) == len(faults)
    assert all(contract["pins"]["recorded"] > 0 for contract in report["contracts"])


# -- the comparison itself

INT = ("int", 32, True)


def whole(value: int) -> Integer:
    return Integer(value, *INT)


def row(*values: int) -> Array:
    return Array("int", tuple(map(whole, values)))


def call(arguments: dict[str, Value], blocks: dict[str, Value], outcome: Returned | Failed) -> Pin:
    memory = tuple(Block(name, name, value) for name, value in blocks.items())
    return Pin("p.C.f(int[])", tuple(arguments.items()), memory, outcome, Origin("recorded", "t", "t.c", 1))


@pytest.mark.parametrize(
    ("pin", "given", "gave"),
    [
        pytest.param(
            call({"a": whole(3)}, {}, Returned(whole(4), ())),
            '{"arguments": {"a": 3}, "before": {}}',
            '{"after": {}, "result": 4}',
            id="numbers",
        ),
        pytest.param(
            call({"a": Pointer("x", (1,), "int *")}, {"x": row(1, 2, 3)}, Returned(None, (("x", row(1, 9, 3)),))),
            '{"arguments": {"a": {"ref": "A"}}, "before": {"A": [2, 3]}}',
            '{"after": {"A": [9, 3]}}',
            id="a pointer into a row sees its rest",
        ),
        pytest.param(
            call(
                {"a": Pointer("x", (), "T"), "b": Pointer("x", (0,), "T")},
                {"x": Array("T", (Struct("T", (("n", whole(5)),)),))},
                Failed("abort"),
            ),
            '{"arguments": {"a": {"ref": "A"}, "b": {"ref": "A"}}, "before": {"A": {"n": 5}}}',
            '{"after": {}, "failed": "abort"}',
            id="two pointers to one struct, and an abort",
        ),
        pytest.param(
            call(
                {"a": Pointer("x", (1,), "int *"), "b": Pointer("x", (0,), "int *")},
                {"x": row(1, 2)},
                Returned(None, (("x", row(3, 2)),)),
            ),
            '{"arguments": {"a": {"ref": "A"}, "b": {"ref": "B"}}, "before": {"A": 2, "B": 1}}',
            '{"after": {"A": 2, "B": 3}}',
            id="neighbours in one row",
        ),
        pytest.param(
            call({}, {}, Returned(Pointer("new", (), "T"), (("new", Struct("T", (("n", whole(5)),))),))),
            '{"arguments": {}, "before": {}}',
            '{"after": {"A": {"n": 5}}, "result": {"ref": "A"}}',
            id="a constructor",
        ),
    ],
)
def test_a_pin_in_the_form_of_the_log(pin: Pin, given: str, gave: str) -> None:
    assert line_of(pin) == Line("f", given, gave)
