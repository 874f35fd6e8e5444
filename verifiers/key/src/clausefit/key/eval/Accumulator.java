// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Puts the instances of a quantified expression together: values into a value, others into text. */
abstract class Accumulator {
    private static final int MOST_PARTS = 400;

    /** Of text; KeY's parser takes seconds for more. */
    private static final int LONGEST = 50_000;

    /** Instances that stay text. */
    final List<String> open = new ArrayList<>();

    private int length;
    private int counted;
    private boolean isImpossible;

    /** One for the quantifier of that name. */
    static Accumulator of(String word, MathMode math) {
        return switch (word) {
            case "\\forall" -> new Junction(true);
            case "\\exists" -> new Junction(false);
            case "\\num_of" -> new Count(math);
            case "\\sum" -> new Total(math, true);
            case "\\product" -> new Total(math, false);
            default -> new Extreme(word.equals("\\max"));
        };
    }

    /** Adds an instance; {@code guard} is the range where it is not known, else null. */
    final void add(Result guard, Result body) {
        Result plain = body instanceof Value value ? Operators.unboxed(value) : body;
        boolean taken = take(guard, plain);
        for (; counted < open.size(); counted++) {
            length += open.get(counted).length();
        }
        isImpossible |= !taken || open.size() > MOST_PARTS || length > LONGEST;
    }

    /** Whether the whole will not be expressible, whatever follows. */
    final boolean isImpossible() {
        return isImpossible;
    }

    /** The whole; null when it is not expressible. */
    final Result result() {
        return isImpossible ? null : whole();
    }

    /** Takes an instance; false when the whole cannot be expressed with it. */
    abstract boolean take(Result guard, Result body);

    abstract Result whole();

    private static final class Junction extends Accumulator {
        private final boolean isAll;
        private boolean isDecided;

        Junction(boolean isAll) {
            this.isAll = isAll;
        }

        @Override
        boolean take(Result guard, Result body) {
            if (body instanceof Value && !(body instanceof Value.Truth)) {
                return false;
            }
            if (body instanceof Value.Truth truth) {
                if (truth.holds() != isAll) {
                    if (guard == null) {
                        isDecided = true;
                    } else {
                        open.add(isAll ? Texts.operand(Connectives.not(guard)) : Texts.operand(guard));
                    }
                }
                return true;
            }
            open.add(guard == null ? Texts.operand(body)
                    : "(" + Texts.operand(guard) + (isAll ? " ==> " : " && ") + Texts.operand(body) + ")");
            return true;
        }

        @Override
        Result whole() {
            if (isDecided || open.isEmpty()) {
                return new Value.Truth(isDecided != isAll);
            }
            return new Residual(String.join(isAll ? " && " : " || ", open), open.size() == 1, Kind.BOOLEAN);
        }
    }

    private static final class Count extends Accumulator {
        private final MathMode math;
        private long count;

        Count(MathMode math) {
            this.math = math;
        }

        @Override
        boolean take(Result guard, Result body) {
            if (body instanceof Value && !(body instanceof Value.Truth)) {
                return false;
            }
            if (body instanceof Value.Truth truth && (!truth.holds() || guard == null)) {
                count += truth.holds() ? 1 : 0;
                return true;
            }
            String condition = guard == null ? Texts.operand(body)
                    : body instanceof Value ? Texts.operand(guard) : Texts.operand(guard) + " && " + Texts.operand(body);
            open.add("(" + condition + " ? 1 : 0)");
            return true;
        }

        @Override
        Result whole() {
            Value known = Value.Whole.of(math == MathMode.BIGINT ? Kind.BIGINT : Kind.LONG, count);
            return open.isEmpty() ? known : Residual.composed(count + " + " + String.join(" + ", open), Kind.LONG);
        }
    }

    private static final class Total extends Accumulator {
        private final MathMode math;
        private final boolean isSum;
        private BigInteger whole;
        private BigDecimal exact;
        private double rounded;
        private boolean isFloating;
        private Kind kind;

        Total(MathMode math, boolean isSum) {
            this.math = math;
            this.isSum = isSum;
            whole = isSum ? BigInteger.ZERO : BigInteger.ONE;
            exact = new BigDecimal(whole);
            rounded = whole.doubleValue();
        }

