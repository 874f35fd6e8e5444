package alias;

import static org.junit.Assert.*;

import org.junit.Before;
import org.junit.Test;

public class PairTest {
    @Before public void clear() { Pair.made = 0; Pair.shared = null; }

    @Test public void bumps() {
        int[] a = {1, 2};
        int[] b = {5};
        Pair p = new Pair(a, b);
        p.bump();
        assertArrayEquals(new int[] {2, 2}, a);
        assertArrayEquals(new int[] {6}, b);
        Pair q = new Pair(a, a);
        q.bump();
        assertEquals(4, a[0]);
        assertTrue(q.same());
        assertFalse(p.same());
        assertEquals(2, Pair.made);
        p.share();
        assertSame(p, Pair.shared);
        assertSame(p, p.flip());
        assertSame(b, p.left);
        assertSame(q, q.flip());
    }

    @Test public void copies() {
        int[] a = {1, 2, 3};
        int[] b = {9, 9, 9, 9};
        Pair.copy(a, b);
        assertArrayEquals(new int[] {1, 2, 3, 9}, b);
        Pair.copy(a, a);
        assertArrayEquals(new int[] {1, 2, 3}, a);
        assertTrue(Pair.identical(a, a));
        assertFalse(Pair.identical(a, b));
        assertTrue(Pair.identical(null, null));
    }
}
