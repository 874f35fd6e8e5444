package p;

import junit.framework.TestCase;

public class Junit3Test extends TestCase {
    private Meter meter;

    @Override protected void setUp() { meter = new Meter(2); }
    public void testAdds() {
        meter.add(3);
        assertEquals("sum", 5, meter.total());
        assertEquals(24, Numbers.factorial(4));
    }
}
