"""What people are told when KeY cannot be set up, and what is made of its library. No Java is needed here."""

import hashlib
import os
import shutil
from pathlib import Path

import pytest
from clausefit.verifiers import key_tools
from clausefit.verifiers.key_verifier import strings_of
from clausefit.verifiers.protocol import JavaScene, JavaUnit, Question, VerifierProblem


def program(folder: Path, name: str, script: str) -> None:
    """A stand-in for a tool that the machine under test has in another version, or broken."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(0o755)


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with the shell's own programs and a Java 17; tests add what they need."""
    folder = tmp_path / "bin"
    program(folder, "java", """echo 'openjdk version "17.0.15" 2025-04-15' >&2""")
    for name in ("sh", "mkdir", "cp"):
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A driver that needs one jar, with the content ``right``."""
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "Main.java").write_text("class Main {}")
    (folder / "pom.xml").write_text("<project/>")
    (folder / "checksums.txt").write_text(hashlib.sha256(b"right").hexdigest() + "  one.jar\n")
    return folder


@pytest.mark.parametrize(
    ("script", "says"),
    [
        pytest.param("""echo 'java version "1.8.0_392"' >&2""", "is Java 8; KeY needs 17", id="Java 8 is called 1.8"),
        pytest.param("""echo 'openjdk version "11.0.2"' >&2""", "is Java 11; KeY needs 17", id="Java 11"),
        pytest.param("exit 0", "says no version", id="says nothing"),
        pytest.param("""echo 'openjdk version "17.0.1"' >&2; exit 1""", "does not run", id="fails"),
    ],
)
def test_a_java_that_cannot_run_key_is_named(tools: Path, script: str, says: str) -> None:
    program(tools, "java", script)
    with pytest.raises(VerifierProblem, match=says) as told:
        key_tools.find_java()
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("version", ["17.0.15", "21", "25-ea"])
def test_a_java_that_is_new_enough_is_used(tools: Path, version: str) -> None:
    program(tools, "java", f"""echo 'openjdk version "{version}" 2025-04-15' >&2""")
    assert key_tools.find_java() == "java"


def test_the_java_of_java_home_goes_first(tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "jdk" / "bin", "java", """echo 'openjdk version "21.0.1"' >&2""")
    program(tools, "java", "exit 1")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "jdk"))
    assert key_tools.find_java() == str(tmp_path / "jdk" / "bin" / "java")


def test_no_java_is_said(tools: Path) -> None:
    (tools / "java").unlink()
    with pytest.raises(VerifierProblem, match=r"java was not found: install a JDK"):
        key_tools.find_java()


COPIES = (
    r"""for a in "$@"; do case $a in -DoutputDirectory=*) o=${a#*=};; esac; done; printf '%s' CONTENT >"$o/one.jar" """
)


@pytest.mark.parametrize(
    ("maven", "javac", "says"),
    [
        pytest.param(None, None, r"mvn was not found: install Maven", id="no Maven"),
        pytest.param(
            "echo '[ERROR] no route to host'; exit 1", None, r"fetched by Maven: no route to host", id="offline"
        ),
        pytest.param("exit 0", None, r"one\.jar is missing", id="Maven brings nothing"),
        pytest.param(COPIES.replace("CONTENT", "wrong"), None, r"not the jar that was pinned", id="another jar"),
        pytest.param(COPIES.replace("CONTENT", "right"), None, r"javac was not found: install a JDK", id="no compiler"),
        pytest.param(
            COPIES.replace("CONTENT", "right"),
            "echo 'Main.java:1: error' >&2; exit 1",
            r"compiled: Main",
            id="compiler",
        ),
    ],
)
def test_each_step_that_fails_is_said_in_one_line_and_leaves_nothing_behind(
    tools: Path, project: Path, tmp_path: Path, maven: str | None, javac: str | None, says: str
) -> None:
    for name, script in (("mvn", maven), ("javac", javac)):
        if script is not None:
            program(tools, name, script)
    with pytest.raises(VerifierProblem, match=says) as told:
        key_tools.install(cache=tmp_path / "cache", project=project)
    assert "\n" not in str(told.value)
    made = {path.name.split("-")[0] for path in (tmp_path / "cache" / "key").iterdir()}
    assert made == ({"jars"} if maven is not None and "right" in maven else set())


