"""What single tests show: tables of test text → pins (as text, see ``c_pin_text``)."""

# ruff: noqa: E501 -- tables of C text
from __future__ import annotations

from pathlib import Path

import pytest
from c_pin_text import in_main, pin_text, read, types_in
from clausefit.hook.compile_commands import settings_for
from clausefit.hook.pins.c_tests import function_types, pins_from_c
from clausefit.hook.pins.preprocess import Preprocessed, preprocess
from clausefit.hook.pins.values import Returned

CASES = Path(__file__).resolve().parents[1] / "cases"

F = "int f(int a); unsigned g(unsigned u); _Bool ok(int v); char letter(int c); unsigned char byte(int c);"
MEMORY = "void set(int *p); int sum(const int *t, int n); int *find(int *t, int n); void touch(char *s);"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("assert(f(2) == 3);", ["f(a=2) -> 3"], id="equality"),
        pytest.param("assert(3 == f(2));", ["f(a=2) -> 3"], id="sides swapped"),
        pytest.param("assert(((int)f((2))) == (int)3L);", ["f(a=2) -> 3"], id="casts that keep the value"),
        pytest.param("assert((long)f(2) == -3L);", ["f(a=2) -> -3"], id="widened before the comparison"),
        pytest.param("assert((char)f(2) == 3);", ["f(a=2) -> ?"], id="a narrowing cast leaves several results"),
        pytest.param("assert(!f(2));", ["f(a=2) -> 0"], id="not"),
        pytest.param("assert(!!f(2));", ["f(a=2) -> ?!=0"], id="not not"),
        pytest.param("assert(f(2));", ["f(a=2) -> ?!=0"], id="bare int"),
        pytest.param("assert(ok(2));", ["ok(v=2) -> 1"], id="bare _Bool is 1"),
        pytest.param("assert(ok(2) != 1);", ["ok(v=2) -> 0"], id="_Bool that is not 1"),
        pytest.param("assert(f(2) != 0);", ["f(a=2) -> ?!=0"], id="inequality"),
        pytest.param("assert(f(2) != 1); ", ["f(a=2) -> ?!=1"], id="inequality with another value"),
        pytest.param("assert(f(2) > 0);", ["f(a=2) -> ?"], id="an ordering shows no value"),
        pytest.param("assert(f(2) == 3 || f(3) == 4);", ["f(a=2) -> ?"], id="either side of || may be the true one"),
        pytest.param("assert(!(f(2) != 3 || f(3) != 4));", ["f(a=2) -> 3", "f(a=3) -> 4"], id="negated ||"),
        pytest.param("assert(f(2) == 3 && f(3) == 4);", ["f(a=2) -> 3", "f(a=3) -> 4"], id="conjunction"),
        pytest.param("int r = f(2); assert(r == 3);", ["f(a=2) -> 3"], id="held in a variable"),
        pytest.param("long r = f(2); long q = r; assert(q == 3);", ["f(a=2) -> 3"], id="held in a wider variable"),
        pytest.param("int r = f(2); r = r + 1; assert(r == 3);", ["f(a=2) -> ?"], id="arithmetic is not undone"),
        pytest.param("int same = f(2) == 3; assert(same);", ["f(a=2) -> 3"], id="the comparison held in a variable"),
        pytest.param("int r = f(2); int s = f(5); assert(r == 3); assert(s == 6);",
                     ["f(a=2) -> 3", "f(a=5) -> 6"], id="asserted after the next call"),
        pytest.param("assert(g(0) == -1);", ["g(u=0) -> 4294967295"], id="-1 compared with unsigned"),
        pytest.param("assert(g(-1) == 0xffffffffu);", ["g(u=4294967295) -> 4294967295"], id="argument wraps"),
        pytest.param("assert(letter(200) == (char)200);", ["letter(c=200) -> -56"], id="char is signed"),
        pytest.param("assert(byte('\\xe9') == 0xe9);", ["byte(c=-23) -> 233"], id="escape above 127 is negative"),
        pytest.param("assert(f('a' + 010 + 0x1F + 0b11) == 1);", ["f(a=139) -> 1"], id="literals of every base"),
        pytest.param("assert(f(sizeof(int[3])) == 1); assert(f(sizeof \"abc\") == 1);",
                     ["f(a=12) -> 1", "f(a=4) -> 1"], id="sizeof"),
        pytest.param("enum { A, B = 5, C }; assert(f(C) == B);", ["f(a=6) -> 5"], id="enumerators"),
        pytest.param("assert(f(1 ? -7 / 2 : 0) == -7 % 3);", ["f(a=-3) -> -1"], id="division truncates"),
        pytest.param("assert(f((1, 2)) == 3);", ["f(a=2) -> 3"], id="comma"),
        pytest.param("int x = 2; assert(f(x++) == 3); assert(f(x) == 4);", ["f(a=2) -> 3", "f(a=3) -> 4"], id="x++"),
        pytest.param("int x = 2147483647; assert(f(x + 1) == 3);", [], id="overflow has no value"),
        pytest.param("int x; assert(f(x) == 3);", [], id="not initialised"),
        pytest.param("assert(f(f(2)) == 2);", [], id="nested call: the inner result is not known"),
        pytest.param("assert(f(1) + f(2) == 3);", ["f(a=1) -> ?", "f(a=2) -> ?"], id="a sum of two calls"),
        pytest.param("f(4);", ["f(a=4) -> ?"], id="the call alone shows a valid input"),
        pytest.param("if (f(2) != 3) return 1;", ["f(a=2) -> 3"], id="main returns 1 on failure"),
        pytest.param("if (f(2) != 3) { abort(); }", ["f(a=2) -> 3"], id="abort on failure"),
        pytest.param("if (f(2) != 3) { puts(\"x\"); exit(1); }", ["f(a=2) -> 3"], id="exit(1) on failure"),
        pytest.param("if (f(2) == 3) puts(\"ok\"); else abort();", ["f(a=2) -> 3"], id="abort in the else branch"),
        pytest.param("do { assert(f(2) == 3); } while (0);", ["f(a=2) -> 3"], id="do once"),
        pytest.param("int r = f(1); switch (2) { case 1: f(7); break; case 2: assert(f(2) == 3); }",
                     ["f(a=1) -> ?", "f(a=2) -> 3"], id="switch on a constant"),
        pytest.param("for (int i = 0; i < 3; i++) assert(f(i) == i * 2);",
                     ["f(a=0) -> 0", "f(a=1) -> 2", "f(a=2) -> 4"], id="loop with constant bounds"),
        pytest.param("int r = f(0); for (int i = 0; i < r; i++) assert(f(i) == 1); assert(f(9) == 1);",
                     ["f(a=0) -> ?", "f(a=9) -> 1"], id="loop whose bound is not known"),
        pytest.param("int x = 1; if (f(0)) { x = 2; } assert(f(x) == 3); assert(f(5) == 1);",
                     ["f(a=0) -> ?", "f(a=5) -> 1"], id="changed under a condition"),
        pytest.param("if (f(0)) return 0; assert(f(5) == 1);", ["f(a=0) -> ?"], id="may have returned before"),
        pytest.param("if (f(0)) goto out; f(1); out: f(2);", ["f(a=0) -> ?"], id="goto"),
        pytest.param("static int t[] = {1, 2}; for (unsigned i = 0; i < sizeof t / sizeof *t; i++) assert(f(t[i]) == 5);",
                     ["f(a=1) -> 5", "f(a=2) -> 5"], id="table, length by sizeof"),
        pytest.param("struct { int in, out; } cases[] = {{1, 2}, {.out = 4, .in = 3}, 5, 6};"
                     "for (int i = 0; i < 3; i++) assert(f(cases[i].in) == cases[i].out);",
                     ["f(a=1) -> 2", "f(a=3) -> 4", "f(a=5) -> 6"], id="table of structs"),
        pytest.param("int (*h)(int) = f; assert(h(2) == 3); assert((*h)(4) == 5);",
                     ["f(a=2) -> 3", "f(a=4) -> 5"], id="through a function pointer"),
        pytest.param("volatile int x = 2; assert(f(x) == 3);", [], id="volatile"),
    ],
)  # fmt: skip
def test_scalars(body: str, expected: list[str]) -> None:
    assert in_main(F, body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("int s = 10; set(&s); assert(s == 6); set(&s);",
                     ["set(p=&s) s=10 ->; s=6", "set(p=&s) s=6 ->; s=?"], id="asserted, then known for the next call"),
        pytest.param("int a[3] = {1}; set(a + 1); assert(a[1] == 5);",
                     ["set(p=&a.1) a=[1, 0, 0] ->; a=[?, 5, ?]"], id="zero fill, pointer into an array"),
        pytest.param("int a[3] = {[1] = 4}; assert(sum(a, 3) == 4); assert(sum(&a[1], 2) == 4);",
                     ["sum(t=&a.0, n=3) a=[0, 4, 0] -> 4; a=[0, 4, 0]", "sum(t=&a.1, n=2) a=[0, 4, 0] -> 4; a=[0, 4, 0]"],
                     id="const pointee stays known"),
        pytest.param("int x = 1, y = 2; set(&x); assert(sum(&y, 1) == 2); assert(x == 3);",
                     ["set(p=&x) x=1 ->; x=?", "sum(t=&y, n=1) y=2 -> 2; y=2"],
                     id="x escaped: its value after set is not the one that is asserted later"),
        pytest.param("int a[2] = {3, 4}; assert(find(a, 2) == a + 1);",
                     ["find(t=&a.0, n=2) a=[3, 4] -> &a.1; a=[?, ?]"], id="result points into the argument"),
        pytest.param("int a[2] = {3, 4}; assert(find(a, 2) == ((void *)0));",
                     ["find(t=&a.0, n=2) a=[3, 4] -> null; a=[?, ?]"], id="null result"),
        pytest.param("int a[2] = {3, 4}; assert(find(a, 2));",
                     ["find(t=&a.0, n=2) a=[3, 4] -> ?!=null; a=[?, ?]"], id="result that is not null"),
        pytest.param("int a[2] = {3, 4}; int *r = find(a, 2); *r = 1; assert(sum(a, 2) == 4);",
                     ["find(t=&a.0, n=2) a=[3, 4] -> ?; a=[?, ?]", "sum(t=&a.0, n=2) a=[?, ?] -> 4; a=[?, ?]"],
                     id="a write through an unknown pointer"),
        pytest.param("char s[4] = \"ab\"; touch(s); assert(strcmp(s, \"AB\") == 0);",
                     ["touch(s=&s.0) s=[97, 98, 0, 0] ->; s=[65, 66, 0, ?]"], id="strcmp shows up to the NUL"),
        pytest.param("char s[4]; strcpy(s, \"ab\"); touch(s); assert(!memcmp(s, \"AB\", 2));",
                     ["touch(s=&s.0) s=[97, 98, 0, ?] ->; s=[65, 66, ?, ?]"], id="memcmp shows its bytes"),
        pytest.param("char s[3]; memset(s, 'x', sizeof s); touch(s);",
                     ["touch(s=&s.0) s=[120, 120, 120] ->; s=[?, ?, ?]"], id="memset"),
        pytest.param("int a[2] = {1, 2}, b[2]; memcpy(b, a, sizeof a); assert(sum(b, 2) == 3);",
                     ["sum(t=&b.0, n=2) b=[1, 2] -> 3; b=[1, 2]"], id="memcpy"),
        pytest.param("int m[2][2] = {1, 2, {3}}; assert(sum(m[1], 2) == 3);",
                     ["sum(t=&m.1.0, n=2) m=[[1, 2], [3, 0]] -> 3; m=[[1, 2], [3, 0]]"], id="two dimensions"),
        pytest.param("int a[2] = {1, 2}; set(a); set(&a[5]);", ["set(p=&a.0) a=[1, 2] ->; a=[?, ?]"], id="out of bounds"),
        pytest.param("int *p; set(p);", [], id="pointer not initialised"),
        pytest.param("set((int[]){1, 2});", ["set(p=&(literal).0) (literal)=[1, 2] ->; (literal)=[?, ?]"],
                     id="compound literal"),
        pytest.param("set(0);", ["set(p=null) ->"], id="null argument"),
        pytest.param("int x = 1; int *p = &x; int **q = &p; **q = 7; set(*q);", ["set(p=&x) x=7 ->; x=?"],
                     id="pointers to pointers"),
        pytest.param("int x = 1, y = 2; int *p = sum(0, 0) ? &x : &y; *p = 3; assert(sum(&y, 1) == 1);",
                     ["sum(t=null, n=0) -> ?", "sum(t=&y, n=1) y=? -> 1; y=?"], id="pointer to one of two"),
        pytest.param("int x = 1; assert(x + sum(&x, 1) == 2); set(&x);",
                     ["sum(t=&x, n=1) x=1 -> ?; x=1", "set(p=&x) x=1 ->; x=?"], id="read beside a call that keeps it"),
        pytest.param("float v[1] = {0.1f}; set((int *)v);", [], id="pointer to another type"),
        pytest.param("touch(\"ab\");", ["touch(s=&\"ab\".0) \"ab\"=[97, 98, 0] ->; \"ab\"=[97, 98, 0]"],
                     id="a literal cannot change"),
    ],
)  # fmt: skip
def test_memory(body: str, expected: list[str]) -> None:
    assert in_main(MEMORY, body + "\n") == expected


