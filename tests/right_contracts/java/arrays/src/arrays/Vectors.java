package arrays;

import java.util.Arrays;

public class Vectors {
    //@ requires a.length > 0;
    //@ ensures (\forall int i; 0 <= i && i < a.length; a[i] <= \result);
    //@ ensures (\exists int i; 0 <= i && i < a.length; a[i] == \result);
    //@ pure
    public static int max(int[] a) {
        int m = a[0];
        for (int x : a) if (x > m) m = x;
        return m;
    }

    //@ ensures \result == (\sum int i; 0 <= i && i < a.length; (long) a[i]);
    public static /*@ pure @*/ long sum(int... a) {
        long s = 0;
        for (int x : a) s += x;
        return s;
    }

    //@ ensures \result == (\num_of int i; 0 <= i && i < a.length; a[i] == x);
    public static /*@ pure @*/ int count(int[] a, int x) {
        int n = 0;
        for (int i = 0; i < a.length; ++i) if (a[i] == x) n++;
        return n;
    }

    /*@ public normal_behavior
      @   requires 0 <= i && i < a.length && 0 <= j && j < a.length;
      @   assignable a[i], a[j];
      @   ensures a[i] == \old(a[j]) && a[j] == \old(a[i]);
      @*/
    public static void swap(int[] a, int i, int j) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }

    /*@ assignable a[*];
      @ ensures (\forall int i; 0 <= i && i < a.length; a[i] == \old(a[a.length - 1 - i])); @*/
    public static void reverse(int[] a) {
        for (int i = 0, j = a.length - 1; i < j; i++, j--) swap(a, i, j);
    }

    /*@ assignable a[*];
      @ ensures (\forall int i; 0 <= i && i + 1 < a.length; a[i] <= a[i + 1]);
      @ ensures (\forall int i; 0 <= i && i < a.length;
      @            (\num_of int k; 0 <= k && k < a.length; a[k] == a[i])
      @            == (\num_of int k; 0 <= k && k < a.length; \old(a[k]) == a[i])); @*/
    public static void sort(int[] a) {
        for (int i = 1; i < a.length; i++) {
            int x = a[i];
            int j = i - 1;
            while (j >= 0 && a[j] > x) { a[j + 1] = a[j]; j--; }
            a[j + 1] = x;
        }
    }

    /*@ requires 0 <= from && from <= to && to <= a.length;
      @ assignable a[from .. to - 1];
      @ ensures (\forall int i; from <= i && i < to; a[i] == v); @*/
    public static void fill(int[] a, int from, int to, int v) {
        for (int i = from; i < to; i++) a[i] = v;
    }

    /*@ ensures \fresh(\result) && \result.length == a.length + 1;
      @ ensures (\forall int i; 0 <= i && i < a.length; \result[i] == a[i]);
      @ ensures \result[a.length] == x;
      @ assignable \nothing; @*/
    public static int[] append(int[] a, int x) {
        int[] r = Arrays.copyOf(a, a.length + 1);
        r[a.length] = x;
        return r;
    }

    /*@ ensures -1 <= \result && \result < a.length;
      @ ensures \result >= 0 ==> a[\result] == x;
      @ ensures (\forall int i; 0 <= i && i < (\result < 0 ? a.length : \result); a[i] != x); @*/
    public static /*@ pure @*/ int indexOf(char[] a, char x) {
        for (int i = 0; i < a.length; i++) if (a[i] == x) return i;
        return -1;
    }

    //@ requires a.length > 0;
    //@ ensures \result == (\max int i; 0 <= i && i < a.length; a[i]) - (\min int i; 0 <= i && i < a.length; a[i]);
    public static /*@ pure @*/ int spread(int[] a) {
        int lo = a[0], hi = a[0];
        for (int x : a) { lo = Math.min(lo, x); hi = Math.max(hi, x); }
        return hi - lo;
    }

    //@ ensures \result <==> (\forall int i; 0 <= i && i < bs.length; bs[i]);
    public static /*@ pure @*/ boolean all(boolean[] bs) {
        for (boolean b : bs) if (!b) return false;
        return true;
    }
}
