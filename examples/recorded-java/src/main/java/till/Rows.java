package till;

/** Rows of figures. */
public final class Rows {
    private Rows() {
    }

    /** Moves each value one place to the front, and the first one to the end. */
    /*@ requires row.length > 0;
      @ assignable row[*];
      @ ensures row[row.length - 1] == \old(row[0]);
      @ ensures (\forall int i; 0 <= i && i < row.length - 1; row[i] == \old(row[i + 1]));
      @*/
    public static void rotate(int[] row) {
        int first = row[0];
        for (int i = 1; i < row.length; i++) {
            row[i - 1] = row[i];
        }
        row[row.length - 1] = first;
    }

    /** How many values are above a limit. */
    //@ ensures 0 <= \result && \result <= row.length;
    public static /*@ pure @*/ int countAbove(int[] row, int limit) {
        int above = 0;
        for (int value : row) {
            if (value > limit) {
                above++;
            }
        }
        return above;
    }

    /** Where a value stands between two places of a rising row, or -1. */
    /*@ requires 0 <= low && low <= high && high <= sorted.length;
      @ requires (\forall int i; low < i && i < high; sorted[i - 1] < sorted[i]);
      @ ensures \result != -1 ==> low <= \result && \result < high && sorted[\result] == key;
      @ ensures \result == -1 ==> (\forall int i; low <= i && i < high; sorted[i] != key);
      @*/
    public static /*@ pure @*/ int find(int[] sorted, int low, int high, int key) {
        if (low == high) {
            return -1;
        }
        int middle = (low + high) / 2;
        if (sorted[middle] == key) {
            return middle;
        }
        return key < sorted[middle] ? find(sorted, low, middle, key) : find(sorted, middle + 1, high, key);
    }
}