def test_a_jar_that_was_changed_in_the_cache_is_not_used(tools: Path, project: Path, tmp_path: Path) -> None:
    program(tools, "mvn", COPIES.replace("CONTENT", "right"))
    with pytest.raises(VerifierProblem, match="javac"):
        key_tools.install(cache=tmp_path / "cache", project=project)
    (jar,) = (tmp_path / "cache").rglob("one.jar")
    jar.write_bytes(b"other")
    with pytest.raises(VerifierProblem, match="not the jar that was pinned"):
        key_tools.install(cache=tmp_path / "cache", project=project)


def test_a_folder_of_jars_needs_no_maven(tools: Path, project: Path, tmp_path: Path) -> None:
    (tmp_path / "jars").mkdir()
    (tmp_path / "jars" / "one.jar").write_bytes(b"right")
    with pytest.raises(VerifierProblem, match="javac"):  # it got as far as the compiler
        key_tools.install(cache=tmp_path / "cache", project=project, jars=tmp_path / "jars")


@pytest.mark.parametrize(
    ("target", "says"),
    [
        pytest.param("/dev/zero", "is no file of the size of a jar", id="a device without an end"),
        pytest.param("{w}/pipe", "is no file of the size of a jar", id="a pipe that nobody writes to"),
        pytest.param("{w}/large", "is no file of the size of a jar", id="a file as large as a disk"),
        pytest.param("{w}", "is no file of the size|Is a directory", id="a folder"),
        pytest.param("one.jar", "cannot be set up", id="a link to itself"),
        pytest.param("{w}/evil.jar:/one.jar", "holds ':' in its name", id="two names on the class path"),
    ],
)
def test_a_jar_is_a_file_and_nothing_else(tools: Path, project: Path, tmp_path: Path, target: str, says: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "large").open("wb") as file:
        file.truncate(1 << 40)
    (tmp_path / "evil.jar:").mkdir()
    (tmp_path / "evil.jar:" / "one.jar").write_bytes(b"right")
    (tmp_path / "jars").mkdir()
    (tmp_path / "jars" / "one.jar").symlink_to(target.format(w=tmp_path))
    with pytest.raises(VerifierProblem, match=says):
        key_tools.install(cache=tmp_path / "cache", project=project, jars=tmp_path / "jars")


def test_a_cache_that_cannot_be_written_is_said(tools: Path, project: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(VerifierProblem, match=r"KeY cannot be set up in .*cache"):
        key_tools.install(cache=tmp_path / "cache", project=project)


@pytest.mark.parametrize("named", [pytest.param(False, id="alone"), pytest.param(True, id="key_jars-names-others")])
def test_a_ready_folder_goes_before_the_cache_and_named_jars(
    tools: Path, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    program(tools, "mvn", COPIES.replace("CONTENT", "right"))
    with pytest.raises(VerifierProblem, match="javac"):
        key_tools.install(cache=tmp_path / "image", project=project)
    (tools / "mvn").unlink()
    monkeypatch.setenv(key_tools.READY_VARIABLE, str(tmp_path / "image" / "key"))
    jars = tmp_path / "nowhere" if named else None
    found = key_tools.jars_at_hand(cache=tmp_path / "cache", jars=jars, project=project)
    assert found is not None and found.parent == tmp_path / "image" / "key"
    with pytest.raises(VerifierProblem, match="javac"):  # got as far as the compiler without Maven and without `jars`
        key_tools.install(cache=tmp_path / "cache", jars=jars, project=project)
    assert not (tmp_path / "cache").exists()


def test_a_ready_folder_is_named_by_an_absolute_path() -> None:
    with pytest.raises(VerifierProblem, match=r"CLAUSEFIT_KEY is key: it must be an absolute path"):
        key_tools.ready_folder({key_tools.READY_VARIABLE: "key"})
    assert key_tools.ready_folder({key_tools.READY_VARIABLE: ""}) is None


def test_every_jar_is_pinned_by_a_checksum() -> None:
    lines = (key_tools.PROJECT / "checksums.txt").read_text().splitlines()
    assert any(line.endswith("  key.core-2.12.3.jar") for line in lines)
    assert all(len(line.split()[0]) == 64 and line.endswith(".jar") for line in lines)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        pytest.param("a /*@ pure @*/ b", "a   b", id="JML in a line"),
        pytest.param("//@ ensures x;\nint f;", " \nint f;", id="JML to the end of its line"),
        pytest.param("/*@ a\n @*/int f;", " int f;", id="over lines"),
        pytest.param("a /**/ b /* ** */ c", "a   b   c", id="stars"),
        pytest.param('s = "/* no */"; // yes', 's = "/* no */";  ', id="string"),
        pytest.param(r"""c = '"'; /* yes */ d = "\"//no";""", r"""c = '"';   d = "\"//no";""", id="quoted quotes"),
        pytest.param("a /* open", "a /* open", id="no end"),
    ],
)
def test_comments_are_taken_out(text: str, left: str) -> None:
    assert key_tools.without_comments(text) == left


