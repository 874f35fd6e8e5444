// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import de.uka.ilkd.key.logic.PosInOccurrence;
import de.uka.ilkd.key.logic.Term;
import de.uka.ilkd.key.proof.Goal;
import de.uka.ilkd.key.rule.RuleApp;
import de.uka.ilkd.key.strategy.AutomatedRuleApplicationManager;
import de.uka.ilkd.key.strategy.QueueRuleApplicationManager;
import org.key_project.util.collection.ImmutableList;
import org.key_project.util.collection.ImmutableSLList;

/**
 * Chooses the next rule as KeY does by itself, but only among those for some formulas and for what becomes of them. The
 * other formulas of the goal are used as assumptions, and are not looked through for rules of their own: with forty
 * facts beside a clause that takes most of the time, and is seldom needed.
 */
final class Focus implements AutomatedRuleApplicationManager {
    private final AutomatedRuleApplicationManager delegate;
    private final Parting.Part part;
    private boolean isBegun;

    /** For a goal whose index is filled: from then on it reports only what changes. */
    Focus(Parting.Part part) {
        this(new QueueRuleApplicationManager(), part, false);
    }

    private Focus(AutomatedRuleApplicationManager delegate, Parting.Part part, boolean isBegun) {
        this.delegate = delegate;
        this.part = part;
        this.isBegun = isBegun;
    }

    private boolean takes(PosInOccurrence place) {
        if (isBegun || place == null) {
            return isBegun;
        }
        Term formula = place.sequentFormula().formula();
        return (place.isInAntec() ? part.assumed() : part.proved()).contains(formula);
    }

    @Override
    public void ruleAdded(RuleApp rule, PosInOccurrence place) {
        if (takes(place)) {
            delegate.ruleAdded(rule, place);
        }
    }

    @Override
    public void rulesAdded(ImmutableList<? extends RuleApp> rules, PosInOccurrence place) {
        if (takes(place)) {
            delegate.rulesAdded(rules, place);
        }
    }

    @Override
    public RuleApp peekNext() {
        RuleApp next = delegate.peekNext();
        isBegun = true;
        return next;
    }

    @Override
    public RuleApp next() {
        RuleApp next = delegate.next();
        isBegun = true;
        return next;
    }

    @Override
    public void setGoal(Goal goal) {
        delegate.setGoal(goal);
    }

    @Override
    public void clearCache() {
        delegate.clearCache();
    }

    @Override
    public AutomatedRuleApplicationManager copy() {
        return new Focus(delegate.copy(), part, isBegun);
    }

    @Override
    public Object clone() {
        return copy();
    }
}
