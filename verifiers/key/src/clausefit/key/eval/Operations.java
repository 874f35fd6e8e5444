// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;

/** Operators, all of whose operands are evaluated: values where they are known, text for KeY where they are not. */
final class Operations {
    private final Walker walker;
    private final Memory memory;
    private final Doubts doubts;
    private final Operators operators;
    private final TypeTests typeTests;

    Operations(Walker walker, Memory memory, Doubts doubts, Operators operators, TypeTests typeTests) {
        this.walker = walker;
        this.memory = memory;
        this.doubts = doubts;
        this.operators = operators;
        this.typeTests = typeTests;
    }

    /** Operands and operators in turn, from the left (JLS 15.7). */
    Result operations(ParseTree tree) {
        Result left = walker.eval(tree.getChild(0));
        for (int i = 1; i < tree.getChildCount(); i += 2) {
            String operator = tree.getChild(i).getText();
            left = operation(operator, operator, left, walker.eval(tree.getChild(i + 1)));
        }
        return left;
    }

    /** One operator; {@code written} is its text where that is not its name in Java. */
    Result operation(String written, String operator, Result left, Result right) {
        if (left instanceof Undefined || right instanceof Undefined) {
            Undefined first = (Undefined) (left instanceof Undefined ? left : right);
            return new Undefined(first.why(), kind(operator, left, right));
        }
        if (left instanceof Value a && right instanceof Value b) {
            Result typed = typeTests.equality(operator, a, b);
            Result result = typed != null ? typed : operators.binary(operator, a, b, walker.math());
            if (result != null) {
                return result;
            }
        }
        Result simpler = withTruth(operator, left, right);
        return simpler != null ? simpler : residual(written, operator, left, right);
    }

    /** A comparison with a truth value is the other side or its negation; null for all else. */
    private static Result withTruth(String operator, Result left, Result right) {
        Value.Truth truth = left instanceof Value.Truth l ? l : right instanceof Value.Truth r ? r : null;
        Result other = truth == left ? right : left;
        boolean compares = operator.equals("==") || operator.equals("!=");
        if (truth == null || !compares || !(other instanceof Residual residual) || residual.kind() != Kind.BOOLEAN) {
            return null;
        }
        return truth.holds() == operator.equals("==") ? residual : Connectives.not(residual);
    }

    private Residual residual(String written, String operator, Result left, Result right) {
        boolean equality = operator.equals("==") || operator.equals("!=");
        if (equality && mayCompareStrings(left, right)) {
            // What is known of a string is its characters, and which places hold the same one: KeY makes no more of it.
            doubts.onlyAsWritten();
        }
        if ((operator.equals("/") || operator.equals("%")) && !(right instanceof Value)) {
            doubts.mayBeUndefined(Texts.of(right) + " is not known and may be zero");
        }
        String text = Texts.operand(left) + " " + written + " " + Texts.operand(right);
        walker.spendOn(text);
        return Residual.composed(text, kind(operator, left, right));
    }

    private static Kind kind(String operator, Result left, Result right) {
        return switch (operator) {
            case "==", "!=", "<", "<=", ">", ">=" -> Kind.BOOLEAN;
            case "<<", ">>", ">>>" -> Conditionals.kind(left) == null ? null : Conditionals.kind(left).promoted();
            default -> Conditionals.promoted(left, right);
        };
    }

    /** Where a string is pinned by its content, KeY takes it for the one object of that content. */
    private boolean mayCompareStrings(Result left, Result right) {
        boolean calls = memory.hasStrings() && (Texts.of(left).contains("(") || Texts.of(right).contains("("));
        Kind a = Conditionals.kind(left);
        Kind b = Conditionals.kind(right);
        return left instanceof Residual && right instanceof Value.Text || left instanceof Value.Text && right instanceof Residual
                || left instanceof Residual && right instanceof Residual && calls && (a == null || a == Kind.REFERENCE)
                && (b == null || b == Kind.REFERENCE);
    }

