package frames;

public class Screen {
    int[][] px;
    int dirty;
    final Cursor cursor = new Cursor();

    static class Cursor { int x; int y; }

    //@ requires w >= 0 && h >= 0;
    //@ ensures px.length == h && (\forall int r; 0 <= r && r < h; px[r].length == w && (\forall int c; 0 <= c && c < w; px[r][c] == 0));
    //@ ensures dirty == 0 && \fresh(cursor) && cursor.x == 0 && cursor.y == 0;
    //@ assignable px, cursor;
    Screen(int w, int h) { px = new int[h][w]; }

    //@ requires 0 <= r && r < px.length;
    //@ assignable px[r][*], dirty;
    //@ ensures (\forall int c; 0 <= c && c < px[r].length; px[r][c] == v) && dirty == \old(dirty) + 1;
    void row(int r, int v) { java.util.Arrays.fill(px[r], v); dirty++; }

    //@ assignable cursor.x, cursor.y;
    //@ ensures cursor.x == \old(cursor.x) + dx && cursor.y == \old(cursor.y) + dy;
    void move(int dx, int dy) { cursor.x += dx; cursor.y += dy; }

    //@ assignable cursor.*;
    //@ ensures cursor.x == 0 && cursor.y == 0;
    void home() { cursor.x = cursor.y = 0; }

    //@ assignable this.*;
    //@ ensures dirty == 0 && px == \old(px) && cursor == \old(cursor);
    void clean() { dirty = 0; }

    //@ ensures \result == px;
    /*@ pure @*/ int[][] raw() { return px; }

    //@ requires 0 <= r && r < px.length;
    //@ ensures \result == \old(px[r]) && px[r] == row;
    //@ assignable px[r];
    int[] exchange(int r, int[] row) { int[] before = px[r]; px[r] = row; return before; }

    //@ requires m.length > 0;
    //@ ensures (\forall int i; 0 <= i && i < m.length; m[i] == m[0]) && m[0] == \old(m[0]);
    //@ assignable m[*];
    static void alias(int[][] m) { for (int i = 1; i < m.length; i++) m[i] = m[0]; }

    //@ requires ss.length >= 2;
    //@ ensures ss[0] == \old(ss[1]) && ss[1] == \old(ss[0]);
    //@ assignable ss[0 .. 1];
    static void flip(String[] ss) { String s = ss[0]; ss[0] = ss[1]; ss[1] = s; }

    //@ ensures (\forall int i; 0 <= i && i < cs.length; cs[i] == (char) (\old(cs[i]) + 1));
    //@ assignable cs[*];
    static void shift(char[] cs) { for (int i = 0; i < cs.length; i++) cs[i]++; }

    //@ ensures (\forall int i; 0 <= i && i < ds.length; ds[i] == \old(ds[i]) / 2.0);
    //@ assignable ds[*];
    static void halve(double[] ds) { for (int i = 0; i < ds.length; i++) ds[i] /= 2; }
}
