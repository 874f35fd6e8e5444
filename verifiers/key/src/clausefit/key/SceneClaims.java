// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import de.uka.ilkd.key.java.Services;
import de.uka.ilkd.key.logic.Term;
import de.uka.ilkd.key.logic.TermBuilder;
import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All that is to be proved of one scene at one stage, in terms that belong to one proof. */
final class SceneClaims {
    private final Frame frame;
    private final Stage stage;
    private final Facts.Formulas formulas;
    private final Map<String, List<Claim>> claims = new LinkedHashMap<>();

    /** A side of an inquiry, as formulas; of the texts of an inquiry those of lower rank come first. */
    record Claim(Inquiry inquiry, boolean accept, int rank, Parting.Part part, boolean callsMethods) {}

    /**
     * Translates facts and questions.
     *
     * @throws Refusal of kind {@code pins} when the facts of the state before cannot be used
     */
    SceneClaims(Frame frame, Facts facts, List<Inquiry> inquiries, Stage stage, Services services) throws Refusal {
        this.frame = frame;
        this.stage = stage;
        formulas = facts.formulas(frame, services);
        for (Inquiry inquiry : inquiries) {
            add(inquiry, services);
        }
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
                add(inquiry, rank, frame.formula(text, services), services);
                rank++;
            } catch (Refusal refusal) {
                inquiry.refuse(refusal);
            }
        }
    }

    private void add(Inquiry inquiry, int rank, Term formula, Services services) {
        boolean callsMethods = Types.calls(formula);
        if (!stage.takes(callsMethods, Types.callsLibrary(formula))) {
            return;
        }
        TermBuilder tb = services.getTermBuilder();
        for (boolean accept : new boolean[] {true, false}) {
            if (inquiry.wants(accept) || inquiry.mayDiffer(accept)) {
                List<Term> assumed = new ArrayList<>();
                Facts.split(frame.literals(formula, tb), assumed);
                // To be proved, and not assumed without the negation: then KeY takes some rules for locations too early.
                Parting.Part part = new Parting.Part(assumed, List.of(accept ? formula : tb.not(formula)));
                claims.computeIfAbsent(inquiry.question().outcome(), name -> new ArrayList<>())
                        .add(new Claim(inquiry, accept, rank, part, callsMethods));
            }
        }
    }

    /** What is to be proved, by the outcome that it is about; without outcomes about which nothing is asked. */
    Map<String, List<Claim>> claims() {
        return claims;
    }

    /** What is assumed of an outcome, or ("") of the state before. */
    List<Term> facts(String outcome) {
        return formulas.of(outcome);
    }
}
