package corpus;
import static probe.Out.p;
public class Strings {
    static void concat() { p("a" + 1 + 2); p(1 + 2 + "a"); p("" + 1L + 'c' + true + null + 2); p("x" + 'a' + 1); p('a' + 1 + "x"); String s = null; s += "a"; p(s); s += 1; s += 'c'; s += 1.5; p(s); p("" + 1.0f + 100.0 + 0.001 + 1234567.5); p("" + -0.0 + Double.NaN + Float.POSITIVE_INFINITY); Object o = null; p("o" + o); char[] c = {'x'}; p("" + c[0]); p("" + (char) 65 + (int) 'A' + (byte) 200); }
    static void identity() { String a = "abc", b = "abc", c = new String("abc"), d = new String(c); p(a == b); p(a == c); p(c == d); p(a.equals(c)); p(c.intern() == a); String e = a; p(e == a); String x = "ab"; String y = x + "c"; p(y == a); p(y.equals(a)); p(y.intern() == a); p("a" + "bc" == a); p(new StringBuilder("abc").toString() == a); }
    static void substring() { String s = "hello"; p(s.substring(0)); p(s.substring(5)); p(s.substring(1, 3)); p(s.substring(2, 2)); p(s.charAt(4)); try { s.charAt(5); } catch (StringIndexOutOfBoundsException e) { p("sioobe"); } s.substring(3, 2); }
    static void substringNegative() { "abc".substring(-1); }
    static void substringTooFar() { "abc".substring(4); }
    static void indexOf() { String s = "abcabc"; p(s.indexOf('b')); p(s.indexOf("ca")); p(s.indexOf('b', 2)); p(s.indexOf("c", -5)); p(s.indexOf("x")); p(s.indexOf("", 3)); p(s.indexOf("", 10)); p(s.indexOf("a", 10)); p(s.lastIndexOf('b')); p(s.lastIndexOf("abc")); p(s.lastIndexOf('a', 2)); p(s.lastIndexOf("a", -1)); p(s.lastIndexOf("")); p(s.lastIndexOf("", 2)); p(s.lastIndexOf("abc", 2)); p(s.indexOf(99)); p(s.indexOf("abc", 1)); }
    static void compare() { p("a".compareTo("b")); p("abc".compareTo("ab")); p("abc".compareTo("abd")); p("".compareTo("a")); p("apple".compareTo("Apple")); p("A".compareToIgnoreCase("b")); p("abc".equalsIgnoreCase("ABC")); p("abc".equals(null)); p("abc".equals(5)); p("abc".equalsIgnoreCase(null)); p("z".compareTo("\u00e9")); }
    static void tests() { p("abc".contains("bc")); p("abc".contains("")); p("abc".startsWith("ab")); p("abc".startsWith("bc", 1)); p("abc".startsWith("c", 5)); p("abc".startsWith("", 3)); p("abc".startsWith("", 4)); p("abc".endsWith("bc")); p("".isEmpty()); p(" ".isEmpty()); p(" \t".isBlank()); p("abc".contentEquals(new StringBuilder("abc"))); }
    static void change() { p("abcabc".replace('a', 'x')); p("aaa".replace("aa", "b")); p("abc".replace("", "-")); p("  x y ".trim()); p("\u0001 x\n".trim()); p(" x ".strip()); p(" x ".stripLeading()); p(" x ".stripTrailing()); p("abc".toUpperCase()); p("ABC".toLowerCase()); p("ab".repeat(3)); p("ab".repeat(0)); p("ab".concat("cd")); p("x".concat("")); "a".repeat(-1); }
    static void hash() { p("".hashCode()); p("a".hashCode()); p("hello world".hashCode()); p("polygenelubricants".hashCode()); p("Aa".hashCode() == "BB".hashCode()); p("\uffff\uffff\uffff".hashCode()); }
    static void split() { String[] a = "a,b,,c,,".split(","); p(a.length); for (String s : a) p(s); p("".split(",").length); p(",".split(",").length); p("abc".split(",").length); p(",a".split(",").length); p(",a".split(",")[0]); p("a b  c".split(" ").length); }
    static void join() { p(String.join("-", "a", "b", "c")); p(String.join(",", new String[] {"x", null})); p(String.join(",")); p(String.join("+", java.util.List.of("p", "q"))); p(String.join("+", java.util.Arrays.asList("p", "q"))); }
    static void valueOf() { p(String.valueOf(5)); p(String.valueOf('c')); p(String.valueOf(true)); p(String.valueOf((Object) null)); p(String.valueOf(new char[] {'a', 'b'})); p(String.valueOf(1.5)); p(String.valueOf(12L)); p(String.valueOf(2.5f)); p(String.copyValueOf(new char[] {'x'})); p(String.valueOf(new char[] {'a', 'b', 'c'}, 1, 2)); }
    static void chars() { char[] c = "hello".toCharArray(); c[0] = 'j'; p(new String(c)); p(c.length); p(new String(c, 1, 3)); p("a\u00e9\u20ac".length()); p("\ud83d\ude00".length()); p((int) "\ud83d\ude00".charAt(0)); java.util.Arrays.sort(c); p(new String(c)); p("😀".length()); p("日本".charAt(1)); }
    static void builder() { StringBuilder b = new StringBuilder(); b.append(1).append('c').append("s").append(true).append(2L).append((String) null).append(1.5).append(new char[] {'x', 'y'}); p(b.toString()); p(b.length()); b.setLength(3); p(b.toString()); b.insert(0, "ab").insert(1, 5); p(b.toString()); b.reverse(); p(b.toString()); b.deleteCharAt(0); b.setCharAt(0, 'Z'); p(b.toString()); b.delete(1, 100); p(b.toString()); b.replace(0, 1, "qwe"); p(b.toString()); p(b.indexOf("we")); p(b.charAt(2)); b.setLength(5); p(b.toString()); p(b.substring(1)); p(b.append("x") == b); }
    static void builderFails() { StringBuilder b = new StringBuilder("abc"); try { b.deleteCharAt(3); } catch (StringIndexOutOfBoundsException e) { p("1"); } try { b.insert(4, "x"); } catch (StringIndexOutOfBoundsException e) { p("2"); } try { b.delete(2, 1); } catch (StringIndexOutOfBoundsException e) { p("3"); } try { b.charAt(3); } catch (StringIndexOutOfBoundsException e) { p("4"); } try { b.setLength(-1); } catch (StringIndexOutOfBoundsException e) { p("5"); } p(b.toString()); b.setCharAt(7, 'x'); }
    static void builderAliasing() { StringBuilder a = new StringBuilder("x"), b = a; b.append("y"); p(a.toString()); p(a == b); p(a.equals(new StringBuilder("xy"))); p("xy".contentEquals(a)); changeIt(a); p(a.toString()); }
    private static void changeIt(StringBuilder s) { s.append("!"); s = new StringBuilder("new"); s.append("?"); }
    static void parse() { p(Integer.parseInt("42")); p(Integer.parseInt("-42")); p(Integer.parseInt("+7")); p(Integer.parseInt("ff", 16)); p(Integer.parseInt("-80000000", 16)); p(Long.parseLong("9223372036854775807")); p(Integer.valueOf("12")); p(Boolean.parseBoolean("TRUE")); p(Boolean.parseBoolean("yes")); p(Double.parseDouble("1.5")); p(Double.parseDouble("-2e3")); p(Short.parseShort("-5")); p(Byte.parseByte("127")); Integer.parseInt("2147483648"); }
    static void parseEmpty() { Integer.parseInt(""); }
    static void parseSign() { Integer.parseInt("-"); }
    static void parseBlank() { Integer.parseInt(" 1"); }
    static void parseNull() { Integer.parseInt(null); }
    static void parseWord() { Long.parseLong("12L"); }
    static void parseByteRange() { Byte.parseByte("128"); }
    static void radix() { p(Integer.toString(255, 16)); p(Integer.toString(-255, 2)); p(Integer.toBinaryString(10)); p(Integer.toBinaryString(-1)); p(Integer.toHexString(-1)); p(Integer.toOctalString(8)); p(Long.toHexString(-1L)); p(Long.toString(-5L)); p(Integer.toString(7)); p(Long.toBinaryString(5)); p(Integer.toHexString(255)); }
    static void character() { p(Character.isDigit('5')); p(Character.isLetter('x')); p(Character.isLetterOrDigit('_')); p(Character.isUpperCase('A')); p(Character.isLowerCase('A')); p(Character.isWhitespace('\t')); p(Character.isWhitespace('\u001c')); p(Character.toUpperCase('i')); p(Character.toLowerCase('I')); p(Character.getNumericValue('7')); p(Character.getNumericValue('a')); p(Character.digit('f', 16)); p(Character.digit('g', 16)); p(Character.forDigit(11, 16)); p(Character.toString('q')); p(Character.valueOf('x')); p(Character.getNumericValue('-')); p(Character.isSpaceChar(' ')); p(Character.isWhitespace((char) 0x0b)); }
    static void textBlock() { String s = """
            Hello,
              "World" \
            joined
            tab\tend   
            last"""; p(s); p("""
        a
      b
        """); p("""
        x\s\s
        """); }
    static void escapes() { p("a\tb\\c\"d'e\0f\7\377\u0041"); p("\\u0041"); }
    static void nullCalls() { String s = null; s.length(); }
    static void nullEquals() { String s = null; p("a".equals(s)); p(java.util.Objects.equals(s, null)); p(s == null); s.equals("a"); }
    static void concatNullMethod() { "a".concat(null); }
    static void stringSwitch() { for (String s : new String[] {"a", "Aa", "BB", "", "zz"}) { switch (s) { case "a": p(1); case "Aa": p(2); break; case "BB": p(3); break; default: p(9); case "": p(4); } } }
    static void switchNull() { String s = null; switch (s) { case "a": p(1); break; default: p(2); } }
    static void loopBuild() { String s = ""; for (int i = 0; i < 20; i++) s = i % 3 == 0 ? s + i : i + s; p(s); int n = 0; for (char c : s.toCharArray()) if (c >= '5') n++; p(n); boolean pal = true; for (int i = 0, j = s.length() - 1; i < j; i++, j--) if (s.charAt(i) != s.charAt(j)) pal = false; p(pal); }
    static void objectToString() { Object o = "x"; p(o.toString()); p(o.equals("x")); p(o.hashCode()); Object n = 5; p(n.toString()); p("" + n); p(n.equals(5)); p(n.equals(5L)); CharSequence q = "seq"; p(q.length()); p(q.charAt(1)); p(q.toString()); }
}
