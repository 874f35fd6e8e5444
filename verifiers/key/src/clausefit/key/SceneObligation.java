// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import de.uka.ilkd.key.java.Services;
import de.uka.ilkd.key.java.abstraction.KeYJavaType;
import de.uka.ilkd.key.logic.Term;
import de.uka.ilkd.key.logic.TermBuilder;
import de.uka.ilkd.key.logic.op.Junctor;
import de.uka.ilkd.key.logic.op.LocationVariable;
import de.uka.ilkd.key.proof.init.AbstractPO;
import de.uka.ilkd.key.proof.init.InitConfig;
import de.uka.ilkd.key.proof.init.ProofOblInput;
import de.uka.ilkd.key.settings.Configuration;
import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All questions of one scene as one formula: {@code o1 & (o2 & ...)}, each {@code assumption & pins -> clause}.
 *
 * <p>In this order: for each question of the stage, the clause and its negation; then the guard.
 */
final class SceneObligation extends AbstractPO {
    private static int count;

    private final Frame frame;
    private final JmlParser.ExpressionContext pins;
    private final Map<String, JmlParser.ExpressionContext> clauses;
    private final boolean guard;
    private final Stage stage;
    private final List<String> asked = new ArrayList<>();
    private final Map<String, Refusal> refused = new LinkedHashMap<>();
    private InitConfig proofConfiguration;
    private Refusal pinsRefused;
    private int parts;

    SceneObligation(Skeleton skeleton, Frame frame, JmlParser.ExpressionContext pins,
            Map<String, JmlParser.ExpressionContext> clauses, boolean guard, Stage stage) {
        super(skeleton.configuration(), "scene" + count++);
        this.frame = frame;
        this.pins = pins;
        this.clauses = clauses;
        this.guard = guard;
        this.stage = stage;
    }

    /** Translates here and not before: terms have to belong to the proof's own copy of the configuration. */
    @Override
    public void readProblem() {
        proofConfiguration = environmentConfig.deepCopy();
        Services services = proofConfiguration.getServices();
        tb = services.getTermBuilder();
        for (LocationVariable variable : frame.variables()) {
            register(variable, services);
        }
        poTerms = new Term[] {conjunction(services)};
        poNames = null;
        collectClassAxioms(frame.owner(), proofConfiguration);
    }

    private Term conjunction(Services services) {
        List<Term> goals = new ArrayList<>();
        Term base = tb.tt();
        try {
            Term formula = frame.formula(pins, services);
            base = tb.and(frame.assumption(tb), frame.literals(formula, tb), formula);
        } catch (Refusal refusal) {
            pinsRefused = refusal;
            return base;
        }
        for (Map.Entry<String, JmlParser.ExpressionContext> clause : clauses.entrySet()) {
            try {
                Term formula = frame.formula(clause.getValue(), services);
                if (stage.takes(Types.callsLibrary(formula))) {
                    Term assumed = tb.and(base, frame.literals(formula, tb));
                    goals.add(part(assumed, formula));
                    goals.add(part(assumed, tb.not(formula)));
                    asked.add(clause.getKey());
                }
            } catch (Refusal refusal) {
                refused.put(clause.getKey(), refusal);
            }
        }
        if (guard) {
            goals.add(part(base, tb.ff()));
        }
        parts = goals.size();
        Term all = null;
        for (int i = goals.size() - 1; i >= 0; i--) {
            all = all == null ? goals.get(i) : tb.tf().createTerm(Junctor.AND, goals.get(i), all);
        }
        return all == null ? tb.tt() : all;
    }

    /** Not by {@code tb.imp}, nor {@code tb.and} above: they simplify, and this shape is what is split later. */
    private Term part(Term assumed, Term claim) {
        return tb.tf().createTerm(Junctor.IMP, assumed, claim);
    }

    /** Ids of the questions that are asked at this stage, in the order of their parts. */
    List<String> asked() {
        return asked;
    }

    /** Ids of the questions that KeY does not take, with the reason. */
    Map<String, Refusal> refused() {
        return refused;
    }

    /** Why the pins could not be used; null when they could. */
    Refusal pinsRefused() {
        return pinsRefused;
    }

    /** Whether the last part asks for a contradiction in the pins. */
    boolean hasGuard() {
        return guard;
    }

    /** How many parts the conjunction has. */
    int parts() {
        return parts;
    }

    @Override
    protected InitConfig getCreatedInitConfigForSingleProof() {
        return proofConfiguration;
    }

    @Override
    public KeYJavaType getContainerType() {
        return frame.owner();
    }

    @Override
    public boolean implies(ProofOblInput other) {
        return this == other;
    }

    @Override
    public Configuration createLoaderConfig() {
        return new Configuration();
    }
}
