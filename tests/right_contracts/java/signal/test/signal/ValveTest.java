package signal;

import static org.junit.Assert.*;

import org.junit.Test;

public class ValveTest {
    @Test public void opens() throws Valve.Stuck {
        Valve v = new Valve();
        v.open(7);
        assertTrue(v.isOpen());
        assertThrows(Valve.Stuck.class, () -> v.open(3));
        assertThrows(IllegalArgumentException.class, () -> v.open(-3));
        assertEquals(5, v.lower(2));
        assertThrows(ArithmeticException.class, () -> v.lower(6));
        assertEquals(0, v.lower(0));
    }

    @Test(expected = IllegalArgumentException.class) public void negative() throws Valve.Stuck { new Valve().open(-1); }

    @Test public void statics() {
        assertEquals(4, Valve.check(4));
        assertThrows(IllegalStateException.class, () -> Valve.check(-4));
        assertEquals(-5, Valve.guarded(-2));
        assertThrows(ArithmeticException.class, () -> Valve.guarded(0));
        try {
            Valve.check(-1);
            fail();
        } catch (IllegalStateException expected) {
            // as it should be
        }
    }
}
