// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.antlr.v4.runtime.tree.ParseTree;

/**
 * Connectives that do not always evaluate all of their parts (JLS 15.23 to 15.25; JML manual, "Implication"): a part that is
 * not reached may be without a value.
 */
final class Connectives {
    private final Walker walker;
    private final Memory memory;
    private final Doubts doubts;

    Connectives(Walker walker, Memory memory, Doubts doubts) {
        this.walker = walker;
        this.memory = memory;
        this.doubts = doubts;
    }

    /** A conjunction or disjunction; {@code whole} is its tree. */
    Result junction(ParseTree whole, List<? extends ParseTree> parts, boolean isAnd) {
        List<String> left = new ArrayList<>();
        Set<String> assumptions = doubts.assumptions();
        try {
            for (ParseTree part : parts) {
                Result result = truth(walker.eval(part));
                if (result instanceof Undefined undefined) {
                    if (left.isEmpty()) {
                        return undefined;
                    }
                    doubts.mayBeUndefined(undefined.why());
                    left.add("(" + Texts.raw(part, memory.bound()) + ")");
                } else if (result instanceof Value.Truth truth) {
                    if (truth.holds() != isAnd) {
                        return truth;
                    }
                } else if (result instanceof Value) {
                    return walker.raw(whole);
                } else {
                    left.add(Texts.operand(result));
                    doubts.assume(Texts.of(result), isAnd);
                }
            }
        } finally {
            doubts.restore(assumptions);
        }
        if (left.isEmpty()) {
            return new Value.Truth(isAnd);
        }
        // A single part is in parentheses where it needs them.
        return new Residual(String.join(isAnd ? " && " : " || ", left), left.size() == 1, Kind.BOOLEAN);
    }

    /** {@code a ==> b} and {@code a <== b <== c}. */
    Result implies(JmlParser.ImpliesexprContext context) {
        if (context.IMPLIES() != null) {
            return implication(() -> walker.eval(context.a), () -> walker.eval(context.b), context.b);
        }
        // a <== b <== c is (a <== b) <== c: the last one is evaluated first, as the antecedent of the rest.
        return backward(context, context.getChildCount() - 1);
    }

    private Result backward(JmlParser.ImpliesexprContext context, int last) {
        ParseTree antecedent = context.getChild(last);
        if (last == 2) {
            return implication(() -> walker.eval(antecedent), () -> walker.eval(context.getChild(0)), context.getChild(0));
        }
        return implication(() -> walker.eval(antecedent), () -> backward(context, last - 2), context);
    }

    /** {@code b ==> c} on the right of another one. */
    Result implies(JmlParser.ImpliesforwardexprContext context) {
        return implication(() -> walker.eval(context.a), () -> walker.eval(context.b), context.b);
    }

    private Result implication(Supplier<Result> antecedent, Supplier<Result> consequent, ParseTree written) {
        Result left = truth(antecedent.get());
        if (left instanceof Undefined) {
            return left;
        }
        if (left instanceof Value.Truth truth) {
            return truth.holds() ? truth(consequent.get()) : new Value.Truth(true);
        }
        Set<String> assumptions = doubts.assumptions();
        doubts.assume(Texts.of(left), true);
        Result right = truth(consequent.get());
        doubts.restore(assumptions);
        if (right instanceof Undefined undefined) {
            doubts.mayBeUndefined(undefined.why());
            return Residual.composed(
                    Texts.operand(left) + " ==> (" + Texts.raw(written, memory.bound()) + ")", Kind.BOOLEAN);
        }
        if (right instanceof Value.Truth truth) {
            return truth.holds() ? truth : not(left);
        }
        return Residual.composed(Texts.operand(left) + " ==> " + Texts.operand(right), Kind.BOOLEAN);
    }

    /** The negation of a residual. */
    static Residual not(Result result) {
        return Residual.composed("!" + Texts.operand(result), Kind.BOOLEAN);
    }

    /** The result as a truth value, unboxed. */
    static Result truth(Result result) {
        if (result instanceof Value.Null) {
            return new Undefined("null where a truth value is needed", Kind.BOOLEAN);
        }
        return result instanceof Value.Boxed boxed ? Operators.unboxed(boxed) : result;
    }

    /** {@code c ? a : b}. */
    Result conditional(JmlParser.ConditionalexprContext context) {
        Result condition = truth(walker.eval(context.equivalenceexpr()));
        if (condition instanceof Undefined undefined) {
            return new Undefined(undefined.why());
        }
        ParseTree yes = context.conditionalexpr(0);
        ParseTree no = context.conditionalexpr(1);
        if (condition instanceof Value.Truth truth) {
            ParseTree chosen = truth.holds() ? yes : no;
            ParseTree other = truth.holds() ? no : yes;
            Result value = walker.eval(chosen);
            return value instanceof Value known ? Conditionals.convert(known, chosen, kindOf(other), other) : value;
        }
        Set<String> assumptions = doubts.assumptions();
        doubts.assume(Texts.of(condition), true);
        String first = branch(yes);
        doubts.restore(assumptions);
        return Residual.composed(Texts.operand(condition) + " ? " + first + " : " + branch(no), null);
    }

    private String branch(ParseTree tree) {
        Result result = walker.eval(tree);
        if (result instanceof Undefined undefined) {
            doubts.mayBeUndefined(undefined.why());
            return "(" + Texts.raw(tree, memory.bound()) + ")";
        }
        return Texts.operand(result);
    }

    /** The kind of the type of an expression that is not evaluated by Java here; null where it is not known. */
    Kind kindOf(ParseTree tree) {
        Doubts kept = doubts.copy();
        try {
            return Conditionals.kind(walker.eval(tree));
        } finally {
            doubts.become(kept);
        }
    }
}
