package corpus;
import static probe.Out.p;
public class Flow {
    static void labelled() { outer: for (int i = 0; i < 4; i++) { for (int j = 0; j < 4; j++) { if (j == 2) continue outer; if (i == 2) break outer; p(i * 10 + j); } } p("end"); block: { if (true) break block; p("never"); } p("after"); }
    static void doWhile() { int i = 0; do { i++; if (i == 2) continue; p(i); } while (i < 3); do p(i); while (false); }
    static void whileBreak() { int i = 0; while (true) { if (i++ > 3) break; if (i == 2) continue; p(i); } p(i); }
    static void forForms() { for (int i = 0, j = 10; i < j; i += 3, j--) p(i + j); int k; for (k = 0; k < 2; k++) ; p(k); for (; ; ) { if (k++ > 3) break; } p(k); for (int x : new int[] {}) p(x); }
    static void switchOld() { for (int i = 0; i < 5; i++) { switch (i) { case 0: p("zero"); case 1: p("one"); break; case 3: { p("three"); break; } default: p("other"); } } }
    static void switchDefaultFirst() { for (int i = 0; i < 3; i++) switch (i) { default: p("d"); case 1: p("1"); break; case 2: p("2"); } }
    static void switchArrow() { for (int i = 0; i < 4; i++) { switch (i) { case 0, 1 -> p("low"); case 2 -> { p("two"); if (true) break; p("no"); } default -> p("hi"); } } }
    static void switchExpression() { for (int i = 0; i < 4; i++) { int k = switch (i) { case 0 -> 10; case 1, 2 -> { int q = i * 2; yield q + 1; } default -> -1; }; p(k); String s = switch (i) { case 0: yield "z"; case 1: p("fall"); default: yield "o"; }; p(s); } p(switch (3) { case 3 -> 'c'; default -> 1; } + 1); }
    static void switchThrow() { int i = 5; int k = switch (i) { case 1 -> 2; default -> throw new IllegalStateException("bad"); }; p(k); }
    static void switchInLoop() { for (int i = 0; i < 5; i++) { switch (i) { case 1: continue; case 3: break; default: p(i); } p("x" + i); if (i == 3) break; } }
    static void switchChar() { for (char c : "a1 ".toCharArray()) switch (c) { case 'a': p("A"); break; case '1': p("one"); break; default: p("?"); } byte b = 2; switch (b) { case 2: p("two"); } Integer n = 4; switch (n) { case 4: p("four"); } }
    static void shortCircuit() { int[] n = {0}; boolean a = f(n, false) && f(n, true); p(n[0]); a = f(n, true) || f(n, true); p(n[0]); a = f(n, false) & f(n, true); p(n[0]); a = f(n, true) | f(n, true); p(n[0]); p(a); a &= f(n, false); p(a); p(n[0]); a ^= true; p(a); }
    private static boolean f(int[] n, boolean r) { n[0]++; return r; }
    static void patterns() { Object[] all = {"abc", 5, 'c', null, new int[] {1, 2}, 2.5}; for (Object o : all) { if (o instanceof String s && s.length() > 2) p(s + "!"); else if (o instanceof Integer i) p(i + 1); else if (!(o instanceof Character c)) p(o == null ? "null" : "other"); else p(c); } Object q = "zz"; if (!(q instanceof String t)) return; p(t.length()); boolean z = q instanceof String u && u.equals("zz") || q instanceof Integer; p(z); p(q instanceof String w ? w : "no"); }
    static String t = "field";
    static void patternShadow() { Object o = "x"; if (o instanceof String t && t.length() == 1) { p(t); } p(t); if (!(o instanceof String t)) { p(Flow.t); } else { p(t); } while (!(o instanceof Integer t)) { o = 3; } p(t); }
    static void recursion() { p(fib(15)); p(ack(2, 3)); p(gcd(84, 36)); p(even(10)); p(pow(3, 13)); p(hanoi(6)); }
    private static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    private static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
    private static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
    private static boolean even(int n) { return n == 0 || odd(n - 1); }
    private static boolean odd(int n) { return n != 0 && even(n - 1); }
    private static long pow(long b, int e) { if (e == 0) return 1; long h = pow(b, e / 2); return e % 2 == 0 ? h * h : h * h * b; }
    private static int hanoi(int n) { if (n == 0) return 0; return hanoi(n - 1) + 1 + hanoi(n - 1); }
    static void sieve() { boolean[] c = new boolean[60]; int n = 0; for (int i = 2; i < 60; i++) { if (c[i]) continue; n++; for (int j = i * i; j < 60; j += i) c[j] = true; } p(n); }
    static void collatz() { int n = 27, s = 0; while (n != 1) { n = (n & 1) == 0 ? n / 2 : 3 * n + 1; s++; } p(s); }
    static void shadowing() { int x = 1; { int y = x; x++; p(y); } { int y = x * 10; p(y); } for (int i = 0; i < 1; i++) { int z = i; p(z); } for (int i = 5; i < 6; i++) { String z = "s" + i; p(z); } }
    static void finalLocals() { final int a; if (fib(3) > 1) a = 5; else a = 6; p(a); int b; b = a + 1; p(b); }
    static void nestedTernary() { for (int i = -1; i < 3; i++) p(i < 0 ? "neg" : i == 0 ? "zero" : i == 1 ? "one" : "many"); }
    static void varInference() { var i = 5; var s = "x"; var l = 5L; var c = 'c'; var d = 1.5f; var a = new int[] {1}; p(i); p(s); p(l); p(c); p(d); p(a[0]); i += 2.7; p(i); for (var x : a) p(x); var o = (Object) "z"; p(o); var b = (byte) 3; b += 1; p(b); }
    static void labelledContinueWhile() { int i = 0; again: while (i < 5) { i++; int j = 0; do { j++; if (j == i) continue again; } while (j < 3); p(i); } }
    static void syncAndAssert() { Object lock = new Object(); synchronized (lock) { p(1); } assert 1 < 2 : "no"; p(2); Object n = null; synchronized (n) { p(3); } }
    static void emptyStatements() { ; ; if (true) ; else p("no"); for (int i = 0; i < 2; i++) { } p("ok"); }
}
