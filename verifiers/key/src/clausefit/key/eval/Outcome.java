// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import com.eclipsesource.json.JsonObject;
import com.eclipsesource.json.JsonValue;

/**
 * How a call ended: memory after it, the result (null when there is none or it is not known) and the type that was thrown,
 * null when it returned. {@code isExact}: that type itself, and not perhaps a subtype.
 */
public final class Outcome {
    private final State state;
    private final Value result;
    private final String exception;
    private final boolean isExact;

    private Outcome(State state, Value result, String exception, boolean isExact) {
        this.state = state;
        this.result = result;
        this.exception = exception;
        this.isExact = isExact;
    }

    /**
     * Reads {@code {"state": STATE, "result": V|null, "exception": type|null, "exact": true}}.
     *
     * @throws IllegalArgumentException with one line when it is not of that form
     */
    public static Outcome read(JsonValue json) {
        try {
            JsonObject all = json.asObject();
            State state = State.read(all.get("state"));
            JsonValue result = all.get("result");
            JsonValue exception = all.get("exception");
            return new Outcome(state, result == null || result.isNull() ? null : state.readValue(result),
                    exception == null || exception.isNull() ? null : exception.asString(), all.getBoolean("exact", true));
        } catch (UnsupportedOperationException | NullPointerException problem) {
            throw new IllegalArgumentException("not an outcome: " + problem.getMessage(), problem);
        }
    }

    State state() {
        return state;
    }

    Value result() {
        return result;
    }

    String exception() {
        return exception;
    }

    boolean isExact() {
        return isExact;
    }
}
