"""Digests of functions and tests: what changes them, and what does not."""

from __future__ import annotations

import pytest
from clausefit.hook.record.bodies import Bodies
from growth import assert_grows_linearly

C = """#include "bank.h"
#define LIMIT (2 * \\
    HALF)
#define HALF 50
#define OTHER 3
typedef struct account { int balance; long owner; } account_t;
enum colour { RED, GREEN = 4 };
static int fees[2] = {1, 2};
static int fee(int n) { return fees[n > LIMIT]; }
int unused(void) { return OTHER; }
/*@ requires n > 0;
    ensures \\result == n; */
int withdraw(account_t *a, int n)
{
    /*@ loop invariant n > 0; */
    while (n > 9) { n--; } // comment
    return a->balance -= n + fee(n) + GREEN;
}
int after(void) { return 1; }
"""


def c_digest(text: str, function: str = "withdraw") -> str | None:
    return Bodies({"a.c": text}.get).function("a.c", function)


BRANCHES = "int f(int a) {\n#if X\n if (a) {\n#else\n if (!a) {\n#endif\n return 1; }\n return 2;\n}\n"


def edited(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        pytest.param("// comment", "/* another\n one */", True, id="comment"),
        pytest.param("while (n > 9)", "while  (n>9)\n\n", True, id="white space"),
        pytest.param("    return a->", "    return a /* x */ ->", True, id="comment between tokens"),
        pytest.param("requires n > 0", "requires n > 1", True, id="contract"),
        pytest.param("/*@ requires n > 0;\n    ensures \\result == n; */\n", "", True, id="contract taken away"),
        pytest.param("loop invariant n > 0", "loop invariant n >= 0", True, id="loop annotation"),
        pytest.param("int after(void) { return 1; }", "int after(void) { return 2; }", True, id="another function"),
        pytest.param("return OTHER", "return 2 * OTHER", True, id="function that is not called"),
        pytest.param("OTHER 3", "OTHER 4", True, id="macro that is not named"),
        pytest.param("#include", "\n\n/* head */\n#include", True, id="moved"),
        pytest.param("n--", "--n", False, id="body"),
        pytest.param("n > 9", "n > 8", False, id="constant"),
        pytest.param("int withdraw", "long withdraw", False, id="result type"),
        pytest.param("account_t *a, int n", "account_t *a, long n", False, id="parameter type"),
        pytest.param("HALF 50", "HALF 51", False, id="macro behind a macro behind a helper"),
        pytest.param("fees[2] = {1, 2}", "fees[2] = {1, 3}", False, id="value of a variable of a helper"),
        pytest.param("int balance;", "long balance;", False, id="type of a member"),
        pytest.param("GREEN = 4", "GREEN = 5", False, id="enumerator"),
        pytest.param("return fees[n > LIMIT]", "return fees[n >= LIMIT]", False, id="helper"),
        pytest.param("#define HALF 50\n", "#define HALF 50\n#undef HALF\n", False, id="macro without its meaning"),
        pytest.param("(2 * \\\n    HALF)", "(2*HALF) /* twice */", True, id="macro on one line"),
    ],
)
def test_c_function(old: str, new: str, same: bool) -> None:
    assert (c_digest(edited(C, old, new)) == c_digest(C)) is same


@pytest.mark.parametrize(
    ("text", "old", "new", "same"),
    [
        pytest.param(
            f"{BRANCHES}int g(void) {{ return 7; }}",
            "return 7",
            "return 8",
            True,
            id="braces in branches end where they end",
        ),
        pytest.param(
            BRANCHES,
            "return 2",
            "return 3",
            False,
            id="code after branches counts",
        ),
        pytest.param(
            "#ifdef A\nint f(void) { return 1; }\n#else\nint f(void) { return 2; }\n#endif",
            "return 2",
            "return 3",
            False,
            id="each of two definitions counts",
        ),
        pytest.param("int f(a) int a; { return a; }", "int a;", "long a;", False, id="old style"),
        pytest.param("int f(int a);", "int a", "long a", False, id="declaration only: the file counts"),
        pytest.param("MAKE(f)\nint g(void) { return 1; }", "return 1", "return 2", False, id="macro: the file counts"),
        pytest.param('char *f(void) { return "a /* b */"; }', "/* b */", "/* c */", False, id="comment in a string"),
        pytest.param("int f(void) { return 'a'; /* ' */ }", "/* ' */", "", True, id="quote in a comment"),
        pytest.param("int f(void) { return 1; //@ ghost int i = 1;\n}", "i = 1", "i = 2", True, id="ghost code"),
        pytest.param(
            "int f(void) { return v; }\nint v = 1;\n#define U 3\nint w;", "U 3", "U 4", True, id="directive in between"
        ),
        pytest.param(
            "typedef int num;\nint f(num a) { return a; }", "typedef int", "typedef long", False, id="typedef"
        ),
        pytest.param(
            "struct s { unsigned n; };\nint f(unsigned a) { return a; }", "unsigned n", "unsigned m", True, id="keyword"
        ),
    ],
)
def test_c_function_in_odd_files(text: str, old: str, new: str, same: bool) -> None:
    assert (c_digest(edited(text, old, new), "f") == c_digest(text, "f")) is same


