package excluded;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import org.junit.Test;

public class ScaleTest {
    @Test
    public void twoCases() {
        assertEquals(6, Scale.twoCases(3));
        assertThrows(IllegalArgumentException.class, () -> Scale.twoCases(0));
        assertThrows(IllegalStateException.class, () -> Scale.twoCases(10));
    }

    @Test
    public void oneCase() {
        assertEquals(6, Scale.oneCase(3));
        assertThrows(IllegalStateException.class, () -> Scale.oneCase(10));
    }

    @Test
    public void behaviors() {
        assertEquals(6, Scale.behaviors(3));
        assertThrows(IllegalArgumentException.class, () -> Scale.behaviors(0));
        assertThrows(IllegalStateException.class, () -> Scale.behaviors(10));
    }

    @Test
    public void anyException() {
        assertEquals(3, Scale.anyException(3));
        assertThrows(IllegalArgumentException.class, () -> Scale.anyException(0));
    }

    @Test
    public void lightweight() {
        assertEquals(6, Scale.lightweight(3));
        assertThrows(IllegalArgumentException.class, () -> Scale.lightweight(7));
        assertThrows(IllegalStateException.class, () -> Scale.lightweight(0));
    }

    @Test
    public void nullReferences() {
        assertEquals(3, Scale.nullInOneCase("x", 3));
        assertThrows(NullPointerException.class, () -> Scale.nullInOneCase(null, 3));
        assertEquals(3, Scale.nullInTwoCases("x", 3));
        assertThrows(IllegalArgumentException.class, () -> Scale.nullInTwoCases("x", 0));
        assertThrows(NullPointerException.class, () -> Scale.nullInTwoCases(null, 3));
        assertThrows(NullPointerException.class, () -> Scale.nullInTwoCases(null, 0));
    }

    @Test
    public void exceptionFirst() {
        assertEquals(6, Scale.exceptionFirst(3));
        assertThrows(IllegalArgumentException.class, () -> Scale.exceptionFirst(0));
        assertThrows(IllegalStateException.class, () -> Scale.exceptionFirst(10));
    }
}
