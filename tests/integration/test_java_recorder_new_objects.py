"""The Java recorder: only objects that a call certainly made count as new; what was there before unseen does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from java_recording import record_java

HEAD = """package p;
import java.util.*;
public class Main {
    static class Item { int n; Item(int n) { this.n = n; } }
    static class Link { int n; Link next; Link(int n, Link next) { this.n = n; this.next = next; } }
    static class Kept { static final Item ITEM = new Item(77); }
    enum Kind { ONE, TWO }
    interface Maker { Item make(int k); }
    static class Anew implements Maker { public Item make(int k) { return new Item(k); } }
    static class Saved implements Maker { public Item make(int k) { return Kept.ITEM; } }
"""

OLD = {
    "too far away for the first look": (
        """
    //@ requires true;
    static int first(Link l) { return l.n; }
    public static void main(String[] args) {
        Link l = null;
        for (int i = 6; i > 0; i--) l = new Link(i, l);
        first(l);
    }""",
        "Main.first(Link): l=m0; m0=p.Main.Link{n: 1, next: m1}; m1=p.Main.Link{n: 2, next: m2}; "
        "m2=p.Main.Link{n: 3, next: m3}; m3=p.Main.Link{n: 4, next: ?} -> 1",
    ),
    "too many for the first look": (
        """
    //@ requires true;
    static Item of(Item[][] a, int i, int k) { a[i][k].n++; return a[i][k]; }
    public static void main(String[] args) {
        Item[][] a = new Item[60][60];
        for (Item[] row : a) Arrays.setAll(row, Item::new);
        of(a, 59, 59);
    }""",
        "-> ?",
    ),
    "in a map": (
        """
    static class Table { Map<String, Item> map = new HashMap<>();
        //@ requires true;
        Item get(String k) { return map.get(k); }
    }
    public static void main(String[] args) { Table t = new Table(); t.map.put("a", new Item(5)); t.get("a"); }""",
        'Main.Table.get(String): this=m0, k="a"; m0=p.Main.Table{map: ?} -> ?',
    ),
    "in a static field of another class": (
        """
    //@ requires true;
    static Item kept(int k) { return Kept.ITEM; }
    public static void main(String[] args) { kept(1); }""",
        "Main.kept(int): k=1 -> ?",
    ),
    "hung into what the call was given": (
        """
    //@ requires true;
    static void keep(Item[] a) { a[0] = Kept.ITEM; }
    public static void main(String[] args) { keep(new Item[1]); }""",
        "Main.keep(Item[]): a=m0; m0=[null] -> void; m0=[?]",
    ),
    "from a method that is bound late": (
        """
    //@ requires true;
    static Item by(Maker m, int k) { return m.make(k); }
    public static void main(String[] args) { by(new Saved(), 1); }""",
        "Main.by(Maker, int): m=m0, k=1; m0=p.Main.Saved{} -> ?",
    ),
    "from a lambda": (
        """
    static final Maker MAKER; static { Item one = new Item(8); MAKER = k -> one; }
    static class Holder { Maker maker = MAKER; }
    //@ requires true;
    static Item by(Holder h, int k) { return h.maker.make(k); }
    public static void main(String[] args) { by(new Holder(), 1); }""",
        "Main.by(Holder, int): h=m0, k=1; m0=p.Main.Holder{maker: ?} -> ?",
    ),
    "around an inner object": (
        """
    Item own = new Item(3);
    class In {
        //@ requires true;
        Item outer() { return own; }
    }
    public static void main(String[] args) { new Main().new In().outer(); }""",
        "Main.In.outer(): this=m0; m0=p.Main.In{} -> ?",
    ),
    "what a constructor puts into its object": (
        """
    static class Pair { Item a; int b;
        //@ requires true;
        Pair(int b) { this.a = Kept.ITEM; this.b = b; }
    }
    public static void main(String[] args) { new Pair(2); }""",
        "Main.Pair.Pair(int): b=2 -> m0; m0=p.Main.Pair{a: ?, b: 2}",
    ),
    "an empty list that all share": (
        """
    //@ requires true;
    static List<Item> none(int k) { return List.of(); }
    public static void main(String[] args) { none(1); }""",
        "Main.none(int): k=1 -> ?",
    ),
    "in a thread's own variable": (
        """
    static final ThreadLocal<Item> OWN = ThreadLocal.withInitial(() -> Kept.ITEM);
    //@ requires true;
    static Item own(int k) { return OWN.get(); }
    public static void main(String[] args) { own(1); }""",
        "Main.own(int): k=1 -> ?",
    ),
    "given by what the library calls back": (
        """
    static class Odd implements Comparable<Odd> { Item it;
        public int compareTo(Odd other) { it = Kept.ITEM; return 0; }
    }
    //@ requires true;
    static void sort(Odd[] a) { Arrays.sort(a); }
    public static void main(String[] args) { sort(new Odd[] {new Odd(), new Odd()}); }""",
        "m2=p.Main.Odd{it: ?}",
    ),
    "put there when a class was initialised": (
        """
    static Item[] box = {null};
    static class Late { static int v = 4; static { box[0] = Kept.ITEM; } }
    //@ requires true;
    static int late(Item[] a) { return Late.v; }
    public static void main(String[] args) { late(box); }""",
        "Main.late(Item[]): a=m0; m0=[null] -> 4; m0=[?]",
    ),
}
NEW = {
    "made by a helper": (
        """
    static Item help(int k) { if (k < 0) throw new IllegalArgumentException("no " + k); return new Item(k); }
    //@ requires true;
    static Item make(int k) { return help(k + 1); }
    public static void main(String[] args) { make(1); }""",
        "Main.make(int): k=1 -> m0; m0=p.Main.Item{n: 2}",
    ),
    "a list": (
        """
    //@ requires true;
    static List<Integer> count(int n) { List<Integer> l = new ArrayList<>(); while (n > 0) l.add(n--); return l; }
    public static void main(String[] args) { count(2); }""",
        "Main.count(int): n=2 -> m0; m0=(Integer(2), Integer(1))",
    ),
    "by a method that is bound late": (
        """
    //@ requires true;
    static Item by(Maker m, int k) { return m.make(k); }
    public static void main(String[] args) { by(new Anew(), 1); }""",
        "Main.by(Maker, int): m=m0, k=1; m0=p.Main.Anew{} -> m1; m1=p.Main.Item{n: 1}",
    ),
    "which constant of an enum decides": (
        """
    //@ requires true;
    static int[] of(Kind k) {
        switch (k) { case ONE: return new int[] {1}; default: return Arrays.copyOf(new int[3], 2); }
    }
    public static void main(String[] args) { of(Kind.TWO); }""",
        "Main.of(Kind): k=p.Main.Kind.TWO -> m0; m0=[0, 0]",
    ),
    "hung into what the call was given": (
        """
    //@ requires true;
    static void push(Link l, int n) { while (l.next != null) l = l.next; l.next = new Link(n, null); }
    public static void main(String[] args) { push(new Link(1, null), 2); }""",
        "Main.push(Link, int): l=m0, n=2; m0=p.Main.Link{n: 1, next: null} -> void; "
        "m0=p.Main.Link{n: 1, next: m1}; m1=p.Main.Link{n: 2, next: null}",
    ),
}


@pytest.mark.parametrize(
    ("body", "pin"),
    [
        *(pytest.param(*case, id=f"old: {name}") for name, case in OLD.items()),
        *(pytest.param(*case, id=f"new: {name}") for name, case in NEW.items()),
    ],
)
def test_what_counts_as_new(body: str, pin: str, tmp_path: Path, shared_cache: Path) -> None:
    found = record_java(tmp_path, shared_cache, {"src/p/Main.java": HEAD + body + "\n}\n"}, "p.Main")
    assert found.status == 0, found.output
    assert found.recording.problems == ()
    (only,) = found.pins
    assert only.endswith(pin)
