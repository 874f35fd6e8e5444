"""The interpreter of Java: what it forgets, what it observes, where it stops. Its values are held to the real java
elsewhere (``tests/integration/test_java_machine_against_java.py``)."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from clausefit.hook.java.project import JavaProject
from clausefit.hook.pins import values as pins
from clausefit.hook.pins.java.machine import CallSite, Ended, Intrinsic, Machine, MachineLimits, ObservedCall, Step
from clausefit.hook.pins.java.values import VOID, Boxed, Native, Null, Prim, Str, Unknown, Value
from tree_sitter import Node


@dataclass
class Probe:
    """``p(x)`` notes a value; ``Probe.catching(() -> …)`` runs a closure as assertThrows does; ``wrapped(x)``."""

    seen: list[object] = field(default_factory=list)

    def find(self, owner: str, name: str) -> Intrinsic | None:
        if owner == "fluent.Subject" and name == "check":
            return self.check
        table = {"p": self.note, "catching": self.catching, "wrapped": self.native, "from": self.origin}
        return table.get(name) if owner == "probe.Probe" else None

    def note(self, machine: Machine, site: CallSite) -> Value:
        self.seen += [shown(one.evaluate()) for one in site.arguments]
        return VOID

    def catching(self, machine: Machine, site: CallSite) -> Value:
        ended = machine.run_closure(site.arguments[0].evaluate())
        kind = ended.thrown.type if ended.thrown is not None else ended.kind
        self.seen.append(f"{kind} {len(ended.calls)}")
        return VOID

    def native(self, machine: Machine, site: CallSite) -> Value:
        return machine.native("fluent.Subject", site.arguments[0].evaluate())

    def check(self, machine: Machine, site: CallSite) -> Value:
        assert isinstance(site.receiver, Native)
        self.seen.append(shown(site.receiver.payload))
        return site.receiver

    def origin(self, machine: Machine, site: CallSite) -> Value:
        call = machine.call_of(site.arguments[0].evaluate())
        self.seen.append(call.index if call is not None else None)
        return VOID


def shown(value: object) -> object:
    """A value for tables: Python values, ``...`` for what is not known, ``object`` for an object."""
    if isinstance(value, Prim):
        return value.value
    if isinstance(value, Boxed):
        return value.prim.value
    if isinstance(value, Str):
        return value.value
    if isinstance(value, Null):
        return None
    return ... if isinstance(value, Unknown) else "object"


IMPORTS = "import static probe.Probe.*;\nimport java.util.*;\nimport lib.Lib;\nimport p.Counter;\n"


@dataclass
class Ran:
    ended: Ended
    seen: list[object]
    calls: list[ObservedCall]


def run(
    source: str,
    watched: tuple[str, ...] = (),
    files: dict[str, str] | None = None,
    limits: MachineLimits | None = None,
    expects_exception: bool = False,
    before: str = "",
) -> Ran:
    """Run the method ``t`` of the class ``T`` whose members are ``source``."""
    project_files = {"test/T.java": f"{IMPORTS}class T {{\n{source}\n}}\n", **(files or {})}
    project = JavaProject(project_files.get, project_files)
    probe = Probe()
    machine = Machine(project, frozenset(watched), limits, probe)
    steps = [Step("test/T.java", "T", method_node(project, before))] if before else []
    ended = machine.run_test(
        "test/T.java", "T", method_node(project, "t"), before=steps, expects_exception=expects_exception
    )
    return Ran(ended, probe.seen, list(machine.calls))


def method_node(project: JavaProject, name: str, file: str = "test/T.java") -> Node:
    tree = project.tree(file)
    assert tree is not None
    todo = [tree.root]
    while todo:
        node = todo.pop()
        child = node.child_by_field_name("name")
        if (
            node.type == "method_declaration"
            and child is not None
            and tree.text[child.start_byte : child.end_byte] == name
        ):
            return node
        todo += node.children
    raise AssertionError(name)


CELL = (
    "static class C { int x = 1; final int f = 2; int[] a = {3}; final C next; C(C n) { next = n; } } static int s = 9;"
)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("int[] a = {1}; Lib.f(5); p(a[0]);", [1], id="an unknown call cannot reach what it is not given"),
        pytest.param("int[] a = {1}; Lib.f(a); p(a[0], a.length);", [..., 1], id="an array given away, not its length"),
        pytest.param(
            "int[][] a = {{1}}; int[] b = a[0]; Lib.f((Object) a); p(b[0]);", [...], id="reached through another array"
        ),
        pytest.param(
            "C c = new C(null); Lib.f(c); p(c.x, c.f, c.a, c.next);", [..., 2, ..., None], id="final fields stay"
        ),
        pytest.param(
            "C c = new C(new C(null)); Lib.f(c); p(c.next.x, c.next.f);", [..., 2], id="reached through a final field"
        ),
        pytest.param(
            "C c = new C(null); int[] a = c.a; Lib.f(c); p(a[0]);", [...], id="an array that a field referred to"
        ),
        pytest.param(
            "Lib.f(new C(null)); p(s);", [...], id="with an object the project's code may run, so statics are lost"
        ),
        pytest.param("Lib.f(new int[0]); p(s);", [9], id="no code of the project runs for an array"),
        pytest.param(
            "C c = new C(null); Lib.keep(c); c.x = 5; p(c.x); Lib.f(1); p(c.x);",
            [5, ...],
            id="what was given away once can be written later",
        ),
        pytest.param(
            "C c = new C(null); Object o = Lib.keep(c); o.hashCode(); p(c.x);",
            [...],
            id="an unknown object may hold what was given away",
        ),
        pytest.param(
            "C c = new C(null); Lib.f(1).g(); p(c.x);",
            [1],
            id="an unknown object does not hold what was never given away",
        ),
        pytest.param(
            "List<Integer> l = new ArrayList<>(); l.add(1); Lib.f(l); p(l.size());", [...], id="a list given away"
        ),
        pytest.param(
            "List<Integer> l = List.of(1); Lib.f(l); p(l.size(), l.get(0));", [1, 1], id="an immutable list stays"
        ),
        pytest.param(
            'StringBuilder b = new StringBuilder("x"); Lib.f(b); p(b.toString());', [...], id="a builder given away"
        ),
        pytest.param('String q = "x"; Integer i = 5; Lib.f(q, i); p(q, i);', ["x", 5], id="immutable values stay"),
        pytest.param(
            "int[] a = {1}; Lib.f(() -> a[0]++); p(a[0]);", [...], id="a lambda given away holds what it captures"
        ),
        pytest.param(
            "int[] a = {1}; int i = Lib.i(); a[i] = 5; p(a[0], a.length);", [..., 1], id="a write at an unknown index"
        ),
        pytest.param("int[] a = {1, 2}; int i = Lib.i(); p(a[i]);", [...], id="a read at an unknown index"),
        pytest.param(
            "int[] a = Lib.a(); int[] b = {1}; a[0] = 7; p(b[0]);",
            [1],
            id="a write to an unknown array that is not ours",
        ),
        pytest.param(
            "int[] b = {1}; int[] a = Lib.same(b); b[0] = 2; a[0] = 7; p(b[0]);",
            [...],
            id="a write to an unknown array that may be ours",
        ),
        pytest.param(
            "C b = new C(null); C a = Lib.c(b); b.x = 2; a.x = 7; p(b.x);",
            [...],
            id="a write to an unknown object that may be ours",
        ),
        pytest.param(
            "int i = Lib.i(); p(i + 1, i == i + 1, i * 0, -i, ~i, i << 1);", [...] * 6, id="arithmetic on the unknown"
        ),
        pytest.param(
            "boolean b = Lib.b(); p(b && false, false && b, b || true, b & false, b | true, !b);",
            [False, False, True, False, True, ...],
            id="logic that does not depend on the unknown",
        ),
        pytest.param(
            'String q = Lib.s(); p(q + 1, "a" + q, q == null, ("a" + q) == null);',
            [..., ..., ..., False],
            id="an unknown string joined is not null",
        ),
        pytest.param(
            "Object o = Lib.o(); p(o == null, o instanceof String); p(new Lib() == null);",
            [..., ..., False],
            id="a new object of a library is not null",
        ),
        pytest.param(
            "Object o = new Object(); p(o.hashCode(), System.identityHashCode(o), o.toString());",
            [..., ..., ...],
            id="identity hash codes",
        ),
        pytest.param(
            'p(System.nanoTime(), Math.random(), new Random(1).nextInt(), System.getProperty("x"));',
            [...] * 4,
            id="time, randomness, environment",
        ),
        pytest.param(
            'p("title".toUpperCase(), "ABC".toLowerCase(), "TITLE".toLowerCase());',
            [..., "abc", ...],
            id="the locale decides on i",
        ),
        pytest.param(
            'p("a.b".split(".").length, "a1".matches("a."), String.format("%d", 1));',
            [...] * 3,
            id="regular expressions and formats",
        ),
        pytest.param(
            'p(1e10 + "", 1.0E-5f + "", 0.1 + "", (0.1 + 0.2) + "");',
            [..., ..., "0.1", ...],
            id="texts of floating point that JDKs write differently",
        ),
        pytest.param(
            "p(Math.sin(1), Math.pow(2, 0.5), Math.pow(2, 3));",
            [..., ..., 8.0],
            id="functions that JDKs may round differently",
        ),
        pytest.param(
            "int[] a = {1}; synchronized (a) { a[0] = 2; } assert a[0] == 2; p(a[0]);",
            [2],
            id="synchronized and assertions that hold",
        ),
        pytest.param(
            "Double d = 1.5, e = 1.5; p(d == e, d.equals(e)); Double g = d; p(g == d);",
            [..., True, True],
            id="whether equal doubles are boxed into one object",
        ),
        pytest.param(
            'String q = "abc"; String r = q.substring(0); p(q == r, q.equals(r), q.trim() == q);',
            [..., True, ...],
            id="whether a method gives the old string or a new one",
        ),
        pytest.param(
            "Runnable r = () -> { }, q = () -> { }; p(r == q, r == null);",
            [..., False],
            id="whether two lambdas are one object",
        ),
        pytest.param(
            'Map<String, Integer> m = new HashMap<>(); m.put("a", 1); p(m.get("a"));', [...], id="maps are not followed"
        ),
        pytest.param("int n = 0; for (int x : Arrays.asList(1, 2)) n += x; p(n);", [3], id="lists are gone through"),
        pytest.param("wrapped(5).check().check();", [5, 5], id="calls on an intrinsic's own object"),
        pytest.param('System.out.println("x"); p(1);', [1], id="printing does nothing"),
        pytest.param("Object o = Lib.o(); String q = (String) o; p(q);", [...], id="an unknown value is cast"),
        pytest.param(
            "p(T.class == Object.class, T.class.getSimpleName(), T.class == T.class);",
            [False, "T", True],
            id="class literals",
        ),
        pytest.param(
            "int[] a = {1}; Object o = a; p(((int[]) o)[0]); Lib.f(a.clone()); p(a[0]);",
            [1, 1],
            id="a copy is given away, not the array",
        ),
    ],
)
def test_what_is_known_and_what_is_not(body: str, expected: list[object]) -> None:
    ran = run(f"{CELL} void t() {{ {body} }}")
    assert ran.ended.kind == "passed", ran.ended
    assert ran.seen == expected


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        pytest.param("if (Lib.b()) p(1);", "not known", id="a branch on the unknown"),
        pytest.param("while (Lib.i() > 0) p(1);", "not known", id="a loop on the unknown"),
        pytest.param("switch (Lib.i()) { case 1: p(1); }", "not known", id="a switch on the unknown"),
        pytest.param("boolean b = Lib.b() && Lib.c();", "not known", id="whether the right side of && runs"),
        pytest.param("int k = Lib.b() ? Lib.i() : 2;", "not known", id="which arm runs"),
        pytest.param("throw Lib.error();", "not known", id="an unknown exception"),
        pytest.param("for (Object o : Lib.list()) p(o);", "not known", id="an unknown list is gone through"),
        pytest.param(
            "try { Lib.f(1); } catch (RuntimeException e) { p(2); }", "may throw", id="an unknown call in a try"
        ),
        pytest.param("try { Lib.f(1); } finally { p(2); }", "may throw", id="an unknown call with a finally around"),
        pytest.param(
            "int[] a = {1}; try { a[Lib.i()] = 1; } catch (Exception e) { }",
            "may throw",
            id="an unknown index in a try",
        ),
        pytest.param(
            "try { int k = 1 / Lib.i(); } catch (Exception e) { }", "may throw", id="an unknown divisor in a try"
        ),
        pytest.param("try { Lib.o().hashCode(); } catch (Exception e) { }", "may throw", id="perhaps null in a try"),
        pytest.param(
            "Other o = new Other(); try { throw o; } catch (IllegalStateException e) { }",
            "not known",
            id="a catch of which it is not known whether it catches",
        ),
        pytest.param("while (true) { }", "steps", id="an endless loop"),
        pytest.param("for (;;) { int[] a = new int[90000]; }", "steps", id="an endless loop that makes arrays"),
        pytest.param("int[] a = new int[Integer.MAX_VALUE];", "steps", id="a huge array"),
        pytest.param('String q = "x"; for (;;) q += q;', "steps", id="a string that doubles"),
        pytest.param('"x".repeat(Integer.MAX_VALUE);', "too large", id="a huge string"),
        pytest.param("assert 1 > 2;", "assert", id="an assertion that does not hold"),
        pytest.param("assert Lib.b();", "assert", id="an assertion that is not known"),
        pytest.param("System.exit(0);", "exits", id="the end of the JVM"),
        pytest.param(
            "List<Integer> l = new ArrayList<>(List.of(1, 2)); for (int x : l) l.add(x);",
            "changed",
            id="a list that grows while it is gone through",
        ),
        pytest.param("p(1", "cannot be read", id="text that is broken"),
        pytest.param("p(unknownName);", "unknownName", id="a name that is not known"),
    ],
)
def test_where_it_stops(body: str, reason: str) -> None:
    ran = run(f"static class Other extends lib.Base {{ }} void t() {{ {body} }}")
    assert ran.ended.kind == "stopped"
    assert reason in ran.ended.reason
    assert "\n" not in ran.ended.reason


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(
            "class A extends B { } class B extends A { } void t() { new A(); }", id="classes that extend one another"
        ),
        pytest.param("class A extends A { } void t() { new A().f(); }", id="a class that extends itself"),
        pytest.param(
            "static final int A = T.B, B = T.A; void t() { p(A); }", id="constants that are defined by one another"
        ),
        pytest.param(
            "static int v = v(); static int v() { return T.v; } void t() { p(v); }",
            id="an initializer that reads itself",
        ),
        pytest.param("void t() { int x = " + "(" * 3000 + "1" + ")" * 3000 + "; }", id="many parentheses"),
        pytest.param("void t() { String s = " + " + ".join(['"a"'] * 3000) + "; }", id="a long sum"),
        pytest.param("void t() { " + "if (true) { " * 2000 + "} " * 2000 + " }", id="many blocks"),
        pytest.param("<X extends Y, Y extends X> void t() { X x = null; p(x); }", id="bounds in a circle"),
        pytest.param("enum E { A(E.B), B(E.A); E(E o) { } } void t() { p(E.A); }", id="enum constants in a circle"),
        pytest.param(
            "interface I { default void f() { f(); } } void t() { new I() { }.f(); }",
            id="a default method that calls itself",
        ),
        pytest.param("void t() { char c = '\\uD83D'; int i = 09; p(i); }", id="literals that are none"),
        pytest.param("static { throw new RuntimeException(); } void t() { }", id="an initializer that throws"),
    ],
)
def test_whatever_the_text_is_the_run_ends(source: str) -> None:
    assert run(source).ended.kind in ("passed", "stopped", "threw")


def test_a_project_class_of_which_the_superclass_is_not_known() -> None:
    files = {"src/Sub.java": "public class Sub extends lib.Base { int x = 4; int own() { return x; } }"}
    ran = run("void t() { Sub s = new Sub(); p(s.own()); s.inherited(); p(s.own()); }", files=files)
    assert ran.ended.kind == "passed"
    assert ran.seen == [4, ...]


# -- observed calls

COUNTER = {
    "src/Counter.java": """package p;
