// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import de.uka.ilkd.key.java.Services;
import de.uka.ilkd.key.ldt.CharListLDT;
import de.uka.ilkd.key.logic.Term;
import de.uka.ilkd.key.logic.TermBuilder;
import de.uka.ilkd.key.logic.op.Equality;
import de.uka.ilkd.key.logic.op.IProgramMethod;
import de.uka.ilkd.key.logic.sort.NullSort;
import java.util.Set;
import org.key_project.logic.sort.Sort;

/** What can be seen in the term that KeY makes of a clause. */
final class Types {
    private Types() {}

    /**
     * Looks for equalities between a number or truth value and something of another sort.
     *
     * <p>KeY takes such an equality as one of unrelated values and refutes it, where Java converts (JLS 15.21) or does
     * not compile. Neither is a judgement about the contract.
     *
     * @throws Refusal of kind {@code type_error} for the first one that is found
     */
    static void check(Term term, Services services) throws Refusal {
        if (term.op() == Equality.EQUALS) {
            Sort left = term.sub(0).sort();
            Sort right = term.sub(1).sort();
            if (left != right && (isPrimitive(left, services) || isPrimitive(right, services))) {
                throw new Refusal("type_error", "compares " + name(left) + " with " + name(right));
            }
        }
        for (Term sub : term.subs()) {
            check(sub, services);
        }
    }

    /** Whether the term calls a method of the Java library. */
    static boolean callsLibrary(Term term) {
        if (term.op() instanceof IProgramMethod method
                && method.getContainerType().getFullName().startsWith("java.")) {
            return true;
        }
        for (Term sub : term.subs()) {
            if (callsLibrary(sub)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the term calls a method at all. */
    static boolean calls(Term term) {
        if (term.op() instanceof IProgramMethod) {
            return true;
        }
        for (Term sub : term.subs()) {
            if (calls(sub)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the term is a literal of a number or a truth value, or null. */
    static boolean isLiteral(Term term, Services services) {
        var types = services.getTypeConverter();
        TermBuilder tb = services.getTermBuilder();
        return term.op() == types.getIntegerLDT().getNumberSymbol() || term.op() == tb.NULL().op()
                || term.op() == tb.TRUE().op() || term.op() == tb.FALSE().op();
    }

    /** Adds the string literals in {@code term} to {@code found}. */
    static void literals(Term term, Set<Term> found) {
        if (term.op().name().equals(CharListLDT.STRINGPOOL_NAME)) {
            found.add(term);
        }
        for (Term sub : term.subs()) {
            literals(sub, found);
        }
    }

    private static boolean isPrimitive(Sort sort, Services services) {
        var types = services.getTypeConverter();
        return Set.of(types.getIntegerLDT().targetSort(), types.getBooleanLDT().targetSort(),
                types.getFloatLDT().targetSort(), types.getDoubleLDT().targetSort()).contains(sort);
    }

    private static String name(Sort sort) {
        return sort instanceof NullSort ? "null" : sort.name().toString();
    }
}
