package p;

public final class Numbers {
    private Numbers() { }

    public static int clamp(int x, int low, int high) { return x < low ? low : Math.min(x, high); }
    public static long product(long a, int b) { return a * b; }
    public static int wrap(int a) { return a + 1; }
    public static double half(double x) { return x / 2; }
    public static float third(float x) { return x / 3; }
    public static char next(char c) { return (char) (c + 1); }
    public static boolean even(int x) { return (x & 1) == 0; }
    public static Integer boxed(Integer x) { return x == null ? null : Integer.valueOf(x + 1); }
    public static int divide(int a, int b) { return a / b; }
    public static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
    public static byte low(int x) { return (byte) x; }
    public static short mid(int x) { return (short) x; }
    public static int parse(String s) {
        try {
            return Integer.parseInt(s.trim());
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
