// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import de.uka.ilkd.key.java.Services;
import de.uka.ilkd.key.java.abstraction.KeYJavaType;
import de.uka.ilkd.key.logic.Term;
import de.uka.ilkd.key.proof.Goal;
import de.uka.ilkd.key.proof.Proof;
import de.uka.ilkd.key.proof.init.AbstractPO;
import de.uka.ilkd.key.proof.init.InitConfig;
import de.uka.ilkd.key.proof.init.ProofInputException;
import de.uka.ilkd.key.proof.init.ProofOblInput;
import de.uka.ilkd.key.settings.Configuration;
import java.util.List;

/**
 * A proof in which scenes of one class are branches, at one stage: KeY takes as long to set a proof up, with its rules
 * for the class, as it takes to decide the questions of a scene. Scenes have nothing in common but those rules.
 */
final class Ground implements AutoCloseable {
    /** What was done for a scene stays in memory as long as its proof. */
    private static final int MOST_SCENES = 40;

    private final KeYJavaType owner;
    private final Proof proof;
    private final Solvers solvers;
    private Goal rest;
    private int scenes;

    private Ground(KeYJavaType owner, Proof proof) {
        this.owner = owner;
        this.proof = proof;
        rest = proof.openGoals().head();
        solvers = new Solvers(proof);
    }

    /** A proof for scenes of {@code owner}. */
    static Ground of(Skeleton skeleton, KeYJavaType owner, Stage stage) throws ProofInputException {
        Proof proof = skeleton.prove(new Nothing(skeleton.configuration(), owner));
        stage.configure(proof);
        // Else every goal keeps a second index, of the rules that only people apply.
        proof.setRuleAppIndexToAutoMode();
        return new Ground(owner, proof);
    }

    /** The SMT solvers that can be asked about its branches. */
    Solvers solvers() {
        return solvers;
    }

    /** What terms of the scenes are made with. */
    Services services() {
        return proof.getServices();
    }

    /** Whether it can hold one more scene, of that class. */
    boolean takes(KeYJavaType type) {
        return owner.equals(type) && scenes < MOST_SCENES;
    }

    /** A branch of its own for the scene of these variables, in which these facts are assumed. */
    Branch begin(Frame frame, List<Term> facts) {
        scenes++;
        frame.variables().forEach(services().getNamespaces().programVariables()::add);
        Goal[] made = Parting.apply(rest, List.of(new Parting.Part(facts, List.of()), Parting.Part.NOTHING));
        rest = made[1];
        return Branch.of(made[0]);
    }

    @Override
    public void close() {
        proof.dispose();
    }

    /** A proof of nothing, about a class. */
    private static final class Nothing extends AbstractPO {
        private static int count;

        private final KeYJavaType owner;
        private InitConfig proofConfiguration;

        Nothing(InitConfig configuration, KeYJavaType owner) {
            super(configuration, "scenes" + count++);
            this.owner = owner;
        }

        @Override
        public void readProblem() {
            proofConfiguration = environmentConfig.deepCopy();
            tb = proofConfiguration.getServices().getTermBuilder();
            poTerms = new Term[] {tb.ff()};
            poNames = null;
            collectClassAxioms(owner, proofConfiguration);
        }

        @Override
        protected InitConfig getCreatedInitConfigForSingleProof() {
            return proofConfiguration;
        }

        @Override
        public KeYJavaType getContainerType() {
            return owner;
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
}
