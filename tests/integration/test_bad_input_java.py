"""Bad Java, bad JML and bad surroundings: one clear line, the right exit status, nothing lost, the others judged."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from running import CLAUSEFIT, Command

NEXT = """public class Next {
    //@ ensures \\result == a + 1;
    public static /*@ pure @*/ int next(int a) { return a + 1; }
}
"""
TEST = """import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.api.Test;

class NextTest {
    @Test void next() { assertEquals(4, Next.next(3)); }
}
"""
WEAK = ("Next.next(int)", "too_weak", "ensures \\result > a")
"""What is found in the neighbour of a bad contract when that is judged as ever."""


def two(clauses: str, *, before: str = "", body: str = "return a - 1;", head: str = "static /*@ pure @*/") -> str:
    """A class with a contract that is too weak, and one with these clauses."""
    return f"""public class Next {{
    //@ ensures \\result > a;
    public static /*@ pure @*/ int next(int a) {{ return a + 1; }}
{before}
{clauses}
    public {head} int prev(int a) {{ {body} }}
}}
"""


TWO_TESTS = TEST.replace("@Test", "@Test void prev() { assertEquals(2, Next.prev(3)); }\n    @Test")


@pytest.fixture
def sound(project: Command) -> Command:
    """A project with nothing to find."""
    project.write("src/main/java/Next.java", NEXT)
    project.write("src/test/java/NextTest.java", TEST)
    return project


def tools_only(folder: Path, *names: str, **scripts: str) -> dict[str, str]:
    """An environment in which only these programs and these shell scripts are found."""
    folder.mkdir()
    for name in names:
        found = shutil.which(name)
        assert found, name
        (folder / name).symlink_to(found)
    for name, body in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{body}\n")
        (folder / name).chmod(0o755)
    return {"PATH": str(folder), "JAVA_HOME": ""}


def judged_alone(project: Command, source: str, test: str = TWO_TESTS) -> tuple[int, set[str], str]:
    """Judge a file of two contracts of which the first has a finding as ever: status, reasons, all details."""
    project.write("src/Next.java", source)
    project.write("test/NextTest.java", test)
    ran = project.check("--all")
    assert WEAK in ran.found
    assert not [one for one in ran.found if one[0].startswith("Next.prev")]
    details = " ".join(entry["detail"] for entry in ran.report["not_checked"])
    return ran.status, ran.reasons, details


# ---- the surroundings -----------------------------------------------------------------------------------------------


JAVA_11 = "echo 'openjdk version \"11.0.2\" 2019-01-15' >&2"
NO_MAVEN_CENTRAL = "echo '[ERROR] Could not transfer artifact: Connection refused'; exit 1"


@pytest.mark.parametrize(
    ("programs", "scripts", "said"),
    [
        pytest.param(("git",), {}, "java was not found: install a JDK from 17 on", id="no-java"),
        pytest.param(("git",), {"java": JAVA_11}, "java is Java 11; KeY needs 17 or newer", id="java-too-old"),
        pytest.param(("git",), {"java": "exit 1"}, "java does not run", id="java-that-does-not-run"),
        pytest.param(("git", "java", "javac"), {}, "mvn was not found: install Maven", id="no-maven-and-no-jars"),
        pytest.param(
            ("git", "java", "javac"),
            {"mvn": NO_MAVEN_CENTRAL},
            "the jars of KeY could not be fetched by Maven: Could not transfer artifact: Connection refused",
            id="jars-that-cannot-be-fetched",
        ),
    ],
)
def test_key_cannot_be_used(
    programs: tuple[str, ...], scripts: dict[str, str], said: str, sound: Command, tmp_path: Path
) -> None:
    sound.cache = tmp_path / "cache"  # in which there are no jars yet
    environment = tools_only(tmp_path / "bin", *programs, **scripts)
    ran = sound.check("--all", "--output", "report.json", env=environment)
    assert ran.status == 2 and ran.out == ""
    assert said in ran.says_one_line()
    assert not (sound.folder / "report.json").exists()


def test_no_compiler(sound: Command, tmp_path: Path) -> None:
    """A Java runtime alone: the jars come, but the driver cannot be compiled."""
    sound.cache = tmp_path / "cache"
    ran = sound.check("--all", env={**os.environ, "JAVA_HOME": ""} | without(tmp_path / "bin", "javac"))
    assert ran.status == 2 and ran.out == ""
    assert "javac was not found: install a JDK" in ran.says_one_line()


def without(folder: Path, program: str) -> dict[str, str]:
    """A PATH with all that is on this one but ``program``."""
    folder.mkdir()
    for place in reversed(os.environ["PATH"].split(":")):
        for path in Path(place).iterdir() if Path(place).is_dir() else ():
            if path.name != program:
                (folder / path.name).unlink(missing_ok=True)
                (folder / path.name).symlink_to(path)
    return {"PATH": str(folder)}


@pytest.mark.parametrize(
    ("jars", "said"),
    [
        pytest.param("no folder", "is no folder: `key_jars` must name one", id="no-folder"),
        pytest.param("none", "is missing: KeY needs it; the folder of `key_jars` holds every jar", id="empty-folder"),
        pytest.param("other", "is not the jar that was pinned", id="another-jar-under-its-name"),
    ],
)
def test_a_folder_of_jars_that_is_no_good(jars: str, said: str, sound: Command) -> None:
    sound.write(".clausefit.yaml", "key_jars: jars\n")
    if jars != "no folder":
        (sound.folder / "jars").mkdir()
    if jars == "other":
        for name in ("antlr4-runtime-4.13.1.jar", "docking-frames-base-1.1.3p1.jar"):
            sound.write(f"jars/{name}", b"PK")
        for line in checksums():
            sound.write(f"jars/{line.split()[1]}", b"PK")
    ran = sound.check("--all")
    assert ran.status == 2 and ran.out == ""
    assert said in ran.says_one_line()


def checksums() -> list[str]:
    """The lines that pin KeY's jars."""
    return (Path(__file__).parents[2] / "verifiers/key/checksums.txt").read_text("utf-8").splitlines()


