package idiom;

import static org.junit.Assert.*;
import org.junit.Test;

public class LightTest {
    @Test public void all() {
        assertEquals(4, Light.twice(2));
        assertThrows(IllegalStateException.class, () -> Light.twice(-2));
        assertEquals(6, Light.thrice(2));
        assertThrows(IllegalArgumentException.class, () -> Light.thrice(-2));
        assertEquals(8, Light.four(2));
        assertThrows(IllegalArgumentException.class, () -> Light.four(-2));
        assertEquals(10, Light.five(2));
    }
}
