// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import clausefit.key.eval.Evaluation;
import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonArray;
import com.eclipsesource.json.JsonObject;
import de.uka.ilkd.key.proof.Proof;
import de.uka.ilkd.key.proof.init.ProofInputException;
import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Answers all questions of one scene: evaluation first, then KeY on the clauses, as they are written and as
 * evaluation made them simpler, and where KeY decides none of that, what evaluation says.
 */
final class SceneJudge {
    private final Requests.Scene scene;
    private final List<Inquiry> inquiries = new ArrayList<>();
    private final Map<String, JmlParser.ExpressionContext> clauses = new HashMap<>();
    private final Map<String, Boolean> proved = new HashMap<>();
    private final Set<String> contradictory = new LinkedHashSet<>();
    private Skeleton skeleton;
    private Frame frame;
    private Facts facts;

    SceneJudge(Requests.Scene scene) {
        this.scene = scene;
    }

    /**
     * The answer to a scene.
     *
     * @throws Refusal when no question of it can be asked: unknown types ({@code scene}), pins that KeY does not take
     *     ({@code pins})
     */
    JsonObject judge(Skeleton loaded) throws Refusal {
        skeleton = loaded;
        frame = new Frame(skeleton, scene);
        facts = new Facts(scene);
        Evaluations evaluations = new Evaluations(scene, skeleton.javaMath());
        for (Requests.Question question : scene.questions()) {
            inquiries.add(inquiry(question, evaluations));
        }
        prove();
        for (Inquiry inquiry : inquiries) {
            inquiry.settleByEvaluation();
            if (contradictory.contains("") || contradictory.contains(inquiry.question().outcome())) {
                inquiry.end("vacuous", "the facts of the pin contradict each other");
            }
        }
        return answer();
    }

    private Inquiry inquiry(Requests.Question question, Evaluations evaluations) {
        JmlParser.ExpressionContext clause;
        try {
            clause = read(question.clause());
        } catch (Refusal refusal) {
            return new Inquiry(question, refusal);
        }
        Evaluation evaluation = evaluations.of(question.outcome(), clause);
        JmlParser.ExpressionContext asked = clause;
        if (evaluation != null && evaluation.verdict() == Evaluation.Verdict.FALSE) {
            asked = refuted(question.outcome(), clause, evaluations);
        }
        return new Inquiry(question, asked, evaluation, evaluations.expanded(question.outcome(), asked), proved);
    }

    /** The first part of a conjunction that is false, or the clause itself: who refutes the part refutes the whole. */
    private JmlParser.ExpressionContext refuted(String outcome, JmlParser.ExpressionContext clause,
            Evaluations evaluations) {
        for (String text : Conjuncts.of(clause)) {
            try {
                JmlParser.ExpressionContext part = read(text);
                if (evaluations.of(outcome, part).verdict() == Evaluation.Verdict.FALSE) {
                    return part;
                }
            } catch (Refusal notRead) {
                return clause;
            }
        }
        return clause;
    }

    /** A clause is asked about each outcome, and reading it takes longer than evaluating it. */
    private JmlParser.ExpressionContext read(String text) throws Refusal {
        JmlParser.ExpressionContext clause = clauses.get(text);
        if (clause == null) {
            clause = ClauseReader.read(text);
            clauses.put(text, clause);
        }
        return clause;
    }

    private void prove() throws Refusal {
        for (Stage stage : Stage.values()) {
            List<Inquiry> open = inquiries.stream().filter(Inquiry::isOpen).toList();
            if (!open.isEmpty()) {
                run(stage, new SceneObligation(skeleton, frame, facts, open, stage));
            }
        }
    }

    /** Each stage has a proof of its own: where bodies were expanded, contracts come too late. */
    private void run(Stage stage, SceneObligation obligation) throws Refusal {
        Proof proof;
        try {
            proof = skeleton.prove(obligation);
        } catch (ProofInputException problem) {
            throw Refusal.of("scene", problem);
        }
        try {
            if (obligation.refused() != null) {
                throw obligation.refused();
            }
            if (!obligation.claims().isEmpty()) {
                stage.configure(proof);
                new SceneProof(proof, obligation, stage, scene.millis(), contradictory).search();
            }
        } finally {
            proof.dispose();
        }
    }

    private JsonObject answer() {
        JsonArray answers = Json.array();
        for (Inquiry inquiry : inquiries) {
            answers.add(inquiry.answer());
        }
        JsonObject whole = Json.object().add("answers", answers);
        if (scene.guard()) {
            whole.add("guard", contradictory.contains(""));
            JsonArray names = Json.array();
            contradictory.stream().filter(name -> !name.isEmpty()).forEach(names::add);
            whole.add("contradictory", names);
        }
        return whole;
    }
}
