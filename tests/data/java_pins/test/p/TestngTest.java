package p;

import static org.testng.Assert.*;

import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

public class TestngTest {
    private Meter meter;

    @BeforeMethod public void up() { meter = new Meter(1); }
    @Test public void adds() {
        meter.add(2);
        assertEquals(meter.total(), 3, "the total");
        assertEquals(meter.last(), new int[] {2, 0});
    }
    @Test(expectedExceptions = ArithmeticException.class) public void divides() { Numbers.divide(3, 0); }
    @Test public void doubles() { assertEquals(Numbers.half(3), 1.5, 0.001); }
    @Test public void throwing() { assertThrows(IllegalArgumentException.class, () -> new Meter(-3)); }
}
