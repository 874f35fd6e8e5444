// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The search for all that is asked of a scene at one stage. It makes a tree: the facts of the state before are simplified
 * once for all outcomes, those of an outcome once for all questions about it, and each question has a branch of its own.
 */
final class SceneProof {
    /** Facts are conjunctions of equations; more than this is needed for no pin that was seen. */
    private static final int STEPS_FOR_FACTS = 1500;
    private static final int FIRST_SHARE = 5;
    private static final long MILLIS_FOR_SOLVERS = 1500;

    private final Branch before;
    private final SceneClaims scene;
    private final Stage stage;
    private final long millis;
    private final Set<String> contradictory;
    private final Solvers solvers;
    private final Watchdog watchdog;
    private final Set<SceneClaims.Claim> exhausted = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Outcomes whose facts are proved to be contradictory are added to {@code contradictory}. */
    SceneProof(Branch before, SceneClaims scene, Stage stage, Solvers solvers, Watchdog watchdog, long millis,
            Set<String> contradictory) {
        this.before = before;
        this.scene = scene;
        this.stage = stage;
        this.millis = millis;
        this.contradictory = contradictory;
        this.solvers = solvers;
        this.watchdog = watchdog;
    }

    /** Tells each inquiry what was found. */
    void search() {
        before.search(STEPS_FOR_FACTS, millis, Branch.Effort.STRAIGHT);
        if (before.isProved()) {
            contradictory.add("");
            return;
        }
        List<String> outcomes = new ArrayList<>(scene.claims().keySet());
        List<Branch> branches = before.part(outcomes.stream().map(this::facts).toList(), false);
        for (int i = 0; i < outcomes.size(); i++) {
            Branch facts = branches.get(i);
            facts.search(STEPS_FOR_FACTS, millis, Branch.Effort.STRAIGHT);
            if (facts.isProved()) {
                contradictory.add(outcomes.get(i));
            } else {
                search(scene.claims().get(outcomes.get(i)), new Forks(facts));
            }
        }
    }

    private Parting.Part facts(String outcome) {
        return outcome.isEmpty() ? Parting.Part.NOTHING : new Parting.Part(scene.facts(outcome), List.of());
    }

    /** The branches of what is asked about an outcome, each made when it is first needed: many never are. */
    private static final class Forks {
        private final Map<SceneClaims.Claim, Branch> made = new IdentityHashMap<>();
        private Branch rest;

        Forks(Branch facts) {
            rest = facts;
        }

        Branch of(SceneClaims.Claim claim) {
            Branch known = made.get(claim);
            if (known == null) {
                List<Branch> parts = rest.part(List.of(claim.part(), Parting.Part.NOTHING), true);
                known = parts.get(0);
                rest = parts.get(1);
                made.put(claim, known);
            }
            return known;
        }
    }

    private void search(List<SceneClaims.Claim> claims, Forks branches) {
        // A side that is wrong may go on without end: all get a little before one gets much.
        pass(claims, branches, stage.steps() / FIRST_SHARE, Branch.Effort.FOCUSED);
        pass(claims, branches, stage.steps() / FIRST_SHARE, Branch.Effort.FULL);
        pass(claims, branches, stage.steps(), Branch.Effort.FULL);
        for (int i = 0; stage == Stage.BODIES && i < claims.size(); i++) {
            askSolvers(claims.get(i), branches);
        }
        // Before evaluation has the word alone: that KeY does not know better.
        for (int i = 0; i < claims.size(); i++) {
            if (claims.get(i).inquiry().isOpen() && claims.get(i).inquiry().mayDiffer(claims.get(i).accept())) {
                ask(claims.get(i), branches.of(claims.get(i)), stage.steps() / FIRST_SHARE, Branch.Effort.FULL);
            }
        }
    }

    private void pass(List<SceneClaims.Claim> claims, Forks branches, int steps, Branch.Effort effort) {
        int turns = 2 + 2 * claims.stream().mapToInt(SceneClaims.Claim::rank).max().orElse(0);
        for (int turn = 0; turn < turns; turn++) {
            for (int i = 0; i < claims.size(); i++) {
                SceneClaims.Claim claim = claims.get(i);
                if (claim.inquiry().isOpen() && claim.inquiry().wants(claim.accept()) && turn(claim) == turn
                        && !exhausted.contains(claim)
                        && "open".equals(ask(claim, branches.of(claim), steps, effort)) && effort == Branch.Effort.FULL) {
                    exhausted.add(claim);
                }
            }
        }
    }

    /** Not for clauses that call methods: solvers know nothing of their bodies. */
    private void askSolvers(SceneClaims.Claim claim, Forks branches) {
        Inquiry inquiry = claim.inquiry();
        long left = Math.min(inquiry.left(millis), MILLIS_FOR_SOLVERS);
        if (!inquiry.isOpen() || !inquiry.wants(claim.accept()) || claim.callsMethods() || left <= 0
                || !solvers.areWorthIt()) {
            return;
        }
        long started = System.nanoTime();
        boolean isProved = branches.of(claim).begun().stream().allMatch(sequent -> solvers.prove(sequent, left));
        inquiry.spend(System.nanoTime() - started);
        if (isProved) {
            inquiry.prove(claim.accept());
        }
    }

    private static int turn(SceneClaims.Claim claim) {
        return 2 * claim.rank() + (claim.accept() == claim.inquiry().first() ? 0 : 1);
    }

    private String ask(SceneClaims.Claim claim, Branch branch, int steps, Branch.Effort effort) {
        Inquiry inquiry = claim.inquiry();
        long left = inquiry.left(millis);
        if (left <= 0) {
            inquiry.leftOpen("timeout");
            return "timeout";
        }
        long started = System.nanoTime();
        // Half of what is left: no search may leave nothing to the ones after it.
        String reason;
        watchdog.begin(inquiry, left);
        try {
            reason = branch.search(steps, (left + 1) / 2, effort);
        } finally {
            watchdog.end();
        }
        inquiry.spend(System.nanoTime() - started);
        if (reason == null) {
            inquiry.prove(claim.accept());
        } else {
            inquiry.leftOpen(reason);
        }
        return reason;
    }
}
