"""The Java recorder on Maven: Surefire's own JVM is watched, and its tests are told by their frames."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from java_recording import Recorded, record, write

POM = (Path(__file__).resolve().parents[2] / "examples" / "recorded-java" / "pom.xml").read_text("utf-8")
FILES = {
    "src/main/java/p/Adder.java": """package p;
public class Adder {
    private int total;
    //@ ensures total == \\old(total) + k;
    public int add(int k) {
        if (k < 0) throw new IllegalArgumentException("no");
        total += k;
        return total;
    }
}
""",
    "src/test/java/p/AdderTest.java": """package p;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
class AdderTest {
    @Test void adds() { Adder a = new Adder(); for (int i = 1; i < 4; i++) System.out.println("LOG " + a.add(i)); }
    @Test void refuses() { assertThrows(IllegalArgumentException.class, () -> new Adder().add(-1)); }
    @ParameterizedTest @ValueSource(ints = {7, 8}) void each(int k) { assertEquals(k, new Adder().add(k)); }
    @Nested class Inside { @Test void nested() { assertEquals(50, new Adder().add(50)); } }
}
""",
}
COVERAGE = """<plugins><plugin>
  <groupId>org.jacoco</groupId><artifactId>jacoco-maven-plugin</artifactId><version>0.8.11</version>
  <executions><execution><goals><goal>prepare-agent</goal></goals></execution></executions>
</plugin>"""
TESTNG_POM = POM.replace(">org.junit.jupiter<", ">org.testng<").replace(">junit-jupiter<", ">testng<")
TESTNG_POM = TESTNG_POM.replace("5.11.4", "7.10.2")
TESTNG = """package p;
import static org.testng.Assert.assertEquals;
import org.testng.annotations.*;
public class AdderTest {
    @DataProvider(name = "ks") Object[][] ks() { return new Object[][] {{7}, {8}}; }
    @Test public void adds() { Adder a = new Adder(); a.add(1); assertEquals(a.add(2), 3); }
    @Test(expectedExceptions = IllegalArgumentException.class) public void refuses() { new Adder().add(-1); }
    @Test(dataProvider = "ks") public void each(int k) { assertEquals(new Adder().add(k), k); }
    @Test(timeOut = 60000) public void timed() { assertEquals(new Adder().add(60), 60); }
}
"""

needs_maven = pytest.mark.skipif(shutil.which("mvn") is None, reason="needs Maven")


def mvn_test(folder: Path, cache: Path) -> Recorded:
    """Records ``mvn test``, which must succeed."""
    found = record(folder, cache, ["mvn", "-B", "-o", "test"], seconds=240)
    if found.status != 0:  # the jars are not on this machine yet
        found = record(folder, cache, ["mvn", "-B", "test"], seconds=240)
    assert found.status == 0, found.output
    return found


@needs_maven
@pytest.mark.parametrize(
    "pom",
    [
        pytest.param(POM, id="as it comes"),
        pytest.param(POM.replace("<plugins>", COVERAGE), id="beside JaCoCo's agent, which changes the code of classes"),
    ],
)
def test_surefire(pom: str, tmp_path: Path, shared_cache: Path) -> None:
    write(tmp_path, {**FILES, "pom.xml": pom})
    found = mvn_test(tmp_path, shared_cache)
    assert (tmp_path / "target" / "jacoco.exec").exists() == ("jacoco" in pom)
    calls = sorted(found.recording.calls, key=lambda call: call.order)
    made = {
        (call.pin.arguments[1][1].value, frame.scope, frame.name)  # type: ignore[union-attr]
        for call in calls
        for frame in [one for one in call.frames if one.scope.startswith("p.")][-1:]
    }
    assert made == {
        (1, "p.AdderTest", "adds"),
        (2, "p.AdderTest", "adds"),
        (3, "p.AdderTest", "adds"),
        (-1, "p.AdderTest", "refuses"),
        (7, "p.AdderTest", "each"),
        (8, "p.AdderTest", "each"),
        (50, "p.AdderTest$Inside", "nested"),
    }
    assert sorted(pin.partition(" -> ")[2].partition(";")[0] for pin in found.pins) == sorted(
        ["1", "3", "6", "7", "8", "50", "throws java.lang.IllegalArgumentException"]
    )
    (refused,) = (call for call in calls if call.pin.arguments[1][1].value == -1)  # type: ignore[union-attr]
    assert refused.frames[0].name == "lambda$refuses$0"
    assert found.recording.programs == 2
    assert {call.program for call in calls} == {"org.apache.maven.surefire.booter.ForkedBooter"}


@needs_maven
def test_testng(tmp_path: Path, shared_cache: Path) -> None:
    files = {**FILES, "src/test/java/p/AdderTest.java": TESTNG, "pom.xml": TESTNG_POM}
    write(tmp_path, files)
    found = mvn_test(tmp_path, shared_cache)
    made = {
        (call.pin.arguments[1][1].value, call.frames[-2].name)  # type: ignore[union-attr]
        for call in found.recording.calls
    }
    assert {(1, "adds"), (2, "adds"), (-1, "refuses"), (7, "each"), (8, "each")} <= made
    assert made <= {(1, "adds"), (2, "adds"), (-1, "refuses"), (7, "each"), (8, "each"), (60, "timed")}
