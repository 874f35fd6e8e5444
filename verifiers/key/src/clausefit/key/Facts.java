// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import de.uka.ilkd.key.java.Services;
import de.uka.ilkd.key.logic.Term;
import de.uka.ilkd.key.logic.TermBuilder;
import de.uka.ilkd.key.logic.op.Junctor;
import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is given in a scene: facts of the state before, and facts of each outcome. The outcome "" has none of its own. */
final class Facts {
    private final JmlParser.ExpressionContext before;
    private final Map<String, JmlParser.ExpressionContext> outcomes = new LinkedHashMap<>();
    private final Map<String, Refusal> refused = new HashMap<>();

    /**
     * Reads the facts of a scene. An outcome whose facts cannot be read touches only the questions about it.
     *
     * @throws Refusal of kind {@code pins} for the state before
     */
    Facts(Requests.Scene scene) throws Refusal {
        before = read(scene.pins());
        for (Requests.Outcome outcome : scene.outcomes()) {
            try {
                outcomes.put(outcome.name(), read(outcome.facts()));
            } catch (Refusal refusal) {
                refused.put(outcome.name(), refusal);
            }
        }
    }

    private static JmlParser.ExpressionContext read(String text) throws Refusal {
        try {
            return ClauseReader.read(text);
        } catch (Refusal refusal) {
            throw new Refusal("pins", refusal.getMessage());
        }
    }

    /**
     * The formulas of all facts, for one proof.
     *
     * @throws Refusal of kind {@code pins} when KeY does not take those of the state before
     */
    Formulas formulas(Frame frame, Services services) throws Refusal {
        TermBuilder tb = services.getTermBuilder();
        List<Term> base = new ArrayList<>();
        try {
            Term formula = frame.formula(before, services);
            split(formula, base);
            split(frame.literals(formula, tb), base);
            split(frame.assumption(base, services), base);
        } catch (Refusal refusal) {
            throw new Refusal("pins", refusal.getMessage());
        }
        Map<String, List<Term>> terms = new HashMap<>(Map.of("", base));
        Map<String, Refusal> problems = new HashMap<>(refused);
        for (Map.Entry<String, JmlParser.ExpressionContext> outcome : outcomes.entrySet()) {
            try {
                Term formula = frame.formula(outcome.getValue(), services);
                List<Term> facts = new ArrayList<>();
                split(formula, facts);
                split(frame.literals(formula, tb), facts);
                split(frame.promise(facts, services), facts);
                terms.put(outcome.getKey(), facts);
            } catch (Refusal refusal) {
                problems.put(outcome.getKey(), new Refusal("pins", refusal.getMessage()));
            }
        }
        return new Formulas(terms, problems);
    }

    /** Adds the parts of a conjunction: each is an assumption of its own, which KeY need not take apart first. */
    static void split(Term formula, List<Term> parts) {
        if (formula.op() == Junctor.AND) {
            split(formula.sub(0), parts);
            split(formula.sub(1), parts);
        } else if (formula.op() != Junctor.TRUE) {
            parts.add(formula);
        }
    }

    /** What is assumed of the state before (""), and of each outcome beside that. */
    record Formulas(Map<String, List<Term>> terms, Map<String, Refusal> refusals) {
        List<Term> of(String outcome) {
            return terms.get(outcome);
        }

        /** Why an outcome's facts cannot be used; null when they can. */
        Refusal refused(String outcome) {
            return refusals.get(outcome);
        }
    }
}
