package defaults;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class RegistryTest {
    @Test void registers() {
        Registry r = new Registry();
        assertEquals(0, r.register("a"));
        assertEquals(1, r.register("b"));
        assertEquals("b", r.lookup("b"));
        assertNull(r.lookup("z"));
        r.remove(0);
        assertEquals(1, r.used());
        assertNull(r.lookup("a"));
        r.register("c");
        r.register("d");
        r.register("e");
        assertThrows(IllegalStateException.class, () -> r.register("f"));
        r.remove(3);
        assertEquals(3, r.used());
    }
}
