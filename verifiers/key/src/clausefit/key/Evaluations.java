// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import clausefit.key.eval.Evaluation;
import clausefit.key.eval.Evaluator;
import clausefit.key.eval.Outcome;
import clausefit.key.eval.State;
import com.eclipsesource.json.JsonArray;
import com.eclipsesource.json.JsonObject;
import com.eclipsesource.json.JsonValue;
import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.tree.ParseTree;

/** What evaluation says of the clauses of one scene; nothing where the scene has no state as data. */
final class Evaluations {
    private static final Pattern QUANTIFIER = Pattern.compile("\\(\\s*\\\\(?:forall|exists|sum|product|max|min|num_of)\\b");
    /** Longer ones take KeY longer than the quantifier. */
    private static final int LONGEST_EXPANSION = 4000;

    private final Map<String, Evaluator> evaluators = new HashMap<>();
    /** The same without what is in arrays, which so stays in the text of a clause. */
    private final Map<String, Evaluator> expanders = new HashMap<>();

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
            State hollow = State.read(hollow(scene.before()));
            evaluators.put("", Evaluator.of(before, null, javaMath, types, scene.className()));
            expanders.put("", Evaluator.of(hollow, null, javaMath, types, scene.className()));
            for (Requests.Outcome outcome : scene.outcomes()) {
                if (outcome.after() != null) {
                    evaluators.put(outcome.name(), Evaluator.of(before, Outcome.read(outcome.after()), javaMath, types,
                            scene.className()));
                    expanders.put(outcome.name(), Evaluator.of(hollow, Outcome.read(hollowOutcome(outcome.after())),
                            javaMath, types, scene.className()));
                }
            }
        } catch (IllegalArgumentException problem) {
            throw new Refusal("request", "the state is not of the form that is asked for: "
                    + Refusal.sentence(problem));
        }
    }

    private static JsonObject hollowOutcome(JsonObject outcome) {
        JsonObject copy = new JsonObject(outcome);
        if (outcome.get("state") instanceof JsonObject state) {
            copy.set("state", hollow(state));
        }
        return copy;
    }

    /** The state without the numbers that are in arrays. */
    private static JsonObject hollow(JsonObject state) {
        JsonObject copy = new JsonObject(state);
        if (state.get("objects") instanceof JsonObject objects) {
            JsonObject hollow = new JsonObject();
            for (JsonObject.Member object : objects) {
                hollow.add(object.getName(), hollowArray(object.getValue()));
            }
            copy.set("objects", hollow);
        }
        return copy;
    }

    private static JsonValue hollowArray(JsonValue object) {
        if (!(object instanceof JsonObject all) || !(all.get("elements") instanceof JsonArray elements)) {
            return object;
        }
        JsonArray unknown = new JsonArray();
        for (JsonValue element : elements) {
            boolean isNumber = element instanceof JsonObject value && value.get("t") != null && value.get("v") != null
                    && !value.getString("t", "").contains(".");
            unknown.add(isNumber ? new JsonObject().add("unknown", true) : element);
        }
        return new JsonObject(all).set("elements", unknown);
    }

    /** What a clause comes to with an outcome ("": the state before alone); null where there is no such state. */
    Evaluation of(String outcome, JmlParser.ExpressionContext clause) {
        Evaluator evaluator = evaluators.get(outcome);
        return evaluator == null ? null : evaluator.evaluate(clause);
    }

    /**
     * The clause with its quantifiers written out over the arrays of this call; null where it has none, or where that
     * leaves nothing to be proved, or too much.
     */
    String expanded(String outcome, JmlParser.ExpressionContext clause) {
        Evaluator expander = expanders.get(outcome);
        if (expander == null || !hasQuantifier(clause)) {
            return null;
        }
        Evaluation expanded = expander.evaluate(clause);
        boolean isText = expanded.verdict() == Evaluation.Verdict.RESIDUAL && !QUANTIFIER.matcher(expanded.text()).find();
        return isText && expanded.text().length() <= LONGEST_EXPANSION ? expanded.text() : null;
    }

    private static boolean hasQuantifier(ParseTree tree) {
        if (tree instanceof JmlParser.SpecquantifiedexpressionContext) {
            return true;
        }
        for (int i = 0; i < tree.getChildCount(); i++) {
            if (hasQuantifier(tree.getChild(i))) {
                return true;
            }
        }
        return false;
    }
}
