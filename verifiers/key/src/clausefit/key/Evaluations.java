// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import clausefit.key.eval.Evaluation;
import clausefit.key.eval.Evaluator;
import clausefit.key.eval.Outcome;
import clausefit.key.eval.State;
import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.util.HashMap;
import java.util.Map;

/** What evaluation says of the clauses of one scene; nothing where the scene has no state as data. */
final class Evaluations {
    private final Map<String, Evaluator> evaluators = new HashMap<>();

    /**
     * Reads the states of a scene.
     *
     * @throws Refusal of kind {@code request} when one is not of the form that README.md describes
     */
    Evaluations(Requests.Scene scene, boolean javaMath) throws Refusal {
        if (scene.before() == null) {
            return;
        }
        Map<String, String> types = new HashMap<>();
        for (Requests.Variable variable : scene.variables()) {
            types.put(variable.name(), variable.type());
        }
        if (scene.result() != null) {
            types.put("\\result", scene.result());
        }
        if (scene.exception() != null) {
            types.put(scene.exception().name(), scene.exception().type());
        }
        try {
            State before = State.read(scene.before());
            evaluators.put("", Evaluator.of(before, null, javaMath, types, scene.className()));
            for (Requests.Outcome outcome : scene.outcomes()) {
                if (outcome.after() != null) {
                    evaluators.put(outcome.name(), Evaluator.of(before, Outcome.read(outcome.after()), javaMath, types,
                            scene.className()));
                }
            }
        } catch (IllegalArgumentException problem) {
            throw new Refusal("request", "the state is not of the form that is asked for: "
                    + Refusal.sentence(problem));
        }
    }

    /** What a clause comes to with an outcome ("": the state before alone); null where there is no such state. */
    Evaluation of(String outcome, JmlParser.ExpressionContext clause) {
        Evaluator evaluator = evaluators.get(outcome);
        return evaluator == null ? null : evaluator.evaluate(clause);
    }
}
