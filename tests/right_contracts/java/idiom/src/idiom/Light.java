package idiom;

public class Light {
    //@ ensures x >= 0 && \result == 2 * x;
    //@ signals (IllegalStateException e) x < 0;
    public static /*@ pure @*/ int twice(int x) {
        if (x < 0) throw new IllegalStateException();
        return 2 * x;
    }

    //@ requires x >= 0;
    //@ ensures \result == 3 * x;
    public static /*@ pure @*/ int thrice(int x) {
        if (x < 0) throw new IllegalArgumentException();
        return 3 * x;
    }

    /*@ public normal_behavior
      @   requires x >= 0;
      @   ensures \result == 4 * x;
      @ also public exceptional_behavior
      @   requires x < 0;
      @   signals (IllegalArgumentException e) true; @*/
    public static /*@ pure @*/ int four(int x) {
        if (x < 0) throw new IllegalArgumentException();
        return 4 * x;
    }

    /*@ ensures \result == 5 * x;
      @ signals (Exception e) false; @*/
    public static /*@ pure @*/ int five(int x) { return 5 * x; }
}
