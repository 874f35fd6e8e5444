"""The Java text that OpenJML gets: it compiles (JML is comments to javac), and every line is known for what it is."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from clausefit.verifiers.openjml_formulas import NotTaken
from clausefit.verifiers.openjml_stubs import Check, Composed, Place, Skeleton, Stub
from clausefit.verifiers.protocol import JavaScene


def scene(
    class_name: str,
    variables: tuple[tuple[str, str], ...] = (),
    result: str | None = None,
    *,
    is_static: bool = False,
) -> JavaScene:
    return JavaScene("s", class_name, is_static, variables, result, "true", "{}", ())


def stub(one: JavaScene, *formulas: str, facts: tuple[str, ...] = ("true",), has_outcome: bool = True) -> Stub:
    checks = tuple(Check(f"q{n}", "accept", text) for n, text in enumerate(formulas))
    return Stub(one, facts, has_outcome, checks)


def compiles(composed: Composed, folder: Path) -> None:
    for name, text in composed.files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", errors="surrogateescape", newline="")
    done = subprocess.run(
        ["javac", "-encoding", "UTF-8", "-proc:none", "-d", "out", *(name for name, _ in composed.files)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr


PLAIN = "public class Lookup {\n  public int[] kept;\n  public int slotOf(int[] a, int key) { return -1; }\n}\n"
NESTED = """package p.q;

