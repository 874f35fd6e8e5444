package inherit;

public abstract class Counter {
    protected /*@ spec_public @*/ int n;

    /*@ requires n < 1000;
      @ ensures n > \old(n);
      @ assignable n; @*/
    public abstract void step();

    //@ ensures \result == n;
    public final /*@ pure @*/ int n() { return n; }

    static class One extends Counter {
        //@ also requires n < 1000; ensures n == \old(n) + 1; assignable n;
        @Override public void step() { n++; }
    }

    static class By extends Counter {
        final /*@ spec_public @*/ int by;

        //@ public invariant by > 0;
        //@ requires by > 0; ensures this.by == by && n == 0; assignable this.by;
        By(int by) { this.by = by; }

        //@ also requires n < 1000; ensures n == \old(n) + by; assignable n;
        @Override public void step() { n += by; }
    }
}