        @Override
        boolean take(Result guard, Result body) {
            if (guard != null || body instanceof Residual) {
                String text = Texts.operand(body);
                kind = kind == null ? Conditionals.kind(body) : kind;
                open.add(guard == null ? text : "(" + Texts.operand(guard) + " ? " + text + " : " + (isSum ? "0" : "1") + ")");
                return !isFloating;
            }
            if (body instanceof Value.Floating floating) {
                if (!Double.isFinite(floating.number()) || floating.kind() == Kind.FLOAT) {
                    return false;
                }
                isFloating = true;
                kind = Kind.DOUBLE;
                BigDecimal number = new BigDecimal(floating.number());
                exact = isSum ? exact.add(number) : exact.multiply(number);
                rounded = isSum ? rounded + floating.number() : rounded * floating.number();
                // Of what is rounded, the order would decide.
                return open.isEmpty() && Double.isFinite(rounded) && exact.compareTo(new BigDecimal(rounded)) == 0;
            }
            if (!(body instanceof Value.Whole number) || isFloating) {
                return false;
            }
            kind = kind == null ? number.kind() : kind;
            whole = isSum ? whole.add(number.number()) : whole.multiply(number.number());
            if (whole.bitLength() > 4096) {
                throw new BudgetUsed("a product of more than 4096 bits");
            }
            return true;
        }

        @Override
        Result whole() {
            if (isFloating) {
                return new Value.Floating(Kind.DOUBLE, rounded);
            }
            Kind type = kind == null || !kind.isWhole() ? Kind.INT : kind;
            if (type.promoted() == Kind.INT && type != Kind.INT && !type.holds(whole)) {
                // Whether a sum of bytes is a byte or an int is left open by the manual.
                return null;
            }
            Result known = Arithmetic.result(type.promoted(), whole, math);
            if (open.isEmpty() || known instanceof Undefined) {
                return known;
            }
            String operator = isSum ? " + " : " * ";
            return Residual.composed(Texts.operand(known) + operator + String.join(operator, open), type.promoted());
        }
    }

    private static final class Extreme extends Accumulator {
        /** The text grows with the square of their number. */
        private static final int MOST_COMPARED = 12;

        private final boolean isMax;
        private Value best;
        private Kind kind;

        Extreme(boolean isMax) {
            this.isMax = isMax;
        }

        @Override
        boolean take(Result guard, Result body) {
            if (guard == null && body instanceof Residual residual && residual.kind() != null && residual.kind().isWhole()) {
                kind = kind == null ? residual.kind() : Kind.promoted(kind, residual.kind());
                open.add(Texts.operand(residual));
                return open.size() <= MOST_COMPARED;
            }
            boolean isNumber = body instanceof Value.Whole || body instanceof Value.Floating floating
                    && !Double.isNaN(floating.number());
            if (guard != null || !isNumber) {
                return false;
            }
            Value value = (Value) body;
            boolean better = best == null || Arithmetic.binary(isMax ? ">" : "<", value, best, MathMode.BIGINT)
                    instanceof Value.Truth truth && truth.holds();
            best = better ? value : best;
            return true;
        }

        @Override
        Result whole() {
            if (open.isEmpty()) {
                return best == null ? new Undefined((isMax ? "\\max" : "\\min") + " of nothing") : best;
            }
            List<String> compared = new ArrayList<>(open);
            if (best != null) {
                if (!(best instanceof Value.Whole known)) {
                    return null;
                }
                kind = Kind.promoted(kind, known.kind());
                compared.add(Texts.operand(best));
            }
            return Residual.atom(chosen(compared), kind);
        }

        /** The first that is not less than those after it, else what the others come to. */
        private String chosen(List<String> compared) {
            String first = compared.get(0);
            List<String> others = compared.subList(1, compared.size());
            if (others.isEmpty()) {
                return first;
            }
            List<String> holds = others.stream().map(other -> first + (isMax ? " >= " : " <= ") + other).toList();
            return "(" + String.join(" && ", holds) + " ? " + first + " : " + chosen(others) + ")";
        }
    }
}