/** A comment with } in it. */
public class Outer<T> {
  public String text = "}";
  static class Inner {
    char brace = '}';
    public int n;
    class Deep { int m; }
  }
  interface Shape { int area(); }
  enum Mode { FAST, SLOW }
}
class Other {
}
"""
RECORD = "public record Point(int x, int y) {\n}\n"
BARE = "class Bare{}"
SCENES = {
    "Lookup": scene("Lookup", (("int[]", "a"), ("int", "key")), "int", is_static=True),
    "Lookup of an object": scene("Lookup", (("java.lang.Object", "cf_b1"),), "int[]"),
    "Outer": scene("p.q.Outer", (("java.lang.String", "s"),), "java.lang.String"),
    "Inner": scene("p.q.Outer.Inner", (("Deep", "d"),), None),
    "Deep": scene("p.q.Outer.Inner.Deep", (("p.q.Other[][]", "d"),), "p.q.Outer.Inner"),
    "Other": scene("p.q.Other", (("long", "l"), ("boolean", "b"), ("char", "c")), "boolean"),
    "with a record": scene("Bare", (("Point", "at"),), "Point"),
    "Bare": scene("Bare", (), "byte[]", is_static=True),
}
FILES = {"Lookup.java": PLAIN, "p/q/Outer.java": NESTED, "Point.java": RECORD, "Bare.java": BARE}


def test_every_kind_of_class_compiles_with_stubs(tmp_path: Path) -> None:
    skeleton = Skeleton(tuple(FILES.items()))
    stubs = [stub(one, "true", has_outcome=outcome) for one in SCENES.values() for outcome in (True, False)]
    composed = skeleton.compose(stubs)
    compiles(composed, tmp_path)
    assert composed.names == tuple(f"cf_stub{n}" for n in range(len(stubs)))


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({name: text.replace("\n", "\r\n") for name, text in FILES.items()}, id="line ends of Windows"),
        pytest.param({name: text.replace("\n", "\r") for name, text in FILES.items()}, id="line ends of old Macs"),
        pytest.param({name: text + "// é\n" for name, text in FILES.items()}, id="not only ASCII"),
        pytest.param({name: "/* 日本 } */ " + text for name, text in FILES.items()}, id="letters of three bytes"),
        pytest.param(
            {name: text + f"// cf_stub {n}\n" for n, (name, text) in enumerate(FILES.items())}, id="the name is taken"
        ),
        pytest.param(
            {name: text.replace("class", "/*@ nullable_by_default @*/ class", 1) for name, text in FILES.items()},
            id="says already that null is allowed",
        ),
    ],
)
def test_every_line_is_known_for_what_it_is(files: dict[str, str], tmp_path: Path) -> None:
    """Whatever stands around: the line of a check holds that check, and the rest of its stub is told from others."""
    skeleton = Skeleton(tuple(files.items()))
    stubs = [
        stub(one, f"{n} == {n}", f"{n} == {n} + 0", facts=(f"{n} < {n + 1}",)) for n, one in enumerate(SCENES.values())
    ]
    composed = skeleton.compose(stubs)
    compiles(composed, tmp_path)
    # Not splitlines(): javac counts fewer characters as line ends than Python (JLS 3.4).
    lines = {name: text.replace("\r\n", "\n").replace("\r", "\n").split("\n") for name, text in composed.files}
    seen: dict[Place, str] = {}
    for (file, line), place in composed.places.items():
        if place.check is not None:
            seen[place] = lines[file][line - 1].strip()
    assert seen == {
        Place(n, index): f"//@ check ({text});"
        for n in range(len(stubs))
        for index, text in enumerate((f"{n} == {n}", f"{n} == {n} + 0"))
    }
    facts = {
        place.stub: lines[file][line - 1].strip()
        for (file, line), place in composed.places.items()
        if place.check is None and "assume" in lines[file][line - 1]
    }
    assert facts == {n: f"//@ assume ({n} < {n + 1});" for n in range(len(stubs))}
    assert all(files[name].count("cf_stub") <= 1 for name in files)
    assert len(set(composed.names)) == len(stubs)
    assert not any(name in text for name in composed.names for text in files.values())


def test_the_whole_text_of_a_stub() -> None:
    one = scene("Lookup", (("int[]", "a"),), "int", is_static=True)
    checks = (Check("q0", "accept", r"cf_result == \old(a[0])"), Check("q1", "refute", "cf_result > 0"))
    composed = Skeleton((("Lookup.java", "class Lookup {\n}\n"),)).compose(
        [Stub(one, ("a != null", "x"), True, checks)]
    )
    assert composed.files == (
        (
            "Lookup.java",
            r"""/*@ nullable_by_default @*/ class Lookup {

  //@ public normal_behavior
  //@   requires true;
  //@   assignable \everything;
  //@   ensures true;
  public static native int cf_stub_any0();
  //@ public normal_behavior
  //@   requires true;
  //@   assignable \everything;
  //@   ensures true;
  public static native java.lang.Throwable cf_stub_thrown();
  //@ assignable \everything;
  public static void cf_stub0(int[] a) {
    int cf_result = cf_stub_any0();
    java.lang.Throwable cf_exc = cf_stub_thrown();
    //@ assume (a != null) && (x);
    //@ check (cf_result == \old(a[0]));
    //@ check !(cf_result > 0);
  }
}
""",
        ),
    )


def test_a_question_about_the_state_before_has_no_call() -> None:
    one = scene("Lookup", (("int", "n"),), "int")
    ((_name, text),) = Skeleton((("Lookup.java", PLAIN),)).compose([stub(one, "n > 0", has_outcome=False)]).files
    assert "native" not in text
    assert "cf_result" not in text


def test_many_facts_make_no_deep_tree() -> None:
    facts = tuple(f"a[{n}] == {n}" for n in range(3_000))
    ((_name, text),) = Skeleton((("Lookup.java", PLAIN),)).compose([stub(SCENES["Lookup"], "true", facts=facts)]).files
    assumptions = [line for line in text.split("\n") if "//@ assume" in line]
    assert max(line.count("&&") for line in assumptions) < 40
    assert sum(line.count("a[") for line in assumptions) == 3_000


@pytest.mark.parametrize(
    ("class_name", "because"),
    [
        pytest.param("Missing", "not in the skeleton", id="no such class"),
        pytest.param("Outer", "not in the skeleton", id="without its package"),
        pytest.param("p.q.Outer.Shape", "is no class", id="an interface has no place for methods without a body"),
        pytest.param("p.q.Outer.Mode", "is no class", id="an enum"),
        pytest.param("Point", "is no class", id="a record: it may have no native methods"),
        pytest.param("Broken", "cannot be read", id="a class with an error"),
    ],
)
def test_classes_without_a_place(class_name: str, because: str) -> None:
    skeleton = Skeleton((*FILES.items(), ("Broken.java", "class Broken { int f( { } int g; }")))
    with pytest.raises(NotTaken, match=because):
        skeleton.compose([stub(scene(class_name), "true")])


def test_deep_nesting_ends() -> None:
    text = "class C { " * 500 + "}" * 500
    skeleton = Skeleton((("C.java", text),))
    with pytest.raises(NotTaken, match="not in the skeleton"):
        skeleton.home(".".join(["C"] * 400))
