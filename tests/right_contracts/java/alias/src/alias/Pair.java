package alias;

public class Pair {
    public int[] left;
    public int[] right;
    public static Pair shared;
    public static int made;

    //@ ensures left == l && right == r && made == \old(made) + 1;
    //@ assignable left, right, made;
    public Pair(int[] l, int[] r) { left = l; right = r; made++; }

    /*@ requires left.length > 0 && right.length > 0;
      @ assignable left[0], right[0];
      @ ensures left == right ==> left[0] == \old(left[0]) + 2;
      @ ensures left != right ==> left[0] == \old(left[0]) + 1 && right[0] == \old(right[0]) + 1; @*/
    public void bump() { left[0]++; right[0]++; }

    //@ ensures \result <==> left == right;
    public /*@ pure @*/ boolean same() { return left == right; }

    /*@ requires src.length <= dst.length;
      @ assignable dst[0 .. src.length - 1];
      @ ensures (\forall int i; 0 <= i && i < src.length; dst[i] == \old(src[i])); @*/
    public static void copy(int[] src, int[] dst) { System.arraycopy(src, 0, dst, 0, src.length); }

    //@ ensures shared == this;
    //@ assignable shared;
    public void share() { shared = this; }

    /*@ ensures left == \old(right) && right == \old(left) && \result == this;
      @ assignable left, right; @*/
    public Pair flip() { int[] t = left; left = right; right = t; return this; }

    /*@ ensures \result == (a == b); @*/
    public static /*@ pure @*/ boolean identical(/*@ nullable @*/ Object a, /*@ nullable @*/ Object b) { return a == b; }
}
