package words;

public class Synonyms {
    /*@ spec_public @*/ private int a;
    /*@ spec_public @*/ private int b;
    //@ public initially a == 0 && b == 0;

    public Synonyms() { }

    //@ pre x > 0;
    //@ modifies a;
    //@ post a == x && b == \old(b);
    public void setA(int x) { a = x; }

    //@ modifiable a, b;
    //@ post a == \old(b);
    //@ post b == \pre(a);
    public void swap() { int t = a; a = b; b = t; }

    /*@ public behaviour
      @   requires true;
      @   assignable \nothing;
      @   ensures \result == a + b;
      @ implies_that
      @   ensures true;
      @ for_example public normal_example
      @   requires a == 1 && b == 2;
      @   ensures \result == 3;
      @*/
    public int sum() { return a + b; }

    //@ ensures (\forall String s; \nonnullelements(xs); true) && \result == xs.length;
    //@ requires \nonnullelements(xs);
    public static /*@ pure @*/ int count(String[] xs) { return xs.length; }

    //@ ensures \result <==> \typeof(o) == \type(String);
    public static /*@ pure @*/ boolean isText(Object o) { return o instanceof String; }

    //@ ensures \result == (\bigint) x + 1 - 1;
    public static /*@ pure spec_bigint_math @*/ int same(int x) { return x; }

    //@ ensures b == \old(b) + 1 && a == \old(a);
    //@ assignable \everything;
    public void tick() { b++; }

    /*@ helper @*/ /*@ pure @*/ private int raw() { return a; }

    //@ ensures (x > 0 <=!=> \result == false);
    public static /*@ pure @*/ boolean positive(int x) { return x > 0; }
}
