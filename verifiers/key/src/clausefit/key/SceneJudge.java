// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonArray;
import com.eclipsesource.json.JsonObject;
import de.uka.ilkd.key.proof.Proof;
import de.uka.ilkd.key.proof.init.ProofInputException;
import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Answers all questions of one scene. */
final class SceneJudge {
    private static final int FIRST_SHARE = 5;

    private final Requests.Scene scene;
    private final Map<String, Refusal> refused = new HashMap<>();
    private final Map<String, String> proved = new HashMap<>();
    private final Map<String, String> reasons = new HashMap<>();
    private final Map<String, Long> spent = new HashMap<>();
    private boolean guardProved;

    SceneJudge(Requests.Scene scene) {
        this.scene = scene;
    }

    /**
     * The answer to a scene.
     *
     * @throws Refusal when no question of it can be asked: unknown types ({@code scene}), pins that KeY does not take
     *     ({@code pins})
     */
    JsonObject judge(Skeleton skeleton) throws Refusal {
        Frame frame = new Frame(skeleton, scene);
        JmlParser.ExpressionContext pins;
        try {
            pins = ClauseReader.read(scene.pins());
        } catch (Refusal refusal) {
            throw new Refusal("pins", refusal.getMessage());
        }
        Map<String, JmlParser.ExpressionContext> open = read();
        for (Stage stage : Stage.values()) {
            // Once: pins hold no calls that another stage would treat in another way.
            boolean guard = scene.guard() && stage == Stage.BODIES;
            if (guard || !open.isEmpty()) {
                run(stage, skeleton, new SceneObligation(skeleton, frame, pins, open, guard, stage));
            }
            open.keySet().removeIf(id -> proved.containsKey(id) || refused.containsKey(id));
        }
        return answer();
    }

    /** Each stage has a proof of its own: where bodies were expanded, contracts come too late. */
    private void run(Stage stage, Skeleton skeleton, SceneObligation obligation) throws Refusal {
        Proof proof;
        try {
            proof = skeleton.prove(obligation);
        } catch (ProofInputException problem) {
            throw Refusal.of("scene", problem);
        }
        try {
            if (obligation.pinsRefused() != null) {
                throw new Refusal("pins", obligation.pinsRefused().getMessage());
            }
            refused.putAll(obligation.refused());
            if (obligation.parts() > 0) {
                stage.configure(proof);
                search(stage, new SplitProof(proof, obligation.parts()), obligation);
            }
        } finally {
            proof.dispose();
        }
    }

    private Map<String, JmlParser.ExpressionContext> read() {
        Map<String, JmlParser.ExpressionContext> clauses = new LinkedHashMap<>();
        for (Requests.Question question : scene.questions()) {
            try {
                clauses.put(question.id(), ClauseReader.read(question.clause()));
            } catch (Refusal refusal) {
                refused.put(question.id(), refusal);
            }
        }
        return clauses;
    }

    private void search(Stage stage, SplitProof proof, SceneObligation obligation) {
        List<String> asked = obligation.asked();
        Map<String, Boolean> expected = new HashMap<>();
        for (Requests.Question question : scene.questions()) {
            expected.put(question.id(), question.expectAccept());
        }
        Set<String> exhausted = new HashSet<>();
        // A side that is wrong may go on without end: both get a little before either gets much. A search goes on
        // where the one before it stopped, so nothing is done twice.
        for (int steps : new int[] {stage.steps() / FIRST_SHARE, stage.steps()}) {
            for (boolean expectedSide : new boolean[] {true, false}) {
                for (int i = 0; i < asked.size(); i++) {
                    String id = asked.get(i);
                    boolean accept = expected.get(id) == expectedSide;
                    String side = (accept ? "+" : "-") + id;
                    if (!proved.containsKey(id) && !exhausted.contains(side)
                            && "open".equals(ask(proof, steps, id, accept ? 2 * i : 2 * i + 1, accept))) {
                        exhausted.add(side);
                    }
                }
            }
        }
        if (obligation.hasGuard()) {
            guardProved = proof.search(obligation.parts() - 1, stage.steps(), scene.millis()) == null;
        }
    }

    private String ask(SplitProof proof, int steps, String id, int part, boolean accept) {
        long left = scene.millis() - spent.getOrDefault(id, 0L);
        if (left <= 0) {
            reasons.put(id, "timeout");
            return "timeout";
        }
        long started = System.nanoTime();
        // Half of what is left: no search may leave nothing to the ones after it.
        String reason = proof.search(part, steps, (left + 1) / 2);
        spent.merge(id, (System.nanoTime() - started) / 1_000_000, Long::sum);
        if (reason == null) {
            proved.put(id, accept ? "accept" : "refute");
        } else if (!"timeout".equals(reasons.get(id))) {
            reasons.put(id, reason);
        }
        return reason;
    }

    private JsonObject answer() {
        JsonArray answers = Json.array();
        for (Requests.Question question : scene.questions()) {
            JsonObject answer = Json.object().add("id", question.id());
            String side = proved.get(question.id());
            Refusal refusal = refused.get(question.id());
            if (side != null) {
                answer.add("proved", side);
            } else if (refusal != null) {
                answer.add("undecided", refusal.kind()).add("message", refusal.getMessage());
            } else {
                answer.add("undecided", reasons.getOrDefault(question.id(), "open"));
            }
            answers.add(answer.add("millis", spent.getOrDefault(question.id(), 0L)));
        }
        JsonObject whole = Json.object().add("answers", answers);
        if (scene.guard()) {
            whole.add("guard", guardProved);
        }
        return whole;
    }
}
