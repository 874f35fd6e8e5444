package till;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RowsTest {
    static Stream<int[]> rows() {
        Random random = new Random(41);
        return IntStream.rangeClosed(1, 8).mapToObj(size -> random.ints(1 + size / 2, -50, 50).toArray());
    }

    /** As often as there are places: the row is as before, and on the way each value is first once. */
    @ParameterizedTest
    @MethodSource("rows")
    void rotatesRound(int[] row) {
        int[] original = row.clone();
        for (int i = 0; i < original.length; i++) {
            assertEquals(original[i], row[0]);
            rotate(row);
        }
        assertArrayEquals(original, row);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void countsLikeAStream(int[] row) {
        for (int limit = -50; limit <= 50; limit += 20) {
            int border = limit;
            assertEquals(Arrays.stream(row).filter(value -> value > border).count(), countAbove(row, limit));
        }
    }

    @Test
    void findsWhatIsThere() {
        Random random = new Random(43);
        for (int size = 1; size < 6; size++) {
            int[] sorted = random.ints(-40, 40).distinct().limit(size).sorted().toArray();
            for (int place = 0; place < size; place++) {
                assertEquals(place, find(sorted, 0, size, sorted[place]));
                assertEquals(-1, find(sorted, place + 1, size, sorted[place]));
            }
        }
    }

    private static void rotate(int[] row) {
        String before = Journal.row(row);
        Rows.rotate(row);
        Journal.write("'function': 'rotate', 'arguments': {'row': {'ref': 'A'}}, 'before': {'A': %s}, 'after': {'A': %s}",
                before, Journal.row(row));
    }

    private static int countAbove(int[] row, int limit) {
        int result = Rows.countAbove(row, limit);
        Journal.write("'function': 'countAbove', 'arguments': {'row': {'ref': 'A'}, 'limit': %d},"
                + " 'before': {'A': %2$s}, 'after': {'A': %2$s}, 'result': %3$d", limit, Journal.row(row), result);
        return result;
    }

    /** The calls that find makes of itself give what the first one gives: they are logged, too, as inner ones. */
    private static int find(int[] sorted, int low, int high, int key) {
        int result = Rows.find(sorted, low, high, key);
        boolean inner = false;
        for (int from = low, to = high;; inner = true) {
            Journal.write("'function': 'find', 'arguments': {'sorted': {'ref': 'A'}, 'low': %d, 'high': %d, 'key': %d},"
                    + " 'before': {'A': %4$s}, 'after': {'A': %4$s}, 'result': %5$d, 'inner': %6$s",
                    from, to, key, Journal.row(sorted), result, inner);
            int middle = (from + to) / 2;
            if (from == to || sorted[middle] == key) {
                return result;
            }
            if (key < sorted[middle]) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
    }
}
