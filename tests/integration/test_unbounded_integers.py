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


MARK = "/*@ spec_java_math @*/ "
TYPES = {
    "src/Itf.java": "public interface Itf {\n    //@ ensures \\result == a * b;\n    %sint f(int a, int b);\n}\n",
    "src/Impl.java": "public class Impl implements Itf {\n    public %sint f(int a, int b) { return a * b; }\n}\n",
    "test/ImplTest.java": """import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.api.Test;
class ImplTest {
    @Test void small() { assertEquals(12, new Impl().f(3, 4)); }
    @Test void overflows() { assertEquals(0, new Impl().f(65536, 65536)); }
}
""",
}


@pytest.mark.parametrize(
    ("declared", "overriding", "codes"),
    [
        pytest.param("", "", ["CF201"], id="neither"),
        pytest.param("", MARK, [], id="one-is-not-enough"),
        pytest.param(MARK, MARK, [], id="both"),
    ],
)
def test_an_inherited_clause(project: Command, declared: str, overriding: str, codes: list[str]) -> None:
    marks = {"src/Itf.java": declared, "src/Impl.java": overriding}
    for path, text in TYPES.items():
        project.write(path, text % marks[path] if path in marks else text)
    project.write(".clausefit.yaml", "verifiers: [key]\n")
    report = project.run("check", "--all", "--format", "json").report
    assert [f["code"] for f in report["findings"]] == codes
    assert all("each that overrides" in f["message"] for f in report["findings"])
    details = [one["detail"] for one in report["not_checked"]]
    assert all("mark both methods" in one for one in details)
    assert bool(details) == (declared != overriding)
