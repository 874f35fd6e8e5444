package p;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;

@DisplayName("All of it")
class Junit5Test {
    final Texts texts = new Texts("hello", Texts.Mode.LOUD);

    @Test void says() {
        assertEquals("HELLO!", texts.say());
        texts.mode(Texts.Mode.QUIET);
        assertEquals("h", texts.say(), () -> "message");
        assertEquals(Texts.Mode.QUIET, texts.mode());
    }
    @Test void throwsItsOwn() {
        var empty = new Texts();
        assertThrows(Texts.EmptyTextException.class, empty::first);
        assertThrowsExactly(Texts.EmptyTextException.class, () -> empty.first(), "message");
        assertThrows(RuntimeException.class, () -> {
            empty.first();
        });
    }
    @Test void all() {
        assertAll("heading",
            () -> assertEquals(2, Numbers.wrap(1)),
            () -> assertTrue(Numbers.even(4)));
    }
    @Test void sameString() {
        String s = "same";
        assertSame(s, texts.same(s));
    }
    @Test void lists() {
        assertEquals(List.of(1, 2), Texts.lengths(List.of("a", "bc")));
        assertEquals("a;b;", Texts.join(List.of("a", "b")));
        assertIterableEquals(List.of(), Texts.lengths(List.of()));
    }
    @Test void floats() {
        assertEquals(0.5, Numbers.half(1));
        assertEquals(1f / 3, Numbers.third(1f));
        assertArrayEquals(new double[] {0.5, 1.5}, Arrays2.halves(new double[] {1, 3}));
        assertEquals(-0.0, Numbers.half(-0.0));
        assertEquals(Double.NaN, Numbers.half(Double.NaN));
    }
    @Test void assumes() {
        assumeTrue(Numbers.even(2));
        assertEquals((byte) -56, Numbers.low(200));
        assertEquals((short) -1, Numbers.mid(65535));
        assumeTrue(Numbers.even(3));
        assertEquals(99, Numbers.wrap(1));
    }
    @Test void assertj() {
        assertThat(Numbers.clamp(-1, 0, 5)).as("low").isEqualTo(0).isZero();
        assertThat(texts.say()).isEqualTo("HELLO!").startsWith("HE").isNotEqualTo("x");
        assertThat(Numbers.even(1)).isFalse();
        assertThat(Square.of(0)).isNull();
        assertThat(Square.of(3).area()).isGreaterThan(8).isBetween(1, 9);
        assertThat(Square.of(3).twice()).isEqualTo(18);
        assertThat(Arrays2.squares(3)).containsExactly(0, 1, 4).hasSize(3);
        assertThat(Texts.lengths(List.of("abc"))).containsExactly(3);
        assertThatThrownBy(() -> Numbers.divide(1, 0)).isInstanceOf(ArithmeticException.class).hasMessage("/ by zero");
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> new Meter(-2)).withMessage("negative: -2");
    }
    @Test void twoDimensions() {
        int[][] m = {{1, 2}, {3, 4}};
        assertEquals(5, Arrays2.trace(m));
        assertArrayEquals(new String[] {"b"}, Arrays2.tail(new String[] {"a", "b"}));
    }
    @ParameterizedTest @CsvSource({"1, 0, 3, 1", "'-5', 0, 3, 0", "0x10, 010, 9, 9"})
    void clamps(int x, int low, int high, int expected) { assertEquals(expected, Numbers.clamp(x, low, high)); }
    @ParameterizedTest @CsvSource(textBlock = """
        # text, expected
        abcd,    abcd
        'it''s', 'it''s'
        abc,
        """)
    void orNull(String text, String expected) { assertEquals(expected, Texts.orNull(text)); }
    @ParameterizedTest @ValueSource(ints = {0, -2, 4}) void evens(int x) { assertTrue(Numbers.even(x)); }
    @ParameterizedTest @ValueSource(chars = {'a', 'y'}) void nexts(char c) { assertEquals(c + 1, Numbers.next(c)); }
    @ParameterizedTest @ValueSource(strings = {"7", "8"}) void wraps(long x) { assertEquals(x * 3, Numbers.product(x, 3)); }
    @ParameterizedTest @NullSource @ValueSource(ints = 3) void boxes(Integer x) {
        assertEquals(x == null ? null : x + 1, Numbers.boxed(x));
    }
    @ParameterizedTest @NullAndEmptySource void empties(String s) { assertEquals(s, texts.same(s)); }
    @ParameterizedTest @EnumSource(Texts.Mode.class) void modes(Texts.Mode mode) {
        texts.mode(mode);
        assertEquals(mode, texts.mode());
    }
    @ParameterizedTest @EnumSource(names = {"LOUD"}, mode = EnumSource.Mode.EXCLUDE) void notLoud(Texts.Mode mode) {
        assertFalse(new Texts("ab", mode).say().endsWith("!"));
    }
    static Stream<Arguments> squares() { return Stream.of(Arguments.of(2, 4), Arguments.of(-3, 9)); }
    @ParameterizedTest @MethodSource("squares") void areas(int side, int area) { assertEquals(area, new Square(side).area()); }
    @RepeatedTest(2) void repeated() { assertEquals(1, Numbers.factorial(0)); }

    @Nested class Inside {
        Meter meter;

        @BeforeEach void up() { meter = new Meter(texts.say().length()); }
        @Test void total() { assertEquals(6, meter.total()); }
    }
}
