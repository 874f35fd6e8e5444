"""Skeletons of modern Java on the real KeY: each loads, and plain clauses are judged over it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from clausefit.hook.contracts.model import Contract
from clausefit.hook.java.contracts import JavaSettings, effective
from clausefit.hook.java.project import FoundClass, JavaProject
from clausefit.hook.java.qualify import Place, placed
from clausefit.hook.java.skeletons import Skeleton, skeleton_of
from clausefit.verifiers.key_driver import KeyDriver, KeyQuestion, KeyScene, KeySkeleton
from clausefit.verifiers.key_tools import install


@dataclass(frozen=True)
class Case:
    """Java files, a method of the first with its contract, facts about one call, and what its clauses are there.

    ``right`` and ``wrong`` are further clauses as the method's class would write them.
    """

    files: dict[str, str]
    method: str
    facts: str
    right: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    types: tuple[str, ...] = ()


def one(text: str, method: str, facts: str, **more: object) -> Case:
    """A case of a single file of the package ``p``."""
    return Case({"p/C.java": f"package p;\n{text}"}, method, facts, **more)  # type: ignore[arg-type]


X5 = r"x == 5 && \result == 6"

CASES = [
    pytest.param(
        one(
            r"""
            public class C<T extends Comparable<T>, K> {
                T value; java.util.Map<K, java.util.List<? super T>> map; K[] keys;
                //@ ensures \result == x + 1;
                <E extends T> int f(int x) { return x + 1; }
            }""",
            "f",
            X5 + " && value == null",
            right=("value == null",),
            wrong=("value != null",),
        ),
        id="generics",
    ),
    pytest.param(
        one(
            r"""
            public record C(int low, int high) implements java.io.Serializable {
                public C { assert low <= high; }
                //@ ensures \result == high() - low;
                int width() { return high - low; }
            }""",
            "width",
            r"\typeof(this) == \type(p.C) && low == 2 && high == 9 && \result == 7",
            right=("low() == 2", r"\result == 7"),
            wrong=("high() == 8",),
        ),
        id="record with its accessors",
    ),
    pytest.param(
        one(
            r"""
            public sealed interface C permits C.A, C.B {
                record A(int n) implements C {}
                final class B implements C { int n; }
                //@ ensures \result >= 0;
                static int f(C c) { return switch (c) { case A(int n) -> n; case B b -> 0; }; }
            }""",
            "f",
            r"c != null && \typeof(c) == \type(p.C.A) && ((p.C.A) c).n == 3 && \result == 3",
            right=("c instanceof A", r"((A) c).n == \result", "c instanceof A ==> ((A) c).n() == 3"),
            wrong=("c instanceof B",),
            types=("p.C.A", "p.C.B"),
        ),
        id="sealed types and patterns",
    ),
    pytest.param(
        one(
            r"""
            import java.util.function.*;
            public class C {
                private final Supplier<Integer> s = () -> 3;
                String text = @@@
                  a "b" c
                  @@@;
                static final int[] SQUARES = java.util.stream.IntStream.of(1).toArray();
                //@ ensures \result == x + 1;
                int f(int x) { var y = x; return switch (y) { case 1 -> 2; default -> { yield y + 1; } }; }
            }""".replace("@@@", '"' * 3),
            "f",
            X5,
            wrong=("x == 6",),
        ),
        id="var, lambdas, switch expressions, text blocks",
    ),
    pytest.param(
        one(
            r"""
            import lombok.*; import org.acme.missing.Thing; import org.acme.*;
            @Data @Builder(toBuilder = true)
            public class C extends Basis implements Marker<C> {
                @Getter private int n; @NonNull Thing thing; Other[] others; Thing.Inner inner;
                //@ ensures \result == x + 1;
                @SneakyThrows int f(int x) { return x + 1; }
            }""",
            "f",
            X5 + r" && n == 4 && \typeof(this) == \type(p.C) && thing == null",
            right=("n == 4", "thing == null"),
            wrong=("n > 4",),
        ),
        id="Lombok annotations and unknown imports, supertypes and field types",
    ),
    pytest.param(
        Case(
            {
                "p/C.java": r"""
                    package p;
                    public class C { Mode mode; Mode.Part part;
                        //@ ensures mode == Mode.FAST;
                        void f() { }
                    }""",
                "p/Mode.java": r"""
                    package p;
                    public enum Mode implements Runnable {
                        FAST(2) { public void run() {} }, SLOW(1);
                        enum Part { A }
                        private final int speed;
                        Mode(int s) { speed = s; }
                        public void run() {}
                    }""",
            },
            "f",
            "mode == p.Mode.FAST && mode != null",
            right=("mode != null",),
            wrong=("mode == null", "mode != Mode.FAST"),
        ),
        id="enums",
    ),
    pytest.param(
        one(
            r"""
            public class C {
                static final int CAP = 1 << 4; int size;
                /*@ pure @*/ static int twice(int x) { return x + x; }
                static class Box { int n; }
                class In { int v; Box box;
                    //@ ensures \result == CAP - 6 && \result == twice(x) && C.CAP == 16 && box.n == 3;
                    int f(int x) { return x + x; }
                }
            }""",
            "f",
            r"x == 5 && \result == 10 && v == 1 && box != null && box.n == 3",
            right=("v == 1", "box.n > v", "x < CAP"),
            wrong=("box.n == CAP", "twice(v) == 1"),
        ),
        id="inner classes, static members of the class around",
    ),
    pytest.param(
        Case(
            {
                "p/C.java": r"""
                    package p;
                    public class C extends Base implements Sized {
                        public int count() { return n; }
                        //@ ensures isEmpty() == (n == 0) && base == 4 && half() == 2 && limit > 3 && MOST == 7;
                        void f() {}
                    }""",
                "p/Base.java": r"""
                    package p;
                    abstract class Base {
                        protected int n; int base;
                        /*@ pure @*/ int half() { return base / 2; }
                        abstract void g();
                    }""",
                "p/Sized.java": r"""
                    package p;
                    interface Sized {
                        int MOST = 7;
                        //@ model instance int limit;
                        //@ represents limit = count() + 4;
                        /*@ pure @*/ int count();
                        /*@ pure @*/ default boolean isEmpty() { return count() == 0; }
                        /*@ pure @*/ static int next(int x) { return x + 1; }
                    }""",
            },
            "f",
            r"\typeof(this) == \type(p.C) && n == 0 && base == 4",
            right=("isEmpty()", "half() == 2", "limit == 4", "Sized.MOST == 7", "Sized.next(base) == 5"),
            wrong=("!isEmpty()", "half() == 3", "limit > 4"),
        ),
        id="interfaces with default methods, inherited fields, model fields",
    ),
    pytest.param(
        Case(
            {
                "p/C.java": r"""
                    package p;
                    import static q.Limits.*;
                    import q.Limits;
                    public class C {
                        static final int TWO = ONE + Limits.ONE; static final long BIG = 1_000_000_000_000L;
                        static final char CH = 'a'; static final String NAME = "abc";
                        static final int MASK = 0b1010, NEG = -(TWO + 1);
                        static final Integer BOX = 3; static final int HASH = NAME.hashCode();
                        //@ ensures TWO == 2 && BIG > Integer.MAX_VALUE && CH == 97 && MASK == 10;
                        //@ ensures NEG == -3 && ONE == 1;
                        void f() {}
                    }""",
                "q/Limits.java": r"""
                    package q;
                    public final class Limits { private Limits() {} public static final int ONE = 1; }""",
            },
            "f",
            "true",
            right=("Limits.ONE + TWO == 3", "q.Limits.ONE == 1", "MASK == 0xA"),
            wrong=("TWO == 3", "Integer.MAX_VALUE < 0"),
        ),
        id="constants with expressions, of other classes, by static import",
    ),
    pytest.param(
        one(
            r"""
            public class C {
                int n;
                /*@ pure @*/ int abs(int x) { return x < 0 ? -x : x; }
                /*@ pure @*/ int length() { return n; }
                /*@ pure @*/ public boolean equals(Object o) { return o instanceof C && ((C) o).n == n; }
                /*@ pure @*/ int max(int a, int b) { return Math.max(a, b); }
                public String toString() { return "" + n; }
                //@ ensures abs(x) == 5 && length() == 2 && max(x, n) == 2;
                //@ ensures equals(this);
                void f(int x) {}
            }""",
            "f",
            r"\typeof(this) == \type(p.C) && x == -5 && n == 2",
            wrong=("abs(x) == x", "length() == x", "max(x, n) == x"),
        ),
        id="methods that share names with library ones",
    ),
    pytest.param(
        one(
            r"""
            public class C {
                String name; int[] data; int[][] grid; String[] parts; char[] cs;
                //@ ensures data[1] == 7 && grid[0][1] == 8 && parts.length == 1 && name.length() == 2;
                //@ ensures (\forall int i; 0 <= i && i < data.length; data[i] > 5);
                void f(String s, int[]... more) {}
            }""",
            "f",
            r"data != null && data.length == 2 && data[0] == 6 && data[1] == 7 && grid != null && grid.length == 1"
            r" && grid[0] != null && grid[0].length == 2 && grid[0][1] == 8 && parts != null && parts.length == 1"
            r' && name != null && name == "ab" && more != null && more.length == 0 && s == null',
            right=("more.length == 0", "s == null"),
            wrong=("data[0] == 7", "more.length == 1", "name.length() == 3"),
        ),
        id="strings, arrays, two dimensions, varargs",
    ),
    pytest.param(
        one(
            r"""
            public class C {
                /*@ pure @*/ int g(int x) { return 1; }
                /*@ pure @*/ int g(Integer x) { return 2; }
                /*@ pure @*/ int g(long x) { return 3; }
                /*@ pure @*/ int g(Object x) { return 4; }
                Integer boxed;
                //@ ensures g(x) == 1 && g(boxed) == 2 && g(5L) == 3 && g(this) == 4;
                void f(int x) {}
            }""",
            "f",
            r"x == 5 && \typeof(this) == \type(p.C) && boxed == null",
            wrong=("g(x) == 2", "g(boxed) == 4"),
        ),
        id="overloads of int, Integer, long, Object",
    ),
    pytest.param(
        Case(
            {
                "C.java": r"""
                    import q.r.D;
                    public class C { D other; int n;
                        //@ ensures other.n == 4 && D.ZERO == 0 && other.plus(n) == 7 && other instanceof D;
                        void f() {}
                    }""",
                "lib/q/r/D.java": r"""
                    package q.r;
                    public class D { public static final int ZERO = 0; public int n;
                        /*@ pure @*/ public int plus(int m) { return n + m; }
                    }""",
            },
            "f",
            r"n == 3 && other != null && \typeof(other) == \type(q.r.D) && other.n == 4",
            right=("other.plus(1) == 5",),
            wrong=("other.n == 3", "other == null"),
        ),
        id="no package, a class of another package and source folder",
    ),
    pytest.param(
        one(
            r"""
            import java.util.*;
            public class C {
                static class Full extends IllegalStateException {}
                //@ signals (NoSuchElementException e) x < 0;
                //@ signals (Full e) x > 0;
                //@ signals_only NoSuchElementException, Full;
                void f(int x) {}
            }""",
            "f",
            r"x == -5 && cf_exc != null && \typeof(cf_exc) == \type(java.util.NoSuchElementException)",
            right=("cf_exc instanceof NoSuchElementException", "cf_exc instanceof RuntimeException"),
            wrong=("cf_exc instanceof Full", "cf_exc instanceof IllegalStateException"),
            types=("java.util.NoSuchElementException", "p.C.Full"),
        ),
        id="exceptions that KeY's library lacks, and a project exception",
    ),
    pytest.param(
        one(
            r"""
            import java.util.*;
            public class C {
                private int[] a;
                //@ ghost int steps;
                //@ model int total; represents total = size() + 1;
                /*@ pure @*/ int sum() { int t = 0; for (int x : a) { if (x < 0) continue; t += x; } return t; }
                /*@ pure @*/ static int digit(char c) {
                    switch (c) {
                        case '0': return 0;
                        case '1': return 1;
                        default: throw new IllegalArgumentException("no");
                    }
                }
                /*@ pure @*/ boolean has(int x) {
                    var i = 0;
                    while (i < a.length) { if (a[i] == x) { return true; } i++; }
                    return false;
                }
                /*@ pure @*/ int size() { return a.length; }
                /*@ public pure model static boolean inRange(int x) {
                  @    return 0 <= x && (\forall int i; 0 <= i && i < 3; i * x >= 0);
                  @ } @*/
                //@ ensures sum() == 9;
                //@ ensures digit('1') == 1 && size() == 3;
                //@ ensures has(5);
                //@ ensures total == 4 && steps == 2;
                //@ ensures inRange(2);
                void f() {}
            }""",
            "f",
            r"\typeof(this) == \type(p.C) && a != null && a.length == 3 && a[0] == 4 && a[1] == -1 && a[2] == 5"
            " && steps == 2",
            wrong=("sum() == 8", "has(6)", "digit('0') == 1", "total == 3", "inRange(-1)"),
        ),
        id="bodies of pure and model methods, loops, switch, ghost and model fields",
    ),
    pytest.param(
        one(
            r"""
            class C {
                static class Node { int v; }
                //@ ensures \result == m[1][0] + n[0].v;
                static int f(int[][] m, Node[] n) { return m[1][0] + n[0].v; }
            }""",
            "f",
            r"m != null && m.length == 2 && m[1] != null && m[1].length == 1 && m[1][0] == 4"
            r" && n != null && n.length == 1 && n[0] != null && n[0].v == 3 && \result == 7",
            right=("m[1].length == n.length",),
            wrong=("m[1][0] == n[0].v",),
        ),
        id="arrays of arrays and of objects that only a parameter names",
    ),
]


@pytest.fixture(scope="module")
def driver() -> Iterator[KeyDriver]:
    with KeyDriver(install(), memory_megabytes=1024) as made:
        yield made


@dataclass
class Set:
    """A case made ready: its skeleton, and formulas by what is expected of them."""

    contract: Contract
    skeleton: Skeleton
    right: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def found_method(files: dict[str, str], name: str) -> tuple[JavaProject, FoundClass, Contract]:
    """The project of those files, and the method of that name in the first one that has a contract."""
    project = JavaProject(files.get, files)
    path = next(iter(files))
    source = project.source(path)
    assert source is not None
    contract = next(c for c in source.contracts if c.java is not None and c.java.name == name)
    assert contract.java is not None
    found = next(c for c in project.classes(path) if c.java.name == contract.java.class_name)
    return project, found, contract


def made_ready(case: Case) -> Set:
    project, found, contract = found_method(case.files, case.method)
    whole = effective(project, found, contract, JavaSettings())
    assert whole.java is not None
    place = Place(project, found, whole.java, found)
    written = [c.formula for c in whole.clauses if c.kind == "ensures" and not c.implicit]
    right = written + [placed(text, place) for text in case.right]
    wrong = [placed(text, place) for text in case.wrong]
    formulas = [c.formula for c in whole.clauses] + right + wrong
    skeleton = skeleton_of(project, found, whole, formulas, case.types)
    assert isinstance(skeleton, Skeleton), skeleton
    assert [skeleton.unavailable_in(text) for text in right + wrong] == [None] * len(right + wrong)
    return Set(whole, skeleton, right, wrong)


def asked(case: Case, ready: Set, driver: KeyDriver, folder: Path) -> dict[str, str]:
    """What KeY says of all clauses of the case, in one scene."""
    skeleton, java = ready.skeleton, ready.contract.java
    assert java is not None
    for name, text in skeleton.files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    questions = [KeyQuestion(text, text, "accept") for text in ready.right]
    questions += [KeyQuestion(text, text, "refute") for text in ready.wrong]
    result = java.result_type
    scene = KeyScene(
        skeleton.class_name,
        case.facts,
        tuple(questions),
        tuple((skeleton.erased(one.type), one.name) for one in java.parameters),
        None if result in (None, "void") else skeleton.erased(result or ""),
        ("java.lang.Throwable", "cf_exc"),
        is_static=java.is_static,
        seconds=20.0,
    )
    answer = driver.ask(KeySkeleton(folder), scene)
    assert not answer.contradictory
    return {name: f"{one.verdict} {one.reason} {one.detail}".strip() for name, one in answer.judgements.items()}


@pytest.mark.parametrize("case", CASES)
def test_key_loads_the_skeleton_and_judges_plain_clauses(case: Case, driver: KeyDriver, tmp_path: Path) -> None:
    ready = made_ready(case)
    said = asked(case, ready, driver, tmp_path)
    assert said == dict.fromkeys(ready.right, "accepted") | dict.fromkeys(ready.wrong, "rejected")
