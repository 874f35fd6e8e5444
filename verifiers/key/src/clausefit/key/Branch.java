// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import de.uka.ilkd.key.logic.Sequent;
import de.uka.ilkd.key.proof.Goal;
import de.uka.ilkd.key.rule.RuleApp;
import de.uka.ilkd.key.rule.TacletApp;
import de.uka.ilkd.key.strategy.QueueRuleApplicationManager;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A part of a proof: the goals that are open in it. It is proved when there are none. */
final class Branch {
    /** The search for models makes new cases without end. */
    private static final int SPLITS_LEFT_OUT = 4;

    private final Deque<Goal> goals = new ArrayDeque<>();
    private final List<Sequent> begun = new ArrayList<>();

    private Branch() {}

    /** The branch that begins with this goal. */
    static Branch of(Goal goal) {
        Branch branch = new Branch();
        branch.goals.add(goal);
        return branch;
    }

    boolean isProved() {
        return goals.isEmpty();
    }

    /** What there was to be proved before any rule was applied. */
    List<Sequent> begun() {
        return begun;
    }

    /**
     * A branch for each part, which is proved from what this one assumes; {@code withFocus} by rules for the formulas of the
     * part first. This one is not to be used again.
     */
    List<Branch> part(List<Parting.Part> parts, boolean withFocus) {
        List<Branch> branches = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            branches.add(new Branch());
        }
        for (Goal goal : goals) {
            Goal[] made = Parting.apply(goal, parts);
            for (int i = 0; i < made.length; i++) {
                if (withFocus && parts.get(i) != Parting.Part.NOTHING) {
                    made[i].setRuleAppManager(new Focus(parts.get(i)));
                }
                branches.get(i).goals.add(made[i]);
                branches.get(i).begun.add(made[i].sequent());
            }
        }
        return branches;
    }

    /** How far a search goes. */
    enum Effort {
        /** By rules that make one goal of one: for assumptions, so that nothing has to be proved in several goals. */
        STRAIGHT,
        /** By rules for the claim only. */
        FOCUSED,
        /** By all rules. */
        FULL
    }

    /**
     * Applies what the strategy chooses, and goes on where the search before it stopped. Rules that were left out for the
     * effort come back with a greater one.
     *
     * <p>Not by KeY's ApplyStrategy, which goes through all goals of the proof after each rule.
     *
     * @return why it is still open: {@code open} (no rule is left for one of the goals), {@code timeout} or
     *     {@code steps}; null when it is proved
     */
    String search(int steps, long millis, Effort effort) {
        int leftOut = 0;
        long end = System.nanoTime() + millis * 1_000_000;
        for (int done = 0; !goals.isEmpty(); done++) {
            if (done >= steps) {
                return "steps";
            }
            if (System.nanoTime() >= end) {
                return "timeout";
            }
            Goal goal = goals.peek();
            RuleApp next = next(goal, effort);
            if (next == null) {
                return "open";
            }
            if (effort == Effort.STRAIGHT && splits(next)) {
                if (++leftOut > SPLITS_LEFT_OUT) {
                    return "open";
                }
                continue;
            }
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

    /** The rule to be applied next; null when there is none. */
    private static RuleApp next(Goal goal, Effort effort) {
        RuleApp rule = goal.getRuleAppManager().next();
        if (rule == null && goal.getRuleAppManager() instanceof Focus) {
            if (effort == Effort.FOCUSED) {
                return null;
            }
            goal.setRuleAppManager(new QueueRuleApplicationManager());
            rule = goal.getRuleAppManager().next();
        }
        if (rule == null) {
            // Built-in rules may become applicable without the index noticing it.
            goal.ruleAppIndex().scanBuiltInRules(goal);
            rule = goal.getRuleAppManager().next();
        }
        return rule;
    }
}
