// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import java.math.BigInteger;

/**
 * Arithmetic on numbers. All methods give a value, Undefined, or null where the operator does not apply or where the
 * meaning depends on a reading of the mode that this class does not want to choose.
 */
final class Arithmetic {
    /** Mathematical integers beyond this many bits are not what contracts speak of. */
    private static final int MOST_BITS = 8192;

    private Arithmetic() {}

    /** A binary operator on two numbers. */
    static Result binary(String operator, Value left, Value right, MathMode math) {
        if (left instanceof Value.Whole a && right instanceof Value.Whole b) {
            return switch (operator) {
                case "<<", ">>", ">>>" -> shift(operator, a, b, math);
                default -> whole(operator, a, b, math);
            };
        }
        Kind kind = Kind.promoted(kind(left), kind(right));
        return kind == Kind.FLOAT
                ? single(operator, (float) real(left, kind), (float) real(right, kind))
                : twofold(operator, real(left, kind), real(right, kind));
    }

    private static Kind kind(Value number) {
        return number instanceof Value.Whole whole ? whole.kind() : ((Value.Floating) number).kind();
    }

    /** The number as a float (in a double) or double; a whole number is rounded as Java does (JLS 5.1.2). */
    static double real(Value number, Kind kind) {
        if (number instanceof Value.Whole whole) {
            return kind == Kind.FLOAT ? whole.number().floatValue() : whole.number().doubleValue();
        }
        return ((Value.Floating) number).number();
    }

    private static Result twofold(String operator, double a, double b) {
        return switch (operator) {
            case "+" -> new Value.Floating(Kind.DOUBLE, a + b);
            case "-" -> new Value.Floating(Kind.DOUBLE, a - b);
            case "*" -> new Value.Floating(Kind.DOUBLE, a * b);
            case "/" -> new Value.Floating(Kind.DOUBLE, a / b);
            case "%" -> new Value.Floating(Kind.DOUBLE, a % b);
            default -> comparison(operator, a, b);
        };
    }

    private static Result single(String operator, float a, float b) {
        return switch (operator) {
            case "+" -> new Value.Floating(Kind.FLOAT, a + b);
            case "-" -> new Value.Floating(Kind.FLOAT, a - b);
            case "*" -> new Value.Floating(Kind.FLOAT, a * b);
            case "/" -> new Value.Floating(Kind.FLOAT, a / b);
            case "%" -> new Value.Floating(Kind.FLOAT, a % b);
            default -> comparison(operator, a, b);
        };
    }

    /** Not by {@code Double.compare}: NaN is unequal to all, and the zeros are equal (JLS 15.20, 15.21). */
    private static Result comparison(String operator, double a, double b) {
        return switch (operator) {
            case "==" -> new Value.Truth(a == b);
            case "!=" -> new Value.Truth(a != b);
            case "<" -> new Value.Truth(a < b);
            case "<=" -> new Value.Truth(a <= b);
            case ">" -> new Value.Truth(a > b);
            case ">=" -> new Value.Truth(a >= b);
            default -> null;
        };
    }

    private static Result whole(String operator, Value.Whole left, Value.Whole right, MathMode math) {
        BigInteger a = left.number();
        BigInteger b = right.number();
        Kind kind = Kind.promoted(left.kind(), right.kind());
        int order = a.compareTo(b);
        return switch (operator) {
            case "==" -> new Value.Truth(order == 0);
            case "!=" -> new Value.Truth(order != 0);
            case "<" -> new Value.Truth(order < 0);
            case "<=" -> new Value.Truth(order <= 0);
            case ">" -> new Value.Truth(order > 0);
            case ">=" -> new Value.Truth(order >= 0);
            case "+" -> result(kind, a.add(b), math);
            case "-" -> result(kind, a.subtract(b), math);
            case "*" -> result(kind, a.multiply(b), math);
            case "/" -> b.signum() == 0 ? new Undefined("division by zero", kind) : result(kind, a.divide(b), math);
            case "%" -> b.signum() == 0 ? new Undefined("division by zero", kind) : result(kind, a.remainder(b), math);
            case "&" -> result(kind, a.and(b), math);
            case "|" -> result(kind, a.or(b), math);
            case "^" -> result(kind, a.xor(b), math);
            default -> null;
        };
    }

