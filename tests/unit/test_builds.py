"""Calls of what was built before its source was changed are none of the source's."""

import hashlib
import os
from dataclasses import replace
from pathlib import Path

import pytest
from clausefit.hook.contracts.c import read_c
from clausefit.hook.contracts.java import read_java
from clausefit.hook.pins.values import Origin, Pin, Returned
from clausefit.hook.record.builds import Builds
from clausefit.hook.record.watched import ClassOrigin, RecordedCall, WatchedFunction, WatchedMethod

C = read_c("/*@ ensures a; */ int f(int a) { return a; }", "src/f.c").contracts[0]
JAVA = read_java("class C { /*@ ensures a; @*/ boolean f(boolean a) { return a; } }", "src/C.java").contracts[0]

EMPTY = hashlib.sha256(b"").hexdigest()


def call(folder: Path, java: bool) -> RecordedCall:
    pin = Pin("f", (), (), Returned(None, ()), Origin("recorded", "", "", 0))
    origin = None
    watched: WatchedFunction = WatchedFunction("src/f.c", "f", C)
    if java:
        watched = WatchedMethod("src/C.java", "C.f(boolean)", JAVA, "C", "f", ("boolean",))
        origin = ClassOrigin("C", str(folder / "out/C.class"), EMPTY)
    return RecordedCall(watched, pin, (), str(folder / "build/test"), True, 0, origin=origin)


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


TWIN = "which of the sources of class C ran is not certain (src/C.java, test/C.java)"
ELSEWHERE = (
    "its class was loaded from {}, and no class file of the workspace is equal to it: build it, and put the folder of "
    "its classes on the class path"
)
OLD = "its class was built before src/C.java was last changed: build it, and record again"
UNKNOWN = "which file class C was loaded from is not known"


@pytest.mark.parametrize(
    ("path", "digest", "texts", "built", "said"),
    [
        pytest.param("", "", {}, 5, UNKNOWN, id="nothing is known of it"),
        pytest.param("out/C.class", "x", {"test/C.java": ""}, 5, TWIN, id="a second source of its name"),
        pytest.param("out/C.class", "x", {"test/C.java": "/* a */ package p ;"}, 5, None, id="in another package"),
        pytest.param("out/C.class", "x", {}, 5, None, id="built after its source was changed"),
        pytest.param("out/C.class", "x", {}, 1, OLD, id="built before"),
        pytest.param("old/C.class", "x", {"old/C.class": "old"}, 5, None, id="of two that which ran counts"),
        pytest.param("lib.jar", EMPTY, {"lib.jar": ""}, 5, None, id="a jar with the class that lies there"),
        pytest.param("lib.jar", EMPTY, {"lib.jar": ""}, 1, OLD, id="a new jar with an old class"),
        pytest.param("lib.jar", "x", {"lib.jar": ""}, 5, ELSEWHERE.format("lib.jar"), id="a jar with another"),
        pytest.param("/elsewhere/C.class", EMPTY, {}, 5, None, id="a folder elsewhere with the same"),
        pytest.param(
            "/elsewhere/C.class", "x", {}, 5, ELSEWHERE.format("C.class"), id="a folder elsewhere with another"
        ),
    ],
)
def test_where_a_class_came_from(
    path: str, digest: str, texts: dict[str, str], built: int, said: str | None, tmp_path: Path
) -> None:
    written(tmp_path, {"src/C.java": 3, "out/C.class": built})
    for name, text in texts.items():
        written(tmp_path, {name: 9})
        (tmp_path / name).write_text(text)
        written(tmp_path, {name: 9 if name.endswith(".jar") else 3})
    origin = ClassOrigin("C", str(tmp_path / path) if path else "", digest)
    assert Builds(tmp_path).outdated(replace(call(tmp_path, java=True), origin=origin)) == said
