// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import de.uka.ilkd.key.control.KeYEnvironment;
import de.uka.ilkd.key.java.Services;
import de.uka.ilkd.key.java.abstraction.KeYJavaType;
import de.uka.ilkd.key.proof.Proof;
import de.uka.ilkd.key.proof.init.InitConfig;
import de.uka.ilkd.key.proof.init.ProofInputException;
import de.uka.ilkd.key.proof.init.ProofOblInput;
import de.uka.ilkd.key.proof.io.ProblemLoaderException;
import de.uka.ilkd.key.settings.ProofSettings;
import de.uka.ilkd.key.speclang.njml.SpecMathMode;
import de.uka.ilkd.key.util.MiscTools;
import java.io.File;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** The Java classes that are loaded at present, with the arithmetic that was chosen for them. */
final class Skeleton implements AutoCloseable {
    private final KeYEnvironment<?> environment;
    private final SpecMathMode mathMode;
    private final Map<Stage, Ground> grounds = new EnumMap<>(Stage.class);

    private Skeleton(KeYEnvironment<?> environment, SpecMathMode mathMode) {
        this.environment = environment;
        this.mathMode = mathMode;
    }

    /**
     * Loads a folder of Java sources.
     *
     * <p>The choice {@code intRules} acts on code (bodies of pure methods), the math mode on clauses. Code always
     * wraps around, as Java's does, also where clauses have mathematical integers (JML's default): then {@code f(x) ==
     * x + 1} is judged with two arithmetics, and fails where {@code f} overflows, as it should.
     *
     * @throws Refusal of kind {@code load} with KeY's message
     */
    static Skeleton load(Requests.Load request) throws Refusal {
        File folder = new File(request.skeleton());
        File boot = request.boot() == null ? null : new File(request.boot());
        if (!folder.isDirectory() || (boot != null && !boot.isDirectory())) {
            throw new Refusal("load", "no such folder: " + (folder.isDirectory() ? boot : folder));
        }
        Map<String, String> choices = new HashMap<>(MiscTools.getDefaultTacletOptions());
        choices.put("intRules", "intRules:javaSemantics");
        ProofSettings.DEFAULT_SETTINGS.getChoiceSettings().setDefaultChoices(choices);
        try {
            return new Skeleton(KeYEnvironment.load(folder, null, boot, null),
                    request.javaMath() ? SpecMathMode.JAVA : SpecMathMode.BIGINT);
        } catch (ProblemLoaderException | RuntimeException problem) {
            throw Refusal.of("load", problem);
        }
    }

    /**
     * The type of that name.
     *
     * @throws Refusal of kind {@code scene} when no such class is loaded
     */
    KeYJavaType type(String name) throws Refusal {
        KeYJavaType type;
        try {
            type = services().getJavaInfo().getKeYJavaType(name);
        } catch (RuntimeException problem) {
            throw new Refusal("scene", "type " + name + ": " + Refusal.sentence(problem));
        }
        if (type == null) {
            throw new Refusal("scene", "the type " + name + " is not known");
        }
        return type;
    }

    Services services() {
        return environment.getServices();
    }

    InitConfig configuration() {
        return environment.getInitConfig();
    }

    SpecMathMode mathMode() {
        return mathMode;
    }

    /** Whether arithmetic wraps around. */
    boolean javaMath() {
        return mathMode == SpecMathMode.JAVA;
    }

    Proof prove(ProofOblInput obligation) throws ProofInputException {
        return environment.createProof(obligation);
    }

    /**
     * The proof in which to ask about a scene of {@code owner}. One is kept for each stage: scenes of a class come one
     * after another.
     *
     * @throws Refusal of kind {@code scene} when KeY cannot set it up
     */
    Ground ground(KeYJavaType owner, Stage stage) throws Refusal {
        Ground known = grounds.get(stage);
        if (known == null || !known.takes(owner)) {
            if (known != null) {
                grounds.remove(stage).close();
            }
            try {
                known = Ground.of(this, owner, stage);
            } catch (ProofInputException problem) {
                throw Refusal.of("scene", problem);
            }
            grounds.put(stage, known);
        }
        return known;
    }

    /** Starts anew with the next scene, whatever state its proofs are in. */
    void forget() {
        grounds.clear();
    }

    @Override
    public void close() {
        grounds.values().forEach(Ground::close);
        environment.dispose();
    }
}