    /** The value of an operator whose mathematical result is {@code number} and whose type in Java is {@code kind}. */
    static Result result(Kind kind, BigInteger number, MathMode math) {
        if (number.bitLength() > MOST_BITS) {
            throw new BudgetUsed("a number of more than " + MOST_BITS + " bits");
        }
        if (kind.holds(number) || math == MathMode.BIGINT) {
            return new Value.Whole(kind, number);
        }
        return math == MathMode.SAFE
                ? new Undefined("overflow in safe arithmetic", kind)
                : Value.Whole.of(kind, kind == Kind.LONG ? number.longValue() : number.intValue());
    }

    private static Result shift(String operator, Value.Whole left, Value.Whole right, MathMode math) {
        Kind kind = left.kind().promoted();
        BigInteger a = left.number();
        if (kind == Kind.BIGINT || !kind.holds(a) || right.kind() == Kind.BIGINT) {
            return null;
        }
        int width = kind == Kind.LONG ? Long.SIZE : Integer.SIZE;
        if (math != MathMode.JAVA) {
            // Where distance and result stay in range, all readings agree.
            boolean near = right.number().signum() >= 0 && right.number().compareTo(BigInteger.valueOf(width)) < 0;
            if (!near || (operator.equals("<<") && !kind.holds(a.shiftLeft(right.number().intValue())))) {
                return null;
            }
        }
        int distance = right.number().intValue();
        if (kind == Kind.LONG) {
            long bits = a.longValue();
            return Value.Whole.of(kind, switch (operator) {
                case "<<" -> bits << distance;
                case ">>" -> bits >> distance;
                default -> bits >>> distance;
            });
        }
        int bits = a.intValue();
        return Value.Whole.of(kind, switch (operator) {
            case "<<" -> bits << distance;
            case ">>" -> bits >> distance;
            default -> bits >>> distance;
        });
    }

    /** One of {@code + - ~} before a number. */
    static Result unary(String operator, Value operand, MathMode math) {
        if (operand instanceof Value.Whole whole) {
            Kind kind = whole.kind().promoted();
            return switch (operator) {
                case "+" -> new Value.Whole(kind, whole.number());
                case "-" -> result(kind, whole.number().negate(), math);
                case "~" -> kind == Kind.BIGINT ? null : result(kind, whole.number().not(), math);
                default -> null;
            };
        }
        if (operand instanceof Value.Floating floating) {
            return switch (operator) {
                case "+" -> floating;
                case "-" -> new Value.Floating(floating.kind(), -floating.number());
                default -> null;
            };
        }
        return null;
    }

    /** A cast to a numeric type (JLS 5.1.2, 5.1.3). */
    static Result cast(Kind target, Value operand, MathMode math) {
        if (target.isFloating()) {
            double real = real(operand, target);
            return new Value.Floating(target, target == Kind.FLOAT ? (float) real : real);
        }
        if (operand instanceof Value.Floating floating) {
            return narrowed(target, floating.number());
        }
        BigInteger number = ((Value.Whole) operand).number();
        if (target.holds(number)) {
            return new Value.Whole(target, number);
        }
        return switch (math) {
            case SAFE -> new Undefined("a cast to " + target.word() + " loses the value in safe arithmetic", target);
            // JML has no fixed meaning for it.
            case BIGINT -> null;
            case JAVA -> Value.Whole.of(target, low(target, number.longValue()));
        };
    }

    private static Result narrowed(Kind target, double real) {
        return switch (target) {
            case LONG -> Value.Whole.of(target, (long) real);
            case BIGINT -> null;
            default -> Value.Whole.of(target, low(target, (int) real));
        };
    }

    private static long low(Kind target, long bits) {
        return switch (target) {
            case BYTE -> (byte) bits;
            case SHORT -> (short) bits;
            case CHAR -> (char) bits;
            case INT -> (int) bits;
            default -> bits;
        };
    }
}