UNIT = {
    "src/bank.c": '#include "bank.h"\n#include <limits/most.h>\n#include <stdio.h>\n'
    "int take(acc *a) { return rate(a->n, MOST); }",
    "include/bank.h": '#pragma once\n#include "rate.h"\ntypedef struct acc { int n; } acc;\nint take(acc *a);\n',
    "include/rate.h": "static inline int rate(int n, int most) { return n < most ? n : LEAST; }\n#define LEAST 1\n",
    "include/limits/most.h": "#define MOST 9\n#define OTHER 9\n",
    "far/most.h": "#define MOST 8\n",
    "src/other.h": "#define LEAST 2\n",
}


@pytest.mark.parametrize(
    ("file", "old", "new", "same"),
    [
        pytest.param("include/bank.h", "int n", "long n", False, id="member of a type of a header"),
        pytest.param("include/rate.h", "LEAST 1", "LEAST 2", False, id="macro of a header's header"),
        pytest.param("include/rate.h", "n < most", "n <= most", False, id="inline function"),
        pytest.param("include/limits/most.h", "MOST 9", "MOST 10", False, id="header in angle brackets"),
        pytest.param("include/limits/most.h", "OTHER 9", "OTHER 10", True, id="macro that is not named"),
        pytest.param("include/bank.h", "#pragma once", "// once\n#pragma once", True, id="comment"),
        pytest.param("include/bank.h", "int take", "/*@ ensures 1; */ int take", True, id="contract in the header"),
        pytest.param("far/most.h", "8", "7", True, id="header of another folder"),
        pytest.param("src/other.h", "2", "3", True, id="header that is not included"),
    ],
)
def test_c_function_with_headers(file: str, old: str, new: str, same: bool) -> None:
    after = UNIT | {file: edited(UNIT[file], old, new)}
    digests = [Bodies(files.get, files).function("src/bank.c", "take") for files in (UNIT, after)]
    assert (digests[0] == digests[1]) is same


def test_a_header_that_is_no_file_of_the_project_does_not_count() -> None:
    """A header that the build made is not there for who only checks."""
    paths = [path for path in UNIT if path != "include/rate.h"]
    missing = {path: text for path, text in UNIT.items() if path != "include/rate.h"}
    assert Bodies(UNIT.get, paths).function("src/bank.c", "take") == Bodies(missing.get, missing).function(
        "src/bank.c", "take"
    )


def test_headers_in_a_circle() -> None:
    files = {"a.c": '#include "a.h"\nint f(void) { return A; }', "a.h": '#include "b.h"\n', "b.h": '#include "a.h"\n'}
    first = Bodies(files.get, files).function("a.c", "f")
    assert first != Bodies((files | {"b.h": '#include "a.h"\n#define A 1'}).get, files).function("a.c", "f")


JAVA = """package p;
import java.util.List;
class Bank {
    static final int LIMIT = 10;
    private int balance = LIMIT;
    int other = 4;
    /*@ requires n > 0;
      @ ensures \\result == n; @*/
    int take(int n) throws Exception {
        //@ assert n > 0;
        // a comment
        return check(n) - balance;
    }
    int take(long n) { return 0; }
    private int check(int n) { return n + 1; }
    int unused() { return other; }
    class Inner { int take(int n) { return 3; } }
}
"""