    /** {@code <==>} and {@code <=!=>}, which evaluate both sides. */
    Result equivalence(JmlParser.EquivalenceexprContext context) {
        Result left = Connectives.truth(walker.eval(context.impliesexpr(0)));
        for (int i = 1; i < context.impliesexpr().size(); i++) {
            boolean isSame = context.EQV_ANTIV(i - 1).getText().equals("<==>");
            Result right = Connectives.truth(walker.eval(context.impliesexpr(i)));
            left = operation(isSame ? "<==>" : "<=!=>", isSame ? "==" : "!=", left, right);
        }
        return left;
    }

    /** Comparisons in a row. */
    Result chain(JmlParser.Relational_chainContext context) {
        // a < b < c is a < b && b < c, with b evaluated once (JML manual, "Relational operators").
        List<String> open = new ArrayList<>();
        Result left = walker.eval(context.shiftexpr(0));
        for (int i = 1; i < context.shiftexpr().size(); i++) {
            Token operator = context.op.get(i - 1);
            Result right = walker.eval(context.shiftexpr(i));
            Result holds = operation(operator.getText(), operator.getText(), left, right);
            if (holds instanceof Undefined) {
                return holds;
            }
            if (holds instanceof Value.Truth truth && !truth.holds()) {
                return truth;
            }
            if (!(holds instanceof Value)) {
                open.add(context.shiftexpr().size() == 2 ? Texts.of(holds) : Texts.operand(holds));
            }
            left = right;
        }
        return open.isEmpty() ? new Value.Truth(true) : Residual.composed(String.join(" && ", open), Kind.BOOLEAN);
    }

    /** An operator before its operand. */
    Result unary(ParseTree whole, String operator, ParseTree operand) {
        Result result = walker.eval(operand);
        if (result instanceof Undefined undefined) {
            Kind kind = undefined.kind();
            return new Undefined(undefined.why(), kind == null || operator.equals("!") ? null : kind.promoted());
        }
        if (result instanceof Value.Null) {
            return new Undefined("null where a value is needed, at " + operator);
        }
        if (result instanceof Value value) {
            Value plain = Operators.unboxed(value);
            Result known = operator.equals("!")
                    ? plain instanceof Value.Truth truth ? new Value.Truth(!truth.holds()) : null
                    : Arithmetic.unary(operator, plain, walker.math());
            return known == null ? walker.raw(whole) : known;
        }
        Kind kind = ((Residual) result).kind();
        return Residual.composed(operator + Texts.operand(result), operator.equals("!") ? Kind.BOOLEAN
                : kind == null ? null : kind.promoted());
    }

    /** A cast. */
    Result cast(JmlParser.CastexprContext context) {
        Result operand = walker.eval(context.unaryexpr());
        String type = context.typespec().getText();
        if (operand instanceof Undefined undefined) {
            return new Undefined(undefined.why(), Kind.of(type));
        }
        if (operand instanceof Value value) {
            Result cast = typeTests.cast(type, value, walker.math());
            if (cast != null) {
                return cast;
            }
        }
        if (Kind.of(type) == Kind.REFERENCE) {
            doubts.mayBeUndefined("the cast to " + type + " may fail");
        }
        return new Residual("((" + type + ") " + Texts.operand(operand) + ")", true, Kind.of(type));
    }

    /** {@code x instanceof T}. */
    Result instance(JmlParser.Instance_ofContext context) {
        Result operand = walker.eval(context.shiftexpr());
        String type = context.typespec().getText();
        Boolean known = operand instanceof Value value ? typeTests.isInstance(value, type) : null;
        return operand instanceof Undefined undefined ? new Undefined(undefined.why(), Kind.BOOLEAN)
                : known != null ? new Value.Truth(known)
                : Residual.composed(Texts.operand(operand) + " instanceof " + type, Kind.BOOLEAN);
    }
}