def test_a_commit_without_contracts_needs_no_java(sound: Command, tmp_path: Path) -> None:
    sound.write("src/main/java/Next.java", NEXT.replace("//@", "//"))
    ran = sound.check("--all", env=tools_only(tmp_path / "bin", "git"))
    assert ran.status == 0 and ran.found == [] and ran.err == ""


def test_c_is_judged_where_java_cannot_be(sound: Command, tmp_path: Path) -> None:
    """A missing Java stops what needs it, and the report of the rest is not thrown away."""
    sound.write("next.c", "/*@ ensures \\result > a; */\nint next(int a) { return a + 1; }\n")
    sound.write("test_next.c", "#include <assert.h>\nint next(int);\nint main(void) { assert(next(3) == 4); }\n")
    sound.check("next.c", env=without(tmp_path / "bin", "java") | {"JAVA_HOME": ""})
    ran = sound.check("next.c", env={"PATH": str(tmp_path / "bin"), "JAVA_HOME": ""})
    assert ran.status == 1 and ran.found == [("next", "too_weak", "ensures \\result > a")]


def test_java_is_judged_where_c_cannot_be(project: Command, tmp_path: Path) -> None:
    """Who writes Java needs neither Frama-C nor a C compiler."""
    project.write("src/Next.java", two("    //@ ensures \\result == a - 1;"))
    project.write("test/NextTest.java", TWO_TESTS)
    programs = ("git", "java", "javac", "mvn", "sh", "dirname", "basename", "uname", "ls", "expr", "sed", "readlink")
    ran = project.check("--all", env=tools_only(tmp_path / "bin", *programs))
    assert ran.status == 1 and ran.found == [WEAK] and ran.err == ""


# ---- the process ----------------------------------------------------------------------------------------------------


def java_that(folder: Path, script: str) -> dict[str, str]:
    """An environment whose ``java`` is this Python program; ``REAL`` in it is the real one."""
    folder.mkdir()
    real = shutil.which("java")
    assert real
    (folder / "java").write_text(f"#!{sys.executable}\n" + script.replace("REAL", repr(real)))
    (folder / "java").chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}", "JAVA_HOME": ""}


WITH_LITTLE_MEMORY = """
import os, sys
os.environ["_JAVA_OPTIONS"] = "-Xmx20m"
os.execv(REAL, [REAL, *sys.argv[1:]])
"""

