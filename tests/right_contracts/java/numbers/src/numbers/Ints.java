package numbers;

/** Integer arithmetic. */
public final class Ints {
    private Ints() { }

    //@ requires Integer.MIN_VALUE <= a + b && a + b <= Integer.MAX_VALUE;
    //@ ensures \result == a + b;
    public static /*@ pure @*/ int add(int a, int b) { return a + b; }

    /*@ public normal_behavior
      @   ensures \result == (a + b > Integer.MAX_VALUE ? Integer.MAX_VALUE
      @                      : a + b < Integer.MIN_VALUE ? Integer.MIN_VALUE : a + b);
      @   assignable \nothing;
      @*/
    public static int addSaturating(int a, int b) {
        int s = a + b;
        if (((a ^ s) & (b ^ s)) < 0) {
            return a < 0 ? Integer.MIN_VALUE : Integer.MAX_VALUE;
        }
        return s;
    }

    /*@ public normal_behavior
      @   requires d != 0;
      @   ensures \result == a / d;
      @   assignable \strictly_nothing;
      @ also public exceptional_behavior
      @   requires d == 0;
      @   signals_only ArithmeticException;
      @   assignable \nothing;
      @*/
    public static int divide(int a, int d) { return a / d; }

    /*@ requires m > 0;
      @ ensures 0 <= \result && \result < m;
      @ ensures (\exists int k; -1000 <= k && k <= 1000; a == k * m + \result);
      @*/
    public static /*@ pure @*/ int mod(int a, int m) {
        int r = a % m;
        return r < 0 ? r + m : r;
    }

    //@ ensures \result == ((bits & (1 << n)) != 0);
    //@ requires 0 <= n && n < 32;
    public static /*@ pure @*/ boolean bit(int bits, int n) { return (bits >>> n & 1) == 1; }

    /*@ ensures x == y ==> \result == 0;
      @ ensures x < y ==> \result == -1;
      @ ensures x > y ==> \result == 1;
      @ pure
      @*/
    public static int compare(int x, int y) { return x < y ? -1 : x == y ? 0 : 1; }

    //@ requires n >= 0;
    //@ ensures \result * \result <= n && n < (\result + 1) * (\result + 1) && \result >= 0;
    public static /*@ pure @*/ int isqrt(int n) {
        int r = 0;
        while ((long) (r + 1) * (r + 1) <= n) {
            r++;
        }
        return r;
    }

    /*@ requires a > 0 && b > 0;
      @ ensures \result > 0 && a % \result == 0 && b % \result == 0;
      @ ensures (\forall int d; \result < d && d <= a; a % d != 0 || b % d != 0);
      @ assignable \nothing;
      @*/
    public static int gcd(int a, int b) { return b == 0 ? a : a % b == 0 ? b : gcd(b, a % b); }

    /*@ spec_java_math @*/
    //@ ensures \result == x * 31 + 7;
    public static /*@ pure spec_java_math @*/ int hash(int x) { return x * 31 + 7; }

    /*@ ensures \result == (x == Integer.MIN_VALUE ? x : x < 0 ? -x : x); @*/
    public static /*@ pure @*/ int abs(int x) { return x < 0 ? -x : x; }

    //@ ensures \result == (short) x;
    public static /*@ pure @*/ short narrow(int x) { return (short) x; }

    //@ ensures \result == (b & 0xff);
    public static /*@ pure @*/ int unsigned(byte b) { return b & 0xff; }
}
