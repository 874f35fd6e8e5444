// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import clausefit.key.eval.Evaluation;
import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonObject;
import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One question on its way to its answer. */
final class Inquiry {
    private final Requests.Question question;
    private final Evaluation evaluation;
    private final Boolean value;
    private final Map<String, Boolean> elsewhere;
    private final List<JmlParser.ExpressionContext> texts = new ArrayList<>();
    /** Why the clause as it is written cannot be asked; null when it can. */
    private Refusal refusal;
    private String reason = "open";
    private Boolean proved;
    private boolean byEvaluation;
    private String undecided;
    private String message;
    private long nanos;

    /** A question whose text cannot be read. */
    Inquiry(Requests.Question question, Refusal refusal) {
        this.question = question;
        elsewhere = new HashMap<>();
        this.refusal = refusal;
        evaluation = null;
        value = null;
    }

    /**
     * A question that was evaluated; {@code evaluation} is null where there is no state to do so. {@code expanded} is the
     * clause with its quantifiers written out, or null. {@code elsewhere} says which side was proved of a clause in this
     * scene before.
     */
    Inquiry(Requests.Question question, JmlParser.ExpressionContext clause, Evaluation evaluation, String expanded,
            Map<String, Boolean> elsewhere) {
        this.question = question;
        this.elsewhere = elsewhere;
        this.evaluation = evaluation;
        value = evaluation == null ? null : switch (evaluation.verdict()) {
            case TRUE -> Boolean.TRUE;
            case FALSE -> Boolean.FALSE;
            case RESIDUAL, UNDEFINED -> null;
        };
        if (evaluation != null) {
            judge(evaluation);
        }
        // KeY decides ten instances faster than one quantifier, and some that it leaves open otherwise.
        boolean isOnlyAsWritten = evaluation != null && evaluation.isOnlyAsWritten();
        if (!isOnlyAsWritten) {
            add(expanded);
        }
        texts.add(clause);
        if (evaluation != null && value == null && !isOnlyAsWritten && expanded == null && !evaluation.text().equals(question.clause())) {
            add(evaluation.text());
        }
    }

    /** Texts that evaluation made are only a help: one that KeY does not read is left out. */
    private void add(String text) {
        if (text != null) {
            try {
                texts.add(ClauseReader.read(text));
            } catch (Refusal notRead) {
                leftOpen("open");
            }
        }
    }

    private void judge(Evaluation found) {
        if (found.verdict() == Evaluation.Verdict.UNDEFINED) {
            end("undefined", found.why());
        } else if (value == null && !found.isWellDefined()) {
            // A proof would say nothing: where a part has no value, KeY lets it have any.
            end("doubtful", found.why());
        } else if (value == null && !found.isProvable()) {
            end("identity", found.why());
        }
    }

    Requests.Question question() {
        return question;
    }

    /** The texts that mean the question, in the order in which to ask them. */
    List<JmlParser.ExpressionContext> texts() {
        return texts;
    }

    /** Whether it has no answer yet. */
    boolean isOpen() {
        return proved == null && undecided == null;
    }

    /** Whether evaluation knows the answer, so that KeY has only to confirm it. */
    boolean isSure() {
        return value != null;
    }

    /**
     * Whether a side is to be tried. Where evaluation is sure only that side is: the search for the other one would
     * use up all of its time.
     */
    boolean wants(boolean accept) {
        if (question.oneSided() && accept != question.expectAccept()) {
            return false;
        }
        return value == null || value == accept;
    }

    /** Whether the other side is worth a little: evaluation says no, and KeY may know better. */
    boolean mayDiffer(boolean accept) {
        return value != null && value != accept && !question.oneSided();
    }

    /** The side to try first: what is known of the clause with another outcome says more than what is hoped for. */
    boolean first() {
        return value == null ? elsewhere.getOrDefault(question.clause(), question.expectAccept()) : value;
    }

    /** KeY does not take one of the texts; only what it says of the first one is told. */
    void refuse(Refusal problem) {
        refusal = refusal == null ? problem : refusal;
    }

    /** A search that ended without a proof. */
    void leftOpen(String why) {
        if (!"timeout".equals(reason)) {
            reason = why;
        }
    }

    /** KeY proved a side. */
    void prove(boolean accept) {
        if (value != null && value != accept) {
            end("disagreement", "KeY " + (accept ? "accepts" : "rejects") + " what evaluation "
                    + (accept ? "refutes" : "confirms"));
        } else {
            proved = accept;
            elsewhere.put(question.clause(), accept);
        }
    }

    /** The last resort: what evaluation alone says, where it is sure and the question may go that way. */
    void settleByEvaluation() {
        if (isOpen() && value != null && wants(value)) {
            proved = value;
            byEvaluation = true;
        }
    }

    /** Leaves it undecided for good. */
    void end(String kind, String why) {
        proved = null;
        undecided = kind;
        message = why;
    }

    /** Milliseconds of {@code limit} that are left to it. */
    long left(long limit) {
        return limit - nanos / 1_000_000;
    }

    void spend(long more) {
        nanos += more;
    }

    /** The answer in the words of the protocol. */
    JsonObject answer() {
        JsonObject answer = Json.object().add("id", question.id());
        if (proved != null) {
            answer.add("proved", proved ? "accept" : "refute").add("by", byEvaluation ? "evaluation" : "key");
        } else if (undecided != null) {
            answer.add("undecided", undecided).add("message", message == null ? "" : message);
        } else if (refusal != null) {
            answer.add("undecided", refusal.kind()).add("message", refusal.getMessage());
        } else {
            answer.add("undecided", reason);
        }
        answer.add("evaluated", value == null ? Json.NULL : Json.value(value));
        return answer.add("millis", nanos / 1_000_000);
    }
}
