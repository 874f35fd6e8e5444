// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.antlr.v4.runtime.tree.ParseTree;

/**
 * Bounds of a quantifier's variables, read off the conjuncts of its range. Only those conjuncts count that stand before the
 * first that has no value for some values of the variables: further ones are not reached by all values.
 */
final class Ranges {
    /** Offsets up to here, as in {@code i + 1 < n}, are looked at where the sum wraps around. */
    private static final int FAR = 64;

    private final Walker walker;
    private final Kind kind;
    private final List<String> open;
    private final Map<String, BigInteger> least = new HashMap<>();
    private final Map<String, BigInteger> greatest = new HashMap<>();
    private final Map<String, TreeSet<BigInteger>> more = new HashMap<>();
    private Undefined undefined;
    private boolean isEmpty;
    private boolean isCut;

    /** Reads the bounds of the variables {@code open}, while all other variables have values. */
    Ranges(Walker walker, Kind kind, List<String> open, List<ParseTree> conjuncts) {
        this.walker = walker;
        this.kind = kind;
        this.open = open;
        if (kind != Kind.INT && kind != Kind.LONG && kind != Kind.BIGINT) {
            for (String name : open) {
                least.put(name, kind.least());
                greatest.put(name, kind.greatest());
            }
        }
        List<ParseTree> bounding = new ArrayList<>();
        for (ParseTree conjunct : conjuncts) {
            if (!Trees.mentions(conjunct, open)) {
                if (!closed(conjunct)) {
                    return;
                }
                continue;
            }
            if (!Trees.isTotal(conjunct, open)) {
                isCut = true;
                return;
            }
            bounding.add(conjunct);
            // Each may bound one variable by another: as often as there are variables.
            for (int round = 0; round < open.size(); round++) {
                bounding.forEach(this::read);
            }
            if (undefined != null) {
                return;
            }
        }
    }

    /** Why the range has no value; null when it has one. */
    Undefined undefined() {
        return undefined;
    }

    boolean isEmpty() {
        return isEmpty || open.stream().anyMatch(this::isEmpty);
    }

    private boolean isEmpty(String name) {
        return isBounded(name) && least.get(name).compareTo(greatest.get(name)) > 0
                && more.getOrDefault(name, new TreeSet<>()).isEmpty();
    }

    boolean isBounded(String name) {
        return least.get(name) != null && greatest.get(name) != null;
    }

    /** Whether a conjunct follows that has no value for some values. */
    boolean isCut() {
        return isCut;
    }

    /** How many values a bounded variable can have. */
    BigInteger size(String name) {
        return greatest.get(name).subtract(least.get(name)).add(BigInteger.ONE).max(BigInteger.ZERO)
                .add(BigInteger.valueOf(more.getOrDefault(name, new TreeSet<>()).size()));
    }

    /** The values of a bounded variable, as far as the range lets them through; all that are in the range are among them. */
    Stream<BigInteger> values(String name) {
        BigInteger first = least.get(name);
        BigInteger last = greatest.get(name);
        Stream<BigInteger> between = Stream.iterate(first, i -> i.compareTo(last) <= 0, i -> i.add(BigInteger.ONE));
        Stream<BigInteger> others = more.getOrDefault(name, new TreeSet<>()).stream()
                .filter(i -> i.compareTo(first) < 0 || i.compareTo(last) > 0);
        return Stream.concat(between, others);
    }

    /** Evaluates a conjunct without open variables; false when no further one is reached. */
    private boolean closed(ParseTree conjunct) {
        if (isEmpty()) {
            return false;
        }
        Result result = walker.eval(conjunct);
        if (result instanceof Undefined none) {
            undefined = none;
            return false;
        }
        if (result instanceof Value.Truth truth && !truth.holds()) {
            isEmpty = true;
            return false;
        }
        return true;
    }

