package fields;

public class Ticket {
    private static /*@ spec_public @*/ int issued = 0;
    public static int last;
    private final /*@ spec_public @*/ int number;

    //@ assignable issued, number;
    //@ ensures issued == \old(issued) + 1 && number == issued;
    public Ticket() { number = ++issued; }

    //@ assignable issued, last;
    //@ ensures issued == 0 && last == -1;
    public static void reset() { issued = 0; last = -1; }

    //@ ensures \result == issued;
    public static /*@ pure @*/ int issued() { return issued; }

    //@ assignable last;
    //@ ensures last == number && \result == \old(last);
    public int use() { int before = last; last = number; return before; }
}