KILLED_IN_THE_MIDDLE = """
import os, pathlib, signal, subprocess, sys, threading
marks = pathlib.Path(__file__).parent
if "-version" in sys.argv or len(list(marks.glob("killed.*"))) >= TIMES:
    os.execv(REAL, [REAL, *sys.argv[1:]])
child = subprocess.Popen([REAL, *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def requests():
    for line in sys.stdin.buffer:
        child.stdin.write(line)
        child.stdin.flush()
threading.Thread(target=requests, daemon=True).start()
for number, line in enumerate(child.stdout):
    if number == 1:  # it has loaded, and this is the answer to the first scene
        (marks / f"killed.{os.getpid()}").touch()
        child.kill()
        os.kill(os.getpid(), signal.SIGKILL)
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
"""


def test_out_of_memory(sound: Command, tmp_path: Path) -> None:
    sound.cache = tmp_path / "cache"
    assert sound.check("--all").status == 0
    (next(sound.cache.rglob("*.sqlite3"))).unlink()
    ran = sound.check("--all", env=java_that(tmp_path / "bin", WITH_LITTLE_MEMORY))
    assert ran.status == 2 and ran.found == [] and ran.judged == ["Next.next(int)"]
    assert ran.reasons == {"crash"}
    assert any("memory" in entry["detail"] for entry in ran.report["not_checked"])


@pytest.mark.parametrize(
    ("times", "status", "reasons"),
    [pytest.param(1, 1, set(), id="once-and-asked-again"), pytest.param(1000, 2, {"crash"}, id="always")],
)
def test_killed_from_outside(times: int, status: int, reasons: set[str], project: Command, tmp_path: Path) -> None:
    project.cache = tmp_path / "cache"
    project.write("src/Next.java", two("    //@ ensures \\result == a - 1;"))
    project.write("test/NextTest.java", TWO_TESTS)
    environment = java_that(tmp_path / "bin", KILLED_IN_THE_MIDDLE.replace("TIMES", str(times)))
    ran = project.check("--all", env=environment)
    assert list((tmp_path / "bin").glob("killed.*"))
    assert ran.status == status and ran.reasons == reasons
    assert ran.judged == ["Next.next(int)", "Next.prev(int)"]
    assert ran.found == ([WEAK] if status == 1 else [])
    assert all("killed from outside" in entry["detail"] for entry in ran.report["not_checked"])


def test_interrupted(project: Command, tmp_path: Path) -> None:
    """Nothing of the Java process or of its files is left."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    project.write("src/Next.java", two(f"    //@ ensures {HARD};"))
    project.write("test/NextTest.java", TWO_TESTS)
    project.write(".clausefit.yaml", "timeout: 300\nrun_timeout: 300\n")
    running = subprocess.Popen(
        [str(CLAUSEFIT), "check", "--all"],
        cwd=project.folder,
        env=project.environment({"TMPDIR": str(scratch)}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    while not processes_of(running.pid, "clausefit.key.Main"):
        assert time.monotonic() < deadline and running.poll() is None, "KeY did not start"
        time.sleep(0.05)
    mine = processes_of(running.pid, "clausefit.key.Main")
    running.terminate()
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130 and out == ""
    assert err.startswith("clausefit: interrupted") and len(err.splitlines()) == 1
    assert not [pid for pid in mine if Path(f"/proc/{pid}/status").exists()]
    assert list(scratch.iterdir()) == []


HARD = "(\\forall int x; (\\forall int y; x > 1 && y > 1 ==> x * x * x + y * y * y != 1729 * (\\result - 1)))"


def processes_of(parent: int, word: str) -> list[int]:
    """The processes below ``parent`` whose command lines hold ``word``."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().decode(errors="replace")
            above = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if word in line and above == parent:
            found.append(int(folder.name))
    return found


