"""Pins read from tests against what really happens: the same tests run by Maven, every call written to a log.

The methods of ``tests/data/java_pins/src`` are given wrappers that log each call's arguments, result and what is
reachable afterwards. Every pin must be in the log, and every logged call must have given a pin or a reason.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from clausefit.hook.contracts.java_model import JavaMethod
from clausefit.hook.java.project import JavaProject
from clausefit.hook.pins.java.tests import JavaTestPins, pins_from_java
from clausefit.hook.pins.values import (
    Array,
    Constant,
    Floating,
    Integer,
    Null,
    Pin,
    Pointer,
    Returned,
    Struct,
    Text,
    Unknown,
    Value,
)

DATA = Path(__file__).parents[1] / "data" / "java_pins"
TESTS = ("Junit3Test", "Junit4Test", "Junit5Test", "TestngTest", "MoreTest")


def sources() -> dict[str, str]:
    return {str(path.relative_to(DATA)): path.read_text() for path in DATA.glob("*/p/*.java")}


# -- the logged run


def instrumented(text: str, methods: list[JavaMethod]) -> str:
    """The source with each method's body moved behind a wrapper that logs its calls."""
    for method in sorted((m for m in methods if m.body is not None), key=lambda m: -m.span.start):
        assert method.body is not None
        names = [parameter.name for parameter in method.parameters]
        pairs = "".join(f', "{name}", {name}' for name in names)
        this = "" if method.is_static or method.is_constructor else ', "this", this'
        enter = f'Log.Call cf = Log.enter("{method.signature}"{this}{pairs});'
        body = text[method.body.start : method.body.end]
        caught = "catch (Throwable cfT) { cf.threw(cfT); throw cfT; }"
        if method.is_constructor:
            first = re.match(r"\{\s*((?:this|super)\([^;]*;)?", body)
            assert first is not None
            head, rest = first.group(1) or "", body[first.end() :]
            new = f"{{ {head} {enter} try {{ {rest} {caught} cf.returned(this); }}"
            text = text[: method.body.start] + new + text[method.body.end :]
            continue
        header = text[method.span.start : method.body.start]
        inner = re.sub(rf"\b{method.name}(\s*\()", rf"{method.name}_cf\1", header.replace("@Override", ""), count=1)
        call = f"{method.name}_cf({', '.join(names)})"
        if method.result_type == "void":
            run = f"{call}; cf.nothing();"
        else:
            run = f"{method.result_type} cfR = {call}; cf.returned(cfR); return cfR;"
        wrapper = f"{{ {enter} try {{ {run} }} {caught} }}"
        text = text[: method.span.start] + header + wrapper + " " + inner + body + text[method.span.end :]
    return text


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> frozenset[str]:
    """The lines of the log of the whole run."""
    maven = shutil.which("mvn")
    if maven is None:
        pytest.skip("Maven is not installed")
    root = tmp_path_factory.mktemp("java_pins")
    shutil.copy(DATA / "pom.xml", root)
    files = sources()
    project = JavaProject(files.get, files)
    main, tests = root / "src/main/java/p", root / "src/test/java/p"
    main.mkdir(parents=True)
    tests.mkdir(parents=True)
    shutil.copy(DATA / "Log.java", main)
    for path, text in files.items():
        if path.startswith("src"):
            methods = [method for one in project.classes(path) for method in one.java.methods]
            (main / Path(path).name).write_text(instrumented(text, methods))
        else:
            (tests / Path(path).name).write_text(text)
    for offline in (["-o"], []):
        done = subprocess.run(
            [maven, "-q", "-B", *offline, "test"], cwd=root, capture_output=True, text=True, timeout=280
        )
        if done.returncode == 0 or "COMPILATION ERROR" in done.stdout or "Tests run" in done.stdout:
            break
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    return frozenset((root / "target/pins.log").read_text().splitlines())


# -- pins as lines of the log; what is not known is a pattern that fits everything


def value_pattern(value: Value | None, memory: Mapping[str, Value], depth: int = 0) -> str:
    if value is None:
        return "void"
    if isinstance(value, Unknown):
        return ".*"
    if depth > 5 and not isinstance(value, Null):
        return re.escape("...")
    if isinstance(value, Pointer):
        return value_pattern(memory[value.block], memory, depth)
    if isinstance(value, Array):
        inner = ", ".join(value_pattern(one, memory, depth + 1) for one in value.elements)
        return rf"\({inner}\)" if value.form == "list" else rf"\[{inner}\]"
    if isinstance(value, Struct):
        inner = ", ".join(sorted(f"{name}: {value_pattern(one, memory, depth + 1)}" for name, one in value.fields))
        return rf"{re.escape(value.type)}\{{{inner}\}}"
    return re.escape(leaf_text(value))


