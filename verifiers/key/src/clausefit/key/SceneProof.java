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
    private static final long MILLIS_FOR_SOLVERS = 1500;
    /** What none of them proved in some questions of a scene, they seldom prove in the next. */
    private static final int FAILURES_OF_SOLVERS = 6;

    private final Proof proof;
    private final SceneObligation obligation;
    private final Stage stage;
    private final long millis;
    private final Set<String> contradictory;
    private final Solvers solvers;
    private final Set<Branch> exhausted = new HashSet<>();
    private int failures;

    /** Outcomes whose facts are proved to be contradictory are added to {@code contradictory}. */
    SceneProof(Proof proof, SceneObligation obligation, Stage stage, long millis, Set<String> contradictory) {
        this.proof = proof;
        this.obligation = obligation;
        this.stage = stage;
        this.millis = millis;
        this.contradictory = contradictory;
        solvers = new Solvers(proof);
    }

    /** Tells each inquiry what was found. */
    void search() {
        Branch before = Branch.of(proof);
        before.search(STEPS_FOR_FACTS, millis, Branch.Effort.STRAIGHT);
        if (before.isProved()) {
            contradictory.add("");
            return;
        }
        List<String> outcomes = new ArrayList<>(obligation.claims().keySet());
        List<Branch> branches = before.part(outcomes.stream().map(obligation::guard).toList(), false);
        for (int i = 0; i < outcomes.size(); i++) {
            Branch facts = branches.get(i);
            facts.search(STEPS_FOR_FACTS, millis, Branch.Effort.STRAIGHT);
            if (facts.isProved()) {
                contradictory.add(outcomes.get(i));
            } else {
                List<SceneObligation.Claim> claims = obligation.claims().get(outcomes.get(i));
                search(claims, facts.part(claims.stream().map(SceneObligation.Claim::formula).toList(), true));
            }
        }
    }

    private void search(List<SceneObligation.Claim> claims, List<Branch> branches) {
        // A side that is wrong may go on without end: all get a little before one gets much.
        pass(claims, branches, stage.steps() / FIRST_SHARE, Branch.Effort.FOCUSED);
        pass(claims, branches, stage.steps() / FIRST_SHARE, Branch.Effort.FULL);
        pass(claims, branches, stage.steps(), Branch.Effort.FULL);
        for (int i = 0; stage == Stage.BODIES && i < claims.size(); i++) {
            askSolvers(claims.get(i), branches.get(i));
        }
        // Before evaluation has the word alone: that KeY does not know better.
        for (int i = 0; i < claims.size(); i++) {
            if (claims.get(i).inquiry().isOpen() && claims.get(i).inquiry().mayDiffer(claims.get(i).accept())) {
                ask(claims.get(i), branches.get(i), stage.steps() / FIRST_SHARE, Branch.Effort.FULL);
            }
        }
    }

    private void pass(List<SceneObligation.Claim> claims, List<Branch> branches, int steps, Branch.Effort effort) {
        int turns = 2 + 2 * claims.stream().mapToInt(SceneObligation.Claim::rank).max().orElse(0);
        for (int turn = 0; turn < turns; turn++) {
            for (int i = 0; i < claims.size(); i++) {
                SceneObligation.Claim claim = claims.get(i);
                if (claim.inquiry().isOpen() && claim.inquiry().wants(claim.accept()) && turn(claim) == turn
                        && !exhausted.contains(branches.get(i))
                        && "open".equals(ask(claim, branches.get(i), steps, effort)) && effort == Branch.Effort.FULL) {
                    exhausted.add(branches.get(i));
                }
            }
        }
    }

    /** Not for clauses that call methods: solvers know nothing of their bodies. */
    private void askSolvers(SceneObligation.Claim claim, Branch branch) {
        Inquiry inquiry = claim.inquiry();
        long left = Math.min(inquiry.left(millis), MILLIS_FOR_SOLVERS);
        if (!inquiry.isOpen() || !inquiry.wants(claim.accept()) || claim.callsMethods() || left <= 0
                || failures >= FAILURES_OF_SOLVERS) {
            return;
        }
        long started = System.nanoTime();
        boolean isProved = branch.begun().stream().allMatch(sequent -> solvers.prove(sequent, left));
        inquiry.spend(System.nanoTime() - started);
        if (isProved) {
            inquiry.prove(claim.accept());
        } else {
            failures++;
        }
    }

    private static int turn(SceneObligation.Claim claim) {
        return 2 * claim.rank() + (claim.accept() == claim.inquiry().first() ? 0 : 1);
    }

    private String ask(SceneObligation.Claim claim, Branch branch, int steps, Branch.Effort effort) {
        Inquiry inquiry = claim.inquiry();
        long left = inquiry.left(millis);
        if (left <= 0) {
            inquiry.leftOpen("timeout");
            return "timeout";
        }
        long started = System.nanoTime();
        // Half of what is left: no search may leave nothing to the ones after it.
        String reason = branch.search(steps, (left + 1) / 2, effort);
        inquiry.spend(System.nanoTime() - started);
        if (reason == null) {
            inquiry.prove(claim.accept());
        } else {
            inquiry.leftOpen(reason);
        }
        return reason;
    }
}
