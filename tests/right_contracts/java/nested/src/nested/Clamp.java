package nested;

public class Clamp {
    private /*@ spec_public @*/ int value;

    /*@ public normal_behavior
      @   requires lo <= hi;
      @   {|
      @     requires x < lo;
      @     ensures \result == lo;
      @   also
      @     requires lo <= x && x <= hi;
      @     ensures \result == x;
      @   also
      @     requires hi < x;
      @     ensures \result == hi;
      @   |}
      @   assignable \nothing;
      @ also
      @ public exceptional_behavior
      @   requires lo > hi;
      @   signals_only IllegalArgumentException;
      @   assignable \nothing;
      @*/
    public static int clamp(int x, int lo, int hi) {
        if (lo > hi) throw new IllegalArgumentException();
        return x < lo ? lo : x > hi ? hi : x;
    }

    /*@ assignable value;
      @ {|
      @   requires up;
      @   requires value < 100;
      @   ensures value == \old(value) + 1;
      @ also
      @   requires up && value >= 100;
      @   ensures value == \old(value);
      @ also
      @   requires !up;
      @   ensures value == 0;
      @ |} @*/
    public void step(boolean up) {
        if (!up) value = 0;
        else if (value < 100) value++;
    }

    //@ ensures \result == value;
    public /*@ pure @*/ int value() { return value; }
}
