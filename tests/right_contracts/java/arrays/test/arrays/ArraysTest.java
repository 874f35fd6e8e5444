package arrays;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class ArraysTest {
    @Test void reads() {
        assertEquals(9, Vectors.max(new int[] {4, 9, -2}));
        assertEquals(-1, Vectors.max(new int[] {-1}));
        assertEquals(6L, Vectors.sum(1, 2, 3));
        assertEquals(0L, Vectors.sum());
        assertEquals(4294967294L, Vectors.sum(Integer.MAX_VALUE, Integer.MAX_VALUE));
        int[] many = {1, 2, 1, 1};
        assertEquals(3, Vectors.count(many, 1));
        assertEquals(0, Vectors.count(many, 7));
        assertEquals(1, Vectors.indexOf("hello".toCharArray(), 'e'));
        assertEquals(-1, Vectors.indexOf(new char[] {'x', 'y'}, 'e'));
        assertEquals(2, Vectors.indexOf(new char[] {'x', 'y', 'e', 'e'}, 'e'));
        assertEquals(11, Vectors.spread(new int[] {4, 9, -2}));
        assertTrue(Vectors.all(new boolean[] {true, true}));
        assertTrue(Vectors.all(new boolean[0]));
        assertFalse(Vectors.all(new boolean[] {true, false}));
    }

    @Test void writes() {
        int[] a = {1, 2, 3, 4};
        Vectors.swap(a, 0, 3);
        assertArrayEquals(new int[] {4, 2, 3, 1}, a);
        Vectors.swap(a, 1, 1);
        assertArrayEquals(new int[] {4, 2, 3, 1}, a);
        Vectors.reverse(a);
        assertArrayEquals(new int[] {1, 3, 2, 4}, a);
        Vectors.sort(a);
        assertArrayEquals(new int[] {1, 2, 3, 4}, a);
        int[] b = {5, 3, 5, 1};
        Vectors.sort(b);
        assertArrayEquals(new int[] {1, 3, 5, 5}, b);
        Vectors.fill(b, 1, 3, 9);
        assertArrayEquals(new int[] {1, 9, 9, 5}, b);
        Vectors.fill(b, 2, 2, 0);
        assertArrayEquals(new int[] {1, 9, 9, 5}, b);
        int[] c = Vectors.append(new int[] {7, 8}, 6);
        assertArrayEquals(new int[] {7, 8, 6}, c);
        assertArrayEquals(new int[] {1}, Vectors.append(new int[0], 1));
    }

    @Test void grids() {
        Grid g = new Grid(2, 3);
        g.set(1, 2, 7);
        assertEquals(7, g.get(1, 2));
        assertEquals(0, g.get(0, 2));
        assertEquals(5, Grid.trace(new int[][] {{1, 2}, {3, 4}}));
        int[][] t = Grid.transpose(new int[][] {{1, 2, 3}, {4, 5, 6}});
        assertArrayEquals(new int[][] {{1, 4}, {2, 5}, {3, 6}}, t);
    }
}