def leaf_text(value: Value) -> str:
    if isinstance(value, Integer):
        if value.type in ("boolean", "java.lang.Boolean"):
            return "true" if value.value else "false"
        return f"'{chr(value.value)}'" if value.type in ("char", "java.lang.Character") else str(value.value)
    if isinstance(value, Floating):
        return f"{'f' if value.width == 32 else 'd'}{value.bits:x}"
    if isinstance(value, Text):
        return f'"{value.value}"'
    if isinstance(value, Constant):
        return f"{value.type}.{value.name}"
    return "null"


def pin_pattern(pin: Pin) -> str:
    before = {block.id: block.value for block in pin.blocks}
    outcome = pin.outcome
    after = before | dict(outcome.after)

    def state(memory: Mapping[str, Value]) -> str:
        return ", ".join(f"{name}={value_pattern(value, memory)}" for name, value in pin.arguments)

    if isinstance(outcome, Returned):
        end = value_pattern(outcome.result, after)
    else:
        end = f"throws {re.escape(outcome.detail) if outcome.is_exact else '.*'}"
    return f"{re.escape(pin.function)}: {state(before)} -> {end} [|] {state(after)}"


def read(test: str, changed: dict[str, str] | None = None) -> JavaTestPins:
    files = changed or sources()
    project = JavaProject(files.get, files)
    watched = frozenset(
        method.signature
        for path in files
        if path.startswith("src")
        for one in project.classes(path)
        for method in one.java.methods
    )
    return pins_from_java(project, f"test/p/{test}.java", watched)


def every_pin() -> Iterator[Pin]:
    for test in TESTS:
        yield from read(test).pins


def is_super_constructor(line: str) -> bool:
    """Whether the call made no object of its own class: a constructor that another one starts with."""
    name = line.partition("(")[0]
    owner, _, method = name.rpartition(".")
    return owner.rpartition(".")[2] == method and f" -> p.{owner}{{" not in line and " -> throws " not in line


def test_every_pin_is_what_happened(log: frozenset[str]) -> None:
    lines = sorted(log)
    pins = list(every_pin())
    missing = [pin_pattern(pin) for pin in pins if not any(re.fullmatch(pin_pattern(pin), line) for line in lines)]
    assert missing == []
    assert len(pins) > 100


def test_every_logged_call_is_a_pin_or_has_a_reason(log: frozenset[str]) -> None:
    results = [read(test) for test in TESTS]
    patterns: dict[str, list[str]] = {}
    for result in results:
        for pin in result.pins:
            patterns.setdefault(pin.function, []).append(pin_pattern(pin))
    excused = {one.function for result in results for one in result.ignored}
    silent = [
        line
        for line in sorted(log)
        if not is_super_constructor(line)
        and line.partition(":")[0] not in excused
        and not any(re.fullmatch(pattern, line) for pattern in patterns.get(line.partition(":")[0], ()))
    ]
    assert silent == []


def test_reasons_are_few(log: frozenset[str]) -> None:
    ignored = [one for test in TESTS for one in read(test).ignored]
    known = sum(1 for _ in every_pin())
    assert len(ignored) < known / 10, [f"{one.source} {one.function}: {one.reason}" for one in ignored]


_SWAPS = {" + ": " - ", " - ": " + ", " * ": " + ", " < ": " <= ", " > ": " >= ", " <= ": " < ", " >= ": " > "}


def broken_sources() -> Iterator[dict[str, str]]:
    """The sources with one operator changed, every ninth place."""
    files = sources()
    for path in [one for one in files if one.startswith("src")]:
        for match in list(re.finditer("|".join(map(re.escape, _SWAPS)), files[path]))[::9]:
            text = files[path]
            yield files | {path: text[: match.start()] + _SWAPS[match.group()] + text[match.end() :]}


def test_code_that_fails_a_test_teaches_nothing_wrong(log: frozenset[str]) -> None:
    """Where a test shows that the code is wrong as it lies there, what is left are pins of the right code."""
    failing = 0
    for files in broken_sources():
        for test in TESTS:
            found = read(test, files)
            if found.doubtful:
                failing += 1
                wrong = [
                    pin_pattern(p) for p in found.pins if not any(re.fullmatch(pin_pattern(p), one) for one in log)
                ]
                assert wrong == []
    assert failing >= 3


if __name__ == "__main__":
    for found in map(read, sys.argv[1:] or TESTS):
        print(*[f"{pin.origin.line} {pin.origin.test} {pin_pattern(pin)}" for pin in found.pins], sep="\n")
        print(*[f"IGNORED {one.source} {one.function}: {one.reason}" for one in found.ignored], sep="\n")
