package names;

/** Names that mean something to verifiers. */
public class Field {
    int length;
    int created;
    int inv;
    Seq seq;
    public static int heap = 3;

    //@ ensures length == self && created == exc && seq == map && inv == 0;
    //@ assignable length, created, seq;
    Field(int self, int exc, Seq map) { length = self; created = exc; seq = map; }

    //@ requires index >= 0 && index < values.length;
    //@ ensures \result == values[index] + heap;
    static /*@ pure @*/ int get(int[] values, int index) { return values[index] + heap; }

    //@ ensures \result == result + old * size;
    static /*@ pure @*/ int mix(int result, int old, int size) { return result + old * size; }

    //@ ensures seq == s && \result == \old(seq);
    //@ assignable seq;
    Seq store(Seq s) { Seq before = seq; seq = s; return before; }

    //@ ensures \result == length * created;
    /*@ pure @*/ int select() { return length * created; }

    //@ ensures \result == (exc ? self : sum);
    static /*@ pure @*/ int pick(boolean exc, int self, int sum) { return exc ? self : sum; }

    static class Seq {
        int first;
        //@ ensures this.first == first;
        //@ assignable this.first;
        Seq(int first) { this.first = first; }

        //@ ensures first == \old(first) + heap;
        //@ assignable first;
        void add(int heap) { first += heap; }
    }
}
