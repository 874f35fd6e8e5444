package numbers;

public interface Chars {
    //@ ensures \result <==> '0' <= c && c <= '9';
    static /*@ pure @*/ boolean isDigit(char c) { return c >= '0' && c <= '9'; }

    /*@ ensures 'a' <= c && c <= 'z' ==> \result == (char) (c - 'a' + 'A');
      @ ensures !('a' <= c && c <= 'z') ==> \result == c; @*/
    static /*@ pure @*/ char upper(char c) { return 'a' <= c && c <= 'z' ? (char) (c - 32) : c; }

    //@ requires 0 <= d && d < 16;
    //@ ensures d < 10 ==> \result == '0' + d;
    //@ ensures d >= 10 ==> \result == 'a' + d - 10;
    static /*@ pure @*/ char hex(int d) { return "0123456789abcdef".charAt(d); }

    //@ ensures \result == (c == '\n' || c == '\t' || c == ' ' || c == '\u000B' || c == '\'');
    static /*@ pure @*/ boolean special(char c) { return c == '\n' || c == '\t' || c == ' ' || c == 11 || c == '\''; }

    //@ ensures \result == (a && !b || !a && b);
    static /*@ pure @*/ boolean xor(boolean a, boolean b) { return a ^ b; }
}
