package till;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PurseTest {
    private final Random random = new Random(47);
    private final List<Purse> purses = new ArrayList<>();

    @BeforeEach
    void fill() {
        for (int i = 0; i < 4; i++) {
            purses.add(purse(random.nextInt(30)));
        }
    }

    /** Whoever gives to whom, the money stays the same; from == to is among them. */
    @Test
    void movingKeepsTheSum() {
        int sum = sum();
        for (Purse from : purses) {
            for (Purse to : purses) {
                moveTo(from, to, random.nextInt(from.cents() + 1));
                assertEquals(sum, sum());
            }
        }
    }

    @Test
    void takesAllButNoMore() {
        for (Purse purse : purses) {
            int had = purse.cents();
            int part = random.nextInt(had + 1);
            take(purse, part);
            assertEquals(had - part, purse.cents());
            int tooMuch = had - part + 1 + random.nextInt(3);
            assertThrows(IllegalArgumentException.class, () -> take(purse, tooMuch));
            assertEquals(had - part, purse.cents());
        }
    }

    private int sum() {
        return purses.stream().mapToInt(Purse::cents).sum();
    }

    private static Purse purse(int cents) {
        Purse purse = new Purse(cents);
        Journal.write("'function': 'Purse', 'arguments': {'cents': %d}, 'after': {'A': {'cents': %d}},"
                + " 'result': {'ref': 'A'}", cents, purse.cents());
        return purse;
    }

    private static void take(Purse purse, int amount) {
        int before = purse.cents();
        String failed = "";
        try {
            purse.take(amount);
        } catch (IllegalArgumentException error) {
            failed = ", 'failed': '" + error.getClass().getName() + "'";
            throw error;
        } finally {
            Journal.write("'function': 'take', 'arguments': {'this': {'ref': 'A'}, 'amount': %d},"
                    + " 'before': {'A': {'cents': %d}}, 'after': {'A': {'cents': %d}}%s",
                    amount, before, purse.cents(), failed);
        }
    }

    /** The call of take that moveTo makes is logged as an inner one. */
    private static void moveTo(Purse from, Purse to, int amount) {
        int had = from.cents();
        String before = contents(from, to);
        from.moveTo(to, amount);
        Journal.write("'function': 'moveTo', 'arguments': {'this': {'ref': 'A'}, 'other': {'ref': '%s'}, 'amount': %d},"
                + " 'before': {%s}, 'after': {%s}", from == to ? "A" : "B", amount, before, contents(from, to));
        Journal.write("'function': 'take', 'arguments': {'this': {'ref': 'A'}, 'amount': %d},"
                + " 'before': {'A': {'cents': %d}}, 'after': {'A': {'cents': %d}}, 'inner': true",
                amount, had, had - amount);
    }

    private static String contents(Purse from, Purse to) {
        String first = "'A': {'cents': " + from.cents() + "}";
        return from == to ? first : first + ", 'B': {'cents': " + to.cents() + "}";
    }
}
