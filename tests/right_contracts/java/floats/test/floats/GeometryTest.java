package floats;

import static org.junit.Assert.*;

import org.junit.Test;

public class GeometryTest {
    @Test public void all() {
        assertEquals(6.0, Geometry.area(2.0, 3.0), 0.0);
        assertEquals(0.5, Geometry.area(0.25, 2.0), 1e-9);
        assertEquals(1.5, Geometry.mean(1, 2), 0);
        assertTrue(Geometry.missing(Double.NaN));
        assertFalse(Geometry.missing(0.0));
        assertEquals(0.0, Geometry.unit(-3), 0.0);
        assertEquals(1.0, Geometry.unit(7.5), 0.0);
        assertEquals(0.25, Geometry.unit(0.25), 0.0);
        assertEquals(-2, Geometry.truncate(-2.75));
        assertEquals(3, Geometry.truncate(3.99));
        assertEquals(0.2f, Geometry.twice(0.1f), 0f);
    }
}
