package corpus;
import static probe.Out.p;
public class Statics {
    static class Order { static { p("Order.a"); } static int x = log("x", 5); static final int C = 7; static int y = x * 2; static { p("Order.b " + y); y++; } static int log(String s, int v) { p(s); return v; } }
    static void order() { p("before"); p(Order.C); p("still"); p(Order.x); p(Order.y); p(Order.C); }
    static class Sup { static { p("Sup"); } static int s = 1; static void touch() { p("touch"); } } static class Sub extends Sup { static { p("Sub"); } static int t = 2; }
    static void inherited() { p(Sub.s); p("then"); p(Sub.t); }
    static class Sup2 { static { p("Sup2"); } static void touch() { p("touch"); } } static class Sub2 extends Sup2 { static { p("Sub2"); } Sub2() { p("Sub2()"); } }
    static void inheritedCall() { Sub2.touch(); new Sub2(); }
    static class Fwd { static int a = next(); static int b = 10; static int next() { return b + 1; } }
    static void forward() { p(Fwd.a); p(Fwd.b); }
    static class Ping { static int v = Pong.w + 1; } static class Pong { static int w = Ping.v + 1; }
    static void circular() { p(Ping.v); p(Pong.w); }
    static class Arr { static final int[] T = {1, 2, 3}; static { p("Arr"); } }
    static void arrays() { Arr[] none = new Arr[3]; p(none.length); p(Arr.class == null); p(Arr.T[1]); Arr.T[1] = 9; p(Arr.T[1]); }
    static class Single { private static final Single I = new Single(); private static int n = 5; private int k; Single() { n++; k = n; } static Single get() { return I; } }
    static void singleton() { p(Single.get().k); p(Single.n); p(Single.get() == Single.get()); }
    interface Consts { int A = Order2.v(); int B = 3; } static class Order2 { static int v() { p("v"); return 8; } } static class Impl implements Consts { static { p("Impl"); } int f() { return B; } int g() { return A; } }
    static void interfaceFields() { Impl i = new Impl(); p(i.f()); p("x"); p(i.g()); p(Consts.A); }
    interface Def { int Z = Order3.v(); default int d() { return 1; } } static class Order3 { static int v() { p("z"); return 8; } } static class Impl2 implements Def { static { p("Impl2"); } }
    static void defaultMethodInterface() { new Impl2(); }
    static class Counter { static int n; int id; Counter() { id = ++n; } static void reset() { n = 0; } }
    static void counter() { Counter.reset(); p(new Counter().id); p(new Counter().id); Counter.n += 10; p(new Counter().id); p(Counter.n++); p(++Counter.n); }
    static class Late { static { p("Late"); } static int z = 1; static int f(int x) { return x; } } private static int arg() { p("arg"); return 3; }
    static void argsFirst() { p(Late.f(arg())); } static class Late2 { static { p("Late2"); } Late2(int x) { } static int q; } static void newFirst() { new Late2(arg()); } static class Late3 { static { p("Late3"); } static int q; } static void assignOrder() { Late3.q = arg(); p(Late3.q); }
    static class Bad { static int v = 1 / Integer.parseInt("0"); }
    static class Instance { static int n = 0; int a = n++; int b = n++; { a += 10; } Instance() { b += 100; } Instance(int q) { this(); a += q; } int c = a + b; }
    static void instanceOrder() { Instance i = new Instance(5); p(i.a); p(i.b); p(i.c); }
    static final String CONST = "a" + 1; static final String NOT = new String("a1"); static void constants() { p(CONST == "a1"); p(NOT == "a1"); final String l = "a"; p((l + 1) == CONST); p(CONST.length()); switch ("a1") { case CONST: p("hit"); break; default: p("miss"); } }
    static class Inst { final int k = 5; final String s = "abc"; int u = get(); final int late; Inst() { late = 3; } int get() { return k + late; } }
    static void instanceConstants() { Inst i = new Inst(); p(i.u); p(i.k); p(i.s == "abc"); switch (5) { case 5: p("five"); } }
    static int depth; static int recurse(int n) { depth++; return n == 0 ? depth : recurse(n - 1); } static void staticRecursion() { p(recurse(10)); p(depth); }
    static long memo[] = new long[50]; static long fib(int n) { if (n < 2) return n; if (memo[n] != 0) return memo[n]; return memo[n] = fib(n - 1) + fib(n - 2); } static void memoised() { p(fib(45)); p(memo[20]); }
}
