package signal;

public class Valve {
    /*@ spec_public @*/ private boolean open;
    /*@ spec_public @*/ private int flow;
    //@ public invariant flow >= 0 && (!open ==> flow == 0);

    public static class Stuck extends Exception { public Stuck(String m) { super(m); } }

    /*@ public behavior
      @   assignable open, flow;
      @   ensures \old(!open) && open && flow == f && f >= 0;
      @   signals (Stuck e) \old(open) && open && flow == \old(flow);
      @   signals (IllegalArgumentException e) f < 0 && open == \old(open) && flow == \old(flow);
      @   signals_only Stuck, IllegalArgumentException; @*/
    public void open(int f) throws Stuck {
        if (f < 0) throw new IllegalArgumentException("f");
        if (open) throw new Stuck("open");
        open = true;
        flow = f;
    }

    /*@ public behavior
      @   requires drop >= 0;
      @   assignable flow;
      @   ensures flow == \old(flow) - drop && \result == flow && flow >= 0;
      @   signals (ArithmeticException e) flow == 0 && \old(flow) < drop;
      @   signals_only ArithmeticException; @*/
    public int lower(int drop) {
        if (drop > flow) {
            flow = 0;
            throw new ArithmeticException();
        }
        return flow -= drop;
    }

    //@ ensures \result == open;
    public /*@ pure @*/ boolean isOpen() { return open; }

    /*@ ensures x >= 0 && \result == x;
      @ signals_only IllegalStateException;
      @ signals (RuntimeException e) x < 0;
      @ assignable \nothing; @*/
    public static int check(int x) {
        if (x < 0) throw new IllegalStateException();
        return x;
    }

    //@ requires x != 0;
    //@ ensures \result == 10 / x;
    public static /*@ pure @*/ int guarded(int x) { return 10 / x; }
}
