package corpus;
import static probe.Out.p;
public class Exceptions {
    static class Own extends RuntimeException { final int code; Own(String m, int code) { super(m); this.code = code; } }
    static class Sub extends Own { Sub() { super("sub", 7); } @Override public String getMessage() { return "own " + super.getMessage(); } }
    static class Checked extends Exception { Checked(Throwable t) { super(t); } Checked() { } }
    static void message() { try { throw new IllegalArgumentException("m"); } catch (IllegalArgumentException e) { p(e.getMessage()); p(e.toString()); p(e.getCause() == null); } try { throw new IllegalStateException(); } catch (RuntimeException e) { p(e.getMessage()); p(e.toString()); } }
    static void own() { try { throw new Own("x", 3); } catch (Own e) { p(e.code); p(e.getMessage()); } try { throw new Sub(); } catch (Own e) { p(e.code); p(e.getMessage()); p(e instanceof Sub); } throw new Sub(); }
    static void cause() { try { try { throw new Own("in", 1); } catch (Own e) { throw new IllegalStateException("out", e); } } catch (IllegalStateException e) { p(e.getMessage()); p(e.getCause().getMessage()); p(((Own) e.getCause()).code); } }
    static void checked() throws Exception { try { throw new Checked(); } catch (Checked e) { p(e.getMessage()); } throw new Checked(new Own("c", 1)); }
    static void finallyOrder() { p(order()); p(override()); p(modified()); try { nested(); } catch (RuntimeException e) { p(e.getMessage()); } }
    private static int order() { try { p("try"); return 1; } finally { p("finally"); } }
    @SuppressWarnings("finally") private static int override() { try { throw new RuntimeException("lost"); } finally { return 2; } }
    private static int modified() { int i = 1; try { return i; } finally { i = 5; } }
    private static void nested() { try { try { throw new RuntimeException("a"); } finally { p("f1"); } } finally { p("f2"); } }
    static void finallyReplaces() { try { throw new RuntimeException("first"); } finally { throw new IllegalStateException("second"); } }
    static void finallyBreak() { for (int i = 0; i < 3; i++) { try { if (i == 1) continue; if (i == 2) break; p(i); } finally { p("f" + i); } } p("end"); }
    static void catchOrder() { for (int i = 0; i < 4; i++) { try { thrower(i); p("none"); } catch (ArithmeticException e) { p("arith"); } catch (NullPointerException | IndexOutOfBoundsException e) { p("multi"); } catch (RuntimeException e) { p("rt " + e.getMessage()); } finally { p("fin"); } } }
    private static void thrower(int i) { if (i == 0) { int z = 0; p(1 / z); } if (i == 1) { Object o = null; o.toString(); } if (i == 2) { int[] a = {}; a[0] = 1; } throw new RuntimeException("r" + i); }
    static void catchRethrow() { try { try { thrower(1); } catch (NullPointerException e) { p("caught"); throw e; } finally { p("fin"); } } catch (RuntimeException e) { p("again"); } }
    static void classCast() { Object o = "s"; try { Integer i = (Integer) o; } catch (ClassCastException e) { p("cce"); } Object n = null; Integer ok = (Integer) n; p(ok); Number m = 5; Double d = (Double) m; }
    static void nullUnbox() { Integer i = null; int j = i; }
    static void nullThrow() { RuntimeException e = null; throw e; }
    static void nullField() { Own o = null; p(o.code); }
    static void nullOrder() { Own o = null; try { o.addSuppressed(make()); } catch (NullPointerException e) { p("npe"); } }
    private static RuntimeException make() { p("made"); return new RuntimeException(); }
    static void error() { throw new AssertionError("e"); }
    static void errorObject() { try { throw new AssertionError(5); } catch (AssertionError e) { p("err"); } throw new UnsupportedOperationException(); }
    static void catchThrowable() { try { throw new StackOverflowError("so"); } catch (Throwable t) { p(t.getMessage()); } try { throw new Exception("x"); } catch (Exception e) { p(e.toString()); } }
    static class Res implements AutoCloseable { final String n; Res(String n) { this.n = n; p("open " + n); } @Override public void close() { p("close " + n); if (n.equals("bad")) throw new IllegalStateException("close"); } }
    static void resources() { try (Res a = new Res("a"); Res b = new Res("b")) { p("body"); } try (Res a = new Res("c"); Res n = null) { throw new Own("x", 1); } catch (Own e) { p("caught"); } finally { p("fin"); } try (Res a = new Res("d"); Res b = new Res("bad")) { p("body"); } catch (IllegalStateException e) { p(e.getMessage()); } try (Res b = new Res("bad")) { throw new Own("mine", 1); } }
    static void throwInLoop() { int n = 0; for (int i = 0; i < 5; i++) { try { if (i % 2 == 0) throw new Own("" + i, i); n += 10; } catch (Own e) { n += e.code; } } p(n); }
    static void returnFromCatch() { p(g(0)); p(g(1)); }
    private static String g(int x) { try { if (x == 0) throw new RuntimeException(); return "ok"; } catch (RuntimeException e) { return "catch"; } finally { p("g" + x); } }
    static void initCause() { RuntimeException e = new RuntimeException("a"); e.initCause(new Own("b", 2)); p(e.getCause().getMessage()); Throwable t = new Throwable("q", null); p(t.getCause()); p(new RuntimeException((String) null).getMessage()); }
    static void requireNonNull() { p(java.util.Objects.requireNonNull("x")); try { java.util.Objects.requireNonNull(null, "msg"); } catch (NullPointerException e) { p(e.getMessage()); } java.util.Objects.requireNonNull(null); }
    static void argumentOrder() { try { two(one(), fail()); } catch (Own e) { p(e.getMessage()); } }
    private static int one() { p("one"); return 1; }
    private static int fail() { throw new Own("fail", 0); }
    private static void two(int a, int b) { p("never"); }
    static void partialEffect() { int[] a = {1, 2, 3}; try { for (int i = 0; i < 5; i++) a[i] = 0; } catch (ArrayIndexOutOfBoundsException e) { p("x"); } for (int x : a) p(x); }
    static void constructorThrows() { try { new Thrower(0); } catch (Own e) { p(e.getMessage()); } p(new Thrower(3).v); }
    static class Thrower { int v = 1; Thrower(int x) { if (x == 0) throw new Own("zero", 0); v = x; } }
    static void numberFormat() { try { Integer.parseInt("x"); } catch (IllegalArgumentException e) { p(e instanceof NumberFormatException); } Object o = new NumberFormatException("f"); p(o instanceof RuntimeException); p(o instanceof IllegalArgumentException); p(o instanceof IllegalStateException); }
}
