package p;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

public class Opaque {
    private final Map<String, Integer> counts = new HashMap<>();
    private int calls;

    public int count(String word) {
        calls++;
        return counts.merge(word, 1, Integer::sum);
    }
    public int calls() { return calls; }
    public static String shout(String s, int n) { return String.format(Locale.ROOT, "%s%03d", s, n); }
    public static String joined(String a, String b) { return Stream.of(a, b).sorted().collect(Collectors.joining("-")); }
    public static boolean matches(String s, String pattern) { return s.matches(pattern); }
    public static long mixed(int x) { return Math.round(Math.sqrt(x) * 1000) + shout("a", x).length(); }
    public static int strict(String s) {
        if (Stream.of("x", "y").anyMatch(s::equals)) throw new IllegalStateException(s);
        return s.length();
    }
    public static void fill(int[] a, String s) {
        Map<Integer, Integer> seen = new HashMap<>();
        for (int i = 0; i < a.length; i++) seen.put(i, s.length() + i);
        for (int i = 0; i < a.length; i++) a[i] = seen.get(i);
    }
}
