"""Calls of what was built before its source was changed are none of the source's."""

import os
from pathlib import Path

import pytest
from clausefit.hook.contracts.c import read_c
from clausefit.hook.contracts.java import read_java
from clausefit.hook.pins.values import Origin, Pin, Returned
from clausefit.hook.record.builds import Builds
from clausefit.hook.record.watched import RecordedCall, WatchedFunction, WatchedMethod

C = read_c("/*@ ensures a; */ int f(int a) { return a; }", "src/f.c").contracts[0]
JAVA = read_java("class C { /*@ ensures a; @*/ boolean f(boolean a) { return a; } }", "src/C.java").contracts[0]


def call(folder: Path, java: bool) -> RecordedCall:
    pin = Pin("f", (), (), Returned(None, ()), Origin("recorded", "", "", 0))
    watched: WatchedFunction = WatchedFunction("src/f.c", "f", C)
    if java:
        watched = WatchedMethod("src/C.java", "C.f(boolean)", JAVA, "C", "f", ("boolean",))
    return RecordedCall(watched, pin, (), str(folder / "build/test"), True, 0)


def written(folder: Path, times: dict[str, int]) -> None:
    for name, time in times.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (time, time))


@pytest.mark.parametrize(
    ("times", "newer"),
    [
        pytest.param({"src/f.c": 1, "src/f.h": 1, "src/x.h": 9, "build/test": 5}, None, id="built after its headers"),
        pytest.param({"src/f.c": 9, "src/f.h": 1, "build/test": 5}, "src/f.c", id="the source"),
        pytest.param({"src/f.c": 1, "src/f.h": 9, "build/test": 5}, "src/f.h", id="a header"),
        pytest.param({"src/f.c": 7, "src/f.h": 1, "build/test": 5, "build/lib.so.1": 8}, None, id="a library"),
        pytest.param({"src/f.c": 9, "src/f.h": 1}, None, id="a program that is gone"),
    ],
)
def test_programs(times: dict[str, int], newer: str | None, tmp_path: Path) -> None:
    written(tmp_path, times)
    said = Builds(tmp_path, {"src/f.c": ("src/f.h",)}).outdated(call(tmp_path, java=False))
    assert said == (newer and f"test was built before {newer} was last changed: build it, and record again")


@pytest.mark.parametrize(
    ("times", "said"),
    [
        pytest.param({"src/C.java": 1, "src/D.java": 1, "out/C.class": 5, "out/D.class": 5}, None, id="all built"),
        pytest.param({"src/C.java": 9, "out/C.class": 5}, "its class was built before src/C.java", id="its own class"),
        pytest.param(
            {"src/C.java": 1, "src/D.java": 9, "out/C.class": 5, "out/D.class": 5},
            "a class was built before src/D.java",
            id="a class that it may call",
        ),
        pytest.param({"src/C.java": 1, "src/New.java": 9, "out/C.class": 5}, None, id="a class that was never built"),
    ],
)
def test_classes(times: dict[str, int], said: str | None, tmp_path: Path) -> None:
    written(tmp_path, times)
    found = Builds(tmp_path).outdated(call(tmp_path, java=True))
    assert found == (said and f"{said} was last changed: build it, and record again")
