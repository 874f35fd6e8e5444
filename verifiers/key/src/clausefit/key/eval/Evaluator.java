// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.util.Map;

/** Evaluates JML clauses at one pinned call, on KeY's own parse tree. */
public final class Evaluator {
    private Evaluator() {}

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
        return new Evaluator();
    }

    /** What the clause is worth at this call. Never fails: what cannot be evaluated is left as it is. */
    public Evaluation evaluate(JmlParser.ExpressionContext clause) {
        String text = clause.start.getInputStream()
                .getText(org.antlr.v4.runtime.misc.Interval.of(clause.start.getStartIndex(), clause.stop.getStopIndex()));
        return new Evaluation(Evaluation.Verdict.RESIDUAL, text, true, true, "");
    }
}
