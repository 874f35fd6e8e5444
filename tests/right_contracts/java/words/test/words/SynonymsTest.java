package words;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class SynonymsTest {
    @Test void state() {
        Synonyms s = new Synonyms();
        s.setA(3);
        assertEquals(3, s.sum());
        s.swap();
        s.setA(4);
        assertEquals(7, s.sum());
        s.tick();
        assertEquals(8, s.sum());
    }

    @Test void statics() {
        assertEquals(2, Synonyms.count(new String[] {"a", "b"}));
        assertTrue(Synonyms.isText("x"));
        assertFalse(Synonyms.isText(new int[0]));
        assertEquals(-5, Synonyms.same(-5));
        assertTrue(Synonyms.positive(1));
        assertFalse(Synonyms.positive(0));
    }
}
