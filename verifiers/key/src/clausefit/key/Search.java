// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import de.uka.ilkd.key.proof.Proof;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The search for proofs of all parts of one obligation. */
final class Search {
    private static final int FIRST_SHARE = 5;

    private final SplitProof proof;
    private final List<SceneObligation.Part> parts;
    private final Stage stage;
    private final long millis;
    private final Set<Integer> exhausted = new HashSet<>();

    Search(Proof proof, List<SceneObligation.Part> parts, Stage stage, long millis) {
        this.proof = new SplitProof(proof, parts.size());
        this.parts = parts;
        this.stage = stage;
        this.millis = millis;
    }

    /** Tells each inquiry what was found, and adds the outcomes whose facts were proved to be contradictory. */
    void run(Set<String> contradictory) {
        // A side that is wrong may go on without end: both get a little before either gets much. A search goes on
        // where the one before it stopped, so nothing is done twice.
        for (int steps : new int[] {stage.steps() / FIRST_SHARE, stage.steps()}) {
            for (boolean first : new boolean[] {true, false}) {
                for (int i = 0; i < parts.size(); i++) {
                    Inquiry inquiry = parts.get(i).inquiry();
                    if (inquiry != null && inquiry.isOpen() && (parts.get(i).accept() == inquiry.first()) == first
                            && !exhausted.contains(i)) {
                        ask(i, steps);
                    }
                }
            }
        }
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).inquiry() == null && proof.search(i, stage.steps(), millis) == null) {
                contradictory.add(parts.get(i).outcome());
            }
        }
    }

    private void ask(int part, int steps) {
        Inquiry inquiry = parts.get(part).inquiry();
        long left = inquiry.left(millis);
        if (left <= 0) {
            inquiry.leftOpen("timeout");
            return;
        }
        long started = System.nanoTime();
        // Half of what is left: no search may leave nothing to the ones after it.
        String reason = proof.search(part, steps, (left + 1) / 2);
        inquiry.spend(System.nanoTime() - started);
        if (reason == null) {
            inquiry.prove(parts.get(part).accept());
        } else {
            inquiry.leftOpen(reason);
            if (reason.equals("open")) {
                exhausted.add(part);
            }
        }
    }
}
