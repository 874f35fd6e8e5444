package p;

public class Meter {
    private int total;
    private int resets;
    private final int[] last = new int[2];

    public Meter() { this(0); }
    public Meter(int start) {
        if (start < 0) throw new IllegalArgumentException("negative: " + start);
        total = start;
    }
    public void add(int d) {
        total += d;
        last[1] = last[0];
        last[0] = d;
    }
    public int addAll(int... ds) {
        for (int d : ds) add(d);
        return total;
    }
    public Meter reset() {
        total = 0;
        resets++;
        return this;
    }
    public int total() { return total; }
    public int[] last() { return last; }
    public Meter copy() {
        Meter made = new Meter(total);
        made.resets = resets;
        return made;
    }
    @Override public boolean equals(Object other) {
        return other instanceof Meter && ((Meter) other).total == total;
    }
    @Override public int hashCode() { return total; }
}
