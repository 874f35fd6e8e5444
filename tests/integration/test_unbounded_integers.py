"""A clause that is too strong since JML's integers have no end: the message says so, and its advice helps (KeY)."""

from __future__ import annotations

import pytest
from running import Command

SOURCE = """public class Num {
    /*@ public normal_behavior
      @ ensures \\result == (a < 0 ? -a : a);
      @*/
    public static %s int iabs(int a) { return a < 0 ? -a : a; }
}
"""
TEST = """import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.api.Test;
class NumTest {
    @Test void works() {
        assertEquals(4, Num.iabs(-4));
        assertEquals(3, Num.iabs(3));
        assertEquals(Integer.MIN_VALUE, Num.iabs(Integer.MIN_VALUE));
    }
}
"""


@pytest.mark.parametrize(
    ("modifier", "codes"),
    [
        pytest.param("", ["CF201"], id="unbounded"),
        pytest.param("/*@ spec_java_math @*/", [], id="as-java-counts"),
    ],
)
def test_the_message_names_the_arithmetic(project: Command, modifier: str, codes: list[str]) -> None:
    project.write("src/Num.java", SOURCE % modifier)
    project.write("test/NumTest.java", TEST)
    project.write(".clausefit.yaml", "verifiers: [key]\n")
    ran = project.run("check", "--all", "--format", "json")
    assert [f["code"] for f in ran.report["findings"]] == codes, ran.out
    assert ran.reasons == set()
    assert all("unbounded integers" in f["message"] for f in ran.report["findings"])
    assert all("`spec_java_math`" in f["message"] for f in ran.report["findings"])