# ---- clauses --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "reasons", "said"),
    [
        pytest.param("ensures \\result == ;", {"parse_error", "unsupported", "dropped"}, "", id="syntax-error"),
        pytest.param("ensures \\result == (a;", {"parse_error", "unsupported", "dropped"}, "", id="open-parenthesis"),
        pytest.param("ensures \\result == nowhere;", {"unsupported", "dropped"}, "nowhere", id="unknown-name"),
        pytest.param("ensures nobody(\\result);", {"unsupported", "dropped"}, "nobody", id="unknown-method"),
        pytest.param('ensures \\result == "two";', {"unsupported", "dropped"}, "", id="number-against-text"),
        pytest.param("ensures \\result + 1;", {"unsupported", "dropped"}, "", id="no-truth-value"),
        pytest.param("ensures \\result;", {"unsupported", "dropped"}, "", id="number-for-truth"),
        pytest.param("ensures a.length == 2;", {"unsupported", "dropped"}, "", id="field-of-a-number"),
    ],
)
def test_one_bad_clause(clause: str, reasons: set[str], said: str, project: Command) -> None:
    """Its contract's other clause and the other contract are judged as ever."""
    source = two(f"    //@ {clause}\n    //@ ensures \\result == a - 1;")
    project.write("src/Next.java", source)
    project.write("test/NextTest.java", TWO_TESTS)
    ran = project.check("--all")
    assert ran.found == [WEAK]
    assert ran.reasons and ran.reasons <= reasons
    assert all(entry["file"] == "src/Next.java" for entry in ran.report["not_checked"])
    assert said in " ".join(entry["detail"] for entry in ran.report["not_checked"])
    prev = next(one for one in ran.report["contracts"] if one["function"] == "Next.prev(int)")
    good = next(one for one in prev["clauses"] if one["text"] == "ensures \\result == a - 1")
    assert (good["accepts_right"], good["rejects_right"], good["undecided"]) == (1, 0, 0)


@pytest.mark.parametrize("clause", ["ensures \\result == ;", "ensures \\resullt == a;", "requires a + ;"])
@pytest.mark.parametrize("tests", [True, False], ids=["tests", "no tests"])
def test_a_clause_that_cannot_be_read_is_not_checked_whatever_the_tests_show(
    clause: str, tests: bool, project: Command
) -> None:
    project.write("src/Next.java", NEXT.replace("ensures \\result == a + 1;", clause))
    if tests:
        project.write("test/NextTest.java", TEST)
    for more in ([], ["--no-verifier"]):
        ran = project.check("--all", *more)
        broken = [one for one in ran.report["not_checked"] if one["reason"] in ("parse_error", "dropped")]
        assert (ran.status, ran.found) == (2, [])
        assert [(one["function"], one["line"]) for one in broken] == [("Next.next(int)", 2)]


@pytest.mark.parametrize(
    ("clause", "before"),
    [
        pytest.param(
            "loop(a) == \\result",
            "    public static /*@ pure @*/ int loop(int n) { return loop(n + 1); }",
            id="infinite-recursion",
        ),
        pytest.param(
            "\\result == even(a)",
            "    public static /*@ pure @*/ int even(int n) { return odd(n); }\n"
            "    public static /*@ pure @*/ int odd(int n) { return even(n); }",
            id="two-that-call-each-other",
        ),
        pytest.param(
            "\\result == spin(a)",
            "    public static /*@ pure @*/ int spin(int n) { while (true) { n++; } }",
            id="loop-without-end",
        ),
        pytest.param(
            "again(a) == \\result",
            "    //@ public static pure model int again(int n) { return again(n); }",
            id="model-method",
        ),
    ],
)
def test_a_helper_that_never_ends(clause: str, before: str, project: Command) -> None:
    source = two(f"    //@ ensures {clause};\n    //@ ensures \\result == a - 1;", before=before)
    status, reasons, _ = judged_alone(project, source)
    assert status == 1
    assert reasons and reasons <= {"timeout", "unknown", "undefined", "unsupported", "crash"}


@pytest.mark.parametrize(
    ("clause", "call"),
    [
        pytest.param("10 / a == 10 / a", "Next.prev(0)", id="division-by-zero"),
        pytest.param("10 % a == 0 || \\result == -1", "Next.prev(0)", id="on-the-left-of-a-true-one"),
        pytest.param("\"ab\".charAt(a + 2) == 'x' || \\result < 9", "Next.prev(0)", id="character-of-a-literal"),
    ],
)
def test_a_clause_that_is_undefined_at_a_pin(clause: str, call: str, project: Command) -> None:
    """KeY alone would accept ``10 / 0 == 10 / 0``."""
    source = two(f"    //@ ensures {clause};\n    //@ ensures \\result == a - 1;")
    status, reasons, _ = judged_alone(project, source, TWO_TESTS.replace("(2, Next.prev(3))", f"(-1, {call})"))
    assert status == 1
    assert reasons <= {"undefined", "unsupported"} and reasons


