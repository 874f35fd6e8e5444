// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import java.util.Locale;

/** Operators on two known values, as JLS 15.17 to 15.22 define them; null where they do not apply or nothing is certain. */
final class Operators {
    private static final int LONGEST_STRING = 1_000_000;

    private final Doubts doubts;
    private final Jdk jdk;

    Operators(Doubts doubts, Jdk jdk) {
        this.doubts = doubts;
        this.jdk = jdk;
    }

    Result binary(String operator, Value left, Value right, MathMode math) {
        boolean equality = operator.equals("==") || operator.equals("!=");
        if (equality && isReference(left) && isReference(right)) {
            Boolean same = isSame(left, right);
            return same == null ? null : new Value.Truth(same == operator.equals("=="));
        }
        if (operator.equals("+") && (isString(left) || isString(right))) {
            return concatenation(left, right);
        }
        if (operator.equals("+") && (isUndeclared(left) || isUndeclared(right))) {
            return null;
        }
        if (left instanceof Value.Null || right instanceof Value.Null) {
            return new Undefined("null where a number is needed, at " + operator);
        }
        Value a = unboxed(left);
        Value b = unboxed(right);
        if (a instanceof Value.Truth p && b instanceof Value.Truth q) {
            return switch (operator) {
                case "==" -> new Value.Truth(p.holds() == q.holds());
                case "!=", "^" -> new Value.Truth(p.holds() != q.holds());
                case "&" -> new Value.Truth(p.holds() && q.holds());
                case "|" -> new Value.Truth(p.holds() || q.holds());
                default -> null;
            };
        }
        return isNumber(a) && isNumber(b) ? Arithmetic.binary(operator, a, b, math) : null;
    }

    /** Null that may be a string: then a sum is its text. */
    private static boolean isUndeclared(Value value) {
        return value instanceof Value.Null none && none.isUndeclared();
    }

    private static boolean isNumber(Value value) {
        return value instanceof Value.Whole || value instanceof Value.Floating;
    }

    static boolean isReference(Value value) {
        return !(isNumber(value) || value instanceof Value.Truth || value instanceof Value.Type
                || value instanceof Value.Prefix);
    }

    private static boolean isString(Value value) {
        return value instanceof Value.Text
                || (value instanceof Value.Null none && ("java.lang.String".equals(none.type()) || "String".equals(none.type())));
    }

    /** The value in a wrapper (JLS 5.1.8); others as they are. */
    static Value unboxed(Value value) {
        if (!(value instanceof Value.Boxed boxed)) {
            return value;
        }
        Object content = boxed.content();
        if (content instanceof Boolean truth) {
            return new Value.Truth(truth);
        }
        if (content instanceof Character character) {
            return Value.Whole.of(Kind.CHAR, character);
        }
        Kind kind = Kind.of(content instanceof Integer ? "int" : content.getClass().getSimpleName().toLowerCase(Locale.ROOT));
        return kind.isFloating()
                ? new Value.Floating(kind, ((Number) content).doubleValue())
                : Value.Whole.of(kind, ((Number) content).longValue());
    }

    /**
     * Whether two references are the same object; null when the test does not show it: that two strings or boxed values
     * are equal tells nothing about it.
     */
    private Boolean isSame(Value left, Value right) {
        if (left instanceof Value.Null || right instanceof Value.Null) {
            return left instanceof Value.Null && right instanceof Value.Null;
        }
        if (left instanceof Value.Reference a && right instanceof Value.Reference b) {
            return a.name().equals(b.name());
        }
        if (left instanceof Value.Constant a && right instanceof Value.Constant b) {
            return a.type().equals(b.type()) && a.name().equals(b.name());
        }
        if (left instanceof Value.Text a && right instanceof Value.Text b) {
            return isSame(a, b);
        }
        if (left instanceof Value.Boxed a && right instanceof Value.Boxed b && a.content().equals(b.content())) {
            doubts.unprovable("== compares objects here, and the test does not show whether they are the same");
            return null;
        }
        if (left instanceof Value.Foreign || right instanceof Value.Foreign) {
            doubts.unprovable("== compares an object that a method of the Java library gave");
            return null;
        }
        // An object of one class is none of another.
        return false;
    }

    private Boolean isSame(Value.Text left, Value.Text right) {
        if (!left.content().equals(right.content())) {
            return false;
        }
        boolean named = !left.identity().isEmpty() && left.identity().equals(right.identity());
        if (named || (left.isConstant() && right.isConstant())) {
            return true;
        }
        doubts.unprovable("== compares strings as objects, and the test does not show whether they are the same");
        return null;
    }

    private Result concatenation(Value left, Value right) {
        String a = jdk.text(left);
        String b = jdk.text(right);
        if (a == null || b == null) {
            return null;
        }
        if (a.length() + b.length() > LONGEST_STRING) {
            throw new BudgetUsed("a string of more than " + LONGEST_STRING + " characters");
        }
        return new Value.Text(a + b, "", isConstant(left) && isConstant(right), null);
    }

    /** Values of primitive types may come from variables: only strings say whether they are constant expressions. */
    private static boolean isConstant(Value value) {
        return value instanceof Value.Text text && text.isConstant();
    }
}
