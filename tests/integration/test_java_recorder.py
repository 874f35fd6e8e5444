"""The Java recorder on real programs: each prints a log of what it passed and got, which its pins must equal."""

from __future__ import annotations

from pathlib import Path

import pytest
from java_recording import record_java

HEAD = """package p;
import java.util.*;
public class Main {
    static void log(String text) { System.out.println("LOG " + text); }
    static String arr(int[] a) { return Arrays.toString(a); }
"""

CASES = {
    "an in-place update and a result": """
    //@ ensures true;
    static int bump(int[] a, int k) { for (int i = 0; i < a.length; i++) a[i] += k; return a.length; }
    public static void main(String[] args) {
        for (int k = 1; k < 4; k++) {
            int[] a = {1, 2, k};
            String before = arr(a);
            int r = bump(a, k);
            log("Main.bump(int[], int): a=m0, k=" + k + "; m0=" + before + " -> " + r + "; m0=" + arr(a));
        }
    }""",
    "an exception, with what was changed before it": """
    //@ requires true;
    static void fill(int[] a, int n) { for (int i = 0; i < n; i++) a[i] = 7; }
    public static void main(String[] args) {
        int[] a = {0, 0};
        try { fill(a, 3); } catch (ArrayIndexOutOfBoundsException e) {
            log("Main.fill(int[], int): a=m0, n=3; m0=[0, 0] -> throws " + e.getClass().getName() + "; m0=" + arr(a));
        }
    }""",
    "an exception that is caught inside does not end the call, one from below that leaves does": """
    //@ requires true;
    static int safe(int d) { try { return div(1, d); } catch (ArithmeticException e) { return -1; } }
    //@ requires true;
    static int div(int a, int d) { return a / d; }
    public static void main(String[] args) {
        int r = safe(0);
        log("Main.safe(int): d=0 -> " + r);
        log("Main.div(int, int): a=1, d=0 -> throws java.lang.ArithmeticException");
    }""",
    "an exception through finally and rethrown as another": """
    static int count;
    //@ requires count >= 0;
    static void work(int k) {
        try { if (k > 1) throw new IllegalStateException(); }
        catch (IllegalStateException e) { count += 10; throw new IllegalArgumentException(e); }
        finally { count++; }
    }
    public static void main(String[] args) {
        int before = count;
        try { work(2); } catch (IllegalArgumentException e) {
            log("Main.work(int): k=2; Main.count=Main.count=" + before + " -> throws " + e.getClass().getName()
                + "; Main.count=" + count);
        }
        before = count;
        work(0);
        log("Main.work(int): k=0; Main.count=Main.count=" + before + " -> void; Main.count=" + count);
    }""",
    "an exception in recursion, caught by an outer call of the same method": """
    //@ requires true;
    static int down(int k) {
        if (k == 0) throw new RuntimeException();
        if (k == 2) { try { return down(k - 1); } catch (RuntimeException e) { return 50; } }
        return down(k - 1);
    }
    public static void main(String[] args) {
        int r = down(3);
        log("Main.down(int): k=3 -> " + r);
        log("Main.down(int): k=2 -> 50");
        log("Main.down(int): k=1 -> throws java.lang.RuntimeException");
        log("Main.down(int): k=0 -> throws java.lang.RuntimeException");
    }""",
    "an exception through reflection becomes another": """
    //@ requires true;
    static int outer(int k) throws Exception {
        try { return (Integer) Main.class.getDeclaredMethod("inner", int.class).invoke(null, k); }
        catch (java.lang.reflect.InvocationTargetException e) { return -9; }
    }
    static int inner(int k) { throw new IllegalStateException(); }
    public static void main(String[] args) throws Exception {
        log("Main.outer(int): k=4 -> " + outer(4));
    }""",
    "one object under two names": """
    //@ requires true;
    static void copy(int[] from, int[] to) { to[0] = from[1]; }
    public static void main(String[] args) {
        int[] a = {1, 2};
        copy(a, a);
        log("Main.copy(int[], int[]): from=m0, to=m0; m0=[1, 2] -> void; m0=" + arr(a));
        int[] b = {5, 6};
        copy(a, b);
        log("Main.copy(int[], int[]): from=m0, to=m1; m0=" + arr(a) + "; m1=[5, 6] -> void; m1=" + arr(b));
    }""",
    "a loop at the start of a method is no second call": """
    //@ requires true;
    static int loop(int k) { while (k > 0) { k -= 2; } return k; }
    public static void main(String[] args) {
        for (int k = 3; k < 6; k++) log("Main.loop(int): k=" + k + " -> " + loop(k));
    }""",
    "boxed values, characters, booleans, floating point, bytes, long": """
    //@ requires true;
    static Object any(Integer i, char c, boolean b, double d, float f, byte y, short s, long l, Character h) {
        return l;
    }
    public static void main(String[] args) {
        any(1000, 'x', true, -0.0, 1.5f, (byte) -3, (short) 7, 1L << 62, 'q');
        log("Main.any(Integer, char, boolean, double, float, byte, short, long, Character): i=Integer(1000), c='x', "
            + "b=true, d=-0.0, f=1.5f, y=-3, s=7, l=" + (1L << 62) + "L, h=Character('q') -> Long(" + (1L << 62)
            + "L)");
        any(null, 'y', false, Double.NaN, Float.NEGATIVE_INFINITY, (byte) 0, (short) 0, 0, null);
        log("Main.any(Integer, char, boolean, double, float, byte, short, long, Character): i=null, c='y', "
            + "b=false, d=nan, f=-inff, y=0, s=0, l=0L, h=null -> Long(0L)");
    }""",
    "strings: identity, wide and lone surrogates": """
    //@ requires true;
    static String pick(String a, String b) { return b; }
    public static void main(String[] args) {
        String x = "ab";
        pick(x, x);
        log("Main.pick(String, String): a=\\"ab\\"@s0, b=\\"ab\\"@s0 -> \\"ab\\"@s0");
        String made = new String("ab");
        pick(x, made);
        log("Main.pick(String, String): a=\\"ab\\", b=\\"ab\\"@s0 -> \\"ab\\"@s0");
        pick("", "z" + (char) 228 + (char) 0x20ac);
        log("Main.pick(String, String): a=\\"\\", b=\\"z\\u00e4\\u20ac\\"@s0 -> \\"z\\u00e4\\u20ac\\"@s0");
    }""",
    "lists of the JDK and what is in them": """
    //@ requires true;
    static int size(List<Integer> l) { return l.size(); }
    //@ requires true;
    static void grow(List<String> l) { l.add("n"); }
    public static void main(String[] args) {
        List<List<Integer>> all = List.of(List.of(), List.of(1), List.of(1, 2), List.of(1, 2, 3), Arrays.asList(4, 5),
            new LinkedList<>(List.of(6, 7)), new ArrayList<>(List.of(8)), Collections.emptyList(),
            Collections.singletonList(9), Collections.unmodifiableList(new ArrayList<>(List.of(10))));
        for (List<Integer> l : all) {
            StringJoiner in = new StringJoiner(", ");
            for (int i : l) in.add("Integer(" + i + ")");
            String text = "Main.size(List<Integer>): l=m0; m0=(" + in + ") -> " + size(l);
            if (l != all.get(7)) log(text);  // an empty list again says nothing new
        }
        List<String> l = new ArrayList<>(List.of("a"));
        grow(l);
        log("Main.grow(List<String>): l=m0; m0=(\\"a\\"@s0) -> void; m0=(\\"" + l.get(0) + "\\"@s0, \\"n\\")");
    }""",
    "overloads are told apart": """
    //@ requires true;
    static int f(int a) { return 1; }
    //@ requires true;
    static int f(long a) { return 2; }
    //@ requires true;
    static int f(Object a) { return 3; }
    //@ requires true;
    static int f(int... a) { return 4; }
    public static void main(String[] args) {
        f(1); f(1L); f("s"); f(1, 2);
        log("Main.f(int): a=1 -> 1");
        log("Main.f(long): a=1L -> 2");
        log("Main.f(Object): a=\\"s\\" -> 3");
        log("Main.f(int...): a=m0; m0=[1, 2] -> 4");
    }""",
}

