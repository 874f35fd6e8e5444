package parcels;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TariffTest {
    @ParameterizedTest
    @CsvSource({"1, 549", "2000, 549", "2001, 749", "5001, 1099"})
    void postageGrowsWithTheWeight(int grams, int cents) {
        assertEquals(cents, Tariff.postage(grams));
    }

    @Test
    void discounts() {
        assertEquals(549, Tariff.reduced(549, 0));
        assertEquals(495, Tariff.reduced(549, 10));
    }

    @Test
    void freeOfCharge() {
        assertEquals(0, Tariff.reduced(749, 100));
    }
}
