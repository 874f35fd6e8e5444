"""Suites to record: 50 functions with contracts, called 100,000 times by tests that pass, in C and in Java."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

CALLS = 2000
"""Calls of each function; with 50 functions that makes 100,000."""
COPIES = 10
"""Copies of each of the five functions; in C each copy's tests are a program of their own."""


@dataclass(frozen=True)
class Suite:
    """A suite that is built: the folder, and the command that runs its tests there."""

    name: str
    folder: Path
    command: tuple[str, ...]


_C_SOURCE = """
/*@ requires -1000 <= a <= 1000 && -1000 <= b <= 1000;
    assigns \\nothing;
    ensures \\result == 2 * a + b;
*/
int mix_{i}(int a, int b) {{ return 2 * a + b; }}

/*@ requires n > 0 && \\valid_read(a + (0 .. n - 1));
    assigns \\nothing;
    ensures \\exists integer k; 0 <= k < n && a[k] == \\result;
    ensures \\forall integer k; 0 <= k < n ==> a[k] <= \\result;
*/
int largest_{i}(const int *a, unsigned n)
{{
    int m = a[0];
    for (unsigned k = 1; k < n; k++) if (a[k] > m) m = a[k];
    return m;
}}

/*@ requires \\valid(a + (0 .. n - 1));
    assigns a[0 .. n - 1];
    ensures \\forall integer k; 0 <= k < n ==> a[k] == by;
*/
void fill_{i}(int *a, unsigned n, int by) {{ for (unsigned k = 0; k < n; k++) a[k] = by; }}

/*@ requires \\valid(p) && p->x < 100000;
    assigns p->x;
    ensures p->x == \\old(p->x) + by;
*/
void shift_{i}(struct pair *p, int by) {{ p->x += by; }}

/*@ requires \\valid_read(s + (0 .. n - 1));
    assigns \\nothing;
    ensures 0 <= \\result <= n;
*/
unsigned count_{i}(const char *s, unsigned n, char c)
{{
    unsigned m = 0;
    for (unsigned k = 0; k < n; k++) m += s[k] == c;
    return m;
}}
"""
_C_HEADER = """
int mix_{i}(int a, int b);
int largest_{i}(const int *a, unsigned n);
void fill_{i}(int *a, unsigned n, int by);
void shift_{i}(struct pair *p, int by);
unsigned count_{i}(const char *s, unsigned n, char c);
"""
_C_TEST = """
#include <stdlib.h>
#include "code.h"

#define CALLS {calls}
#define WORK {work}

static unsigned seed = {i};
static volatile unsigned sink;

static int next(unsigned below) {{ seed = seed * 1664525u + 1013904223u; return (int)((seed >> 8) % below); }}
static void must(int holds) {{ if (!holds) exit(1); }}
/* What the tests of a project do besides the call: set-up, oracles, comparisons. */
static void work(void) {{ for (unsigned k = 0; k < WORK; k++) sink += k; }}

static void test_mix(void)
{{
    for (int k = 0; k < CALLS; k++) {{
        int a = next(1000), b = next(1000);
        work();
        must(mix_{i}(a, b) - b == 2 * a);
    }}
}}
static void test_largest(void)
{{
    for (int k = 0; k < CALLS; k++) {{
        int a[8];
        for (int j = 0; j < 8; j++) a[j] = next(100);
        work();
        int m = largest_{i}(a, 8);
        for (int j = 0; j < 8; j++) must(a[j] <= m);
    }}
}}
static void test_fill(void)
{{
    for (int k = 0; k < CALLS; k++) {{
        int a[6] = {{0}}, by = next(50);
        work();
        fill_{i}(a, 1 + next(6), by);
        must(a[0] == by);
    }}
}}
static void test_shift(void)
{{
    for (int k = 0; k < CALLS; k++) {{
        struct pair p = {{next(1000), next(1000)}}, before = p;
        int by = next(100);
        work();
        shift_{i}(&p, by);
        must(p.x - before.x == by && p.y == before.y);
    }}
}}
static void test_count(void)
{{
    for (int k = 0; k < CALLS; k++) {{
        char s[10];
        for (int j = 0; j < 10; j++) s[j] = (char)('a' + next(4));
        work();
        must(count_{i}(s, 10, 'a') <= 10);
    }}
}}
int main(void)
{{
    test_mix();
    test_largest();
    test_fill();
    test_shift();
    test_count();
    return 0;
}}
"""
_JAVA_SOURCE = """
package code;

public class Box{i} {{
    public /*@ spec_public @*/ int total;

    //@ requires -1000 <= a && a <= 1000 && -1000 <= b && b <= 1000;
    //@ ensures \\result == 2 * a + b;
    public static /*@ pure @*/ int mix(int a, int b) {{ return 2 * a + b; }}

    /*@ requires a.length > 0;
      @ ensures (\\exists int k; 0 <= k && k < a.length; a[k] == \\result);
      @ ensures (\\forall int k; 0 <= k && k < a.length; a[k] <= \\result);
      @*/
    public static /*@ pure @*/ int largest(int[] a) {{
        int m = a[0];
        for (int v : a) if (v > m) m = v;
        return m;
    }}

    //@ assignable a[*];
    //@ ensures (\\forall int k; 0 <= k && k < a.length; a[k] == by);
    public static void fill(int[] a, int by) {{ for (int k = 0; k < a.length; k++) a[k] = by; }}

    //@ requires total < 100000 && 0 <= by && by < 1000;
    //@ assignable total;
    //@ ensures total == \\old(total) + by;
    public void shift(int by) {{ total += by; }}

    //@ ensures 0 <= \\result && \\result <= s.length();
    public static /*@ pure @*/ int count(String s, char c) {{
        int m = 0;
        for (int k = 0; k < s.length(); k++) if (s.charAt(k) == c) m++;
        return m;
    }}
}}
"""
_JAVA_TEST = """
package code;

import java.util.Random;

public class Box{i}Test {{
    private final Random random = new Random({i});

    void mix() {{
        for (int k = 0; k < AllTest.CALLS; k++) {{
            int a = random.nextInt(1000), b = random.nextInt(1000);
            AllTest.work();
            AllTest.must(Box{i}.mix(a, b) - b == 2 * a);
        }}
    }}
    void largest() {{
        for (int k = 0; k < AllTest.CALLS; k++) {{
            int[] a = random.ints(8, 0, 100).toArray();
            AllTest.work();
            int m = Box{i}.largest(a);
            for (int v : a) AllTest.must(v <= m);
        }}
    }}
    void fill() {{
        for (int k = 0; k < AllTest.CALLS; k++) {{
            int[] a = new int[1 + random.nextInt(6)];
            int by = random.nextInt(50);
            AllTest.work();
            Box{i}.fill(a, by);
            AllTest.must(a[0] == by);
        }}
    }}
    void shift() {{
        for (int k = 0; k < AllTest.CALLS; k++) {{
            Box{i} box = new Box{i}();
            int before = box.total = random.nextInt(1000), by = random.nextInt(100);
            AllTest.work();
            box.shift(by);
            AllTest.must(box.total - before == by);
        }}
    }}
    void count() {{
        for (int k = 0; k < AllTest.CALLS; k++) {{
            StringBuilder s = new StringBuilder();
            for (int j = 0; j < 10; j++) s.append((char) ('a' + random.nextInt(4)));
            AllTest.work();
            AllTest.must(Box{i}.count(s.toString(), 'a') <= 10);
        }}
    }}
    void all() {{ mix(); largest(); fill(); shift(); count(); }}
}}
"""
_JAVA_ALL = """
package code;

public class AllTest {{
    static final int CALLS = {calls};
    static volatile int sink;

    static void must(boolean holds) {{ if (!holds) throw new AssertionError(); }}
    /** What the tests of a project do besides the call: set-up, oracles, comparisons. */
    static void work() {{ for (int k = 0; k < {work}; k++) sink += k; }}

    public static void main(String[] arguments) {{
{runs}
    }}
}}
"""