    private void read(ParseTree conjunct) {
        if (conjunct instanceof JmlParser.Relational_chainContext chain) {
            for (int i = 1; i < chain.shiftexpr().size(); i++) {
                read(chain.shiftexpr(i - 1), chain.op.get(i - 1).getText(), chain.shiftexpr(i));
            }
        } else if (conjunct instanceof JmlParser.EqualityexprContext equality && equality.relationalexpr().size() == 2
                && equality.EQ_NEQ(0).getText().equals("==")) {
            read(equality.relationalexpr(0), "==", equality.relationalexpr(1));
        }
    }

    private void read(ParseTree left, String operator, ParseTree right) {
        bound(left, operator, right);
        String mirrored = switch (operator) {
            case "<" -> ">";
            case "<=" -> ">=";
            case ">" -> "<";
            case ">=" -> "<=";
            default -> operator;
        };
        bound(right, mirrored, left);
    }

    /** Takes {@code side operator limit} as a bound of the variable in {@code side}, if it is one with an offset at most. */
    private void bound(ParseTree side, String operator, ParseTree limit) {
        Offset offset = offset(side);
        if (offset == null) {
            return;
        }
        ParseTree bare = Trees.bare(limit);
        BigInteger low;
        BigInteger high;
        if (open.contains(bare.getText())) {
            low = least.get(bare.getText());
            high = greatest.get(bare.getText());
        } else {
            Result result = Trees.mentions(limit, open) || isEmpty() ? null : walker.eval(limit);
            if (result instanceof Undefined none && undefined == null) {
                undefined = none;
            }
            Value plain = result instanceof Value value ? Operators.unboxed(value) : null;
            low = high = plain instanceof Value.Whole whole ? whole.number() : null;
        }
        if (high != null && (operator.startsWith("<") || operator.equals("=="))) {
            BigInteger strict = operator.equals("<") ? high.subtract(BigInteger.ONE) : high;
            lower(greatest, offset.name(), strict.subtract(offset.distance()), false);
            wrapped(offset);
        }
        if (low != null && (operator.startsWith(">") || operator.equals("=="))) {
            BigInteger strict = operator.equals(">") ? low.add(BigInteger.ONE) : low;
            lower(least, offset.name(), strict.subtract(offset.distance()), true);
            wrapped(offset);
        }
    }

    private static void lower(Map<String, BigInteger> bounds, String name, BigInteger bound, boolean upwards) {
        BigInteger known = bounds.get(name);
        bounds.put(name, known == null ? bound : upwards ? known.max(bound) : known.min(bound));
    }

    /** In Java's arithmetic {@code i + 1 < n} holds of the greatest value of i as well. */
    private void wrapped(Offset offset) {
        if (walker.math() != MathMode.JAVA || kind == Kind.BIGINT || offset.distance().signum() == 0) {
            return;
        }
        Kind sum = kind.promoted();
        TreeSet<BigInteger> values = more.computeIfAbsent(offset.name(), any -> new TreeSet<>());
        for (int i = 0; i < offset.distance().abs().intValue() && kind == sum; i++) {
            BigInteger step = BigInteger.valueOf(i);
            values.add(offset.distance().signum() > 0 ? sum.greatest().subtract(step) : sum.least().add(step));
        }
    }

    /** A variable plus a number. */
    private record Offset(String name, BigInteger distance) {}

    private Offset offset(ParseTree tree) {
        ParseTree bare = Trees.bare(tree);
        if (open.contains(bare.getText())) {
            return new Offset(bare.getText(), BigInteger.ZERO);
        }
        if (!(bare instanceof JmlParser.AdditiveexprContext sum) || sum.multexpr().size() != 2) {
            return null;
        }
        String name = Trees.bare(sum.multexpr(0)).getText();
        Value.Whole distance = Trees.bare(sum.multexpr(1)) instanceof JmlParser.IntegerliteralContext literal
                ? Literals.whole(literal.getText()) : null;
        boolean isNear = distance != null && distance.number().signum() >= 0
                && distance.number().compareTo(BigInteger.valueOf(FAR)) <= 0 && distance.kind() == Kind.INT;
        if (!open.contains(name) || !isNear) {
            return null;
        }
        return new Offset(name, sum.op.get(0).getText().equals("+") ? distance.number() : distance.number().negate());
    }
}
