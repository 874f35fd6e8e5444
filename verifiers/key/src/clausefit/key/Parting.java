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
 * Makes of one goal several, each with one more formula to be proved.
 *
 * <p>No part of a proof of the goal itself, only of each of the new ones: when one of them closes, its formula follows
 * from what the goal assumes. So all that was done to the assumptions is done once for all formulas.
 */
final class Parting implements BuiltInRule {
    private static final Name NAME = new Name("clausefitParting");

    private final List<Term> claims;

    private Parting(List<Term> claims) {
        this.claims = claims;
    }

    /** The new goals in the order of {@code claims}. */
    static Goal[] apply(Goal goal, List<Term> claims) {
        Parting rule = new Parting(claims);
        Goal[] parts = new Goal[claims.size()];
        int index = 0;
        for (Goal part : goal.apply(rule.createApp(null, null))) {
            parts[index++] = part;
        }
        return parts;
    }

    @Override
    public ImmutableList<Goal> apply(Goal goal, Services services, RuleApp app) {
        ImmutableList<Goal> parts = goal.split(claims.size());
        int index = 0;
        for (Goal part : parts) {
            part.addFormula(new SequentFormula(claims.get(index++)), false, true);
        }
        return parts;
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
