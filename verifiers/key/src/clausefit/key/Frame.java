// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import de.uka.ilkd.key.java.Services;
import de.uka.ilkd.key.java.abstraction.KeYJavaType;
import de.uka.ilkd.key.ldt.JavaDLTheory;
import de.uka.ilkd.key.logic.ProgramElementName;
import de.uka.ilkd.key.logic.Term;
import de.uka.ilkd.key.logic.TermBuilder;
import de.uka.ilkd.key.logic.op.Equality;
import de.uka.ilkd.key.logic.op.LocationVariable;
import de.uka.ilkd.key.speclang.njml.JmlIO;
import de.uka.ilkd.key.speclang.njml.JmlParser;
import de.uka.ilkd.key.speclang.njml.SpecMathMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.key_project.util.collection.ImmutableList;

/** What the clauses of one scene may name, and how a clause becomes a formula about it. */
final class Frame {
    private static final String HEAP = "heap";

    private final KeYJavaType owner;
    private final boolean pure;
    private final SpecMathMode mathMode;
    private final LocationVariable self;
    private final LocationVariable result;
    private final LocationVariable exception;
    private final LocationVariable heapAtPre;
    private final List<LocationVariable> parameters = new ArrayList<>();

    /**
     * Makes the variables of a scene.
     *
     * @throws Refusal of kind {@code scene} for a type that is not loaded
     */
    Frame(Skeleton skeleton, Requests.Scene scene) throws Refusal {
        owner = skeleton.type(scene.className());
        pure = scene.pure();
        mathMode = skeleton.mathMode();
        // No parameter of Java code that people write has these names, so none can be mistaken for another.
        self = scene.isStatic() ? null : new LocationVariable(new ProgramElementName("clausefit_self"), owner);
        result = scene.result() == null ? null
                : variable(skeleton, new Requests.Variable(scene.result(), "clausefit_result"));
        // KeY tells heaps among the arguments of a method by this beginning of their names.
        heapAtPre = new LocationVariable(new ProgramElementName(HEAP + "AtPre_clausefit"),
                skeleton.services().getTypeConverter().getHeapLDT().targetSort());
        for (Requests.Variable parameter : scene.variables()) {
            parameters.add(variable(skeleton, parameter));
        }
        exception = scene.exception() == null ? null : variable(skeleton, scene.exception());
        if (exception != null) {
            parameters.add(exception);
        }
    }

    private static LocationVariable variable(Skeleton skeleton, Requests.Variable variable) throws Refusal {
        return new LocationVariable(new ProgramElementName(variable.name()), skeleton.type(variable.type()));
    }

    KeYJavaType owner() {
        return owner;
    }

    /** All variables that a proof has to know. */
    List<LocationVariable> variables() {
        List<LocationVariable> all = new ArrayList<>(parameters);
        all.add(heapAtPre);
        if (self != null) {
            all.add(self);
        }
        if (result != null) {
            all.add(result);
        }
        return all;
    }

    /**
     * What holds before any call: heaps are well formed, {@code this} is an object of the class, arguments are reachable,
     * which {@code facts} need not be told of those that they give. For a pure method the heap before the call is the heap
     * after it.
     */
    Term assumption(List<Term> facts, Services services) {
        TermBuilder tb = services.getTermBuilder();
        Term before = before(tb);
        Term all = tb.and(tb.wellFormed(tb.getBaseHeap()), tb.wellFormed(before));
        if (self != null) {
            Term object = tb.var(self);
            all = tb.and(all, tb.not(tb.equals(object, tb.NULL())), tb.created(before, object), tb.created(object),
                    tb.exactInstance(owner.getSort(), object));
        }
        for (LocationVariable parameter : parameters) {
            if (parameter != exception && !isGiven(parameter, facts, services)) {
                all = tb.and(all, tb.reachableValue(before, tb.var(parameter), parameter.getKeYJavaType()),
                        tb.reachableValue(tb.var(parameter), parameter.getKeYJavaType()));
            }
        }
        return all;
    }

    /** What holds after any call: result and exception are reachable, where {@code facts} do not give them. */
    Term promise(List<Term> facts, Services services) {
        TermBuilder tb = services.getTermBuilder();
        Term all = tb.tt();
        for (LocationVariable variable : new LocationVariable[] {result, exception}) {
            if (variable != null && !isGiven(variable, facts, services)) {
                all = tb.and(all, tb.reachableValue(tb.var(variable), variable.getKeYJavaType()));
            }
        }
        return all;
    }

    /** Whether there is an equation of that variable and a literal: what follows from that need not be said. */
    private static boolean isGiven(LocationVariable variable, List<Term> facts, Services services) {
        for (Term fact : facts) {
            if (fact.op() == Equality.EQUALS && fact.sub(0).op() == variable && Types.isLiteral(fact.sub(1), services)) {
                return true;
            }
        }
        return false;
    }

    /**
     * What holds of the string literals in {@code formula}: they are objects (JLS 3.10.5). KeY does not know it, and
     * without it no contract applies to a call that has one as its argument.
     */
    Term literals(Term formula, TermBuilder tb) {
        Set<Term> literals = new LinkedHashSet<>();
        Types.literals(formula, literals);
        Term all = tb.tt();
        for (Term literal : literals) {
            all = tb.and(all, tb.not(tb.equals(literal, tb.NULL())), tb.created(before(tb), literal),
                    tb.created(literal));
        }
        return all;
    }

    /**
     * The formula that a clause stands for.
     *
     * @throws Refusal of kind {@code type_error} with KeY's message
     */
    Term formula(JmlParser.ExpressionContext clause, Services services) throws Refusal {
        TermBuilder tb = services.getTermBuilder();
        refuseFalseHeaps(clause);
        if (ClauseReader.hasForeignStrings(clause)) {
            throw new Refusal("type_error", "KeY does not read all characters in strings as Java does");
        }
        Map<LocationVariable, Term> before = new LinkedHashMap<>();
        before.put(services.getTypeConverter().getHeapLDT().getHeap(), before(tb));
        for (LocationVariable parameter : parameters) {
            before.put(parameter, tb.var(parameter));
        }
        JmlIO reader = new JmlIO(services).classType(owner).selfVar(self)
                .parameters(ImmutableList.fromList(parameters)).resultVariable(result).exceptionVariable(exception)
                .atPres(before).atBefore(before).specMathMode(mathMode);
        Term formula;
        try {
            formula = tb.convertToFormula(reader.translateTerm(clause));
        } catch (RuntimeException problem) {
            throw Refusal.of("type_error", problem);
        }
        if (formula.sort() != JavaDLTheory.FORMULA) {
            throw new Refusal("type_error", "the clause is not boolean");
        }
        Types.check(formula, services);
        return formula;
    }

    /** {@code f(heapSize)} would become {@code f()}: KeY drops arguments that look like heaps to it. */
    private void refuseFalseHeaps(JmlParser.ExpressionContext clause) throws Refusal {
        for (LocationVariable parameter : parameters) {
            String name = parameter.name().toString();
            if (name.startsWith(HEAP) && ClauseReader.passes(clause, name)) {
                throw new Refusal("type_error", "KeY mistakes the argument " + name + " for a heap");
            }
        }
    }

    private Term before(TermBuilder tb) {
        return pure ? tb.getBaseHeap() : tb.var(heapAtPre);
    }
}
