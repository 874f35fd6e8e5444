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
