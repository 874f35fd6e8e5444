package strings;

import static org.hamcrest.CoreMatchers.*;
import static org.hamcrest.MatcherAssert.assertThat;

import org.junit.Test;

public class TextsTest {
    @Test public void sizes() {
        assertThat(Texts.size(""), is(0));
        assertThat(Texts.size("abc"), equalTo(3));
    }

    @Test public void palindromes() {
        assertThat(Texts.palindrome("racecar"), is(true));
        assertThat(Texts.palindrome("abba"), is(true));
        assertThat(Texts.palindrome("ab"), is(false));
    }

    @Test public void builds() {
        assertThat(Texts.join("ab", "cd"), is("abcd"));
        assertThat(Texts.join("", ""), is(""));
        assertThat(Texts.head("hello", 2), is(equalTo("he")));
        assertThat(Texts.head("hello", 0), is(""));
        assertThat(Texts.repeat("ab", 3), is("ababab"));
        assertThat(Texts.repeat("ab", 0), is(""));
        assertThat(Texts.nameOr(null), is("nobody"));
        assertThat(Texts.nameOr(" Bo "), is("Bo"));
    }

    @Test public void parses() {
        assertThat(Texts.parse("120"), is(120));
        assertThat(Texts.parse("7"), is(7));
        assertThat(Texts.option("--a=b"), is(true));
        assertThat(Texts.option("-a=b"), is(false));
        assertThat(Texts.option("--ab"), is(false));
    }

    @Test(expected = IllegalArgumentException.class) public void parsesNothing() { Texts.parse(""); }
    @Test(expected = IllegalArgumentException.class) public void parsesNull() { Texts.parse(null); }
}
