"""Functions that tests pass as callbacks, on the real Frama-C: the contract's file may not know them."""

from __future__ import annotations

import pytest
from clausefit.hook.pins.values import Array, Block, FunctionPointer, Integer, Origin, Pin, Pointer, Returned
from running import Command
from test_check_with_recorded_pins import record

SOURCE = """/*@ requires n > 0 && f != \\null && \\valid(a + (0 .. n - 1));
    assigns a[0 .. n - 1];
    ensures \\result == n + 1;
*/
int apply(int *a, int n, int (*f)(int))
{
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);
    return n;
}
int inc(int a) { return a + 1; }
/*@ requires f == &inc;
    ensures \\result == n + 2;
*/
int once(int n, int (*f)(int)) { return f(n); }
"""
HEAD = """#include <assert.h>
int apply(int *a, int n, int (*f)(int));
int once(int n, int (*f)(int));
int inc(int a);
static int negate(int v) { return -v; }
static int a(int v) { return -v; }
"""
APPLIED = "int b[2] = {1, 2}; assert(apply(b, 2, negate) == 2); assert(b[0] == -1 && b[1] == -2);"
OF_A_PARAMETERS_NAME = "int b[1] = {1}; assert(apply(b, 1, a) == 1); assert(b[0] == -1);"
STRONG = [("apply", "too_strong", "ensures \\result == n + 1")]


@pytest.mark.parametrize(
    ("calls", "found"),
    [
        pytest.param(APPLIED, STRONG, id="a function of the test"),
        pytest.param(OF_A_PARAMETERS_NAME, STRONG, id="a function of the test that is called like a parameter"),
        pytest.param(
            "assert(once(4, inc) == 5);", [("once", "too_strong", "ensures \\result == n + 2")], id="one that it names"
        ),
        pytest.param("assert(once(4, negate) == -4);", [], id="another one than the contract names: nothing is sure"),
    ],
)
def test_callbacks(calls: str, found: list[tuple[str, str, str]], project: Command) -> None:
    project.write("apply.c", SOURCE)
    project.write("test_apply.c", f"{HEAD}int main(void) {{ {calls} return 0; }}\n")
    ran = project.check("--all")
    assert ran.found == found, ran.out
    assert not [one for one in ran.report["not_checked"] if one["reason"] == "dropped"]


def test_a_recorded_callback_of_the_test(project: Command) -> None:
    def cells(*values: int) -> Array:
        return Array("int", tuple(Integer(value, "int", 32, True) for value in values))

    project.write("apply.c", SOURCE)
    project.write("test_apply.c", f"{HEAD}int main(void) {{ {APPLIED} return 0; }}\n".replace("1, 2", "rand(), 2"))
    two = Integer(2, "int", 32, True)
    arguments = (("a", Pointer("m0", (0,), "int *")), ("n", two), ("f", FunctionPointer("negate", "int (*)(int)")))
    memory = (Block("m0", "m0", cells(7, 2)),)
    outcome = Returned(two, (("m0", cells(-7, -2)),))
    record(project, "apply.c", Pin("apply", arguments, memory, outcome, Origin("recorded", "main", "test_apply.c", 7)))
    ran = project.check("--all")
    assert ran.found == STRONG, ran.out
