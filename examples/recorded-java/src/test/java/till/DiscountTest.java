package till;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

class DiscountTest {
    /** The more percent, the lower the price; nothing is never more than all, and all is free. */
    @RepeatedTest(5)
    void fallsWithThePercent(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        int cents = 1 + random.nextInt(500);
        int last = cents;
        for (int percent = 0; percent <= 100; percent += 1 + random.nextInt(30)) {
            int now = reduced(cents, percent);
            assertTrue(0 <= now && now <= last);
            assertTrue((cents - now) * 100 <= cents * percent);
            assertTrue((cents - now + 1) * 100 > cents * percent);
            last = now;
        }
        assertTrue(reduced(cents, 100) == 0);
    }

    private static int reduced(int cents, int percent) {
        int result = Discount.reduced(cents, percent);
        Journal.write("'function': 'reduced', 'arguments': {'cents': %d, 'percent': %d}, 'result': %d",
                cents, percent, result);
        return result;
    }
}
