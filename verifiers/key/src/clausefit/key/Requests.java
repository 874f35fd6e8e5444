// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonArray;
import com.eclipsesource.json.JsonObject;
import com.eclipsesource.json.JsonValue;
import com.eclipsesource.json.ParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The requests of the protocol (see README.md of this folder), read from JSON. */
final class Requests {
    private Requests() {}

    /** A variable that pins and clauses may name. */
    record Variable(String type, String name) {}

    /**
     * One clause to be accepted or refuted about one outcome; {@code outcome} is empty for the state before alone.
     * {@code expectAccept} is the side to try first, the only one where {@code oneSided}.
     */
    record Question(String id, String outcome, String clause, boolean expectAccept, boolean oneSided) {}

    /** What may have come of the call: JML facts for proving; {@code after} for evaluating, or null. */
    record Outcome(String name, String facts, JsonObject after) {}

    /** Java sources to load. {@code boot} is the library to load instead of KeY's own, or null. */
    record Load(String skeleton, String boot, boolean javaMath) {}

    /**
     * One pinned call of a method and the questions about it; {@code result}, {@code exception} and {@code before} (the
     * state for evaluating) may be null.
     */
    record Scene(String className, boolean isStatic, boolean pure, List<Variable> variables, String result,
            Variable exception, String pins, JsonObject before, List<Outcome> outcomes, List<Question> questions,
            boolean guard, long millis) {}

    /**
     * Parses one line.
     *
     * @throws Refusal of kind {@code request} when it is not an object in JSON
     */
    static JsonObject object(String line) throws Refusal {
        try {
            return Json.parse(line).asObject();
        } catch (ParseException | UnsupportedOperationException problem) {
            throw new Refusal("request", "not a request in JSON: " + Refusal.sentence(problem));
        }
    }

    static Load load(JsonValue value) throws Refusal {
        try {
            JsonObject json = value.asObject();
            String math = json.getString("math", "java");
            if (!math.equals("java") && !math.equals("bigint")) {
                throw new Refusal("request", "math must be java or bigint");
            }
            return new Load(text(json, "skeleton"), optional(json, "boot"), math.equals("java"));
        } catch (UnsupportedOperationException problem) {
            throw malformed(problem);
        }
    }

    static Scene scene(JsonValue value) throws Refusal {
        try {
            JsonObject json = value.asObject();
            List<Variable> variables = new ArrayList<>();
            for (JsonValue pair : array(json, "variables")) {
                variables.add(variable(pair));
            }
            List<Outcome> outcomes = new ArrayList<>();
            Set<String> names = new HashSet<>(Set.of(""));
            for (JsonValue each : array(json, "outcomes")) {
                JsonObject outcome = each.asObject();
                outcomes.add(new Outcome(text(outcome, "name"), text(outcome, "facts"), object(outcome, "after")));
                names.add(text(outcome, "name"));
            }
            JsonValue exception = json.get("exception");
            List<Question> questions = new ArrayList<>();
            for (JsonValue question : array(json, "questions")) {
                questions.add(question(question.asObject(), names));
            }
            return new Scene(text(json, "class"), json.getBoolean("static", false), json.getBoolean("pure", false),
                    variables, optional(json, "result"),
                    exception == null || exception.isNull() ? null : variable(exception), text(json, "pins"),
                    object(json, "before"), outcomes, questions, json.getBoolean("guard", true),
                    json.getLong("millis", 4000));
        } catch (UnsupportedOperationException | NumberFormatException | IndexOutOfBoundsException problem) {
            throw malformed(problem);
        }
    }

    private static Question question(JsonObject json, Set<String> outcomes) throws Refusal {
        String expected = json.getString("expected", "accept");
        if (!expected.equals("accept") && !expected.equals("refute")) {
            throw new Refusal("request", "expected must be accept or refute");
        }
        String outcome = json.getString("outcome", "");
        if (!outcomes.contains(outcome)) {
            throw new Refusal("request", "a question about an outcome that the scene does not have");
        }
        return new Question(text(json, "id"), outcome, text(json, "accept"), expected.equals("accept"),
                json.getBoolean("oneSided", false));
    }

    private static JsonArray array(JsonObject json, String name) {
        JsonValue value = json.get(name);
        return value == null ? new JsonArray() : value.asArray();
    }

    private static JsonObject object(JsonObject json, String name) {
        JsonValue value = json.get(name);
        return value == null || value.isNull() ? null : value.asObject();
    }

    private static Variable variable(JsonValue pair) {
        return new Variable(pair.asArray().get(0).asString(), pair.asArray().get(1).asString());
    }

    private static String text(JsonObject json, String name) throws Refusal {
        JsonValue value = json.get(name);
        if (value == null || !value.isString()) {
            throw new Refusal("request", "the request has no text " + name);
        }
        return value.asString();
    }

    private static String optional(JsonObject json, String name) {
        JsonValue value = json.get(name);
        return value == null || value.isNull() ? null : value.asString();
    }

    private static Refusal malformed(RuntimeException problem) {
        return new Refusal("request", "the request is not of the form that is asked for: " + Refusal.sentence(problem));
    }
}
