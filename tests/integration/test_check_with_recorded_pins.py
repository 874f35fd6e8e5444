"""``check`` with recorded pins, on the real Frama-C and the real KeY: what counts, what is stale, what is the same."""

from __future__ import annotations

from collections.abc import Sequence

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


STALE_C = ".clausefit/pins/cap.c.yaml: {} stale: record again with `clausefit record -- …`"


@pytest.mark.parametrize(
    ("file", "old", "new", "left"),
    [
        pytest.param("cap.c", "n > MOST ? MOST : n", "n < MOST ? n : MOST", {"capped": 0, "bump": 1}, id="body"),
        pytest.param("cap.c", "#define MOST 100", "#define MOST 99", {"capped": 0, "bump": 1}, id="macro of the body"),
        pytest.param("test_cap.c", "rand() % 1000", "rand() % 900", {"capped": 0, "bump": 0}, id="test"),
        pytest.param("cap.c", "{ return", "{ /* capped */ return", {"capped": 2, "bump": 1}, id="comment"),
        pytest.param(
            "test_cap.c", "return 0;", "\n    // done\n return 0;", {"capped": 2, "bump": 1}, id="test's comment"
        ),
        pytest.param("cap.c", "0 <= \\result;", "0 <= \\result <= n;", {"capped": 2, "bump": 1}, id="contract"),
    ],
)
def test_stale_calls_in_c(file: str, old: str, new: str, left: dict[str, int], c_project: Command) -> None:
    text = (c_project.folder / file).read_text()
    assert old in text
    c_project.write(file, text.replace(old, new))
    ran = c_project.check("--all")
    assert {function: recorded for function, (_static, recorded, _used) in counts(ran).items()} == left
    whole = {"capped": "2 recorded calls are", "bump": "1 recorded call is"}
    for function, count in left.items():
        assert (STALE_C.format(whole[function]) in ignored(ran, function)) is (count == 0)
    without_pins = {one["function"]: one["detail"] for one in ran.report["not_checked"] if one["reason"] == "no_pins"}
    assert without_pins.keys() == {function for function, count in left.items() if not count}
    assert all("stale: record again" in detail for detail in without_pins.values())
    assert all(
        function in [one[0] for one in ran.found] for function in left if left[function] and function == "capped"
    )
    assert not any(one[0] == function for one in ran.found for function in without_pins)


@pytest.mark.parametrize(
    ("file", "old", "new", "count"),
    [
        pytest.param("Cap.java", "n > 100", "n >= 100", 0, id="body"),
        pytest.param("CapTest.java", "i += 7", "i += 8", 0, id="test"),
        pytest.param("CapTest.java", "@Test", "/* long */ @Test", 2, id="comment"),
    ],
)
def test_stale_calls_in_java(file: str, old: str, new: str, count: int, java_project: Command) -> None:
    text = (java_project.folder / file).read_text()
    assert old in text
    java_project.write(file, text.replace(old, new))
    ran = java_project.check("--all")
    assert counts(ran)["Cap.capped(int)"][1] == count
    assert ran.found == (WEAK_JAVA if count else [])
    stale = ".clausefit/pins/Cap.java.yaml: 2 recorded calls are stale: record again with `clausefit record -- …`"
    assert (stale in ignored(ran, "Cap.capped(int)")) is (count == 0)


SHOWN = """#include <assert.h>
int capped(int n);
void bump(int *a, int n);
int main(void) {
    assert(capped(5) == 5);
    assert(capped(107) == 100);
    int a[2] = {1, 2};
    bump(a, 2);
    assert(a[0] == 2 && a[1] == 3);
    return 0;
}
"""
JAVA_SHOWN = """import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;
class CapTest {
    @Test void never_more() { assertEquals(5, Cap.capped(5)); assertEquals(100, Cap.capped(107)); }
}
"""


