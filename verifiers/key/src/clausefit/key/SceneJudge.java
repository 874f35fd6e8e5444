// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import clausefit.key.eval.Evaluation;
import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonArray;
import com.eclipsesource.json.JsonObject;
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
    private final Watchdog watchdog;
    private final List<Inquiry> inquiries = new ArrayList<>();
    private final Map<String, Boolean> proved = new HashMap<>();
    private final Set<String> contradictory = new LinkedHashSet<>();
    private Skeleton skeleton;
    private Frame frame;
    private Facts facts;

    SceneJudge(Requests.Scene scene, Watchdog watchdog) {
        this.scene = scene;
        this.watchdog = watchdog;
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
            clause = ClauseReader.read(question.clause());
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
                JmlParser.ExpressionContext part = ClauseReader.read(text);
                if (evaluations.of(outcome, part).verdict() == Evaluation.Verdict.FALSE) {
                    return part;
                }
            } catch (Refusal notRead) {
                return clause;
            }
        }
        return clause;
    }

    private void prove() throws Refusal {
        for (Stage stage : Stage.values()) {
            List<Inquiry> open = inquiries.stream().filter(Inquiry::isOpen).toList();
            if (!open.isEmpty()) {
                run(stage, open);
            }
        }
    }

    /** Each stage has a proof of its own: where bodies were expanded, contracts come too late. */
    private void run(Stage stage, List<Inquiry> open) throws Refusal {
        Ground ground = skeleton.ground(frame.owner(), stage);
        SceneClaims claims = new SceneClaims(frame, facts, open, stage, ground.services());
        if (!claims.claims().isEmpty()) {
            Branch before = ground.begin(frame, claims.facts(""));
            new SceneProof(before, claims, stage, ground.solvers(), watchdog, scene.millis(), contradictory).search();
        }
    }

    /** The answer in which whatever is open was not asked to its end. */
    JsonObject answerSoFar() {
        inquiries.stream().filter(Inquiry::isOpen).forEach(inquiry -> inquiry.end("unasked", ""));
        return answer();
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
