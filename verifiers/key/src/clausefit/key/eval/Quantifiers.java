// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.antlr.v4.runtime.tree.ParseTree;

/** Quantified expressions over ranges that are bounded at the pin: every value is tried. */
final class Quantifiers {
    private static final int MOST_VALUES = 200_000;

    private final Walker walker;
    private final Memory memory;
    private final Doubts doubts;
    private final Budget budget;

    Quantifiers(Walker walker, Memory memory, Doubts doubts, Budget budget) {
        this.walker = walker;
        this.memory = memory;
        this.doubts = doubts;
        this.budget = budget;
    }

    /** The parts of a quantified expression. */
    private record Parts(String word, Kind kind, List<String> names, ParseTree range, ParseTree body,
            List<ParseTree> conjuncts) {}

    Result quantified(JmlParser.SpecquantifiedexpressionContext context) {
        Parts parts = parts(context);
        if (parts == null) {
            return walker.raw(context);
        }
        Accumulator accumulator = Accumulator.of(parts.word(), walker.math());
        Map<String, Value> outer = new HashMap<>(memory.bound());
        parts.names().forEach(memory.bound()::remove);
        Doubts kept = doubts.copy();
        Undefined undefined = null;
        boolean complete;
        try {
            complete = enumerate(parts, parts.names(), accumulator, BigInteger.ONE);
        } catch (NoValue none) {
            undefined = none.undefined;
            complete = true;
        } finally {
            memory.bound().clear();
            memory.bound().putAll(outer);
        }
        Result result = undefined != null ? undefined : complete ? accumulator.result() : null;
        if (result == null) {
            doubts.become(kept);
            return walker.raw(context);
        }
        return result;
    }

    private static Parts parts(JmlParser.SpecquantifiedexpressionContext context) {
        Kind kind = Kind.of(context.quantifiedvardecls().typespec().getText());
        List<String> names = new ArrayList<>();
        for (var variable : context.quantifiedvardecls().quantifiedvariabledeclarator()) {
            if (variable.dims() != null) {
                return null;
            }
            names.add(variable.IDENT().getText());
        }
        if (!kind.isWhole() && kind != Kind.BOOLEAN) {
            return null;
        }
        String word = context.quantifier().getText();
        boolean hasRange = context.expression().size() == 2;
        ParseTree range = hasRange ? context.expression(0) : null;
        ParseTree body = context.expression(hasRange ? 1 : 0);
        List<ParseTree> conjuncts = new ArrayList<>(hasRange ? Trees.conjuncts(range) : List.of());
        if (word.equals("\\exists") || word.equals("\\num_of")) {
            conjuncts.addAll(Trees.conjuncts(body));
        } else if (word.equals("\\forall")) {
            addAntecedents(body, conjuncts);
        }
        return new Parts(word, kind, names, range, body, conjuncts);
    }

    /** What a conjunction of the range with the negated body would begin with: the antecedents of implications. */
    private static void addAntecedents(ParseTree body, List<ParseTree> conjuncts) {
        ParseTree bare = Trees.bare(body);
        if (bare instanceof JmlParser.ImpliesexprContext implication && implication.IMPLIES() != null) {
            conjuncts.addAll(Trees.conjuncts(implication.a));
            addAntecedents(implication.b, conjuncts);
        } else if (bare instanceof JmlParser.ImpliesforwardexprContext implication) {
            conjuncts.addAll(Trees.conjuncts(implication.a));
            addAntecedents(implication.b, conjuncts);
        }
    }

    private static final class NoValue extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Undefined undefined;

        NoValue(Undefined undefined) {
            super(undefined.why(), null, false, false);
            this.undefined = undefined;
        }
    }

    /** Gives variables their values, one after the other; false when one has no bounds. */
    private boolean enumerate(Parts parts, List<String> open, Accumulator accumulator, BigInteger tried) {
        if (open.isEmpty()) {
            instance(parts, accumulator);
            return !accumulator.isImpossible();
        }
        Ranges ranges = new Ranges(walker, parts.kind(), open, parts.conjuncts());
        if (ranges.undefined() != null) {
            throw new NoValue(ranges.undefined());
        }
        if (ranges.isEmpty()) {
            return true;
        }
        String name = open.stream().filter(ranges::isBounded).findFirst().orElse(null);
        if (name == null) {
            if (ranges.isCut()) {
                probe(parts, open);
            }
            return false;
        }
        BigInteger all = tried.multiply(ranges.size(name));
        if (all.compareTo(BigInteger.valueOf(MOST_VALUES)) > 0) {
            return false;
        }
        List<String> rest = new ArrayList<>(open);
        rest.remove(name);
        Iterator<BigInteger> values = ranges.values(name).iterator();
        while (values.hasNext()) {
            BigInteger value = values.next();
            memory.bound().put(name, parts.kind() == Kind.BOOLEAN
                    ? new Value.Truth(value.signum() != 0) : new Value.Whole(parts.kind(), value));
            boolean complete = enumerate(parts, rest, accumulator, all);
            memory.bound().remove(name);
            if (!complete) {
                return false;
            }
        }
        return true;
    }

    /** A range that asks before it bounds: some values tell whether it has none for one of them. */
    private void probe(Parts parts, List<String> open) {
        Set<BigInteger> values = new LinkedHashSet<>(List.of(BigInteger.ZERO, BigInteger.ONE, BigInteger.ONE.negate()));
        if (parts.kind().least() != null) {
            values.add(parts.kind().least());
            values.add(parts.kind().greatest());
        }
        for (BigInteger value : values) {
            if (!parts.kind().holds(value)) {
                continue;
            }
            open.forEach(name -> memory.bound().put(name, new Value.Whole(parts.kind(), value)));
            for (ParseTree conjunct : parts.conjuncts()) {
                Result result = walker.eval(conjunct);
                if (result instanceof Undefined undefined) {
                    open.forEach(memory.bound()::remove);
                    throw new NoValue(new Undefined(undefined.why() + " in the range, at " + open.get(0) + " = " + value));
                }
                if (!(result instanceof Value.Truth truth && truth.holds())) {
                    break;
                }
            }
        }
        open.forEach(memory.bound()::remove);
    }

    private void instance(Parts parts, Accumulator accumulator) {
        budget.spend(1);
        Result guard = parts.range() == null ? new Value.Truth(true) : walker.eval(parts.range());
        if (guard instanceof Undefined undefined) {
            throw noValue(undefined, parts);
        }
        if (guard instanceof Value.Truth truth && !truth.holds()) {
            return;
        }
        boolean isOpen = guard instanceof Residual;
        Result body = walker.eval(parts.body());
        if (body instanceof Undefined undefined) {
            if (!isOpen) {
                throw noValue(undefined, parts);
            }
            doubts.mayBeUndefined(undefined.why());
            body = new Residual(Texts.raw(parts.body(), memory.bound()), false, null);
        }
        accumulator.add(isOpen ? guard : null, body);
    }

    private NoValue noValue(Undefined undefined, Parts parts) {
        StringBuilder at = new StringBuilder(" at ");
        for (String name : parts.names()) {
            at.append(at.length() > 4 ? ", " : "").append(name).append(" = ").append(Texts.of(memory.bound().get(name)));
        }
        boolean told = undefined.why().contains(" at ");
        return new NoValue(told ? undefined : new Undefined(undefined.why() + at, undefined.kind()));
    }
}
