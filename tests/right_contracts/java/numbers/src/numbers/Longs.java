package numbers;

public class Longs {
    //@ ensures \result == (long) a * b;
    public static /*@ pure @*/ long product(int a, int b) { return (long) a * b; }

    /*@ public normal_behavior
      @   requires 0 <= n && n <= 20;
      @   ensures \result == (\product int i; 1 <= i && i <= n; (long) i);
      @   assignable \nothing;
      @ also
      @ public exceptional_behavior
      @   requires n < 0 || n > 20;
      @   assignable \nothing;
      @   signals_only IllegalArgumentException;
      @*/
    public static long factorial(int n) {
        if (n < 0 || n > 20) throw new IllegalArgumentException("n");
        long f = 1;
        for (int i = 2; i <= n; i++) f *= i;
        return f;
    }

    //@ requires 0 <= shift && shift < 64;
    //@ ensures \result == (x >>> shift);
    public static /*@ pure @*/ long unsignedShift(long x, int shift) { return x >>> shift; }

    //@ ensures \result == (millis - millis % 1000) / 1000;
    public static /*@ pure @*/ long seconds(long millis) { return millis / 1000; }

    //@ ensures \result == (int) (x ^ (x >>> 32));
    public static /*@ pure @*/ int hash(long x) { return (int) (x ^ (x >>> 32)); }
}