def judged(ran: Ran) -> tuple[object, ...]:
    """All that a report says of findings and clauses but where the calls are from."""
    findings = [
        {k: v for k, v in one.items() if k not in ("message", "witness")}
        | {k: v for k, v in one["witness"].items() if k in ("inputs", "right", "wrong")}
        for one in ran.report["findings"]
    ]
    contracts = [
        (one["function"], one["scores"], one["clauses"], one["pins"]["used"]) for one in ran.report["contracts"]
    ]
    return findings, contracts, ran.report["not_checked"], ran.report["stats"]["questions"], ran.status


@pytest.mark.parametrize("language", ["c", "java"])
def test_a_stored_call_is_judged_like_the_same_call_read_from_a_test(language: str, project: Command) -> None:
    source, test, text, shown = (
        ("cap.c", "test_cap.c", SOURCE, SHOWN) if language == "c" else ("Cap.java", "CapTest.java", JAVA, JAVA_SHOWN)
    )
    project.write(source, text)
    project.write(test, shown)
    static = project.check("--all")
    assert all(recorded == 0 and number for number, recorded, _used in counts(static).values())
    project.write(test, TEST if language == "c" else JAVA_TEST)
    if language == "c":
        record(project, source, capped(5, 5), capped(107, 100), bumped([1, 2], [2, 3]))
    else:
        record(project, source, capped(5, 5, *JAVA_CALL), capped(107, 100, *JAVA_CALL))
    recorded = project.check("--all")
    assert all(number == 0 and kept for number, kept, _used in counts(recorded).values())
    assert judged(recorded) == judged(static) and judged(static)[0]


def test_the_same_call_read_and_recorded_is_asked_once(project: Command) -> None:
    project.write("cap.c", SOURCE)
    project.write("test_cap.c", SHOWN)
    alone = project.check("--all")
    record(project, "cap.c", capped(107, 100), capped(200, 100), bumped([1, 2], [2, 3]))
    both = project.check("--all")
    assert counts(both) == {"capped": (2, 2, 3), "bump": (1, 1, 1)}
    assert both.found == alone.found
    one, two = ([c for c in ran.report["contracts"] if c["function"] == "bump"] for ran in (alone, both))
    assert one[0]["scores"] == two[0]["scores"] and one[0]["clauses"] == two[0]["clauses"]


def test_calls_that_are_read_and_recorded_in_java_count_together(project: Command) -> None:
    project.write("Cap.java", JAVA)
    project.write("CapTest.java", JAVA_SHOWN)
    record(project, "Cap.java", capped(107, 100, *JAVA_CALL), capped(200, 100, *JAVA_CALL))
    ran = project.check("--all")
    assert counts(ran) == {"Cap.capped(int)": (2, 2, 3)} and ran.found == WEAK_JAVA


def test_a_right_contract_stays_without_findings(project: Command) -> None:
    right = SOURCE.replace("0 <= \\result;", "\\result == (n > 100 ? 100 : n);")
    project.write("cap.c", right)
    project.write("test_cap.c", TEST)
    record(project, "cap.c", capped(5, 5), capped(107, 100), capped(100, 100), bumped([1, 2], [2, 3]), bumped([7], [8]))
    ran = project.check("--all")
    assert (ran.found, ran.status, ran.reasons) == ([], 0, set())


def test_one_input_with_two_outcomes_is_no_finding(project: Command) -> None:
    """Where a state that no call shows decides, both outcomes are right."""
    project.write("cap.c", SOURCE.replace("0 <= \\result;", "\\result == 5 || \\result == 6;"))
    project.write("test_cap.c", TEST)
    record(project, "cap.c", capped(5, 5), capped(5, 6))
    assert [one for one in project.check("--all").found if one[0] == "capped"] == []


def test_a_call_that_aborts_shows_a_precondition_that_is_too_weak(project: Command) -> None:
    project.write("cap.c", SOURCE)
    project.write("test_cap.c", TEST)
    died = Pin("capped", (("n", i32(13)),), (), Failed("abort"), Origin("recorded", "main", "test_cap.c", 5))
    record(project, "cap.c", capped(5, 5), died)
    codes = [one["code"] for one in project.check("--all").report["findings"]]
    assert "CF104" in codes


