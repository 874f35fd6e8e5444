package corpus;
import static probe.Out.p;
public class Arrs {
    static void defaults() { p(new int[2][1].length); int[] i = new int[2]; p(i[1]); p(new boolean[1][0].length); double[] dd = new double[1]; p(dd[0]); String[] s = new String[1]; p(s[0]); p(new char[1][1][0].length); long[][] l = new long[2][]; p(l[0] == null); p(l.length); }
    static void initializers() { int[] a = {1, 2, 3}; int[][] b = {{1}, {2, 3}, {}}; p(b[1][1]); p(b[2].length); byte[] c = {1, 'a'}; p(c[1]); double[] d = {1, 'a', 2L}; p(d[1]); Object[] o = {1, "a", 'c', null}; for (Object x : o) p(x); char[] e = {97}; p(e[0]); Integer[] n = {1, 2}; p(n[0]); p(new int[] {4, 5}[1]); String s[] = {"x"}, t = "y"; p(s[0] + t); int f[][] = new int[2][3], g[] = {1}; p(f[1].length + g[0]); }
    static void aliasing() { int[] a = {1, 2}; int[] b = a; b[0] = 9; p(a[0]); int[][] m = {a, a}; m[1][1] = 7; p(a[1]); p(m[0] == m[1]); fill(a); p(a[0]); int[] c = a.clone(); c[0] = 0; p(a[0]); p(a == b); p(a.equals(b)); p(a.equals(c)); int[][] d = m.clone(); d[0][0] = 55; p(a[0]); }
    private static void fill(int[] x) { x[0] = 42; x = new int[] {0}; x[0] = 1; }
    static void outOfBounds() { int[] a = new int[3]; try { a[3] = 1; } catch (ArrayIndexOutOfBoundsException e) { p("1"); } try { p(a[-1]); } catch (IndexOutOfBoundsException e) { p("2"); } a[a.length]++; }
    static void negativeSize() { int n = -1; int[] a = new int[n]; }
    static void negativeInner() { int[][] a = new int[0][-1]; }
    static void nullArray() { int[] a = null; p(a[0]); }
    static void nullLength() { int[] a = null; p(a.length); }
    static void nullInner() { int[][] a = new int[2][]; a[1][0] = 1; }
    static void storeException() { Object[] o = new String[1]; o[0] = "x"; p(o[0]); o[0] = 1; }
    static void storeOrder() { int[] a = null; int[] n = {0}; try { a[n[0]++] = n[0]++; } catch (NullPointerException e) { p(n[0]); } int[] b = {}; try { b[n[0]++] = n[0]++; } catch (ArrayIndexOutOfBoundsException e) { p(n[0]); } try { b[n[0]++] += n[0]++; } catch (ArrayIndexOutOfBoundsException e) { p(n[0]); } try { a[n[0]++] += n[0]++; } catch (NullPointerException e) { p(n[0]); } }
    static void instance() { Object o = new int[0]; p(o instanceof int[]); p(o instanceof Object); Object s = new String[0]; p(s instanceof Object[]); p(s instanceof String[]); p(s instanceof Integer[]); p(o instanceof long[]); p(o instanceof Cloneable); Object[] q = new Integer[1][1]; p(q instanceof Integer[][]); Integer[] z = (Integer[]) q[0]; p(z.length); String[] bad = (String[]) q[0]; }
    static void toText() { p(java.util.Arrays.toString(new int[] {1, -2})); p(java.util.Arrays.toString(new String[] {"a", null})); p(java.util.Arrays.toString(new char[] {'x'})); p(java.util.Arrays.toString(new double[] {1.5})); p(java.util.Arrays.toString((int[]) null)); p(java.util.Arrays.toString(new int[0])); p(java.util.Arrays.toString(new boolean[] {true})); }
    static void utilities() { int[] a = {3, 1, 2}; java.util.Arrays.sort(a); p(java.util.Arrays.toString(a)); java.util.Arrays.fill(a, 7); p(a[2]); int[] b = java.util.Arrays.copyOf(a, 5); p(b[4]); p(b.length); int[] c = java.util.Arrays.copyOfRange(a, 1, 2); p(c.length); p(java.util.Arrays.equals(a, new int[] {7, 7, 7})); p(java.util.Arrays.equals(a, b)); p(java.util.Arrays.hashCode(a)); System.arraycopy(b, 0, b, 1, 4); p(java.util.Arrays.toString(b)); String[] s = {"b", "a", "C"}; java.util.Arrays.sort(s); p(java.util.Arrays.toString(s)); java.util.Arrays.sort(b, 0, 3); java.util.Arrays.fill(b, 1, 3, -1); p(java.util.Arrays.toString(b)); double[] d = {1, -0.0, 0.0, -5}; java.util.Arrays.sort(d); p(java.util.Arrays.toString(d)); p(java.util.Arrays.equals((int[]) null, null)); p(java.util.Arrays.hashCode(new String[] {"a", null})); }
    static void copyRangeBad() { java.util.Arrays.copyOfRange(new int[2], 3, 4); }
    static void copyNegative() { java.util.Arrays.copyOf(new int[2], -1); }
    static void arraycopyBad() { System.arraycopy(new int[2], 1, new int[2], 0, 2); }
    static void arraycopyTypes() { System.arraycopy(new int[2], 0, new long[2], 0, 1); }
    static void arraycopyOverlap() { int[] a = {1, 2, 3, 4, 5}; System.arraycopy(a, 0, a, 2, 3); for (int x : a) p(x); System.arraycopy(a, 2, a, 0, 3); for (int x : a) p(x); }
    static void matrix() { int[][] m = new int[3][4]; for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) m[i][j] = i * j - j; int s = 0; for (int[] r : m) for (int x : r) s += x; p(s); m[0] = m[1]; p(m[0][3]); int[][] t = new int[4][3]; for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) t[j][i] = m[i][j]; p(t[3][2]); }
    static void forEachReassign() { int[] a = {1, 2, 3}; int n = 0; for (int x : a) { a = new int[] {100}; n += x; } p(n); int[] b = {1, 2, 3}; for (int x : b) { b[2] = 50; n += x; } p(n); for (long x : new int[] {5}) p(x); for (Object x : new String[] {"q"}) p(x); for (int x : new char[] {'a'}) p(x); for (Integer x : new int[] {4}) p(x); }
    static void varargs() { p(sum()); p(sum(1)); p(sum(1, 2, 3)); p(sum(new int[] {4, 5})); p(count((Object[]) null)); p(count("a", 1)); p(count((Object) new int[2])); p(count(new int[2])); p(count(new String[] {"a", "b"})); p(first("x")); p(first("x", "y")); }
    private static int sum(int... x) { int s = 0; for (int y : x) s += y; return s; }
    private static int count(Object... x) { return x == null ? -1 : x.length; }
    private static String first(String a, String... r) { return a + r.length; }
    static void selfReference() { Object[] o = new Object[1]; o[0] = o; p(o[0] == o); p(((Object[]) o[0])[0] == o); }
    static void sortAlgorithms() { int[] a = {5, 2, 9, 1, 5, 6}; for (int i = 1; i < a.length; i++) { int x = a[i], j = i - 1; while (j >= 0 && a[j] > x) { a[j + 1] = a[j]; j--; } a[j + 1] = x; } p(java.util.Arrays.toString(a)); int lo = 0, hi = a.length - 1, found = -1; while (lo <= hi) { int mid = (lo + hi) >>> 1; if (a[mid] == 6) { found = mid; break; } if (a[mid] < 6) lo = mid + 1; else hi = mid - 1; } p(found); }
}
