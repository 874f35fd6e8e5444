package strings;

public class Texts {
    //@ ensures \result == s.length();
    public static /*@ pure @*/ int size(String s) { return s.length(); }

    //@ ensures \result <==> (\forall int i; 0 <= i && i < s.length(); s.charAt(i) == s.charAt(s.length() - 1 - i));
    public static /*@ pure @*/ boolean palindrome(String s) {
        for (int i = 0, j = s.length() - 1; i < j; i++, j--) if (s.charAt(i) != s.charAt(j)) return false;
        return true;
    }

    //@ ensures \result.equals(s + t);
    public static /*@ pure @*/ String join(String s, String t) { return s + t; }

    //@ requires 0 <= n && n <= s.length();
    //@ ensures \result.equals(s.substring(0, n));
    public static /*@ pure @*/ String head(String s, int n) { return s.substring(0, n); }

    /*@ requires n >= 0;
      @ ensures \result.length() == n * s.length();
      @ ensures (\forall int i; 0 <= i && i < \result.length(); \result.charAt(i) == s.charAt(i % s.length())); @*/
    public static /*@ pure @*/ String repeat(String s, int n) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < n; i++) b.append(s);
        return b.toString();
    }

    /*@ public normal_behavior
      @   requires s != null && s.length() > 0;
      @   requires (\forall int i; 0 <= i && i < s.length(); '0' <= s.charAt(i) && s.charAt(i) <= '9');
      @   ensures \result == Integer.parseInt(s);
      @   assignable \nothing;
      @ also public exceptional_behavior
      @   requires s == null || s.isEmpty();
      @   signals_only IllegalArgumentException;
      @   assignable \nothing;
      @*/
    public static int parse(/*@ nullable @*/ String s) {
        if (s == null || s.isEmpty()) throw new IllegalArgumentException("empty");
        int n = 0;
        for (char c : s.toCharArray()) n = n * 10 + (c - '0');
        return n;
    }

    //@ ensures \result <==> s.startsWith("--") && s.contains("=");
    public static /*@ pure @*/ boolean option(String s) { return s.startsWith("--") && s.indexOf('=') >= 0; }

    //@ ensures \result.equals(name == null ? "nobody" : name.trim());
    public static /*@ pure @*/ String nameOr(/*@ nullable @*/ String name) { return name == null ? "nobody" : name.trim(); }
}
