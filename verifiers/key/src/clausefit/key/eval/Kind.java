// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import java.math.BigInteger;

/** The kinds of values that Java's arithmetic tells apart (JLS 4.2), and {@code \bigint} of JML. */
enum Kind {
    BOOLEAN(0, 1),
    BYTE(Byte.MIN_VALUE, Byte.MAX_VALUE),
    SHORT(Short.MIN_VALUE, Short.MAX_VALUE),
    CHAR(Character.MIN_VALUE, Character.MAX_VALUE),
    INT(Integer.MIN_VALUE, Integer.MAX_VALUE),
    LONG(Long.MIN_VALUE, Long.MAX_VALUE),
    BIGINT(0, 0),
    FLOAT(0, 0),
    DOUBLE(0, 0),
    REFERENCE(0, 0);

    private final BigInteger least;
    private final BigInteger greatest;

    Kind(long least, long greatest) {
        this.least = BigInteger.valueOf(least);
        this.greatest = BigInteger.valueOf(greatest);
    }

    /** The kind of the type of that name; {@code REFERENCE} for every name that is not of a primitive type. */
    static Kind of(String type) {
        return switch (type) {
            case "boolean" -> BOOLEAN;
            case "byte" -> BYTE;
            case "short" -> SHORT;
            case "char" -> CHAR;
            case "int" -> INT;
            case "long" -> LONG;
            case "float" -> FLOAT;
            case "double" -> DOUBLE;
            case "\\bigint" -> BIGINT;
            default -> REFERENCE;
        };
    }

    boolean isWhole() {
        return ordinal() >= BYTE.ordinal() && ordinal() <= BIGINT.ordinal();
    }

    boolean isFloating() {
        return this == FLOAT || this == DOUBLE;
    }

    boolean isNumeric() {
        return isWhole() || isFloating();
    }

    /** Whether the type has a value for {@code number}; only for whole kinds. */
    boolean holds(BigInteger number) {
        return this == BIGINT || (number.compareTo(least) >= 0 && number.compareTo(greatest) <= 0);
    }

    /** The smallest value; null where there is none. */
    BigInteger least() {
        return this == BIGINT ? null : least;
    }

    /** The greatest value; null where there is none. */
    BigInteger greatest() {
        return this == BIGINT ? null : greatest;
    }

    /** Unary numeric promotion (JLS 5.6). */
    Kind promoted() {
        return this == BYTE || this == SHORT || this == CHAR ? INT : this;
    }

    /** Binary numeric promotion (JLS 5.6); {@code \bigint} is wider than all whole types. */
    static Kind promoted(Kind left, Kind right) {
        if (left == DOUBLE || right == DOUBLE) {
            return DOUBLE;
        }
        if (left == FLOAT || right == FLOAT) {
            return FLOAT;
        }
        if (left == BIGINT || right == BIGINT) {
            return BIGINT;
        }
        return left == LONG || right == LONG ? LONG : INT;
    }

    /** The word for it in Java or JML. */
    String word() {
        return this == BIGINT ? "\\bigint" : this == REFERENCE ? "java.lang.Object" : name().toLowerCase(java.util.Locale.ROOT);
    }
}
