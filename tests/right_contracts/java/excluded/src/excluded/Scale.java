package excluded;

public class Scale {
    /*@ public normal_behavior
      @ requires 0 < n && n < 10;
      @ ensures \result == n * 2;
      @ also public exceptional_behavior
      @ requires n <= 0;
      @ signals_only IllegalArgumentException;
      @*/
    public static int twoCases(int n) {
        if (n <= 0) throw new IllegalArgumentException();
        if (n >= 10) throw new IllegalStateException();
        return n * 2;
    }

    /*@ public normal_behavior
      @ requires 0 < n && n < 10;
      @ ensures \result == n * 2;
      @*/
    public static int oneCase(int n) {
        if (n >= 10) throw new IllegalStateException();
        return n * 2;
    }

    /*@ public behavior
      @ requires 0 < n && n < 10;
      @ ensures \result == n * 2;
      @ signals_only \nothing;
      @ also public exceptional_behavior
      @ requires n <= 0;
      @ signals (IllegalArgumentException e) true;
      @ signals_only IllegalArgumentException;
      @*/
    public static int behaviors(int n) {
        if (n <= 0) throw new IllegalArgumentException();
        if (n >= 10) throw new IllegalStateException();
        return n * 2;
    }

    //@ requires n > 0;
    //@ ensures \result == n;
    //@ signals (Exception e) true;
    public static int anyException(int n) {
        if (n <= 0) throw new IllegalArgumentException();
        return n;
    }

    //@ requires n > 0;
    //@ ensures \result == n * 2;
    //@ signals (IllegalArgumentException e) n == 7;
    //@ signals_only IllegalArgumentException;
    public static int lightweight(int n) {
        if (n == 7) throw new IllegalArgumentException();
        if (n <= 0) throw new IllegalStateException();
        return n * 2;
    }

    /*@ public normal_behavior
      @ requires 0 < n;
      @ ensures \result == n;
      @*/
    public static int nullInOneCase(String s, int n) {
        return s.isEmpty() ? n : n + s.length() - s.length();
    }

    /*@ public normal_behavior
      @ requires 0 < n;
      @ ensures \result == n;
      @ also public exceptional_behavior
      @ requires n == 0;
      @ signals_only IllegalArgumentException;
      @*/
    public static int nullInTwoCases(String s, int n) {
        if (s.length() >= 0 && n == 0) throw new IllegalArgumentException();
        return n;
    }

    /*@ public exceptional_behavior
      @ requires n <= 0;
      @ signals_only IllegalArgumentException;
      @ also public normal_behavior
      @ requires 0 < n && n < 10;
      @ ensures \result == n * 2;
      @*/
    public static int exceptionFirst(int n) {
        if (n <= 0) throw new IllegalArgumentException();
        if (n >= 10) throw new IllegalStateException();
        return n * 2;
    }
}
