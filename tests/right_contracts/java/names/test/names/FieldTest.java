package names;

import static org.junit.jupiter.api.Assertions.*;

import names.Field.Seq;
import org.junit.jupiter.api.Test;

class FieldTest {
    @Test void all() {
        Seq s = new Seq(4);
        Seq t = new Seq(5);
        Field f = new Field(2, 7, s);
        assertEquals(14, f.select());
        assertSame(s, f.store(t));
        assertSame(t, f.seq);
        t.add(10);
        assertEquals(15, t.first);
        assertEquals(9, Field.get(new int[] {5, 6}, 1));
        assertEquals(13, Field.mix(1, 3, 4));
        assertEquals(1, Field.pick(true, 1, 2));
        assertEquals(2, Field.pick(false, 1, 2));
    }
}
