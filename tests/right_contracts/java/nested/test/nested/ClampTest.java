package nested;

import static org.junit.Assert.*;

import org.junit.Test;

public class ClampTest {
    @Test public void clamps() {
        assertEquals(2, Clamp.clamp(1, 2, 5));
        assertEquals(3, Clamp.clamp(3, 2, 5));
        assertEquals(5, Clamp.clamp(9, 2, 5));
        assertThrows(IllegalArgumentException.class, () -> Clamp.clamp(0, 1, 0));
    }

    @Test public void steps() {
        Clamp c = new Clamp();
        c.step(true);
        c.step(true);
        assertEquals(2, c.value());
        c.step(false);
        assertEquals(0, c.value());
        for (int i = 0; i < 101; i++) c.step(true);
        assertEquals(100, c.value());
    }
}
