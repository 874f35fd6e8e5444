"""``check`` with recorded pins, on the real Frama-C and the real KeY: what counts, what is stale, what changes nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from clausefit.hook.pins.stored import StoredPin, path_of, to_yaml
from clausefit.hook.pins.values import Array, Block, Failed, Integer, Origin, Pin, Pointer, Returned, Value
from clausefit.hook.record.bodies import Bodies
from running import Command, Ran, Repository

SOURCE = """#define MOST 100
/*@ requires 0 <= n <= 1000;
    assigns \\nothing;
    ensures 0 <= \\result; */
int capped(int n) { return n > MOST ? MOST : n; }

/*@ requires \\valid(a + (0 .. n - 1)) && 0 <= n;
    assigns a[0 .. n - 1];
    ensures \\forall integer i; 0 <= i < n ==> a[i] == \\old(a[i]) + 1; */
void bump(int *a, int n) { for (int i = 0; i < n; i++) a[i]++; }
"""
TEST = """#include <assert.h>
#include <stdlib.h>
int capped(int n);
void bump(int *a, int n);
int main(void) {
    for (int i = 0; i < 1000; i++) { int n = rand() % 1000; assert(capped(n) <= n); }
    return 0;
}
"""
JAVA = """public class Cap {
    //@ requires 0 <= n && n <= 1000;
    //@ ensures 0 <= \\result;
    public static int capped(int n) { return n > 100 ? 100 : n; }
}
"""
JAVA_TEST = """import org.junit.jupiter.api.Test;
class CapTest {
    @Test void never_more() { for (int i = 0; i < 1000; i += 7) assert Cap.capped(i) <= Oracle.of(i); }
}
"""


def i32(value: int) -> Integer:
    return Integer(value, "int", 32, True)


def capped(given: int, result: int, function: str = "capped", test: tuple[str, str] = ("main", "test_cap.c")) -> Pin:
    return Pin(function, (("n", i32(given)),), (), Returned(i32(result), ()), Origin("recorded", *test, 5))


def bumped(before: Sequence[int], after: Sequence[int]) -> Pin:
    arrays = [Array("int", tuple(map(i32, cells))) for cells in (before, after)]
    to: Value = Pointer("m0", (0,), "int *")
    arguments = (("a", to), ("n", i32(len(before))))
    outcome = Returned(None, (("m0", arrays[1]),))
    return Pin("bump", arguments, (Block("m0", "m0", arrays[0]),), outcome, Origin("recorded", "main", "test_cap.c", 5))


JAVA_CALL = ("Cap.capped(int)", ("CapTest.never_more", "CapTest.java"))


def stored(project: Command, source: str, pins: Sequence[Pin]) -> str:
    """The text of the pins of a source as recording would write it now."""

    def read(path: str) -> str | None:
        file = project.folder / path
        return file.read_text() if file.is_file() else None

    bodies = Bodies(read)
    made = [
        StoredPin(one, bodies.function(source, one.function) or "", bodies.test(one.origin.file, one.origin.test) or "")
        for one in pins
    ]
    return to_yaml(source, made)


def record(project: Command, source: str, *pins: Pin) -> None:
    project.write(path_of(source), stored(project, source, pins))


@pytest.fixture
def c_project(project: Command) -> Command:
    project.write("cap.c", SOURCE)
    project.write("test_cap.c", TEST)
    record(project, "cap.c", capped(5, 5), capped(107, 100), bumped([1, 2], [2, 3]))
    return project


@pytest.fixture
def java_project(project: Command) -> Command:
    project.write("Cap.java", JAVA)
    project.write("CapTest.java", JAVA_TEST)
    record(project, "Cap.java", capped(5, 5, *JAVA_CALL), capped(107, 100, *JAVA_CALL))
    return project


def counts(ran: Ran) -> dict[str, tuple[int, int, int]]:
    return {
        one["function"]: (one["pins"]["static"], one["pins"]["recorded"], one["pins"]["used"])
        for one in ran.report["contracts"]
    }


def ignored(ran: Ran, function: str) -> list[str]:
    (contract,) = (one for one in ran.report["contracts"] if one["function"] == function)
    return [f"{one['source']}: {one['reason']}" for one in contract["pins"]["ignored"]]


WEAK_C = [("capped", "too_weak", "ensures 0 <= \\result")]
WEAK_JAVA = [("Cap.capped(int)", "too_weak", "ensures 0 <= \\result")]


def test_a_contract_in_c_gets_its_finding_from_recorded_calls_alone(c_project: Command) -> None:
    ran = c_project.check("--all")
    assert ran.found == WEAK_C and ran.status == 1
    assert counts(ran) == {"capped": (0, 2, 2), "bump": (0, 1, 1)}
    (witness,) = (one["witness"] for one in ran.report["findings"])
    assert (witness["test"], witness["test_file"], witness["test_line"]) == ("main", "test_cap.c", 5)
    text = c_project.run("check", "--all", "--timeout", "2").out
    assert "main (test_cap.c:5)" in text


def test_a_contract_in_java_gets_its_finding_from_recorded_calls_alone(java_project: Command) -> None:
    ran = java_project.check("--all")
    assert ran.found == WEAK_JAVA and ran.status == 1
    assert counts(ran) == {"Cap.capped(int)": (0, 2, 2)}
    (witness,) = (one["witness"] for one in ran.report["findings"])
    assert (witness["test"], witness["test_file"]) == ("CapTest.never_more", "CapTest.java")
