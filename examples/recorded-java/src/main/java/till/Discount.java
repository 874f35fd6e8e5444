package till;

/** Prices that were lowered, in cents. */
public final class Discount {
    private Discount() {
    }

    /** A price less some percent of it, rounded up. */
    /*@ requires 0 <= cents && cents <= 1000000 && 0 <= percent && percent <= 100;
      @ ensures \result == cents - cents * percent / 100;
      @ ensures \result < cents;
      @*/
    public static /*@ pure @*/ int reduced(int cents, int percent) {
        return cents - cents * percent / 100;
    }
}
