// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import de.uka.ilkd.key.java.Services;
import de.uka.ilkd.key.logic.PosInOccurrence;
import de.uka.ilkd.key.logic.SequentFormula;
import de.uka.ilkd.key.logic.Term;
import de.uka.ilkd.key.logic.TermServices;
import de.uka.ilkd.key.proof.Goal;
import de.uka.ilkd.key.rule.BuiltInRule;
import de.uka.ilkd.key.rule.DefaultBuiltInRuleApp;
import de.uka.ilkd.key.rule.IBuiltInRuleApp;
import de.uka.ilkd.key.rule.RuleApp;
import java.util.List;
import org.key_project.logic.Name;
import org.key_project.util.collection.ImmutableList;

/**
 * Makes of one goal several, each with more formulas.
 *
 * <p>No part of a proof of the goal itself, only of each of the new ones: when one of them closes, its formulas follow
 * from, or contradict, what the goal assumes. So all that was done to the assumptions is done once for all of them.
 */
final class Parting implements BuiltInRule {
    private static final Name NAME = new Name("clausefitParting");

    private final List<Part> parts;

    private Parting(List<Part> parts) {
        this.parts = parts;
    }

    /** What a new goal has more than the old one: it is proved when all of {@code assumed} implies one of {@code proved}. */
    record Part(List<Term> assumed, List<Term> proved) {
        static final Part NOTHING = new Part(List.of(), List.of());
    }

    /** The new goals in the order of {@code parts}. */
    static Goal[] apply(Goal goal, List<Part> parts) {
        Goal[] goals = new Goal[parts.size()];
        int index = 0;
        for (Goal made : goal.apply(new Parting(parts).createApp(null, null))) {
            goals[index++] = made;
        }
        return goals;
    }

    @Override
    public ImmutableList<Goal> apply(Goal goal, Services services, RuleApp app) {
        ImmutableList<Goal> goals = goal.split(parts.size());
        int index = 0;
        for (Goal made : goals) {
            Part part = parts.get(index++);
            part.assumed().forEach(formula -> made.addFormula(new SequentFormula(formula), true, true));
            part.proved().forEach(formula -> made.addFormula(new SequentFormula(formula), false, true));
        }
        return goals;
    }

    @Override
    public Name name() {
        return NAME;
    }

    @Override
    public String displayName() {
        return NAME.toString();
    }

    /** Never by the strategy: only by {@link #apply(Goal, List)}. */
    @Override
    public boolean isApplicable(Goal goal, PosInOccurrence place) {
        return false;
    }

    @Override
    public boolean isApplicableOnSubTerms() {
        return false;
    }

    @Override
    public IBuiltInRuleApp createApp(PosInOccurrence place, TermServices services) {
        return new DefaultBuiltInRuleApp(this, place);
    }
}
