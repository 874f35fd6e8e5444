"""Two classes of one name: what the settings leave out does not compete, and otherwise the reason is true (KeY)."""

from __future__ import annotations

import pytest
from running import Command

SOURCE = r"""public class Lookup {
    //@ ensures \result < keys.length;
    public static int slotOf(int[] keys, int k) {
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] == k) return %s;
        }
        return -1;
    }
}
"""
TEST = """import static org.junit.Assert.*;
import org.junit.Test;
public class LookupTest {
    @Test public void found() { assertEquals(1, Lookup.slotOf(new int[] {3, 5, 8}, 5)); }
}
"""


@pytest.fixture
def two(project: Command) -> Command:
    project.write("src/Lookup.java", SOURCE % "i")
    project.write("mutant/Lookup.java", SOURCE % "i + 1")
    project.write("test/LookupTest.java", TEST)
    return project


@pytest.mark.parametrize("setting", ["exclude: ['mutant/**']", "sources: ['src/**']"])
def test_what_is_left_out_does_not_compete(two: Command, setting: str) -> None:
    two.write(".clausefit.yaml", f"verifiers: [key]\n{setting}\n")
    report = two.check("--all").report
    assert {(f["code"], f["file"]) for f in report["findings"]} >= {("CF101", "src/Lookup.java")}
    assert report["not_checked"] == []


@pytest.mark.parametrize("arguments", [("--all",), ("src/Lookup.java",)])
def test_where_both_count_the_reason_is_true_and_its_advice_works(two: Command, arguments: tuple[str, ...]) -> None:
    report = two.check(*arguments).report
    details = [one["detail"] for one in report["not_checked"]]
    assert len(details) == (2 if arguments == ("--all",) else 1)
    assert all("leave all but one out (`exclude` in .clausefit.yaml)" in one for one in details)
    assert not any("no test calls it" in one for one in details)


@pytest.mark.parametrize("setting", ["sources: ['new/**']", "exclude: ['old/src/main/**']"])
def test_what_is_left_out_and_nearer_is_what_the_test_means(project: Command, setting: str) -> None:
    pick = "package p;\npublic class Pick {\n //@ ensures \\result == (%s ? a : b);\n"
    pick += " public static int of(int a, int b) { return %s ? a : b; }\n}\n"
    test = "package p;\nimport static org.junit.Assert.*;\nimport org.junit.Test;\npublic class PickTest {\n"
    test += " @Test public void t() { assertEquals(%d, Pick.of(3, 5)); }\n}\n"
    for name, condition, result in (("old", "a < b", 3), ("new", "a > b", 5)):
        project.write(f"{name}/src/main/java/p/Pick.java", pick % (condition, condition))
        project.write(f"{name}/src/test/java/p/PickTest.java", test % result)
    project.write(".clausefit.yaml", f"verifiers: [key]\n{setting}\n")
    report = project.check("--all").report
    assert report["findings"] == []
    assert [(one["file"], one["pins"]["used"]) for one in report["contracts"]] == [("new/src/main/java/p/Pick.java", 1)]


def test_a_case_that_documents_the_exception_speaks_for_the_silent_one(project: Command) -> None:
    project.write("src/Source.java", "interface Source {\n //@ ensures \\result >= 0;\n int take(int n);\n}\n")
    project.write(
        "src/Counter.java",
        """class Counter implements Source {
    /*@ also public normal_behavior
      @   requires 0 <= n && n < 1000;
      @   ensures \\result == n + 1;
      @ also public exceptional_behavior
      @   requires n < 0;
      @   signals_only IllegalArgumentException;
      @*/
    public /*@ pure @*/ int take(int n) { if (n < 0) throw new IllegalArgumentException(); return n + 1; }
}
""",
    )
    project.write(
        "test/CounterTest.java",
        """import static org.junit.Assert.*;
import org.junit.Test;
public class CounterTest {
    @Test public void counts() { assertEquals(6, new Counter().take(5)); }
    @Test public void refuses() { assertThrows(IllegalArgumentException.class, () -> new Counter().take(-5)); }
}
""",
    )
    project.write(".clausefit.yaml", "verifiers: [key]\n")
    report = project.check("src/Counter.java").report
    assert [(f["code"], f["function"]) for f in report["findings"]] == []
    assert {one["pins"]["used"] for one in report["contracts"]} == {2}
