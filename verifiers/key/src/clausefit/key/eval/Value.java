// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import java.math.BigInteger;

/**
 * A value that is known. {@code source}, where there is one, is an expression of JML that denotes it, null where a literal
 * does.
 */
sealed interface Value extends Result {
    /** A boolean. */
    record Truth(boolean holds) implements Value {}

    /**
     * A whole number. In mathematical mode {@code number} may lie outside of {@code kind}, which then only says which
     * type Java would give the expression.
     */
    record Whole(Kind kind, BigInteger number) implements Value {
        static Whole of(Kind kind, long number) {
            return new Whole(kind, BigInteger.valueOf(number));
        }

        boolean fits() {
            return kind.holds(number);
        }
    }

    /** A float (kept exactly in a double) or double. */
    record Floating(Kind kind, double number) implements Value {}

    /** Null; {@code type} is the declared type of the expression, null itself for the literal. */
    record Null(String type) implements Value {
        /** Stands for a declared type that is not known. */
        static final String UNDECLARED = "";

        boolean isUndeclared() {
            return UNDECLARED.equals(type);
        }
    }

    /**
     * A string. Equal {@code identity} that is not empty: the same object. {@code isConstant}: a constant expression,
     * of which equal ones are the same object (JLS 15.29).
     */
    record Text(String content, String identity, boolean isConstant, String source) implements Value {}

    /** An object of a wrapper class; which one of all equal ones is not known. */
    record Boxed(Object content, String source) implements Value {}

    /** A constant of an enum. */
    record Constant(String type, String name, String source) implements Value {}

    /**
     * An object of the pinned states by its name in them; {@code isExact}: {@code type} is its class itself.
     * {@code declared} is the static type of the expression, null where that is not known.
     */
    record Reference(String name, String type, boolean isExact, String declared, String source) implements Value {
        boolean isArray() {
            return type != null && type.endsWith("[]");
        }
    }

    /** An object that a call of the Java library made, or an array that the clause makes. */
    record Foreign(Object object, String source) implements Value {}

    /** A type as a value. */
    record Type(String name) implements Value {}

    /** A name that stands for nothing yet: a package, a class, or something that the states do not have. */
    record Prefix(String name) implements Value {}
}