def java_digest(text: str, function: str = "Bank.take(int)") -> str | None:
    return Bodies({"Bank.java": text}.get).function("Bank.java", function)


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        pytest.param("// a comment", "/* another */\n", True, id="comment"),
        pytest.param("return check", "return\n  check", True, id="white space"),
        pytest.param("requires n > 0", "requires n > 1", True, id="contract"),
        pytest.param("//@ assert n > 0;", "", True, id="assertion of JML"),
        pytest.param("return other", "return other + 1", True, id="method that is not called"),
        pytest.param("other = 4", "other = 5", True, id="field that is not named"),
        pytest.param("return 0", "return 1", False, id="overload: which one is called is not told apart"),
        pytest.param("check(n) -", "check(n) +", False, id="body"),
        pytest.param("int take(int n)", "long take(int n)", False, id="result type"),
        pytest.param("throws Exception", "", False, id="exceptions"),
        pytest.param("return n + 1", "return n + 2", False, id="helper"),
        pytest.param("LIMIT = 10", "LIMIT = 11", False, id="constant behind a field"),
    ],
)
def test_java_method(old: str, new: str, same: bool) -> None:
    assert (java_digest(edited(JAVA, old, new)) == java_digest(JAVA)) is same


@pytest.mark.parametrize(
    ("text", "old", "new", "same"),
    [
        pytest.param("class B { int f() { return 1; } }\nclass C {}", "C {}", "D {}", True, id="other class"),
        pytest.param("class B { B() { n = 1; } int n; }", "n = 1", "n = 2", False, id="constructor"),
        pytest.param("enum E { A(1); int f() { return A.n; } int n; E(int n) { this.n = n; } }", "A(1)", "A(2)", False,
                     id="enum constant"),
        pytest.param("interface B { default int f() { return 1; } }", "return 1", "return 2", False, id="default"),
        pytest.param('class B { String f() { return """\n // a\n"""; } }', "// a", "// b", False, id="text block"),
    ],
)  # fmt: skip
def test_java_method_in_odd_files(text: str, old: str, new: str, same: bool) -> None:
    name = next(one for one in ("E.f()", "B.B()", "B.f()") if f"{one.split('.')[1][:-1]}" in text and one[0] in text)
    assert (java_digest(edited(text, old, new), name) == java_digest(text, name)) is same


TESTS = {
    "t.c": "static int help(void) { return 1; }\nstatic void test_a(void **state) { assert_int_equal(f(1), help()); }\n"
    "START_TEST(test_b) { ck_assert(f(2)); } END_TEST\nint main(void) { test_a(0); return 0; }\n",
    "t.cc": "TEST(Bank, takes) { EXPECT_EQ(f(1), 1); }\nTEST_P(Bank, gives) { EXPECT_EQ(f(1), 2); }\n",
    "n.cc": "namespace { TEST(Bank, takes) { EXPECT_EQ(f(1), 1); } }\nint more;",
    "BankTest.java": "class BankTest { @Test void one() { f(1); }\n @ParameterizedTest void two(int a) { f(a); }\n"
    " @Nested class Deep { @Test void three() { f(3); } } }",
}


@pytest.mark.parametrize(
    ("file", "test", "old", "new", "same"),
    [
        pytest.param("t.c", "test_a", "assert_int_equal(f(1)", "assert_int_equal(f(2)", False, id="cmocka"),
        pytest.param("t.c", "test_a", "f(2)", "f(3)", True, id="another test"),
        pytest.param("t.c", "test_a", "static int help", "/* x */ static  int help", True, id="comment"),
        pytest.param("t.c", "test_b", "f(2)", "f(3)", False, id="Check"),
        pytest.param("t.c", "main", "test_a(0)", "test_a(1)", False, id="main"),
        pytest.param("t.c", "test_gone", "f(2)", "f(3)", False, id="not found: the whole file"),
        pytest.param("t.c", "test_gone", "f(2)", "f( 2 /* c */)", True, id="not found: its tokens"),
        pytest.param("t.cc", "Bank.takes", "EXPECT_EQ(f(1), 1)", "EXPECT_EQ(f(1), 3)", False, id="GoogleTest"),
        pytest.param("t.cc", "Bank.takes", "EXPECT_EQ(f(1), 2)", "EXPECT_EQ(f(1), 3)", True, id="its neighbour"),
        pytest.param(
            "t.cc", "All/Bank.gives/7", "EXPECT_EQ(f(1), 2)", "EXPECT_EQ(f(1), 3)", False, id="its parameters"
        ),
        pytest.param("t.cc", "All/Bank.gives/7", "EXPECT_EQ(f(1), 1)", "EXPECT_EQ(f(1), 3)", True, id="and neighbour"),
        pytest.param("n.cc", "Bank.takes", "int more", "int less", False, id="in a namespace: the whole file"),
        pytest.param("BankTest.java", "BankTest.one", "f(1)", "f(2)", False, id="JUnit"),
        pytest.param("BankTest.java", "BankTest.one", "f(a)", "f(a + 1)", True, id="another JUnit test"),
        pytest.param("BankTest.java", "BankTest.two(int)[2]", "f(a)", "f(a + 1)", False, id="repetition"),
        pytest.param("BankTest.java", "BankTest.two[2]", "f(1)", "f(2)", True, id="repetition, and another test"),
        pytest.param("BankTest.java", "BankTest$Deep.three", "f(3)", "f(4)", False, id="nested class"),
        pytest.param("BankTest.java", "BankTest$Deep.three", "f(1)", "f(4)", True, id="nested class, another test"),
        pytest.param("BankTest.java", "p.q.BankTest.one", "f(a)", "f(a + 1)", True, id="with its package"),
        pytest.param("BankTest.java", "Base.four", "f(1)", "f(4)", False, id="inherited: the whole file"),
    ],
)
def test_tests(file: str, test: str, old: str, new: str, same: bool) -> None:
    after = {file: edited(TESTS[file], old, new)}
    assert (Bodies(after.get).test(file, test) == Bodies(TESTS.get).test(file, test)) is same


