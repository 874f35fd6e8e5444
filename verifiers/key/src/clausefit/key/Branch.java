// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import de.uka.ilkd.key.logic.Term;
import de.uka.ilkd.key.proof.Goal;
import de.uka.ilkd.key.proof.Proof;
import de.uka.ilkd.key.rule.RuleApp;
import de.uka.ilkd.key.rule.TacletApp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A part of a proof: the goals that are open in it. It is proved when there are none. */
final class Branch {
    private final Deque<Goal> goals = new ArrayDeque<>();

    private Branch() {}

    /** The whole of a proof that was not begun. */
    static Branch of(Proof proof) {
        // Else every goal keeps a second index, of the rules that only people apply.
        proof.setRuleAppIndexToAutoMode();
        Branch whole = new Branch();
        proof.openGoals().forEach(whole.goals::add);
        return whole;
    }

    boolean isProved() {
        return goals.isEmpty();
    }

    /** A branch for each claim, which has to be proved from what this one assumes. This one is not to be used again. */
    List<Branch> part(List<Term> claims) {
        List<Branch> parts = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            parts.add(new Branch());
        }
        for (Goal goal : goals) {
            Goal[] made = Parting.apply(goal, claims);
            for (int i = 0; i < made.length; i++) {
                parts.get(i).goals.add(made[i]);
            }
        }
        return parts;
    }

    /**
     * Simplifies what this branch assumes, until the next rule would make several goals of one: what is asked later
     * would then have to be proved in each of them.
     */
    void simplify(int steps, long millis) {
        search(steps, millis, true);
    }

    /**
     * Applies what the strategy chooses, and goes on where the search before it stopped.
     *
     * <p>Not by KeY's ApplyStrategy, which goes through all goals of the proof after each rule.
     *
     * @return why it is still open: {@code open} (no rule is left for one of the goals), {@code timeout} or
     *     {@code steps}; null when it is proved
     */
    String search(int steps, long millis) {
        return search(steps, millis, false);
    }

    private String search(int steps, long millis, boolean isStraight) {
        long end = System.nanoTime() + millis * 1_000_000;
        for (int done = 0; !goals.isEmpty(); done++) {
            if (done >= steps) {
                return "steps";
            }
            if (System.nanoTime() >= end) {
                return "timeout";
            }
            Goal goal = goals.peek();
            RuleApp next = next(goal);
            if (next == null || (isStraight && splits(next))) {
                return "open";
            }
            goal.getRuleAppManager().next();
            var made = goal.apply(next);
            if (made != null) {
                goals.poll();
                for (Goal each : made) {
                    if (!each.node().isClosed()) {
                        goals.push(each);
                    }
                }
            }
        }
        return null;
    }

    private static boolean splits(RuleApp rule) {
        return rule instanceof TacletApp app && app.taclet().goalTemplates().size() > 1;
    }

    /** The rule to be applied next, which stays the next one; null when there is none. */
    private static RuleApp next(Goal goal) {
        RuleApp rule = goal.getRuleAppManager().peekNext();
        if (rule == null) {
            // Built-in rules may become applicable without the index noticing it.
            goal.ruleAppIndex().scanBuiltInRules(goal);
            rule = goal.getRuleAppManager().peekNext();
        }
        return rule;
    }
}
