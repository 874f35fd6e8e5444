package p;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

abstract class BaseTest {
    Account account;

    abstract Account made();

    @BeforeEach void open() { account = made().deposit(100); }
    @AfterEach void close() { account.link(null); }

    @Test void deposits() { assertEquals(100, account.balance); }

    void draws(long left, long amount) throws Exception { assertEquals(left, account.withdraw(amount)); }
}
