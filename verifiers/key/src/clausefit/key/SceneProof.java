// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import de.uka.ilkd.key.proof.Proof;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One proof for all that is asked of a scene at one stage. It is a tree: the facts of the state before are simplified
 * once for all outcomes, those of an outcome once for all questions about it, and each question has a branch of its own.
 */
final class SceneProof {
    /** Facts are conjunctions of equations; more than this is needed for no pin that was seen. */
    private static final int STEPS_FOR_FACTS = 1500;
    private static final int FIRST_SHARE = 5;

    private final Proof proof;
    private final SceneObligation obligation;
    private final Stage stage;
    private final long millis;
    private final Set<String> contradictory;

    /** Outcomes whose facts are proved to be contradictory are added to {@code contradictory}. */
    SceneProof(Proof proof, SceneObligation obligation, Stage stage, long millis, Set<String> contradictory) {
        this.proof = proof;
        this.obligation = obligation;
        this.stage = stage;
        this.millis = millis;
        this.contradictory = contradictory;
    }

    /** Tells each inquiry what was found. */
    void search() {
        Branch before = Branch.of(proof);
        before.simplify(STEPS_FOR_FACTS, millis);
        if (before.isProved()) {
            contradictory.add("");
            return;
        }
        List<String> outcomes = new ArrayList<>(obligation.claims().keySet());
        List<Branch> branches = before.part(outcomes.stream().map(obligation::guard).toList(), false);
        for (int i = 0; i < outcomes.size(); i++) {
            Branch facts = branches.get(i);
            facts.simplify(STEPS_FOR_FACTS, millis);
            if (facts.isProved()) {
                contradictory.add(outcomes.get(i));
            } else {
                List<SceneObligation.Claim> claims = obligation.claims().get(outcomes.get(i));
                search(claims, facts.part(claims.stream().map(SceneObligation.Claim::formula).toList(), true));
            }
        }
    }

    private void search(List<SceneObligation.Claim> claims, List<Branch> branches) {
        Set<Branch> exhausted = new HashSet<>();
        // A side that is wrong may go on without end: both get a little before either gets much.
        for (int steps : new int[] {stage.steps() / FIRST_SHARE, stage.steps()}) {
            for (boolean first : new boolean[] {true, false}) {
                for (int i = 0; i < claims.size(); i++) {
                    Inquiry inquiry = claims.get(i).inquiry();
                    if (inquiry.isOpen() && (claims.get(i).accept() == inquiry.first()) == first
                            && !exhausted.contains(branches.get(i))
                            && "open".equals(ask(claims.get(i), branches.get(i), steps))) {
                        exhausted.add(branches.get(i));
                    }
                }
            }
        }
    }

    private String ask(SceneObligation.Claim claim, Branch branch, int steps) {
        Inquiry inquiry = claim.inquiry();
        long left = inquiry.left(millis);
        if (left <= 0) {
            inquiry.leftOpen("timeout");
            return "timeout";
        }
        long started = System.nanoTime();
        // Half of what is left: no search may leave nothing to the ones after it.
        String reason = branch.search(steps, (left + 1) / 2);
        inquiry.spend(System.nanoTime() - started);
        if (reason == null) {
            inquiry.prove(claim.accept());
        } else {
            inquiry.leftOpen(reason);
        }
        return reason;
    }
}
