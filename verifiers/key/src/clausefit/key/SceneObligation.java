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
 * All that is to be proved of one scene at one stage. The formula of the proof itself is that the facts of the state
 * before are contradictory; from what they assume, {@link SceneProof} goes on to the outcomes and the questions.
 */
final class SceneObligation extends AbstractPO {
    private static int count;

    private final Frame frame;
    private final Facts facts;
    private final List<Inquiry> inquiries;
    private final Stage stage;
    private final Map<String, List<Claim>> claims = new LinkedHashMap<>();
    private InitConfig proofConfiguration;
    private Facts.Formulas formulas;
    private Refusal refused;

    /** A side of an inquiry, as a formula; of the texts of an inquiry those of lower rank come first. */
    record Claim(Inquiry inquiry, boolean accept, int rank, Term formula, boolean callsMethods) {}

    SceneObligation(Skeleton skeleton, Frame frame, Facts facts, List<Inquiry> inquiries, Stage stage) {
        super(skeleton.configuration(), "scene" + count++);
        this.frame = frame;
        this.facts = facts;
        this.inquiries = inquiries;
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
        poTerms = new Term[] {translate(services)};
        poNames = null;
        collectClassAxioms(frame.owner(), proofConfiguration);
    }

    private Term translate(Services services) {
        try {
            formulas = facts.formulas(frame, services);
        } catch (Refusal refusal) {
            refused = refusal;
            return tb.tt();
        }
        for (Inquiry inquiry : inquiries) {
            add(inquiry, services);
        }
        return contradiction("");
    }

    private void add(Inquiry inquiry, Services services) {
        String outcome = inquiry.question().outcome();
        if (formulas.refused(outcome) != null) {
            inquiry.refuse(formulas.refused(outcome));
            return;
        }
        int rank = 0;
        for (JmlParser.ExpressionContext text : inquiry.texts()) {
            try {
                add(inquiry, rank, frame.formula(text, services));
                rank++;
            } catch (Refusal refusal) {
                inquiry.refuse(refusal);
            }
        }
    }

    private void add(Inquiry inquiry, int rank, Term formula) {
        boolean callsMethods = Types.calls(formula);
        if (!stage.takes(callsMethods, Types.callsLibrary(formula))) {
            return;
        }
        Term literals = frame.literals(formula, tb);
        for (boolean accept : new boolean[] {true, false}) {
            if (inquiry.wants(accept) || inquiry.mayDiffer(accept)) {
                Term side = tb.imp(literals, accept ? formula : tb.not(formula));
                claims.computeIfAbsent(inquiry.question().outcome(), name -> new ArrayList<>())
                        .add(new Claim(inquiry, accept, rank, side, callsMethods));
            }
        }
    }

    /** Not by {@code tb.imp}, which would simplify it to a negation: the facts are to be taken apart as assumptions. */
    private Term contradiction(String outcome) {
        return tb.tf().createTerm(Junctor.IMP, formulas.of(outcome), tb.ff());
    }

    /** What is to be proved, by the outcome that it is about; without outcomes about which nothing is asked. */
    Map<String, List<Claim>> claims() {
        return claims;
    }

    /** That the facts of an outcome contradict each other, or those of the state before. */
    Term guard(String outcome) {
        return contradiction(outcome);
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