@pytest.mark.parametrize(
    ("clause", "arguments", "call"),
    [
        pytest.param("a.length >= 0", "/*@ nullable @*/ int[] a", "Next.first(null)", id="length-of-null"),
        pytest.param("a[5] == a[5]", "int[] a", "Next.first(new int[] {0})", id="index-out-of-range"),
        pytest.param("s.charAt(3) == s.charAt(3)", "String s", 'Next.first("ab")', id="character-out-of-range"),
    ],
)
def test_a_reference_that_is_undefined_at_a_pin(clause: str, arguments: str, call: str, project: Command) -> None:
    method = f"    //@ ensures {clause};\n    public static /*@ pure @*/ int first({arguments}) {{ return 0; }}\n"
    source = two("    //@ ensures \\result == a - 1;", before=method)
    test = TWO_TESTS.replace("@Test", f"@Test void first() {{ assertEquals(0, {call}); }}\n    @Test", 1)
    project.write("src/Next.java", source)
    project.write("test/NextTest.java", test)
    ran = project.check("--all")
    assert WEAK in ran.found
    assert "undefined" in ran.reasons
    first = next(one for one in ran.report["contracts"] if ".first(" in one["function"])
    clause_row = next(one for one in first["clauses"] if one["text"] == f"ensures {clause}")
    assert (clause_row["accepts_right"], clause_row["rejects_right"]) == (0, 0)
    assert [one for one in ran.found if ".first(" in one[0] and one[1] == "too_strong"] == []


def test_an_array_of_3000_elements(project: Command) -> None:
    method = (
        "    //@ ensures \\result == (\\sum int i; 0 <= i && i < a.length; a[i]);\n"
        "    //@ ensures (\\forall int i; 0 <= i && i < a.length; a[i] <= \\result);\n"
        "    public static /*@ pure @*/ int sum(int[] a) { int s = 0; for (int x : a) s += x; return s; }\n"
    )
    call = "int[] a = new int[3000]; for (int i = 0; i < a.length; i++) a[i] = i; assertEquals(4498500, Next.sum(a));"
    project.write("src/Next.java", two("    //@ ensures \\result == a - 1;", before=method))
    project.write("test/NextTest.java", TWO_TESTS.replace("@Test", f"@Test void sum() {{ {call} }}\n    @Test", 1))
    ran = project.check("--all")
    assert ran.found == [WEAK] and ran.status == 1
    assert ran.judged == ["Next.next(int)", "Next.sum(int[])", "Next.prev(int)"]
    total = next(one for one in ran.report["contracts"] if ".sum(" in one["function"])
    assert all(clause["rejects_right"] == 0 for clause in total["clauses"])
    assert ran.reasons <= {"timeout", "unknown", "no_pins", "unsupported"}


# ---- files ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(bytes(range(256)) * 2000, id="all-bytes"),
        pytest.param(b"\xca\xfe\xba\xbe\0\0\0\x3d" + b"\0" * 100_000, id="class-file"),
        pytest.param(b"class A { //@ ensures a;\n" + b"{" * 200_000, id="deep-nesting"),
        pytest.param(b"class A { /*@ ensures " + b"(" * 200_000, id="deep-clause"),
        pytest.param("class A { /*@ ensures a; @*/ void a() { } }".encode("utf-16"), id="utf-16"),
    ],
)
@pytest.mark.parametrize("ending", ["java", "jml"])
def test_junk(ending: str, content: bytes, sound: Command) -> None:
    sound.write(f"junk.{ending}", content)
    ran = sound.check("--all")
    assert ran.found == [] and ran.judged == ["Next.next(int)"]
    assert {entry["file"] for entry in ran.report["not_checked"]} <= {f"junk.{ending}"}


@pytest.mark.parametrize(
    ("method", "status", "said"),
    [
        pytest.param(
            "int f(int a) { return a }", 2, "src/Other.java:5: the file is broken: a `;` is", id="no-semicolon"
        ),
        pytest.param("int f(int a b) { return a; }", 2, "src/Other.java:5: the declaration after", id="two-names"),
        pytest.param("int f(int a) { return switch (o) { case A _, B _ -> a; }; }", 0, "", id="newer-than-the-grammar"),
    ],
)
def test_a_source_with_a_syntax_error(method: str, status: int, said: str, sound: Command) -> None:
    """It is said where, the status is 2, and the other files are judged; newer Java is none."""
    sound.write("src/Other.java", f"\nclass Other {{\n\n    //@ ensures true;\n    {method}\n}}\n")
    ran = sound.run("check", "--all")
    assert ran.status == status and said in ran.out
    assert ("parse_error" in ran.out) == (status == 2)
    assert "Next.next(int)" in sound.check("--all").judged


