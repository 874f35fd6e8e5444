// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import clausefit.key.eval.Evaluation;
import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonObject;
import de.uka.ilkd.key.speclang.njml.JmlParser;

/** One question on its way to its answer. */
final class Inquiry {
    private final Requests.Question question;
    private final Evaluation evaluation;
    private final Boolean value;
    /** Why the clause as it is written cannot be asked; null when it can. */
    private Refusal refusal;
    private JmlParser.ExpressionContext clause;
    private Refusal notTaken;
    private String reason = "open";
    private Boolean proved;
    private boolean byEvaluation;
    private String undecided;
    private String message;
    private long nanos;

    /** {@code clause} is null where {@code refusal} says that its text cannot be read; {@code evaluation} may be null. */
    Inquiry(Requests.Question question, JmlParser.ExpressionContext clause, Refusal refusal, Evaluation evaluation) {
        this.question = question;
        this.clause = clause;
        this.refusal = refusal;
        this.notTaken = refusal;
        this.evaluation = evaluation;
        value = evaluation == null ? null : switch (evaluation.verdict()) {
            case TRUE -> Boolean.TRUE;
            case FALSE -> Boolean.FALSE;
            case RESIDUAL, UNDEFINED -> null;
        };
        if (evaluation != null) {
            judge(evaluation);
        }
    }

    private void judge(Evaluation found) {
        if (found.verdict() == Evaluation.Verdict.UNDEFINED) {
            end("undefined", found.why());
        } else if (value == null && !found.isWellDefined()) {
            // A proof would say nothing: where a part has no value, KeY lets it have any.
            end("undefined", found.why());
        } else if (value == null && !found.isProvable()) {
            end("identity", found.why());
        }
    }

    Requests.Question question() {
        return question;
    }

    /** The text that is asked at present; null where there is none that can be read. */
    JmlParser.ExpressionContext clause() {
        return clause;
    }

    /** Whether KeY has something left to do for it. */
    boolean isOpen() {
        return proved == null && undecided == null;
    }

    /** Whether KeY can be asked: the text was read, and nothing in its term is refused. */
    boolean isAskable() {
        return isOpen() && clause != null && notTaken == null;
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

    /** The side to try first. */
    boolean first() {
        return value == null ? question.expectAccept() : value;
    }

    /** Goes on with the text that evaluation made simpler; without one there is nothing more to ask KeY. */
    void simplify() {
        clause = null;
        if (isOpen() && evaluation != null && value == null && !evaluation.text().equals(question.clause())) {
            try {
                clause = ClauseReader.read(evaluation.text());
                notTaken = null;
            } catch (Refusal problem) {
                refuse(problem);
            }
        }
    }

    /** KeY does not take the text that is asked at present. */
    void refuse(Refusal problem) {
        notTaken = problem;
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
        if (value == null) {
            answer.add("evaluated", Json.NULL);
        } else {
            answer.add("evaluated", value.booleanValue());
        }
        return answer.add("millis", nanos / 1_000_000);
    }
}
