// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import de.uka.ilkd.key.logic.PosInOccurrence;
import de.uka.ilkd.key.logic.PosInTerm;
import de.uka.ilkd.key.proof.Goal;
import de.uka.ilkd.key.proof.Node;
import de.uka.ilkd.key.proof.Proof;
import de.uka.ilkd.key.prover.impl.ApplyStrategy;
import de.uka.ilkd.key.prover.impl.ApplyStrategyInfo;
import de.uka.ilkd.key.rule.NoPosTacletApp;
import de.uka.ilkd.key.rule.Taclet;
import java.util.ArrayList;
import java.util.List;
import org.key_project.logic.Name;
import org.key_project.util.collection.ImmutableList;

/** One proof whose goal is a conjunction, split into its parts, each of which is searched on its own. */
final class SplitProof {
    private final Proof proof;
    private final List<Node> parts = new ArrayList<>();

    SplitProof(Proof proof, int count) {
        this.proof = proof;
        Taclet split = proof.getInitConfig().lookupActiveTaclet(new Name("andRight"));
        Node rest = proof.root();
        for (int i = 1; i < count; i++) {
            Goal goal = proof.getOpenGoal(rest);
            PosInOccurrence place = new PosInOccurrence(goal.sequent().succedent().getFirst(),
                    PosInTerm.getTopLevel(), false);
            goal.apply(NoPosTacletApp.createNoPosTacletApp(split).matchFind(place, proof.getServices())
                    .setPosInOccurrence(place, proof.getServices()));
            parts.add(rest.child(0));
            rest = rest.child(1);
        }
        parts.add(rest);
    }

    boolean isProved(int part) {
        return parts.get(part).isClosed();
    }

    /**
     * Goes on with the open goals of a part.
     *
     * @return why it is still open: {@code open} (nothing more to try), {@code timeout} or {@code steps}; null when it
     *     is proved
     * @throws Error what the search ran into; the proof is then not to be used any more
     */
    String search(int part, int steps, long millis) {
        ImmutableList<Goal> goals = proof.getSubtreeGoals(parts.get(part));
        ApplyStrategyInfo end = new ApplyStrategy(
                proof.getServices().getProfile().getSelectedGoalChooserBuilder().create())
                .start(proof, goals, steps, millis, true);
        if (end.getException() instanceof Error error) {
            throw error;
        }
        if (end.getException() != null) {
            throw new IllegalStateException(Refusal.sentence(end.getException()), end.getException());
        }
        if (isProved(part)) {
            return null;
        }
        if (end.getTime() >= millis) {
            return "timeout";
        }
        return end.getAppliedRuleApps() >= steps ? "steps" : "open";
    }
}
