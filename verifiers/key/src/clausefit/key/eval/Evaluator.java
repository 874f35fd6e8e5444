// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import clausefit.key.eval.Evaluation.Verdict;
import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.util.Map;

/** Evaluates JML clauses at one pinned call, on KeY's own parse tree. */
public final class Evaluator {
    private final State before;
    private final Outcome after;
    private final MathMode math;
    private final Map<String, String> types;
    private final String owner;

    private Evaluator(State before, Outcome after, MathMode math, Map<String, String> types, String owner) {
        this.before = before;
        this.after = after;
        this.math = math;
        this.types = types;
        this.owner = owner;
    }

    /**
     * An evaluator for one call.
     *
     * @param before memory before the call
     * @param after how it ended; null when clauses speak of the state before only
     * @param javaMath whether arithmetic of clauses wraps around as in Java; else it is that of mathematical integers
     * @param types declared types of variables by name, that of {@code \result} by that name
     * @param owner name of the class that the clause belongs to; null when it is not known
     */
    public static Evaluator of(State before, Outcome after, boolean javaMath, Map<String, String> types, String owner) {
        return new Evaluator(before, after, javaMath ? MathMode.JAVA : MathMode.BIGINT, Map.copyOf(types), owner);
    }

    /** What the clause is worth at this call. Never fails: what cannot be evaluated is left as it is. */
    public Evaluation evaluate(JmlParser.ExpressionContext clause) {
        Walker walker = new Walker(new Memory(before, after, types, owner), math);
        Result result;
        try {
            result = walker.eval(clause);
        } catch (BudgetUsed used) {
            return unchanged(clause, used.getMessage());
        } catch (StackOverflowError tooDeep) {
            return unchanged(clause, "the clause is nested too deeply");
        }
        return evaluation(clause, result instanceof Value value ? Operators.unboxed(value) : result, walker.doubts());
    }

    private static Evaluation unchanged(JmlParser.ExpressionContext clause, String why) {
        return new Evaluation(Verdict.RESIDUAL, Texts.raw(clause, Map.of()), false, true, false, why);
    }

    private static Evaluation evaluation(JmlParser.ExpressionContext clause, Result result, Doubts doubts) {
        String doubt = doubts.undefined();
        if (result instanceof Undefined undefined) {
            return new Evaluation(Verdict.UNDEFINED, Texts.raw(clause, Map.of()), false, true, false, undefined.why());
        }
        if (result instanceof Value.Truth truth) {
            // With a doubt it is no value: the part in doubt was not needed for it, but has to be defined all the same.
            return doubt == null ? Evaluation.of(truth.holds())
                    : new Evaluation(Verdict.RESIDUAL, String.valueOf(truth.holds()), false, true, false, doubt);
        }
        if (result instanceof Value) {
            // Not for want of a value: KeY says what type it has instead.
            return new Evaluation(Verdict.RESIDUAL, Texts.raw(clause, Map.of()), true, true, false,
                    "the clause is not boolean");
        }
        boolean isProvable = doubts.unprovable() == null;
        String why = doubt != null ? doubt : isProvable ? "" : doubts.unprovable();
        return new Evaluation(Verdict.RESIDUAL, Texts.of(result), doubt == null, isProvable, doubts.isOnlyAsWritten(),
                why);
    }
}
