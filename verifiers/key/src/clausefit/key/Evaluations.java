// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import de.uka.ilkd.key.speclang.njml.JmlParser;

/** What evaluation says of the clauses of one scene; nothing where the scene has no state as data. */
final class Evaluations {
    private Evaluations() {}

    static Evaluations of(Requests.Scene scene, boolean javaMath) {
        return new Evaluations();
    }

    /** What a clause comes to with an outcome ("": the state before alone). */
    Inquiry.Verdict of(String outcome, JmlParser.ExpressionContext clause) {
        return Inquiry.Verdict.NONE;
    }

    /** Whether the facts hold of the state that is given as data: then they cannot contradict each other. */
    boolean confirms(String outcome, JmlParser.ExpressionContext facts) {
        return Boolean.TRUE.equals(of(outcome, facts).value());
    }
}
