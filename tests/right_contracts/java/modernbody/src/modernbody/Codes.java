package modernbody;

import java.util.*;
import java.util.function.*;

public sealed interface Codes permits Codes.Num, Codes.Txt {
    record Num(int v) implements Codes { }
    record Txt(String v) implements Codes { }

    static int weight(Codes c) {
        if (c instanceof Num n) return n.v();
        return ((Txt) c).v().length();
    }

    //@ ensures 1 <= month && month <= 12;
    //@ ensures month == 2 ==> \result == (leap ? 29 : 28);
    //@ ensures month == 4 || month == 6 || month == 9 || month == 11 ==> \result == 30;
    //@ ensures month != 2 && month != 4 && month != 6 && month != 9 && month != 11 ==> \result == 31;
    //@ signals_only IllegalArgumentException;
    //@ signals (IllegalArgumentException e) month < 1 || month > 12;
    //@ assignable \nothing;
    static int days(int month, boolean leap) {
        return switch (month) {
            case 2 -> { int d = 28; yield leap ? d + 1 : d; }
            case 4, 6, 9, 11 -> 30;
            case 1, 3, 5, 7, 8, 10, 12 -> 31;
            default -> throw new IllegalArgumentException("month " + month);
        };
    }

    //@ ensures \result.equals("[" + s + "]");
    static /*@ pure @*/ String quote(String s) {
        var f = (Function<String, String>) t -> "[" + t + "]";
        return f.apply(s);
    }

    //@ ensures \result == Character.valueOf(c).charValue();
    static /*@ pure @*/ char unbox(Character c) { return c; }

    //@ ensures \result.intValue() == x;
    static /*@ pure @*/ Integer box(int x) { return x; }

    //@ ensures \result == (b != null && b.booleanValue());
    static /*@ pure @*/ boolean truth(/*@ nullable @*/ Boolean b) { return Boolean.TRUE.equals(b); }

    //@ requires xs.length > 0;
    //@ ensures (\exists int i; 0 <= i && i < xs.length; xs[i] == \result);
    //@ ensures (\forall int i; 0 <= i && i < xs.length; xs[i].length() <= \result.length());
    //@ ensures (\forall int i; 0 <= i && i < xs.length; xs[i].length() == \result.length() ==> (\exists int j; 0 <= j && j <= i; xs[j] == \result));
    static /*@ pure @*/ String longest(String... xs) {
        String best = xs[0];
        for (var x : xs) if (x.length() > best.length()) best = x;
        return best;
    }
}
