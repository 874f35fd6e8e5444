package fields;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FieldsTest {
    private Account ann;

    @BeforeEach void open() { ann = new Account("Ann", 100); }

    @Test void deposits() {
        ann.deposit(50);
        assertEquals(150, ann.balance());
        ann.deposit(850);
        assertEquals(1000, ann.balance());
        assertThrows(IllegalStateException.class, () -> ann.deposit(1));
        assertThrows(IllegalArgumentException.class, () -> ann.deposit(0));
        assertEquals(1000, ann.balance());
        assertEquals("Ann", ann.owner());
    }

    @Test void withdraws() {
        assertTrue(ann.withdraw(30));
        assertFalse(ann.withdraw(71));
        assertTrue(ann.withdraw(70));
        assertEquals(0, ann.balance());
    }

    @Test void transfers() {
        Account bob = new Account("Bob", 5);
        ann.transfer(bob, 60);
        assertEquals(40, ann.balance());
        assertEquals(65, bob.balance());
        assertSame(bob, ann.richer(bob));
        assertSame(bob, bob.richer(ann));
        assertSame(ann, ann.richer(ann));
    }

    @Test void nodes() {
        Node n = new Node(3, null).push(2).push(1);
        assertEquals(3, n.length());
        assertEquals(2, n.dropNext());
        assertEquals(2, n.length());
        assertEquals(3, n.next.value);
        n.swapWith(n.next);
        assertEquals(3, n.value);
        assertEquals(1, n.next.value);
        n.swapWith(n);
        assertEquals(3, n.value);
    }

    @Test void tickets() {
        Ticket.reset();
        Ticket a = new Ticket();
        Ticket b = new Ticket();
        assertEquals(2, Ticket.issued());
        assertEquals(-1, b.use());
        assertEquals(2, a.use());
        assertEquals(1, Ticket.last);
    }
}
