package parcels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class AccountTest {
    private final Account account = new Account();

    @Test
    void loads() {
        account.load(2000);
        account.load(500);
        assertEquals(2500, account.balance());
    }

    @Test
    void pays() {
        account.load(2000);
        account.pay(549);
        assertEquals(1451, account.balance());
        assertEquals(1, account.payments());
    }

    @Test
    void doesNotLend() {
        account.load(500);
        assertThrows(IllegalArgumentException.class, () -> account.pay(549));
        assertEquals(500, account.balance());
    }

    @Test
    void monthsStartWithoutPayments() {
        account.load(2000);
        account.pay(549);
        account.startMonth();
        assertEquals(0, account.payments());
        assertEquals(1451, account.balance());
    }
}
