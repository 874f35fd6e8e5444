package floats;

public class Geometry {
    //@ ensures \result == w * h;
    public static /*@ pure @*/ double area(double w, double h) { return w * h; }

    //@ ensures \result == (a + b) / 2.0;
    public static /*@ pure @*/ double mean(double a, double b) { return (a + b) / 2.0; }

    //@ ensures \result <==> Double.isNaN(x);
    public static /*@ pure @*/ boolean missing(double x) { return x != x; }

    //@ requires !Double.isNaN(x);
    //@ ensures x < 0.0 ==> \result == 0.0;
    //@ ensures x > 1.0 ==> \result == 1.0;
    //@ ensures 0.0 <= x && x <= 1.0 ==> \result == x;
    public static /*@ pure @*/ double unit(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

    //@ requires -1000 < x && x < 1000;
    //@ ensures \result == (int) x;
    public static /*@ pure @*/ int truncate(double x) { return (int) x; }

    //@ ensures \result == f * 2.0f;
    public static /*@ pure @*/ float twice(float f) { return f * 2; }
}
