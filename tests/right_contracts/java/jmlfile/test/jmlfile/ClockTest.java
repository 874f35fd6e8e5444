package jmlfile;

import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;

class ClockTest {
    @Test void turns() {
        Clock c = new Clock();
        c.advance(125);
        assertEquals(2, c.hour());
        c.advance(1440);
        Assertions.assertEquals(2, c.hour());
        c.advance(1439);
        assertEquals(124, c.minutes);
    }
}
