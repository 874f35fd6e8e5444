package overloads;

import static org.junit.Assert.*;

import org.junit.Test;

public class SumTest {
    @Test public void picks() {
        assertEquals(3, Sum.of(1, 2));
        byte b = 1;
        short s = 2;
        assertEquals(3, Sum.of(b, s));
        assertEquals(4L, Sum.of(1L, 2));
        assertEquals(2.5, Sum.of(1.5, 2), 0.0);
        assertEquals("ab", Sum.of("a", "b"));
        assertEquals(3, Sum.of(1, 2, 3));
        assertEquals(198, Sum.of('c'));
        assertEquals(-1, Sum.of("x"));
        assertEquals(-2, Sum.of(Integer.valueOf(7)));
    }
}
