// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonObject;
import com.eclipsesource.json.JsonValue;
import com.eclipsesource.json.ParseException;
import java.util.ArrayList;
import java.util.List;

/** The requests of the protocol (see README.md of this folder), read from JSON. */
final class Requests {
    private Requests() {}

    /** A variable that pins and clauses may name. */
    record Variable(String type, String name) {}

    /** One clause to be accepted or refuted; {@code expectAccept} is the side to try first. */
    record Question(String id, String clause, boolean expectAccept) {}

    /** Java sources to load. {@code boot} is the library to load instead of KeY's own, or null. */
    record Load(String skeleton, String boot, boolean javaMath) {}

    /** One pinned call of a method and the questions about it; {@code result} and {@code exception} may be null. */
    record Scene(String className, boolean isStatic, boolean pure, List<Variable> variables, String result,
            Variable exception, String pins, List<Question> questions, boolean guard, long millis) {}

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
            for (JsonValue pair : json.get("variables") == null ? Json.array() : json.get("variables").asArray()) {
                variables.add(variable(pair));
            }
            JsonValue exception = json.get("exception");
            List<Question> questions = new ArrayList<>();
            for (JsonValue question : json.get("questions") == null ? Json.array() : json.get("questions").asArray()) {
                questions.add(question(question.asObject()));
            }
            return new Scene(text(json, "class"), json.getBoolean("static", false), json.getBoolean("pure", false),
                    variables, optional(json, "result"),
                    exception == null || exception.isNull() ? null : variable(exception), text(json, "pins"), questions,
                    json.getBoolean("guard", true), json.getLong("millis", 4000));
        } catch (UnsupportedOperationException | NumberFormatException | IndexOutOfBoundsException problem) {
            throw malformed(problem);
        }
    }

    private static Question question(JsonObject json) throws Refusal {
        String expected = json.getString("expected", "accept");
        if (!expected.equals("accept") && !expected.equals("refute")) {
            throw new Refusal("request", "expected must be accept or refute");
        }
        return new Question(text(json, "id"), text(json, "accept"), expected.equals("accept"));
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