def test_no_file() -> None:
    bodies = Bodies({}.get)
    assert bodies.function("a.c", "f") is None and bodies.test("ATest.java", "ATest.f") is None


def test_names_do_not_matter_to_the_digest_of_another_kind() -> None:
    """A function is never told by a test of its name, nor a test by a function of a test's macro."""
    text = "TEST(f, g) { return 1; }\nint h(void) { return 2; }"
    bodies = Bodies({"a.c": text}.get)
    assert bodies.function("a.c", "f") == bodies.function("a.c", "nothing")
    assert bodies.test("a.c", "f.g") == bodies.test("a.c", "g") != bodies.test("a.c", "h")


HOSTILE = [
    "", "\0", "{" * 50, "}" * 50, "int f(", "int f(void) {", "#if\n#endif\n#endif\n#else\nint f(void) {}",
    '"', "/*", "\ud800",
    "#define f f\n#define g f g\nint f(void) { g; }", "class", "class A { int f() {", "\ufeffint f(void) { return 1; }",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_any_text_has_digests(text: str) -> None:
    for file in ("a.c", "A.java"):
        bodies = Bodies({file: text}.get)
        for name in ("f", "A.f()", "", "\0", "." * 99, "/" * 99, "(" * 99):
            assert len(bodies.function(file, name) or "") == len(bodies.test(file, name) or "") == 24


def many(form: str, count: int) -> str:
    """``form`` again and again, its # a number and its ## the next one."""
    return "".join(form.replace("##", str(i + 1)).replace("#", str(i)) for i in range(count))


DEEP = "new A() { /*@ pure @*/ int f() { f();"
GROWING = {
    "macros": ("a.c", lambda n: many("\n%define m# m##", n).replace("%", "#") + "\nint f(void) { m0; }"),
    "enumerators": ("a.c", lambda n: "enum e { " + many("e#, ", n) + "e };int f(void) { return e1; }"),
    "a chain of enumerators": ("a.c", lambda n: many("enum { a# = a## };\n", n) + "int f(void) { return a0; }"),
    "definitions of one name": ("a.c", lambda n: "int f(void) { return g; }\n" * n),
    "braces": ("a.c", lambda n: "int f(void) {" + "{" * n),
    "conditionals": ("a.c", lambda n: "int f(void) {" + "\n#if a\n{" * n),
    "one long head": ("a.c", lambda n: "int " * n + "f(void) { }"),
    "dots": ("A.java", lambda n: "class A { int f() { return " + "a." * n + "b; } }"),
    "methods": ("A.java", lambda n: "class A {" + many("int f#() { return f##(); }\n", n) + "}"),
    "classes in methods": ("A.java", lambda n: "class A { int f() { " + (DEEP * 25 + "} };" * 25) * (n // 250) + "} }"),
}


@pytest.mark.parametrize("shape", GROWING)
def test_the_cost_is_linear(shape: str) -> None:
    file, text = GROWING[shape]

    def work(size: int) -> None:
        bodies = Bodies({file: text(size)}.get)
        bodies.function(file, "f" if file == "a.c" else "A.f()")
        bodies.function(file, "A.f0()")
        bodies.test(file, "f" + ".f" * size)

    assert_grows_linearly(work, 1000, 8000)
