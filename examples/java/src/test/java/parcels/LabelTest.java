package parcels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LabelTest {
    @Test
    void expressCodes() {
        assertTrue(Label.isExpress("E1047"));
        assertFalse(Label.isExpress("E104"));
        assertFalse(Label.isExpress("B1047"));
    }

    @Test
    void lines() {
        assertEquals("E1047, 800 g, 1 d", new Label("E1047", 800).line());
    }
}
