// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import java.math.BigInteger;

/** Literals of Java, read and written. */
public final class Literals {
    private Literals() {}

    /**
     * An integer literal (JLS 3.10.1), with a minus sign when that stands before it: then the smallest value is one too.
     *
     * @return null when it is not of its type
     */
    static Value.Whole whole(String text) {
        boolean negative = text.startsWith("-");
        String digits = (negative ? text.substring(1).strip() : text).replace("_", "");
        boolean isLong = digits.endsWith("l") || digits.endsWith("L");
        if (isLong) {
            digits = digits.substring(0, digits.length() - 1);
        }
        if (digits.length() > 100) {
            return null;
        }
        Kind kind = isLong ? Kind.LONG : Kind.INT;
        int radix = radix(digits);
        BigInteger number = new BigInteger(digits.substring(radix == 16 || radix == 2 ? 2 : 0), radix);
        if (radix != 10) {
            // These denote bits, so that 0xFFFFFFFF is -1.
            if (number.bitLength() > (isLong ? Long.SIZE : Integer.SIZE)) {
                return null;
            }
            number = BigInteger.valueOf(isLong ? number.longValue() : number.intValue());
        }
        Value.Whole value = new Value.Whole(kind, negative ? number.negate() : number);
        return value.fits() || radix != 10 ? value : null;
    }

    private static int radix(String digits) {
        if (digits.length() < 2 || digits.charAt(0) != '0') {
            return 10;
        }
        return switch (digits.charAt(1)) {
            case 'x', 'X' -> 16;
            case 'b', 'B' -> 2;
            default -> 8;
        };
    }

    /** A literal with a fraction or exponent (JLS 3.10.2). */
    static Value floating(String text) {
        String digits = text.replace("_", "");
        return digits.endsWith("f") || digits.endsWith("F")
                ? new Value.Floating(Kind.FLOAT, Float.parseFloat(digits))
                : new Value.Floating(Kind.DOUBLE, Double.parseDouble(digits));
    }

    /** What stands between the quotes of a literal of a character or string, escapes resolved (JLS 3.3, 3.10.7). */
    static String unquoted(String literal) {
        StringBuilder text = new StringBuilder();
        String inner = literal.substring(1, literal.length() - 1);
        for (int i = 0; i < inner.length(); i++) {
            boolean escape = inner.charAt(i) == '\\' && i + 1 < inner.length();
            if (escape && inner.charAt(i + 1) == 'u') {
                int digits = i + 1;
                while (digits < inner.length() && inner.charAt(digits) == 'u') {
                    digits++;
                }
                text.append((char) Integer.parseInt(inner.substring(digits, digits + 4), 16));
                i = digits + 3;
            } else if (escape) {
                int end = octalEnd(inner, i + 1);
                text.append(inner.substring(i, Math.max(end, i + 2)).translateEscapes());
                i = Math.max(end, i + 2) - 1;
            } else {
                text.append(inner.charAt(i));
            }
        }
        return text.toString();
    }

    /** A literal of a string as it is written without escapes; null where it cannot be, or has a wrong one. */
    public static String plain(String literal) {
        try {
            return of(unquoted(literal));
        } catch (Inexpressible | IllegalArgumentException | StringIndexOutOfBoundsException notPlain) {
            return null;
        }
    }

    private static int octalEnd(String text, int start) {
        int end = start;
        int most = text.charAt(start) <= '3' ? 3 : 2;
        while (end < text.length() && end < start + most && text.charAt(end) >= '0' && text.charAt(end) <= '7') {
            end++;
        }
        return end;
    }

    /** A number as it can stand anywhere in a clause; a negative one in parentheses. */
    static String of(Value.Whole value) {
        BigInteger number = value.number();
        if (value.kind() == Kind.CHAR) {
            return of((char) number.intValue());
        }
        if (!Kind.LONG.holds(number)) {
            throw new Inexpressible("a number that is no long");
        }
        boolean isLong = value.kind() == Kind.LONG || !Kind.INT.holds(number);
        String text = number + (isLong ? "L" : "");
        return number.signum() < 0 ? "(" + text + ")" : text;
    }

    /** A float or double; NaN and the infinities as divisions by zero. */
    static String of(Value.Floating value) {
        double number = value.number();
        String suffix = value.kind() == Kind.FLOAT ? "f" : "";
        if (Double.isNaN(number)) {
            return "(0.0" + suffix + " / 0.0" + suffix + ")";
        }
        if (Double.isInfinite(number)) {
            return "(" + (number < 0 ? "-1.0" : "1.0") + suffix + " / 0.0" + suffix + ")";
        }
        String text = (value.kind() == Kind.FLOAT ? Float.toString((float) number) : Double.toString(number)) + suffix;
        return text.startsWith("-") ? "(" + text + ")" : text;
    }

    private static String of(char character) {
        return character >= ' ' && character <= '~' && character != '\'' && character != '\\'
                ? "'" + character + "'"
                : "((char) " + (int) character + ")";
    }

    /**
     * A string literal.
     *
     * @throws Inexpressible when there are characters in it that need an escape: KeY does not read all of them as Java does
     */
    static String of(String content) {
        boolean plain = content.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '"' && c != '\\');
        if (!plain) {
            throw new Inexpressible("a string with an escape");
        }
        return '"' + content + '"';
    }
}
