package fields;

public class Node {
    int value;
    /*@ nullable @*/ Node next;

    //@ ensures this.value == value && this.next == next;
    //@ assignable this.value, this.next;
    Node(int value, /*@ nullable @*/ Node next) { this.value = value; this.next = next; }

    //@ ensures \fresh(\result) && \result.value == v && \result.next == this;
    //@ assignable \nothing;
    Node push(int v) { return new Node(v, this); }

    /*@ requires next != null;
      @ ensures next == \old(next.next);
      @ ensures \result == \old(next.value);
      @ assignable next; @*/
    int dropNext() {
        int v = next.value;
        next = next.next;
        return v;
    }

    //@ ensures value == \old(other.value) && other.value == \old(value);
    //@ assignable value, other.value;
    void swapWith(Node other) { int t = value; value = other.value; other.value = t; }

    //@ ensures \result == (next == null ? 1 : 1 + next.length());
    /*@ pure @*/ int length() { return next == null ? 1 : 1 + next.length(); }
}
