// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.tree.ParseTree;

/** New arrays, {@code \nonnullelements} and {@code \fresh}. */
final class ObjectQuestions {
    private static final int LONGEST_NEW_ARRAY = 100_000;

    private final Walker walker;
    private final Memory memory;
    private final Doubts doubts;
    private final Conversions conversions;
    private final Paths paths;

    ObjectQuestions(Walker walker, Memory memory, Doubts doubts, Conversions conversions, Paths paths) {
        this.walker = walker;
        this.memory = memory;
        this.doubts = doubts;
        this.conversions = conversions;
        this.paths = paths;
    }

    /** {@code new T[n]} and {@code new T[]{...}}, as arguments of library calls. */
    Result newArray(JmlParser.New_exprContext context) {
        String element = context.type().getText();
        if (context.array_dimensions() == null) {
            return walker.raw(context);
        }
        Class<?> component = element.equals("String") || element.equals("java.lang.String") ? String.class
                : Kind.of(element).isNumeric() || element.equals("boolean") ? conversions.primitiveNamed(element) : null;
        if (component == null) {
            return walker.raw(context);
        }
        if (context.array_initializer() != null) {
            return listed(context, component, paths.arguments(context.array_initializer().expressionlist()));
        }
        ParseTree dimension = context.array_dimensions().array_dimension().expression();
        Result size = dimension == null ? null : walker.eval(dimension);
        if (size instanceof Undefined) {
            return size;
        }
        if (!(size instanceof Value.Whole whole) || whole.number().bitLength() > 31) {
            return walker.raw(context);
        }
        if (whole.number().signum() < 0) {
            return new Undefined("an array of negative size");
        }
        if (whole.number().intValue() > LONGEST_NEW_ARRAY) {
            throw new BudgetUsed("an array of more than " + LONGEST_NEW_ARRAY + " elements");
        }
        Object array = Array.newInstance(component, whole.number().intValue());
        return new Value.Foreign(array, Texts.raw(context, memory.bound()));
    }

    private Result listed(ParseTree context, Class<?> component, List<Result> elements) {
        Object array = Array.newInstance(component, elements.size());
        for (int i = 0; i < elements.size(); i++) {
            Result element = elements.get(i);
            if (element instanceof Undefined) {
                return element;
            }
            try {
                Array.set(array, i, conversions.toJava((Value) element, component));
            } catch (ClassCastException | IllegalArgumentException | ArithmeticException | Inexpressible notKnown) {
                return walker.raw(context);
            }
        }
        return new Value.Foreign(array, Texts.raw(context, memory.bound()));
    }

    /** {@code \nonnullelements(a)}: the array and its elements are not null (JML manual, 12.4.18). */
    Result nonNullElements(JmlParser.PrimaryNNEContext context) {
        Result array = walker.eval(context.expression());
        if (array instanceof Undefined) {
            return array;
        }
        if (array instanceof Value.Null) {
            return new Value.Truth(false);
        }
        List<Value> elements = array instanceof Value.Reference reference && reference.isArray()
                ? memory.elements(reference) : null;
        if (elements == null || Kind.of(((Value.Reference) array).type().replace("[]", "")) != Kind.REFERENCE
                && !((Value.Reference) array).type().endsWith("[][]")) {
            return Residual.atom("\\nonnullelements(" + Texts.of(array) + ")", Kind.BOOLEAN);
        }
        if (elements.stream().anyMatch(Value.Null.class::isInstance)) {
            return new Value.Truth(false);
        }
        return elements.contains(null) ? Residual.atom("\\nonnullelements(" + Texts.of(array) + ")", Kind.BOOLEAN)
                : new Value.Truth(true);
    }

    /**
     * {@code \fresh(x, y)}: not null, and made by the call (JML manual, 12.4.9). A constructor's new object is made by
     * {@code new}, before the call, in the manual's reading; specifications written for KeY say {@code \fresh(this)}.
     */
    Result fresh(JmlParser.PrimaryFreshContext context) {
        List<Result> open = new ArrayList<>();
        for (Result result : paths.arguments(context.expressionlist())) {
            if (result instanceof Undefined) {
                return result;
            }
            if (result instanceof Value.Null) {
                return new Value.Truth(false);
            }
            if (result instanceof Value.Reference reference && memory.isConstructed(reference)) {
                doubts.unprovable("whether `\\fresh` holds for the new object of a constructor is read in two ways: leave it out");
                open.add(result);
            } else if (result instanceof Value.Reference reference && memory.after() != null) {
                if (!memory.isFresh(reference)) {
                    return new Value.Truth(false);
                }
            } else if (result instanceof Value.Text text && !text.identity().isEmpty()
                    && memory.before().hasIdentity(text.identity())) {
                return new Value.Truth(false);
            } else {
                if (result instanceof Value) {
                    doubts.unprovable("the test does not show whether the object is a new one");
                }
                open.add(result);
            }
        }
        return open.isEmpty() ? new Value.Truth(true) : Residual.atom("\\fresh(" + Texts.list(open) + ")", Kind.BOOLEAN);
    }
}