CLASSES = {
    "a constructor: the new object is in the outcome only": """
    static class Pair { final int a; int[] b;
        //@ requires true;
        Pair(int a) { this(a, new int[]{a}); }
        //@ requires true;
        Pair(int a, int[] b) { if (a < 0) throw new IllegalArgumentException(); this.a = a; this.b = b; }
    }
    static class Three extends Pair { Three() { super(8); } }
    public static void main(String[] args) {
        Pair one = new Pair(3);
        log("Main.Pair.Pair(int): a=3 -> m0; m0=p.Main.Pair{a: " + one.a + ", b: m1}; m1=" + arr(one.b));
        try { new Pair(-1, null); } catch (IllegalArgumentException e) {
            log("Main.Pair.Pair(int, int[]): a=-1, b=null -> throws java.lang.IllegalArgumentException");
        }
        new Three();
    }""",
    "receiver, inner class, field of a superclass": """
    static class Base { int base = 4; }
    class In extends Base { int n;
        //@ requires true;
        In(int n) { this.n = n; }
        //@ ensures true;
        private int up(int k) { n += k; base++; return n; }
    }
    public static void main(String[] args) {
        In in = new Main().new In(2);
        log("Main.In.In(int): n=2 -> m0; m0=p.Main.In{n: " + in.n + ", base: " + in.base + "}");
        int r = in.up(5);
        log("Main.In.up(int): this=m0, k=5; m0=p.Main.In{n: 2, base: 4} -> " + r
            + "; m0=p.Main.In{n: " + in.n + ", base: " + in.base + "}");
    }""",
    "enums, class literals, a circle of objects": """
    enum Mode { FAST, SLOW { int f() { return 2; } }; int f() { return 1; } }
    static class Node { Node next; Mode mode; Class<?> type = String.class; }
    //@ ensures true;
    static Mode flip(Node n) { n.mode = n.mode == Mode.FAST ? Mode.SLOW : Mode.FAST; return n.mode; }
    public static void main(String[] args) {
        Node n = new Node(); n.next = n; n.mode = Mode.FAST;
        Mode r = flip(n);
        log("Main.flip(Node): n=m0; m0=p.Main.Node{next: m0, mode: p.Main.Mode.FAST, type: java.lang.Class."
            + "java.lang.String} -> p.Main.Mode." + r + "; m0=p.Main.Node{next: m0, mode: p.Main.Mode." + n.mode
            + ", type: java.lang.Class.java.lang.String}");
    }""",
    "statics that the contract names, before and after, aliased": """
    static class Store { static int[] all = {1, 2}; }
    //@ ensures Store.all[0] == k;
    static void set(int[] a, int k) { Store.all[0] = k; }
    public static void main(String[] args) {
        set(Store.all, 9);
        log("Main.set(int[], int): a=m0, k=9; m0=[1, 2]; m1=Main.Store.all=m0 -> void; m0=" + arr(Store.all));
    }""",
    "other statics of the class are not told, and what they hold is not new": """
    static int calls; static int[] cache = {1}; static int[] last;
    //@ ensures \\result != null;
    static int[] one(int k) { calls++; return k == 0 ? cache : new int[] {k}; }
    //@ ensures \\result > k;
    static int next(int k) { calls++; return k + 1; }
    public static void main(String[] args) {
        one(0);
        log("Main.one(int): k=0 -> ?");
        one(5);
        log("Main.one(int): k=5 -> m0; m0=[5]");
        next(2);
        log("Main.next(int): k=2 -> 3");
    }""",
    "a call of numbers counts beside other threads, also where its class has static fields": """
    static int calls;
    //@ ensures \\result > k;
    static int next(int k) { return k + 1; }
    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> next(2));
        other.start();
        other.join();
        log("Main.next(int): k=2 -> 3");
    }""",
    "objects whose elements or message are in fields of the JDK are not shown as empty": """
    static class Names extends ArrayList<String> { int extra = 3; }
    static class Bag extends HashMap<String, String> { }
    static class Problem extends RuntimeException { int code = 4; }
    static class Whole extends AbstractCollection<String> {
        int k = 7;
        public Iterator<String> iterator() { return null; }
        public int size() { return k; }
    }
    //@ requires true;
    static int of(Object o, int k) { return k; }
    public static void main(String[] args) {
        Names names = new Names();
        names.add("x");
        of(names, 1);
        of(new Bag(), 2);
        of(new Problem(), 3);
        for (int k = 1; k < 4; k++) log("Main.of(Object, int): o=?, k=" + k + " -> " + k);
        of(new Whole(), 4);
        log("Main.of(Object, int): o=m0, k=4; m0=p.Main.Whole{k: 7} -> 4");
    }""",
    "names that the JVM makes up for a class of a lambda or a proxy are no values": """
    interface F { int f(int k); }
    //@ requires true;
    static Class<?> of(Object o, int k) { return k == 0 ? F.class : o.getClass(); }
    public static void main(String[] args) {
        F made = k -> k + args.length;
        Object proxy = java.lang.reflect.Proxy.newProxyInstance(
            Main.class.getClassLoader(), new Class<?>[] {F.class}, (self, method, given) -> null);
        of(made, 0);
        log("Main.of(Object, int): o=?, k=0 -> java.lang.Class.p.Main.F");
        of(made, 1);
        of(made.getClass(), 2);
        of(java.lang.reflect.Array.newInstance(made.getClass(), 1), 3);
        of(proxy, 4);
        for (int k : new int[] {1, 3, 4}) log("Main.of(Object, int): o=?, k=" + k + " -> ?");
        log("Main.of(Object, int): o=?, k=2 -> java.lang.Class.java.lang.Class");
    }""",
}


def renamed(line: str) -> str:
    """Static blocks have numbers like others; logs of the programs call them by their names."""
    for number in range(8):
        line = line.replace(f"m{number}=Main.count=", "Main.count=Main.count=")
        if "Main.count=Main.count=" in line:
            return line.replace(f"; m{number}=", "; Main.count=")
    return line


@pytest.mark.parametrize("name", [*CASES, *CLASSES])
def test_pins_are_what_the_program_passed(name: str, tmp_path: Path, shared_cache: Path) -> None:
    text = HEAD + {**CASES, **CLASSES}[name] + "\n}\n"
    found = record_java(tmp_path, shared_cache, {"src/p/Main.java": text}, "p.Main")
    assert found.status == 0, found.output
    assert sorted(map(renamed, found.pins)) == sorted(found.log)
    assert found.log
    assert found.recording.problems == ()