public class Counter {
    private static int made;
    private static final int LIMIT = 10;
    private int n;
    private int[] log = new int[2];
    private Counter peer;
    public Counter(int start) { if (start > LIMIT) throw new IllegalArgumentException("big"); n = start; made++; }
    public int add(int d) { log[0] = n; n += d; return n; }
    public Counter self() { return this; }
    public int[] fresh(int k) { return new int[] {k, n}; }
    public void link(Counter other) { peer = other; }
    public int twice(int d) { add(d); return add(d); }
    public int lost(int d) { n += d; if (lib.Lib.b()) n = 0; return n; }
    public static int max(int[] a) {
        if (a == null) throw new NullPointerException("a");
        int m = a[0];
        for (int x : a) m = x > m ? x : m;
        return m;
    }
    public boolean isFull(char c, String s, Integer i, double d) { return n >= LIMIT; }
}
"""
}
ADD, NEW, LOST = "Counter.add(int)", "Counter.Counter(int)", "Counter.lost(int)"


def observed(body: str, *watched: str) -> Ran:
    return run(f"void t() {{ {body} }}", watched, COUNTER)


def whole(value: int) -> pins.Integer:
    return pins.Integer(value, "int", 32, True)


def test_a_call_is_observed_with_the_state_before_and_after() -> None:
    (call,) = observed("Counter c = new Counter(3); c.add(4);", ADD).calls
    assert (call.signature, call.status, call.result, call.depth, call.parent) == (ADD, "returned", whole(7), 0, None)
    (this, d), blocks = call.arguments, {one.id: one for one in call.blocks}
    assert this[0] == "this" and isinstance(this[1], pins.Pointer) and d == ("d", whole(4))
    before, after = blocks[this[1].block].value, dict(call.after)[this[1].block]
    assert pins.at(before, ("n",)) == whole(3) and pins.at(after, ("n",)) == whole(7)
    log = pins.at(before, ("log",))
    assert isinstance(log, pins.Pointer)
    assert pins.at(blocks[log.block].value, (0,)) == whole(0) and pins.at(dict(call.after)[log.block], (0,)) == whole(3)
    assert pins.at(before, ("peer",)) == pins.Null("p.Counter")
    statics = [(one.program, one.value) for one in call.blocks if one.program]
    assert statics == [("Counter.made", whole(1))]


def test_a_constructor_has_no_receiver_and_its_result_is_new() -> None:
    (call,) = observed("new Counter(3);", NEW).calls
    assert call.is_constructor and call.arguments == (("start", whole(3)),)
    assert isinstance(call.result, pins.Pointer) and call.result.block not in {one.id for one in call.blocks}
    assert pins.at(dict(call.after)[call.result.block], ("n",)) == whole(3)
    assert [one.value for one in call.blocks] == [whole(0)] and dict(call.after)["Counter.made"] == whole(1)


@pytest.mark.parametrize(
    ("body", "watched", "expected"),
    [
        pytest.param("new Counter(1).add(2);", (ADD,), [("returned", 0, None)], id="one call"),
        pytest.param(
            "new Counter(1).twice(2);", (ADD,), [("returned", 1, None)] * 2, id="calls that the code makes itself"
        ),
        pytest.param(
            "new Counter(1).twice(2);",
            (ADD, "Counter.twice(int)"),
            [("returned", 0, None), ("returned", 1, 0), ("returned", 1, 0)],
            id="calls in an observed call",
        ),
        pytest.param("new Counter(11);", (NEW,), [("threw", 0, None)], id="a constructor that throws"),
        pytest.param(
            "Counter.max(null);", ("Counter.max(int[])",), [("threw", 0, None)], id="an exception of a static method"
        ),
        pytest.param(
            "new Counter(1).lost(2);", (LOST,), [("unfinished", 0, None)], id="a body that cannot be followed"
        ),
        pytest.param(
            "new Counter(1).lost(2); new Counter(1).add(5);",
            (LOST, ADD),
            [("unfinished", 0, None), ("returned", 0, None)],
            id="the test goes on behind it",
        ),
        pytest.param(
            "catching(() -> new Counter(11));", (NEW,), [("threw", 0, None)], id="in a closure that an intrinsic runs"
        ),
        pytest.param(
            "catching(() -> new Counter(1).lost(1)); new Counter(2).add(1);",
            (LOST, ADD),
            [("unfinished", 0, None), ("returned", 0, None)],
            id="not followed in a closure",
        ),
        pytest.param(
            "for (int i = 0; i < 3; i++) Counter.max(new int[] {i});",
            ("Counter.max(int[])",),
            [("returned", 0, None)] * 3,
            id="calls in a loop",
        ),
        pytest.param("new Counter(1).add(2);", (), [], id="a method that is not watched"),
    ],
)
def test_which_calls_are_observed(body: str, watched: tuple[str, ...], expected: list[tuple[object, ...]]) -> None:
    ran = observed(body, *watched)
    assert [(one.status, one.depth, one.parent) for one in ran.calls] == expected


def test_nothing_is_known_after_a_call_that_is_not_followed() -> None:
    ran = observed(
        "Counter c = new Counter(1); Counter q = new Counter(5); int[] other = {6}; int r = c.lost(2);"
        " p(r, c.add(0), q.add(0), other[0]); from(r);",
        LOST,
    )
    (call,) = ran.calls
    assert call.result == pins.Unknown("int") and call.thrown == ""
    assert all(isinstance(leaf, pins.Unknown) for _, value in call.after for _, leaf in pins.leaves(value))
    assert {one_id for one_id, _ in call.after} == {one.id for one in call.blocks}
    # The object that it was given, and nothing else, may have changed.
    assert ran.seen == [..., ..., 5, 6, 0]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("int r = new Counter(1).add(2); from(r); p(r);", [0, 3], id="a local holds the result"),
        pytest.param("from(new Counter(1).add(2));", [0], id="an argument is the result"),
        pytest.param("long r = new Counter(1).add(2); from(r);", [0], id="widened"),
        pytest.param("Integer r = new Counter(1).add(2); from(r + 1);", [None], id="counted on"),
        pytest.param("from(3);", [None], id="a literal"),
        pytest.param(
            "int r = new Counter(1).add(2); new Counter(3).add(4); from(r);", [0], id="of the first of two calls"
        ),
    ],
)
def test_the_call_that_a_value_came_from(body: str, expected: list[object]) -> None:
    assert observed(body, ADD).seen == expected


def test_aliases_are_one_block() -> None:
    ran = observed(
        "Counter a = new Counter(1); a.link(a); int[] x = {1}; a.link(new Counter(2)); a.self();",
        "Counter.link(Counter)",
    )
    first, second = ran.calls
    assert dict(first.arguments)["this"] == dict(first.arguments)["other"]
    assert dict(second.arguments)["this"] != dict(second.arguments)["other"]


def test_leaves_have_their_own_types() -> None:
    (call,) = observed(
        "new Counter(1).isFull('a', \"s\", 5, 0.5);", "Counter.isFull(char, String, Integer, double)"
    ).calls
    values = dict(call.arguments)
    assert values["c"] == pins.Integer(97, "char", 16, False)
    assert isinstance(values["s"], pins.Text) and values["s"].value == "s" and values["s"].identity
    assert values["i"] == pins.Integer(5, "java.lang.Integer", 32, True)
    assert values["d"] == pins.Floating.of(0.5, "double", 64)
    assert call.result == pins.Integer(0, "boolean", 1, False)


def test_every_test_starts_with_fresh_classes() -> None:
    files = {
        **COUNTER,
        "test/T.java": f"{IMPORTS}class T {{ static int s = 1; void t() {{ new Counter(s++); p(s); }} }}",
    }
    project = JavaProject(files.get, files)
    probe = Probe()
    machine = Machine(project, frozenset({NEW}), intrinsics=probe)
    for _ in range(2):
        assert machine.run_test("test/T.java", "T", method_node(project, "t")).kind == "passed"
        assert [one.value for one in machine.calls[0].blocks] == [whole(0)]
    assert probe.seen == [2, 2]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            "catching(() -> { throw new IllegalStateException(); });",
            ["java.lang.IllegalStateException 0"],
            id="a lambda that throws",
        ),
        pytest.param("catching(() -> p(1));", [1, "returned 0"], id="a lambda that returns"),
        pytest.param("catching(() -> Lib.f(1));", ["stopped 0"], id="a lambda that may throw"),
        pytest.param(
            "int[] a = {1}; catching(() -> { a[0] = 2; Lib.f(1); }); p(a[0]);",
            ["stopped 0", ...],
            id="what it captured is forgotten",
        ),
        pytest.param("catching(T::boom);", ["java.lang.ArithmeticException 0"], id="a method reference"),
        pytest.param(
            "catching(new Runnable() { public void run() { throw new RuntimeException(); } });",
            ["java.lang.RuntimeException 0"],
            id="an object with one method",
        ),
    ],
)
def test_closures_that_intrinsics_run(body: str, expected: list[object]) -> None:
    ran = run(f"static void boom() {{ int z = 0; p(1 / z); }} void t() {{ {body} }}")
    assert ran.seen == expected


def test_an_exception_that_a_test_expects_is_not_overlooked() -> None:
    assert run("void t() { Lib.f(1); }").ended.kind == "passed"
    assert run("void t() { Lib.f(1); }", expects_exception=True).ended.kind == "stopped"


def test_snapshots_are_limited() -> None:
    source = "static int f(int[] a, int[] b) { return a.length; } void t() { f(new int[5], new int[500]); }"
    (call,) = run(source, ("T.f(int[], int[])",), limits=MachineLimits(cells=100)).calls
    assert [one.name for one in call.blocks] == ["a"]
    assert isinstance(dict(call.arguments)["b"], pins.Unknown)
    assert call.result == whole(5)
