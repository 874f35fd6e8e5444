package parcels;

/** What stands on a parcel: a code such as E1047, and the weight. */
public record Label(String code, int grams) {
    /** How fast a parcel travels. */
    public enum Service {
        STANDARD, EXPRESS
    }

    /** Codes of express parcels are an E and four more characters. */
    //@ ensures \result == (code.length() == 5 && code.charAt(0) == 'E');
    public static /*@ pure @*/ boolean isExpress(String code) {
        return code.length() == 5 && code.charAt(0) == 'E';
    }

    public Service service() {
        return isExpress(code) ? Service.EXPRESS : Service.STANDARD;
    }

    public String line() {
        var days = switch (service()) {
            case EXPRESS -> 1;
            case STANDARD -> 3;
        };
        return "%s, %d g, %d d".formatted(code, grams, days);
    }
}
