package p;

import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MoreTest extends BaseTest {
    @Override Account made() { return new Account.Plain("ann"); }

    @Test void withdraws() throws Exception {
        draws(45, 50);
        draws(34, 10);
    }
    @Test void overdraws() {
        Account.Overdrawn e = assertThrows(Account.Overdrawn.class, () -> account.withdraw(99));
        assertEquals(8, e.by());
        assertEquals(1, account.log);
    }
    @Test void free() throws Exception {
        Account free = new Account.Free("bob", false);
        free.deposit(60);
        free.link(account);
        assertSame(account, free.next());
        assertEquals(0, free.withdraw(60));
        account.link(free);
        account.next().deposit(7);
        assertTrue(Account.richer(account, free));
        assertThrows(IllegalArgumentException.class, () -> free.deposit(0));
    }
    @Test void opaque() {
        Opaque o = new Opaque();
        assertEquals(1, o.count("a"));
        assertEquals(2, o.count("a"));
        assertEquals(2, o.calls());
        assertEquals("x007", Opaque.shout("x", 7));
        String both = Opaque.joined("b", "a");
        assertEquals("a-b", both);
        assertTrue(Opaque.matches("aab", "a+b"));
        assertFalse(Opaque.matches("b", "a+b"), "no match");
        assertNotEquals(0, Opaque.mixed(2));
        assertEquals(1, Opaque.strict("z"));
        assertThrows(IllegalStateException.class, () -> Opaque.strict("y"));
        assertThrowsExactly(IllegalStateException.class, () -> Opaque.strict("x"));
        int[] a = new int[2];
        Opaque.fill(a, "ab");
        assertArrayEquals(new int[] {2, 3}, a);
        assertEquals(3, Words.count("a", "b", "c"));
        int n = a[0];
        assertEquals(n + 1, Words.applied(x -> x + 1, n));
    }
    @ParameterizedTest @CsvSource({"x, xx", "'', blank", "ab, short", "abcd, long"})
    void kinds(String s, String kind) { assertEquals(kind, Words.kind(s)); }
    @Test void words() {
        assertEquals(3, Words.vowels("education".substring(4)));
        assertEquals("cba", Words.reversed("abc"));
        assertEquals("", Words.reversed(""));
        assertEquals(12, Words.firstPair(new int[] {7, 1, 4}, 5));
        assertEquals(-1, Words.firstPair(new int[] {}, 5));
        assertNotEquals(Words.hash("a"), Words.hash("b"));
        assertEquals("big 5", Words.describe(5));
        assertEquals("other", Words.describe(2));
        assertEquals("text s", Words.describe("s"));
        assertEquals("nothing", Words.describe(null));
        assertEquals(List.of("ab", "cd"), Words.halves("abcd"));
        assertEquals("b", Words.larger("a", "b"));
        assertEquals(9, Words.larger(9, 3));
        assertEquals(0, Words.count());
        assertEquals('b', Words.grid(2)[1][0]);
        assertEquals(32 + 15 - 1, Words.bits(-1));
        assertEquals(8, Words.applied(x -> x * 2, 4));
    }
    @Test void ranges() {
        Words.Range r = new Words.Range(2, 4);
        assertTrue(r.has(4));
        assertFalse(r.has(5));
        assertEquals(new Words.Range(1, 5), r.widened(1));
        assertThrows(IllegalArgumentException.class, () -> new Words.Range(2, 1));
        assertThrows(IllegalArgumentException.class, () -> r.widened(-5));
    }
}
