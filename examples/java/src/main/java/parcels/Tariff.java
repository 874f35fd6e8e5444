package parcels;

/** What it costs to send a parcel, in cents. */
public final class Tariff {
    private Tariff() {
    }

    /** The postage for a weight. */
    /*@ requires 0 < grams && grams <= 31500;
      @ ensures \result == (grams <= 2000 ? 549 : grams <= 5000 ? 749 : 1099);
      @*/
    public static /*@ pure @*/ int postage(int grams) {
        if (grams <= 2000) {
            return 549;
        }
        return grams <= 5000 ? 749 : 1099;
    }

    /** A price less a discount, rounded up. */
    /*@ requires 0 <= cents && cents <= 1000000;
      @ requires 0 <= percent && percent < 100;
      @ ensures \result == cents - cents * percent / 100;
      @*/
    public static /*@ pure @*/ int reduced(int cents, int percent) {
        return cents - cents * percent / 100;
    }
}
