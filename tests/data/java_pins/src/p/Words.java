package p;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

public class Words {
    public record Range(int low, int high) {
        public Range(int low, int high) {
            if (low > high) throw new IllegalArgumentException();
            this.low = low;
            this.high = high;
        }
        public boolean has(int x) { return low <= x && x <= high; }
        public Range widened(int by) { return new Range(low - by, high + by); }
    }

    public static int vowels(String s) {
        int n = 0;
        for (char c : s.toCharArray()) {
            switch (c) {
                case 'a', 'e', 'i', 'o', 'u' -> n++;
                default -> { }
            }
        }
        return n;
    }
    public static String kind(String s) {
        return switch (s) {
            case "", " " -> "blank";
            case "x" -> {
                String t = s + s;
                yield t;
            }
            default -> s.length() > 3 ? "long" : "short";
        };
    }
    public static String reversed(String s) {
        StringBuilder made = new StringBuilder();
        int i = s.length();
        do {
            if (i-- == 0) break;
            made.append(s.charAt(i));
        } while (true);
        return made.toString();
    }
    public static int firstPair(int[] a, int sum) {
        outer:
        for (int i = 0; i < a.length; i++) {
            for (int j = i + 1; j < a.length; j++) {
                if (a[i] == 7) continue outer;
                if (a[i] + a[j] == sum) return i * 10 + j;
            }
        }
        return -1;
    }
    public static long hash(String s) {
        long h = 1125899906842597L;
        for (int i = 0; i < s.length(); i++) h = 31 * h + s.charAt(i);
        return h ^ h >>> 7;
    }
    public static String describe(Object o) {
        if (o instanceof Integer i && i > 3) return "big " + i;
        if (o instanceof String) return "text " + o;
        return o == null ? "nothing" : "other";
    }
    public static int applied(IntUnaryOperator f, int x) { return f.applyAsInt(x); }
    public static List<String> halves(String s) {
        List<String> made = new ArrayList<>();
        made.add(s.substring(0, s.length() / 2));
        made.add(s.substring(s.length() / 2));
        return made;
    }
    public static <T extends Comparable<T>> T larger(T a, T b) { return a.compareTo(b) >= 0 ? a : b; }
    public static int count(String... all) { return all.length; }
    public static char[][] grid(int n) {
        char[][] made = new char[n][n];
        for (int i = 0; i < n; i++) made[i][n - 1 - i] = (char) ('a' + i);
        return made;
    }
    public static int bits(int x) { return Integer.bitCount(x) + (x >>> 28) + (x >> 31) + (~x & 3); }
}
