package clausefit.record;

/** How long a JVM was stopped, against how long it ran. */
final class Budget {
    private static final double CREDIT = 1.0;
    // Code that is compiled anew or only interpreted because of breakpoints costs time that cannot be told from its own.
    private static final double MEASURED = 0.5;
    // From a stop until it is heard of, and from the answer until it goes on.
    private static final long UNSEEN_NANOS = 250_000;
    private final long start = System.nanoTime();
    private final double share;
    private long stoppedNanos;

    Budget(double share) {
        this.share = share;
    }

    void stopped(long nanos) {
        stoppedNanos += nanos + UNSEEN_NANOS;
    }

    /** The running time of the JVM itself. */
    long ownNanos() {
        return System.nanoTime() - start - stoppedNanos;
    }

    /** How much of the time that it may be stopped is used up; 1 is all of it. */
    double used() {
        return stoppedNanos / (CREDIT * 1e9 + MEASURED * share * Math.max(ownNanos(), 0));
    }
}
