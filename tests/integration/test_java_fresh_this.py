"""``\\fresh`` in a constructor: of its new object nothing is said, as JML is read in two ways there (KeY)."""

from __future__ import annotations

import pytest
from running import Command

SOURCE = r"""public class Cells {
    private /*@ spec_public @*/ int[] cells;
    private /*@ spec_public nullable @*/ Cells self;
    //@ ensures %s;
    //@ ensures cells.length == n && self == this;
    public Cells(int n) { cells = new int[n]; self = this; }
}
"""
TEST = """import static org.junit.jupiter.api.Assertions.assertNotNull;
import org.junit.jupiter.api.Test;
class CellsTest {
    @Test void makes() { assertNotNull(new Cells(2)); }
}
"""
TWO_WAYS = "is read in two ways"


@pytest.mark.parametrize(
    ("formula", "codes", "undecided"),
    [
        pytest.param(r"\fresh(this)", set(), True, id="the-new-object"),
        pytest.param(r"!\fresh(this)", set(), True, id="that-it-is-not"),
        pytest.param(r"\fresh(self)", set(), True, id="by-another-name"),
        pytest.param(r"\fresh(cells)", set(), False, id="what-the-constructor-makes"),
        pytest.param(r"!\fresh(cells)", {"CF201"}, False, id="what-it-makes-is-new"),
    ],
)
def test_fresh(project: Command, formula: str, codes: set[str], undecided: bool) -> None:
    project.write("src/Cells.java", SOURCE % formula)
    project.write("test/CellsTest.java", TEST)
    project.write(".clausefit.yaml", "verifiers: [key]\n")
    ran = project.run("check", "--all", "--format", "json")
    assert {f["code"] for f in ran.report["findings"] if f["direction"] == "too_strong"} == codes, ran.out
    assert any(TWO_WAYS in one["detail"] for one in ran.report["not_checked"]) == undecided, ran.out
    assert "disagreement" not in ran.reasons