def c_suite(folder: Path, work: int) -> Suite:
    """Ten programs of five functions each, started one after the other by a script, as ctest would."""
    _write(folder / "code.h", "struct pair { int x, y; };\n" + "".join(_C_HEADER.format(i=i) for i in range(COPIES)))
    for i in range(COPIES):
        _write(folder / f"code_{i}.c", '#include "code.h"\n' + _C_SOURCE.format(i=i))
        _write(folder / f"tests/test_{i}.c", _C_TEST.format(i=i, calls=CALLS, work=work))
        _run(folder, "gcc", "-g", "-I.", "-o", f"tests/test_{i}", f"tests/test_{i}.c", f"code_{i}.c")
    _write(folder / "run.sh", "".join(f"tests/test_{i} || exit 1\n" for i in range(COPIES)))
    return Suite("C", folder, ("sh", "run.sh"))


def java_suite(folder: Path, work: int) -> Suite:
    """Ten test classes in one JVM, as Surefire runs them."""
    for i in range(COPIES):
        _write(folder / f"src/main/code/Box{i}.java", _JAVA_SOURCE.format(i=i))
        _write(folder / f"src/test/code/Box{i}Test.java", _JAVA_TEST.format(i=i))
    runs = "\n".join(f"        new Box{i}Test().all();" for i in range(COPIES))
    _write(folder / "src/test/code/AllTest.java", _JAVA_ALL.format(calls=CALLS, work=work, runs=runs))
    files = [str(path) for path in sorted(folder.rglob("*.java"))]
    _run(folder, "javac", "-g", "-d", "classes", *files)
    return Suite("Java", folder, ("java", "-cp", str(folder / "classes"), "code.AllTest"))


SUITES: tuple[Callable[[Path, int], Suite], ...] = (c_suite, java_suite)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _run(folder: Path, *command: str) -> None:
    subprocess.run(command, cwd=folder, check=True)