def test_stubs_show_recorded_calls(c_project: Command) -> None:
    assert "n == 107" in c_project.run("stubs", "cap.c").out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(b"schema: 1\nsource: cap.c\nfunctions: {\n", "cap.c.yaml:4", id="no YAML"),
        pytest.param(b"\0\xff" * 100, "UTF-8", id="no text"),
        pytest.param(b"[" * 100_000, "cap.c.yaml", id="deep"),
        pytest.param(b"schema: 1\nsource: ../cap.c\nfunctions: []\n", "../cap.c", id="another file"),
    ],
)
def test_a_broken_file_of_pins_is_one_line_and_the_rest_is_judged(text: bytes, words: str, project: Command) -> None:
    project.write("cap.c", SOURCE)
    project.write("test_cap.c", SHOWN)
    project.write(path_of("cap.c"), text)
    ran = project.check("--all")
    (entry,) = [one for one in ran.report["not_checked"] if "recorded calls" in one["detail"]]
    assert (entry["file"], entry["reason"]) == ("cap.c", "parse_error") and words in entry["detail"]
    assert ran.found == WEAK_C and ran.status == 1
    without_findings = SOURCE.replace("0 <= \\result;", "\\result == (n > 100 ? 100 : n);")
    project.write("cap.c", without_findings)
    assert project.check("--all").status == 2


def test_calls_of_the_state_that_is_judged_count(repository: Repository) -> None:
    """The pins are read from where the sources are: the index, a commit, the disk."""
    repository.commit(README="a project")
    repository.write("cap.c", SOURCE)
    repository.write("test_cap.c", TEST)
    record(repository, "cap.c", capped(5, 5), capped(107, 100))
    repository.git("add", "cap.c", "test_cap.c")
    staged = repository.check()
    assert counts(staged)["capped"][1] == 0 and staged.found == []
    assert ".clausefit/pins/cap.c.yaml on the disk is not what is judged" in staged.says_one_line()
    repository.git("add", ".clausefit")
    staged = repository.check()
    assert counts(staged)["capped"][1] == 2 and staged.found == WEAK_C and not staged.err
    repository.commit()
    (repository.folder / path_of("cap.c")).unlink()
    assert counts(repository.check("--base", "HEAD~1"))["capped"][1] == 2
    assert counts(repository.check("--all"))["capped"][1] == 0
    record(repository, "cap.c", capped(5, 5), capped(107, 100), capped(8, 8))
    assert counts(repository.check("--all"))["capped"][1] == 3


def test_sources_and_tests_in_the_folder_of_pins_are_not_read(project: Command) -> None:
    project.write("cap.c", SOURCE)
    project.write("test_cap.c", TEST)
    project.write(".clausefit.yaml", 'sources: ["**/*.c"]\ntests: ["**/*.c"]\n')
    project.write(".clausefit/pins/test_x.c", SHOWN)
    project.write(".clausefit/pins/x.c", SOURCE.replace("capped", "other"))
    ran = project.check("--all")
    assert counts(ran) == {"capped": (0, 0, 0), "bump": (0, 0, 0)}


def test_recorded_calls_of_tests_that_failed_since_do_not_count(c_project: Command) -> None:
    passed = '<testsuite name="s"><testcase name="{}"/></testsuite>'
    for name in ("main", "other"):
        c_project.write("report.xml", passed.format(name))
        assert counts(c_project.check("--all", "--junit", "report.xml"))["capped"][1] == 2
    c_project.write("report.xml", '<testsuite name="s"><testcase name="main"><failure/></testcase></testsuite>')
    ran = c_project.check("--all", "--junit", "report.xml")
    assert counts(ran)["capped"][1] == 0 and ran.found == []
    assert "test_cap.c:5: the test report does not say that main passed" in ignored(ran, "capped")
