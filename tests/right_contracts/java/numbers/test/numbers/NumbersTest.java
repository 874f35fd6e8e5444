package numbers;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NumbersTest {
    @ParameterizedTest
    @CsvSource({"1, 2, 3", "-5, 5, 0", "2147483646, 1, 2147483647", "-2147483648, 0, -2147483648"})
    void add(int a, int b, int sum) { assertEquals(sum, Ints.add(a, b)); }

    @Test void saturates() {
        assertEquals(Integer.MAX_VALUE, Ints.addSaturating(Integer.MAX_VALUE, 1));
        assertEquals(Integer.MIN_VALUE, Ints.addSaturating(Integer.MIN_VALUE, -7));
        assertEquals(12, Ints.addSaturating(5, 7));
    }

    @Test void divides() {
        assertEquals(-3, Ints.divide(-7, 2));
        assertEquals(3, Ints.divide(7, 2));
        assertThrows(ArithmeticException.class, () -> Ints.divide(1, 0));
    }

    @Test void mods() {
        assertEquals(1, Ints.mod(-7, 2));
        assertEquals(2, Ints.mod(5, 3));
        assertEquals(0, Ints.mod(6, 3));
    }

    @Test void bits() {
        assertTrue(Ints.bit(8, 3));
        assertFalse(Ints.bit(8, 2));
        assertTrue(Ints.bit(-1, 31));
    }

    @Test void compares() {
        assertEquals(-1, Ints.compare(-3, 3));
        assertEquals(0, Ints.compare(4, 4));
        assertEquals(1, Ints.compare(Integer.MAX_VALUE, Integer.MIN_VALUE));
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1,1", "15,3", "16,4", "17,4"})
    void roots(int n, int root) { assertEquals(root, Ints.isqrt(n)); }

    @Test void gcds() {
        assertEquals(6, Ints.gcd(12, 18));
        assertEquals(1, Ints.gcd(7, 5));
    }

    @Test void hashes() {
        assertEquals(7, Ints.hash(0));
        assertEquals(Integer.MAX_VALUE * 31 + 7, Ints.hash(Integer.MAX_VALUE));
    }

    @Test void absolutes() {
        assertEquals(3, Ints.abs(-3));
        assertEquals(3, Ints.abs(3));
        assertEquals(Integer.MIN_VALUE, Ints.abs(Integer.MIN_VALUE));
    }

    @Test void narrows() {
        assertEquals((short) -25536, Ints.narrow(40000));
        assertEquals(12, Ints.narrow(12));
        assertEquals(200, Ints.unsigned((byte) 200));
        assertEquals(5, Ints.unsigned((byte) 5));
    }

    @Test void longs() {
        assertEquals(4611686014132420609L, Longs.product(Integer.MAX_VALUE, Integer.MAX_VALUE));
        assertEquals(-6L, Longs.product(2, -3));
        assertEquals(1L, Longs.factorial(0));
        assertEquals(120L, Longs.factorial(5));
        assertEquals(2432902008176640000L, Longs.factorial(20));
        assertThrows(IllegalArgumentException.class, () -> Longs.factorial(21));
        assertThrows(IllegalArgumentException.class, () -> Longs.factorial(-1));
        assertEquals(15L, Longs.unsignedShift(-1L, 60));
        assertEquals(2L, Longs.unsignedShift(8L, 2));
        assertEquals(1L, Longs.seconds(1999));
        assertEquals(-1L, Longs.seconds(-1999));
        assertEquals(1, Longs.hash(1L << 32));
        assertEquals(5, Longs.hash(5));
    }

    @ParameterizedTest
    @ValueSource(chars = {'0', '5', '9'})
    void digits(char c) { assertTrue(Chars.isDigit(c)); }

    @Test void chars() {
        assertFalse(Chars.isDigit('/'));
        assertFalse(Chars.isDigit(':'));
        assertEquals('Q', Chars.upper('q'));
        assertEquals('Q', Chars.upper('Q'));
        assertEquals('\u00e9', Chars.upper('\u00e9'));
        assertEquals('7', Chars.hex(7));
        assertEquals('f', Chars.hex(15));
        assertTrue(Chars.special('\''));
        assertTrue(Chars.special('\t'));
        assertFalse(Chars.special('x'));
        assertTrue(Chars.xor(true, false));
        assertFalse(Chars.xor(true, true));
    }
}
