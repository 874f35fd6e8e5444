package clausefit.record;

/** How much is recorded; see RecordLimits in watched.py. */
record Limits(int distinctCalls, int hits, int depth, int elements, int text, double slowdown, double callSeconds) {
    /** The most objects, and cells in them, of one state. */
    static final int CELLS = 2000;
}