@pytest.mark.parametrize(
    "test",
    [
        pytest.param(TEST.replace("(3))", "(3)"), id="missing-parenthesis"),
        pytest.param(TEST.replace("@Test void next() {", "@Test void next() { ]"), id="stray-bracket"),
        pytest.param("\0\1\2\377" * 1000, id="junk"),
        pytest.param(TEST.replace("{ assertEquals", "{ while (true) { } assertEquals"), id="never-ends"),
    ],
)
def test_a_test_that_shows_nothing(test: str, project: Command) -> None:
    project.write("src/Next.java", NEXT.replace("== a + 1", "> a"))
    project.write("test/NextTest.java", test)
    ran = project.check("src/Next.java")
    assert ran.found == [] and "no_pins" in ran.reasons


def test_a_test_that_calls_itself(sound: Command) -> None:
    sound.write("src/test/java/NextTest.java", TEST.replace("{ assertEquals", "{ next(); assertEquals"))
    ran = sound.check("--all")
    assert ran.status == 0 and ran.found == [] and ran.err == ""


def test_a_broken_test_beside_a_good_one(sound: Command) -> None:
    sound.write("src/test/java/BrokenTest.java", TEST.replace("(3))", "(3)").replace("NextTest", "BrokenTest"))
    ran = sound.check("--all")
    assert ran.status == 0 and ran.found == [] and ran.judged == ["Next.next(int)"]


def test_a_file_of_20000_lines(project: Command) -> None:
    methods = "".join(f"    static int before{i}(int a) {{ return a + {i}; }}\n" for i in range(10_000))
    head, body = two("    //@ ensures \\result == a - 1;").split("\n", 1)
    inner, _, _ = body.rpartition("}")
    project.write("src/Next.java", f"{head}\n{methods}{inner}{methods.replace('before', 'after')}}}\n")
    project.write("test/NextTest.java", TWO_TESTS)
    ran = project.check("--all")
    assert ran.status == 1 and ran.found == [WEAK]
    assert ran.report["findings"][0]["line"] == 10_002
    assert ran.reasons == set()


@pytest.mark.parametrize("name", ["Link.java", "folder/Secret.java", "folder", "../Secret.java"])
def test_a_link_or_path_out_of_the_workspace(name: str, sound: Command, tmp_path: Path) -> None:
    (tmp_path / "Secret.java").write_text(NEXT.replace("Next", "Secret"))
    (sound.folder / "Link.java").symlink_to("../Secret.java")
    (sound.folder / "folder").symlink_to("..")
    ran = sound.check(name)
    assert ran.status == 2 and ran.judged == []
    assert "workspace" in ran.report["not_checked"][0]["detail"]
    assert sound.check("--all").judged == ["Next.next(int)"]


def test_settings_that_do_nothing_are_said(sound: Command) -> None:
    sound.write(".clausefit.yaml", "sources: [src/mian/]\n")
    sound.write(".clausefit.yml", "pins: 3\n")
    ran = sound.check("--all")
    assert ran.status == 0 and ran.judged == []
    assert ran.err.splitlines() == [
        "clausefit: .clausefit.yml is not read, .clausefit.yaml beside it is: move its settings there, and delete it",
        "clausefit: .clausefit.yaml:1: sources: no C or Java file matches `src/mian/`, so nothing is judged;"
        " correct or remove it",
    ]


def test_openjml_of_the_pull_request_is_not_run(sound: Command) -> None:
    program = sound.write("tools/openjml", "#!/bin/sh\ntouch pwned\n")
    program.chmod(0o755)
    sound.write(".clausefit.yaml", f"openjml: {sound.folder}/tools\n")
    ran = sound.check("--all")
    assert ran.status == 2 and "is in the workspace" in ran.says_one_line()
    assert not list(sound.folder.rglob("pwned"))
