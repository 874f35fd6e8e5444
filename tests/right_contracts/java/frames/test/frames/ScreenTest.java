package frames;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class ScreenTest {
    @Test void screen() {
        Screen s = new Screen(2, 2);
        s.row(1, 5);
        assertArrayEquals(new int[][] {{0, 0}, {5, 5}}, s.px);
        s.move(3, -1);
        assertEquals(3, s.cursor.x);
        assertEquals(-1, s.cursor.y);
        s.home();
        assertEquals(0, s.cursor.x);
        assertEquals(1, s.dirty);
        s.clean();
        assertEquals(0, s.dirty);
        assertSame(s.px, s.raw());
        int[] fresh = {8, 9};
        int[] old = s.exchange(0, fresh);
        assertArrayEquals(new int[] {0, 0}, old);
        assertSame(fresh, s.px[0]);
        Screen.alias(s.px);
        assertSame(s.px[0], s.px[1]);
        s.row(0, 1);
        assertEquals(1, s.px[1][1]);
    }

    @Test void statics() {
        String[] ss = {"a", "b", "c"};
        Screen.flip(ss);
        assertArrayEquals(new String[] {"b", "a", "c"}, ss);
        char[] cs = {'a', 'z', '\uffff'};
        Screen.shift(cs);
        assertArrayEquals(new char[] {'b', '{', '\0'}, cs);
        double[] ds = {1.0, -3.0};
        Screen.halve(ds);
        assertArrayEquals(new double[] {0.5, -1.5}, ds, 0.0);
    }
}
