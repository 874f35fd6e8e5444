// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import de.uka.ilkd.key.ldt.CharListLDT;
import de.uka.ilkd.key.logic.Semisequent;
import de.uka.ilkd.key.logic.Sequent;
import de.uka.ilkd.key.logic.SequentFormula;
import de.uka.ilkd.key.logic.Term;
import de.uka.ilkd.key.proof.Proof;
import de.uka.ilkd.key.settings.DefaultSMTSettings;
import de.uka.ilkd.key.settings.NewSMTTranslationSettings;
import de.uka.ilkd.key.settings.ProofDependentSMTSettings;
import de.uka.ilkd.key.settings.ProofIndependentSMTSettings;
import de.uka.ilkd.key.smt.SMTProblem;
import de.uka.ilkd.key.smt.SMTSolverResult.ThreeValuedTruth;
import de.uka.ilkd.key.smt.SolverLauncher;
import de.uka.ilkd.key.smt.solvertypes.SolverType;
import de.uka.ilkd.key.smt.solvertypes.SolverTypes;
import java.util.List;
import java.util.Set;

/** The SMT solvers that KeY can ask, of those that are on PATH. Only what one of them calls valid counts. */
final class Solvers {
    private static final Set<String> FOREIGN = Set.of("Seq", "LocSet");
    private static final List<String> NAMES = List.of("Z3", "CVC5", "CVC4");

    /** What none of them proved of some questions about a class, they seldom prove of the next. */
    private static final int MOST_FAILURES = 6;

    private final Proof proof;
    private final List<SolverType> solvers;
    private int failures;

    Solvers(Proof proof) {
        this.proof = proof;
        solvers = SolverTypes.getSolverTypes().stream()
                .filter(type -> NAMES.contains(type.getName()) && type.isInstalled(false)).toList();
    }

    /** Whether there are any, and they have not failed again and again. */
    boolean areWorthIt() {
        return !solvers.isEmpty() && failures < MOST_FAILURES;
    }

    /** Whether one of them proves the sequent in that time, which is for all of them together. */
    boolean prove(Sequent sequent, long millis) {
        Sequent asked = translatable(sequent);
        long each = millis / Math.max(1, solvers.size());
        for (SolverType solver : asked == null || each <= 0 ? List.<SolverType>of() : solvers) {
            if (proves(solver, asked, each)) {
                return true;
            }
        }
        failures++;
        return false;
    }

    private boolean proves(SolverType solver, Sequent sequent, long millis) {
        ProofIndependentSMTSettings limits = ProofIndependentSMTSettings.getDefaultSettingsData();
        limits.setTimeout(millis);
        limits.setMaxConcurrentProcesses(1);
        SMTProblem problem = new SMTProblem(sequent, proof.getServices());
        try {
            new SolverLauncher(new DefaultSMTSettings(ProofDependentSMTSettings.getDefaultSettingsData(), limits,
                    new NewSMTTranslationSettings(), proof)).launch(problem, proof.getServices(), solver);
        } catch (RuntimeException notTranslated) {
            // KeY's translation does not know all that may be in a sequent, and says so in many ways.
            return false;
        }
        return problem.getFinalResult().isValid() == ThreeValuedTruth.VALID;
    }

    /**
     * The sequent without the assumptions that speak of strings, on which the translation fails, or of sets of locations,
     * of which solvers prove nothing; null when the claim itself, its first formula on the right, does. A sequent that holds with fewer formulas holds with all.
     */
    private static Sequent translatable(Sequent sequent) {
        Semisequent right = sequent.succedent();
        return right.isEmpty() || isForeign(right.getFirst().formula()) ? null
                : Sequent.createSequent(translatable(sequent.antecedent()), translatable(right));
    }

    private static Semisequent translatable(Semisequent formulas) {
        Semisequent kept = Semisequent.EMPTY_SEMISEQUENT;
        for (SequentFormula formula : formulas) {
            if (!isForeign(formula.formula())) {
                kept = kept.insertLast(formula).semisequent();
            }
        }
        return kept;
    }

    private static boolean isForeign(Term term) {
        if (term.op().name().equals(CharListLDT.STRINGPOOL_NAME) || FOREIGN.contains(term.sort().name().toString())) {
            return true;
        }
        for (Term sub : term.subs()) {
            if (isForeign(sub)) {
                return true;
            }
        }
        return false;
    }
}