STRUCTS = """struct pt { int x, y; }; typedef struct { struct pt at; char tag[2]; } item;
struct node { int v; struct node *next; };
struct pt mirror(struct pt p); void shift(struct pt *p, int d); int weigh(const item *i); int length(struct node *n);
double half(double x); float root(float x); enum color { RED, BLUE }; enum color next(enum color c);"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("struct pt p = {1, 2}, r = mirror(p); assert(r.x == 2 && r.y == 1);",
                     ["mirror(p={x: 1, y: 2}) -> {x: 2, y: 1}"], id="struct by value"),
        pytest.param("assert(mirror((struct pt){.y = 3}).x == 3);",
                     ["mirror(p={x: 0, y: 3}) -> {x: 3, y: ?}"], id="a member of the result"),
        pytest.param("struct pt p = {1}; shift(&p, 2); assert(p.x == 3);",
                     ["shift(p=&p, d=2) p={x: 1, y: 0} ->; p={x: 3, y: ?}"], id="struct in place"),
        pytest.param("struct pt p[2] = {{1, 2}, {3, 4}}; shift(p + 1, 2); assert(p[1].y == 4);",
                     ["shift(p=&p.1, d=2) p=[{x: 1, y: 2}, {x: 3, y: 4}] ->; p=[{x: ?, y: ?}, {x: ?, y: 4}]"],
                     id="struct in an array"),
        pytest.param("item i = {.at.y = 5, .tag = \"a\"}; assert(weigh(&i) == 9);",
                     ["weigh(i=&i) i={at: {x: 0, y: 5}, tag: [97, 0]} -> 9; i={at: {x: 0, y: 5}, tag: [97, 0]}"],
                     id="nested designator, typedef name"),
        pytest.param("struct node b = {2, 0}, a = {1, &b}; assert(length(&a) == 2); assert(a.next == ((void *)0));",
                     ["length(n=&a) a={v: 1, next: &b} b={v: 2, next: null} -> 2; a={v: ?, next: null} b={v: ?, next: ?}"],
                     id="linked"),
        pytest.param("assert(half(3) == 1.5); assert(half(0x1p-2) == .125);",
                     ["half(x=3.0) -> 1.5", "half(x=0.25) -> 0.125"], id="double"),
        pytest.param("assert(half(0.0) == 0.0);", ["half(x=0.0) -> ?"], id="zero may have either sign"),
        pytest.param("assert(half(-0.0) != 0.5);", ["half(x=-0.0) -> ?!=0.5"], id="negative zero as input"),
        pytest.param("assert(root(0.25f) == 0.5);", ["root(x=0.25) -> 0.5"], id="float compared as double"),
        pytest.param("assert(root(1) == 0.1);", [], id="no float equals 0.1: the test is not understood"),
        pytest.param("assert(next(RED) == BLUE);", ["next(c=0) -> 1"], id="enum"),
    ],
)  # fmt: skip
def test_structs_floats_enums(body: str, expected: list[str]) -> None:
    assert in_main(STRUCTS, body) == expected


def test_types_are_canonical() -> None:
    header = "typedef unsigned char u8; typedef struct { u8 b; } box; long use(const u8 *p, box *q, unsigned long n);"
    pin = read(header, "int main(void) { u8 a[2] = {1}; box b = {2}; assert(use(a, &b, 'x') == 4); }").pins[0]
    assert isinstance(pin.outcome, Returned)
    assert pin.outcome.result is not None
    assert [value.type for _, value in pin.arguments] == ["const unsigned char *", "box *", "unsigned long"]
    assert [types_in(block.value) for block in pin.blocks] == [
        ["unsigned char", "unsigned char"],
        ["box", "unsigned char"],
    ]
    assert pin.outcome.result.type == "long"


@pytest.mark.parametrize(
    ("header", "test", "expected"),
    [
        pytest.param("extern int level; void up(void);", "int main(void) { level = -1; up(); assert(level == 3); }",
                     ["up() ::level=-1 ->; ::level=3"], id="a global of the program"),
        pytest.param("extern int level; void up(void);", "int main(void) { up(); assert(level == 3); }",
                     ["up() ::level=? ->; ::level=3"], id="shown only afterwards"),
        pytest.param("extern int level; void up(void);", "int main(void) { up(); }", ["up() ->"], id="never shown"),
        pytest.param("void up(void);", "extern int level; int main(void) { level = 1; up(); }",
                     ["up() ::level=1 ->; ::level=?"], id="declared extern in the test"),
        pytest.param("void up(int *p);", "int own = 4; int main(void) { up(&own); }",
                     ["up(p=&own) own=4 ->; own=?"], id="defined in the test file"),
        pytest.param("int f(int a);", "static int n = 4; int main(void) { assert(f(n) == 1); assert(f(n) == 2); }",
                     ["f(a=4) -> 1", "f(a=4) -> 2"], id="a static that the program cannot reach"),
        pytest.param("int f(int a);", "int n = 4; int main(void) { assert(f(n) == 1); assert(f(n) == 2); }",
                     ["f(a=4) -> 1"], id="a global that the program can reach"),
        pytest.param("int f(int a);", "static int n = 4; int hook(void) { return n++; }\n"
                     "int main(void) { assert(f(n) == 1); assert(f(n) == 2); }",
                     ["f(a=4) -> 1"], id="a static that a function of the test changes for the program"),
        pytest.param("int f(int a); int twice(int (*h)(int));", "static int n = 4; static int h(int a) { n = a; return 0; }\n"
                     "int main(void) { assert(twice(h) == 1); assert(f(n) == 2); }",
                     ["twice(h=&h()) -> 1"], id="a static that a callback changes"),
        pytest.param("int f(int a);", "static void check(int in, int out) { assert(f(in) == out); }\n"
                     "int main(void) { check(1, 2); check(3, 4); }", ["f(a=1) -> 2", "f(a=3) -> 4"], id="helper"),
        pytest.param("int f(int a);", "static int fac(int n) { return n < 2 ? 1 : n * fac(n - 1); }\n"
                     "int main(void) { assert(f(fac(4)) == 1); }", ["f(a=24) -> 1"], id="recursive helper"),
        pytest.param("int f(int a);", "static int twice(int n) { static int calls; calls++; return n * 2 + calls; }\n"
                     "int main(void) { assert(f(twice(1)) == 1); assert(f(twice(1)) == 2); }",
                     ["f(a=3) -> 1", "f(a=4) -> 2"], id="static local of a helper"),
        pytest.param("int f(int a);", "void unused(void) { assert(f(1) == 2); } int main(void) { return 0; }", [],
                     id="a function that is never run shows nothing"),
        pytest.param("int f(int a);", "int main(void) { exit(0); assert(f(1) == 2); }", [], id="after exit"),
        pytest.param("int f(int a);", "void test_a(void) { assert(f(1) == 2); }", ["f(a=1) -> 2"], id="no main: test_a"),
        pytest.param("int f(int a);", "static int t = 3; void test_a(void) { assert(f(t) == 2); }", ["f(a=3) -> 2"],
                     id="a static that nothing writes"),
        pytest.param("int f(int a);", "static int t = 3; void test_a(void) { assert(f(t) == 2); } void test_b(void) { t = 4; }",
                     [], id="a static that another test writes"),
        pytest.param("int f(int *a);", "static int t[1]; void test_a(void) { assert(f(t) == 2); }",
                     ["f(a=&t.0) t=[?] -> 2; t=[?]"], id="a static that an earlier test may have let change"),
        pytest.param("int f(const int *a);", "static int t[1] = {7}; void test_a(void) { assert(f(t) == 2); }",
                     ["f(a=&t.0) t=[7] -> 2; t=[7]"], id="a static passed as const"),
        pytest.param("extern int level; int f(int a);", "int main(void) { f(1); printf(\"%d\", level); assert(level == 3); }",
                     ["f(a=1) ::level=? -> ?; ::level=3"], id="printf between the call and the assertion"),
        pytest.param("extern int level; int f(int a);", "int main(void) { f(1); log_it(level); assert(level == 3); }",
                     ["f(a=1) -> ?"], id="another function between the call and the assertion"),
        pytest.param("int f(int a);", "void test_a(void) { static int t[] = {3}; assert(f(t[0]) == 2); }",
                     ["f(a=3) -> 2"], id="a test's own static table"),
        pytest.param("int f(int a);", "static int n(void) { static int c = 3; return c++; } void test_a(void) { assert(f(n()) == 2); }",
                     [], id="a helper's static, after other tests"),
        pytest.param("int f(int a); int twice(int (*h)(int));", "static int h(int a) { static int c = 3; return c++; }\n"
                     "int main(void) { twice(h); assert(f(h(0)) == 2); }",
                     ["twice(h=&h()) -> ?"], id="a callback's static"),
        pytest.param("int f(int a); int run(void (*t)(void));", "static int n = 1; static void test_a(void) { n = 2; }\n"
                     "int main(void) { RUN_TEST(test_a); assert(f(n) == 2); }",
                     [], id="the framework ran another test"),
        pytest.param("int f(int a);", "int main(void) { assert(f(1) == 2); assert(f(1) == 2); int x = 1; assert(x == 2); }",
                     [], id="contradiction: nothing of the test is used"),
    ],
)  # fmt: skip
def test_files(header: str, test: str, expected: list[str]) -> None:
    assert [pin_text(pin) for pin in read(header, test).pins] == expected


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        pytest.param("f(f(1));", "nested", id="nested"),
        pytest.param("int x; f(x);", "value of argument a is not known", id="unknown scalar"),
        pytest.param("int *p; s(p);", "pointer of argument p is not known", id="unknown pointer"),
        pytest.param("if (f(0)) f(1);", "condition", id="conditional"),
        pytest.param('char c[1]; assert(!strcmp(n(c), "x"));', "what the result points to", id="shown by content"),
        pytest.param("v(1, 2);", "variable number", id="variadic"),
        pytest.param("int x = 1; assert(s(&x) == s(&x));", "order", id="order"),
        pytest.param("union u b = {1}; un(b);", "union", id="union"),
        pytest.param("struct bits b = {1}; bi(b);", "bit-field", id="bit-field"),
        pytest.param("ld(1.0L);", "long double", id="long double"),
        pytest.param("void *j; setjmp(j); f(1);", "condition", id="after setjmp"),
        pytest.param("undeclared(1);", "not declared", id="no declaration"),
    ],
)
def test_what_is_left_out_has_a_reason(body: str, reason: str) -> None:
    header = """int f(int a); int s(int *p); const char *n(char *c); int v(int a, ...); union u { int a; float b; };
    int un(union u a); struct bits { int a : 3; }; int bi(struct bits b); int ld(long double x);"""
    functions = {"f", "s", "n", "v", "un", "bi", "ld", "undeclared"}
    found = read(header, f"int main(void) {{ {body} }}", functions=functions)
    assert any(reason in ignored.reason for ignored in found.ignored), found


def test_origin_names_test_file_and_line() -> None:
    found = read("int f(int a);", "static void check(int a) {\n assert(f(a) == 1);\n}\nstatic void test_one(void) {\n"
                 " assert(f(0) == 3);\n check(4);\n}\nint main(void) {\n assert(f(9) == 1);\n test_one();\n}")  # fmt: skip
    assert [(p.origin.kind, p.origin.test, p.origin.file, p.origin.line) for p in found.pins] == [
        ("static", "main", "test.c", 9), ("static", "test_one", "test.c", 5), ("static", "test_one", "test.c", 6),
    ]  # fmt: skip
    assert found.run_by_main == {"test_one"}


@pytest.mark.parametrize(
    ("framework", "test", "expected"),
    [
        pytest.param("cmocka.h", "assert_int_equal(f(1), -2); assert_int_not_equal(f(2), 0); assert_true(f(3) == 4);"
                     "assert_false(f(5)); assert_null(p(0)); assert_non_null(p(1));"
                     "assert_float_equal(d(1), 2.5, 0); assert_float_equal(d(2), 2.5, 0.1);",
                     ["f(a=1) -> -2", "f(a=2) -> ?!=0", "f(a=3) -> 4", "f(a=5) -> 0", "p(a=0) -> null",
                      "p(a=1) -> ?!=null", "d(x=1.0) -> ?", "d(x=2.0) -> ?"], id="cmocka"),
        pytest.param("cmocka.h", "char s[3] = \"ab\"; t(s); assert_string_equal(s, \"x\"); int a[2] = {1, 2}, b[2] = {3, 4};"
                     "w(a); assert_memory_equal(a, b, sizeof a); assert_ptr_equal(q(a), a + 1);",
                     ["t(s=&s.0) s=[97, 98, 0] ->; s=[120, 0, ?]", "w(a=&a.0) a=[1, 2] ->; a=[3, 4]",
                      "q(a=&a.0) a=[3, 4] -> &a.1; a=[?, ?]"], id="cmocka memory"),
        pytest.param("check.h", "ck_assert_int_eq(f(1), 2); ck_assert_uint_eq(f(3), 4u); ck_assert(!f(5));"
                     "ck_assert_ptr_eq(p(6), ((void *)0)); ck_assert_msg(f(7) == 8, \"no %d\", 1);"
                     "char s[2] = \"a\"; t(s); ck_assert_str_eq(s, \"b\");",
                     ["f(a=1) -> 2", "f(a=3) -> 4", "f(a=5) -> 0", "p(a=6) -> null", "f(a=7) -> 8",
                      "t(s=&s.0) s=[97, 0] ->; s=[98, 0]"], id="Check"),
        pytest.param("unity.h", "TEST_ASSERT_EQUAL(2, f(1)); TEST_ASSERT_EQUAL_INT(4, f(3)); TEST_ASSERT_FALSE(f(5));"
                     "TEST_ASSERT_NULL(p(6)); TEST_ASSERT_EQUAL_HEX8(0xff, f(7)); TEST_ASSERT_EQUAL_MESSAGE(1, f(8), \"m\");"
                     "int a[2] = {1, 2}, b[2] = {3, 4}; w(a); TEST_ASSERT_EQUAL_INT_ARRAY(b, a, 2);"
                     "TEST_ASSERT_EQUAL_DOUBLE(0.5, d(1));",
                     ["f(a=1) -> 2", "f(a=3) -> 4", "f(a=5) -> 0", "p(a=6) -> null", "f(a=7) -> ?", "f(a=8) -> 1",
                      "w(a=&a.0) a=[1, 2] ->; a=[3, 4]", "d(x=1.0) -> ?"], id="Unity"),
        pytest.param("criterion/criterion.h", "cr_assert_eq(f(1), 2); cr_expect_eq(f(3), 4, \"msg\"); cr_assert(f(5) == 6);"
                     "cr_assert_not(f(7)); char s[2] = \"a\"; t(s); cr_assert_str_eq(s, \"b\");"
                     "int a[2] = {1, 2}, b[2] = {3, 4}; w(a); cr_assert_arr_eq(a, b, sizeof b);",
                     ["f(a=1) -> 2", "f(a=3) -> 4", "f(a=5) -> 6", "f(a=7) -> 0", "t(s=&s.0) s=[97, 0] ->; s=[98, 0]",
                      "w(a=&a.0) a=[1, 2] ->; a=[3, 4]"], id="Criterion"),
        pytest.param("gtest/gtest.h", "EXPECT_EQ(f(1), 2) << \"msg\" << 3; ASSERT_EQ(4, f(3)); EXPECT_TRUE(f(5) == 6);"
                     "EXPECT_FALSE(f(7)); char s[2] = \"a\"; t(s); EXPECT_STREQ(\"b\", s); EXPECT_LT(f(9), 3);",
                     ["f(a=1) -> 2", "f(a=3) -> 4", "f(a=5) -> 6", "f(a=7) -> 0", "t(s=&s.0) s=[97, 0] ->; s=[98, 0]",
                      "f(a=9) -> ?"], id="GoogleTest"),
        pytest.param("assert.h", "assert_int_equal(f(1), 2);", [], id="another framework's name means nothing"),
    ],
)  # fmt: skip
def test_frameworks(framework: str, test: str, expected: list[str]) -> None:
    header = "int f(int a); char *p(int a); double d(double x); void t(char *s); void w(int *a); int *q(int *a);"
    found = read(header, f"int main(void) {{ {test} }}", (framework,), {"f", "p", "d", "t", "w", "q"})
    shown = [pin_text(pin) for pin in found.pins]
    assert [text for text in shown if text != "f(a=1) -> ?"] == expected


@pytest.mark.parametrize("case", sorted(path.name for path in CASES.iterdir() if (path / "test.c").exists()))
def test_shared_cases_read_as_a_person_reads_them(case: str) -> None:
    expected = {
        "c01-tautology-bound": [
            "first_zero(buf=&a.0, len=4) a=[9, 8, 0, 0] -> 2; a=[9, 8, 0, 0]",
            "first_zero(buf=&b.0, len=3) b=[1, 2, 3] -> 3; b=[1, 2, 3]",
        ],
        "c02-sort-without-multiset": [
            "arrange(t=&a.0, n=4) a=[3, 1, 2, 1] ->; a=[1, 1, 2, 3]",
            "arrange(t=&b.0, n=1) b=[5] ->; b=[5]",
        ],
        "c05-char-range-precondition": [
            f"seek(s=&a.0, n=3, ch={ch}) a=[120, 121, 122] -> {r}; a=[120, 121, 122]"
            for ch, r in ((121, 1), (113, 3), (378, 2))
        ],
        "c06-postcondition-on-input": [
            "skip_dots(s=&a.0) a=[46, 46, 97, 98, 0, 0, 0, 0] -> &a.2; a=[46, 46, 97, 98, 0, 0, 0, 0]",
            "skip_dots(s=&b.0) b=[107, 0, 0, 0, 0, 0, 0, 0] -> &b.0; b=[107, 0, 0, 0, 0, 0, 0, 0]",
        ],
        "c07-size-where-terminator-bounds": [
            "same_upto(a=&p.0, b=&q.0, n=2) p=[97, 98, 0] q=[97, 98, 0] -> 1; p=[97, 98, 0] q=[97, 98, 0]",
            "same_upto(a=&p.0, b=&r.0, n=2) p=[97, 98, 0] r=[97, 120, 0] -> 0; p=[97, 98, 0] r=[97, 120, 0]",
            "same_upto(a=&p.0, b=&q.0, n=100) p=[97, 98, 0] q=[97, 98, 0] -> 1; p=[97, 98, 0] q=[97, 98, 0]",
        ],
        "c10-assigns-nothing-but-writes": ["take(stock=&s, k=4) s=10 ->; s=6", "take(stock=&s, k=0) s=6 ->; s=6"],
        "c11-formal-means-old": ["floor0(v=5) -> 5", "floor0(v=0) -> 0", "floor0(v=-3) -> 0"],
        "c12-inequality-for-exact-value": ["rearm() ::level=-1 ->; ::level=3"],
        "k01-control-saturating-abs": [
            "sat_abs(v=4) -> 4", "sat_abs(v=0) -> 0", "sat_abs(v=-4) -> 4", "sat_abs(v=-2147483648) -> 2147483647",
        ],
    }  # fmt: skip
    folder = CASES / case
    text = preprocess(folder / "test.c", folder, settings_for(folder / "test.c", folder))
    assert isinstance(text, Preprocessed)
    found = pins_from_c(text.text, text.file)
    assert [pin_text(pin) for pin in found.pins] == expected[case]
    assert not found.ignored
    assert not found.not_checked


def test_signatures() -> None:
    found = function_types(
        '# 1 "src.h" 1\ntypedef unsigned long size; const char *name(size n, int (*cmp)(int), ...);\n'
    )
    assert found["name"].result == "const char *"
    assert found["name"].parameters == (("n", "unsigned long"), ("cmp", "int (*)(int)"))
    assert found["name"].variadic