def test_what_other_versions_made_long_ago_is_removed(tmp_path: Path) -> None:
    for name, time in (
        ("driver-a", 5),
        ("driver-b", 5),
        ("archive-c", 5),
        ("library-d", 20),
        ("jars-e", 5),
        ("home", 5),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").touch()
        os.utime(tmp_path / name, (time, time))
    key_tools.remove_old(tmp_path, {tmp_path / "driver-a"}, 10.0)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["driver-a", "home", "jars-e", "library-d"]


LIBRARY = """class String {
   /*@ normal_behavior
       ensures \\result >= 0; */
   public /*@ pure @*/ int length();
   // other
   /*@ ensures { \\result; } */
   public /*@ helper */ int hash(/*@ nullable */ Object o) { return length(o); }
   /*@ ensures \\result; */ boolean equals(/*@ nullable */ Object o);
}"""


@pytest.mark.parametrize(
    ("methods", "kept"),
    [
        pytest.param([], [], id="none"),
        pytest.param(["length"], ["normal_behavior", "pure"], id="with its modifiers"),
        pytest.param(["equals"], ["ensures \\result; */ boolean", "nullable */ Object o);"], id="with its parameters"),
        pytest.param(
            ["hash"], ["ensures { ", "helper", "nullable */ Object o) {"], id="braces in a comment end nothing"
        ),
    ],
)
def test_chosen_methods_keep_their_contracts(methods: list[str], kept: list[str]) -> None:
    text = key_tools.with_contracts_of(LIBRARY, methods)
    assert key_tools.without_comments(text) == key_tools.without_comments(LIBRARY)
    parts = ["normal_behavior", "pure", "ensures { ", "helper", "nullable */ Object o) {"]
    parts += ["ensures \\result; */ boolean", "nullable */ Object o);"]
    assert [part for part in parts if part in text] == kept


def about(files: str = "", facts: str = "", formula: str = "", variable: str = "int", result: str = "int") -> JavaUnit:
    scene = JavaScene("s", "A", False, (("int", "n"), (variable, "x")), result, facts, "{}", ())
    return JavaUnit("u", (("A.java", files),), "java", (scene,), (Question("q", "s", "", formula, "accept", "all"),))


@pytest.mark.parametrize(
    ("unit", "strings"),
    [
        pytest.param(about("class A { int x; }", "x == 3", "x > 2"), "none", id="numbers only"),
        pytest.param(about(variable="java.lang.String"), "few", id="a parameter, which the skeleton need not name"),
        pytest.param(about(result="java.lang.String"), "few", id="the result"),
        pytest.param(about(facts=r"\dl_strContent(x) == \seq_empty", variable="java.lang.Object"), "few", id="a fact"),
        pytest.param(about(formula=r'x.equals("a")'), "few", id="a literal"),
        pytest.param(
            about("String name() { return null; }", formula="name().length() == 2"), "few", id="a method's result"
        ),
        pytest.param(
            about("String a;", formula="a.startsWith(a)"), "all", id="a method with a costly contract, in a clause"
        ),
        pytest.param(about("String a; boolean f() { return a . trim() == a; }"), "all", id="and in the skeleton"),
        pytest.param(
            about("String a;", formula="a.indexOf(a) == 0"), "few", id="a method that evaluation alone decides"
        ),
    ],
)
def test_strings_are_loaded_where_there_are_any(unit: JavaUnit, strings: str) -> None:
    assert strings_of(unit) == strings


def test_what_is_set_up_is_told_by_the_folder_of_jars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(key_tools.READY_VARIABLE, raising=False)
    assert not key_tools.is_set_up(cache=tmp_path)
    monkeypatch.setenv(key_tools.READY_VARIABLE, str(tmp_path))
    assert key_tools.is_set_up(cache=tmp_path)
