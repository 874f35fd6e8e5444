package modernbody;

import static org.junit.jupiter.api.Assertions.*;

import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;

class CodesTest {
    @Test @DisplayName("weights") void weights() {
        assertEquals(7, Codes.weight(new Codes.Num(7)));
        assertEquals(3, Codes.weight(new Codes.Txt("abc")));
    }

    @ParameterizedTest(name = "{0}/{1}")
    @CsvSource({"2, true, 29", "2, false, 28", "4, false, 30", "12, true, 31"})
    void days(int month, boolean leap, int days) { assertEquals(days, Codes.days(month, leap)); }

    @ParameterizedTest @ValueSource(ints = {0, 13, -1})
    void noMonth(int month) { assertThrows(IllegalArgumentException.class, () -> Codes.days(month, false)); }

    static Stream<Arguments> quotes() { return Stream.of(Arguments.of("a", "[a]"), Arguments.of("", "[]")); }

    @ParameterizedTest @MethodSource("quotes")
    void quotes(String s, String q) { assertEquals(q, Codes.quote(s)); }

    @Test void boxes() {
        assertEquals('x', Codes.unbox('x'));
        assertEquals(Integer.valueOf(500), Codes.box(500));
        assertEquals(5, Codes.box(5));
        assertTrue(Codes.truth(true));
        assertFalse(Codes.truth(false));
        assertFalse(Codes.truth(null));
        assertEquals("ccc", Codes.longest("a", "ccc", "bb"));
        assertEquals("aa", Codes.longest("aa", "bb", "c"));
    }
}
