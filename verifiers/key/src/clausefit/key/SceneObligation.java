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
import java.util.ArrayList;
import java.util.List;

/**
 * All that is to be proved of one scene at one stage as one formula: {@code o1 & (o2 & ...)}, each
 * {@code facts -> clause}, {@code facts -> !clause} or, for a guard, {@code facts -> false}.
 */
final class SceneObligation extends AbstractPO {
    private static int count;

    private final Frame frame;
    private final Facts facts;
    private final List<Inquiry> inquiries;
    private final List<String> guards;
    private final Stage stage;
    private final List<Part> parts = new ArrayList<>();
    private InitConfig proofConfiguration;
    private Refusal refused;

    /** What one part of the formula is: a side of an inquiry, or (no inquiry) the guard of an outcome. */
    record Part(Inquiry inquiry, boolean accept, String outcome, Term formula) {}

    SceneObligation(Skeleton skeleton, Frame frame, Facts facts, List<Inquiry> inquiries, List<String> guards,
            Stage stage) {
        super(skeleton.configuration(), "scene" + count++);
        this.frame = frame;
        this.facts = facts;
        this.inquiries = inquiries;
        this.guards = guards;
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
        Facts.Formulas assumed;
        try {
            assumed = facts.formulas(frame, services);
        } catch (Refusal refusal) {
            refused = refusal;
            return tb.tt();
        }
        for (Inquiry inquiry : inquiries) {
            add(inquiry, assumed, services);
        }
        for (String outcome : guards) {
            if (assumed.refused(outcome) == null) {
                parts.add(new Part(null, true, outcome, implication(assumed.of(outcome), tb.ff())));
            }
        }
        Term all = tb.tt();
        for (int i = parts.size() - 1; i >= 0; i--) {
            Term formula = parts.get(i).formula();
            all = i == parts.size() - 1 ? formula : tb.tf().createTerm(Junctor.AND, formula, all);
        }
        return all;
    }

    private void add(Inquiry inquiry, Facts.Formulas assumed, Services services) {
        String outcome = inquiry.question().outcome();
        if (assumed.refused(outcome) != null) {
            inquiry.refuse(assumed.refused(outcome));
            return;
        }
        Term formula;
        try {
            formula = frame.formula(inquiry.clause(), services);
            if (inquiry.evaluated().value() == null && facts.areWithState()) {
                Types.refuseIdentity(formula);
            }
        } catch (Refusal refusal) {
            inquiry.refuse(refusal);
            return;
        }
        if (!stage.takes(Types.calls(formula), Types.callsLibrary(formula))) {
            return;
        }
        Term known = tb.and(assumed.of(outcome), frame.literals(formula, tb));
        for (boolean accept : new boolean[] {true, false}) {
            if (inquiry.wants(accept)) {
                Term claim = accept ? formula : tb.not(formula);
                parts.add(new Part(inquiry, accept, outcome, implication(known, claim)));
            }
        }
    }

    /** Not by {@code tb.imp}, nor {@code tb.and} above: they simplify, and this shape is what is split later. */
    private Term implication(Term assumed, Term claim) {
        return tb.tf().createTerm(Junctor.IMP, assumed, claim);
    }

    /** What the formula consists of, in order. */
    List<Part> parts() {
        return parts;
    }

    /** Why the facts of the state before could not be used; null when they could. */
    Refusal refused() {
        return refused;
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
