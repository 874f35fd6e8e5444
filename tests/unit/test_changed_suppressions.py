"""Which contracts a change of suppression comments touches."""

from __future__ import annotations

import pytest
from clausefit.hook.changed_suppressions import State, changed_suppressions
from clausefit.hook.contracts.c import read_c
from clausefit.hook.contracts.java import read_java

C = """\
/*@ requires x > 0;
    ensures \\result > x;
    ensures \\result != 7; */
int f(int x) { return x + 1; }

//@ ensures \\result == 1;
int g(void) { return 1; }
"""
JAVA = """\
class A {
    //@ ensures \\result > x;
    int f(int x) { return x + 1; }

    /*@ ensures \\result == 1;
      @ ensures \\result != 7; */
    int g() { return 1; }
}
"""
WHY = "// clausefit: ignore[CF101] why"


def changed(old: str | None, new: str | None, file: str) -> list[str]:
    def state(text: str | None) -> State:
        read = read_java if file.endswith(".java") else read_c
        return State(text, read(text, file).contracts if text is not None else ())

    return sorted(changed_suppressions(file, state(old), state(new)))


def above(text: str, line: str, comment: str = WHY) -> str:
    """The text with a comment on a line of its own above another one."""
    assert text.count(line) == 1
    return text.replace(line, f"{comment}\n{line}")


@pytest.mark.parametrize(
    ("text", "line", "function"),
    [
        pytest.param(C, "/*@ requires", "f", id="above-a-contract"),
        pytest.param(C, "    ensures \\result > x", "f", id="above-a-clause"),
        pytest.param(C, "//@ ensures", "g", id="above-a-contract-of-one-line"),
        pytest.param(JAVA, "    //@ ensures", "f(int)", id="java-contract"),
        pytest.param(JAVA, "      @ ensures", "g()", id="java-clause"),
    ],
)
def test_added_removed_and_edited(text: str, line: str, function: str) -> None:
    file = "A.java" if text is JAVA else "a.c"
    function = function if file == "a.c" else f"A.{function}"
    there = above(text, line)
    assert changed(text, text, file) == changed(there, there, file) == []
    assert changed(text, there, file) == changed(there, text, file) == [function]
    for edited in ("ignore[CF102] why", "ignore[CF101]", "ignore[CF101] because", "ignore[CF999] why"):
        assert changed(there, above(text, line, f"// clausefit: {edited}"), file) == [function]


@pytest.mark.parametrize(
    ("old", "new", "functions"),
    [
        pytest.param(above(C, "/*@ req"), "\n\n" + above(C, "/*@ req"), [], id="moved"),
        pytest.param(above(C, "/*@ req"), above(C, "/*@ req", f"/* {WHY[3:]} */"), [], id="another-kind-of-comment"),
        pytest.param(
            above(C, "/*@ req"), above(C, "/*@ req", WHY.replace("] why", "]   --  why")), [], id="other-white-space"
        ),
        pytest.param(above(C, "    ensures \\result >"), above(C, "    ensures \\result !"), ["f"], id="clause"),
        pytest.param(above(C, "/*@ req"), above(C, "//@ ensures"), ["f", "g"], id="another-contract"),
        pytest.param(above(C, "/*@ req"), above(above(C, "/*@ req"), "/*@ req"), ["f"], id="once-more"),
        pytest.param(C, above(C, "//@ ensures", "// why"), [], id="another-comment"),
        pytest.param(C, above(C, "//@ ensures", "// clausefit: is fine"), [], id="the-name-alone"),
        pytest.param(None, above(C, "//@ ensures"), ["g"], id="new-file"),
        pytest.param(above(C, "//@ ensures"), None, [], id="file-that-is-gone"),
        pytest.param(above(C, "//@ ensures"), C.split("\n//@")[0], [], id="gone-with-its-contract"),
        pytest.param(C, C.replace("return 1;", f"return 1; {WHY}\n"), ["g"], id="behind-a-function"),
        pytest.param(C, f"int x; {WHY}\nint y;\n{C}", ["f"], id="at-no-contract-the-next"),
        pytest.param(C, f"{C}\nint x; {WHY}\n", ["g"], id="at-no-contract-the-last"),
        pytest.param(f"int x; {WHY}\nint y;\n{C}", f"\nint x; {WHY}\n\n{C}", [], id="at-no-contract-as-before"),
        pytest.param(f"int x; {WHY}\nint y;\n{C}", C, [], id="at-no-contract-and-gone"),
        pytest.param("int x;\n", f"int x; {WHY}\n", [], id="a-file-without-contracts"),
    ],
)
def test_what_is_touched(old: str | None, new: str | None, functions: list[str]) -> None:
    assert changed(old, new, "a.c") == functions
