// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import clausefit.key.eval.Evaluation;
import clausefit.key.eval.Evaluator;
import clausefit.key.eval.Outcome;
import clausefit.key.eval.State;
import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonArray;
import com.eclipsesource.json.JsonObject;
import com.eclipsesource.json.JsonValue;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The request {@code evaluate}: clauses at one pinned call, without KeY's prover (README.md of the driver). */
final class EvaluateRequest {
    private EvaluateRequest() {}

    /**
     * The answer to such a request.
     *
     * @throws Refusal of kind {@code request} when it is not of the form that is asked for
     */
    static JsonObject answer(JsonValue value) throws Refusal {
        try {
            JsonObject json = value.asObject();
            JsonValue after = json.get("after");
            Evaluator evaluator = Evaluator.of(State.read(json.get("before")),
                    after == null || after.isNull() ? null : Outcome.read(after),
                    json.getString("math", "java").equals("java"), types(json), json.getString("class", null));
            JsonArray results = Json.array();
            for (JsonValue clause : json.get("clauses").asArray()) {
                JsonObject each = clause.asObject();
                results.add(result(evaluator, each.get("text").asString()).add("id", each.get("id").asString()));
            }
            return Json.object().add("results", results);
        } catch (UnsupportedOperationException | IllegalArgumentException | IndexOutOfBoundsException
                | NullPointerException problem) {
            throw new Refusal("request", "not a request to evaluate: " + Refusal.sentence(problem));
        }
    }

    private static Map<String, String> types(JsonObject json) {
        Map<String, String> types = new HashMap<>();
        if (json.get("variables") != null) {
            for (JsonValue pair : json.get("variables").asArray()) {
                types.put(pair.asArray().get(1).asString(), pair.asArray().get(0).asString());
            }
        }
        JsonValue result = json.get("result");
        if (result != null && !result.isNull()) {
            types.put("\\result", result.asString());
        }
        return types;
    }

    private static JsonObject result(Evaluator evaluator, String text) {
        Evaluation evaluation;
        try {
            evaluation = evaluator.evaluate(ClauseReader.read(text));
        } catch (Refusal refusal) {
            return Json.object().add("value", refusal.kind()).add("text", text).add("why", refusal.getMessage());
        }
        return Json.object().add("value", evaluation.verdict().name().toLowerCase(Locale.ROOT))
                .add("text", evaluation.text()).add("wellDefined", evaluation.isWellDefined())
                .add("provable", evaluation.isProvable()).add("why", evaluation.why());
    }
}
