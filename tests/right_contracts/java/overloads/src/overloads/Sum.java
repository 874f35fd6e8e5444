package overloads;

public class Sum {
    //@ ensures \result == a + b;
    public static /*@ pure @*/ int of(int a, int b) { return a + b; }

    //@ ensures \result == a + b + 1;
    public static /*@ pure @*/ long of(long a, long b) { return a + b + 1; }

    //@ ensures \result == a + b - 1.0;
    public static /*@ pure @*/ double of(double a, double b) { return a + b - 1; }

    //@ ensures \result.equals(a + b);
    public static /*@ pure @*/ String of(String a, String b) { return a + b; }

    //@ ensures \result == a.length;
    public static /*@ pure @*/ int of(int... a) { return a.length; }

    //@ ensures \result == 'c' + c;
    public static /*@ pure @*/ int of(char c) { return 'c' + c; }

    //@ ensures \result == -1;
    public static /*@ pure @*/ int of(Object o) { return -1; }

    //@ ensures \result == -2;
    public static /*@ pure @*/ int of(Integer o) { return -2; }
}
