// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import de.uka.ilkd.key.speclang.njml.JmlParser;
import de.uka.ilkd.key.speclang.njml.JmlParserBaseVisitor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.RuleNode;

/** Evaluates one clause, from the root of its tree down. What it does not know it leaves as text. */
final class Walker extends JmlParserBaseVisitor<Result> {
    private final Memory memory;
    private final Doubts doubts = new Doubts();
    private final Budget budget = new Budget();
    private final Operators operators;
    private final TypeTests typeTests;
    private final Paths paths;
    private final Quantifiers quantifiers;
    private final Locations locations;
    private MathMode math;

    Walker(Memory memory, MathMode math) {
        this.memory = memory;
        this.math = math;
        Conversions conversions = new Conversions(memory, budget);
        Jdk jdk = new Jdk(conversions, budget);
        operators = new Operators(doubts, jdk);
        typeTests = new TypeTests(memory);
        paths = new Paths(this, memory, doubts, jdk, conversions);
        quantifiers = new Quantifiers(this, memory, doubts, budget);
        locations = new Locations(this, memory, paths);
    }

    Doubts doubts() {
        return doubts;
    }

    /** Takes what making a text costs out of the budget. */
    void spendOn(String text) {
        budget.spendOn(text);
    }

    MathMode math() {
        return math;
    }

    /** What {@code tree} is worth now. Throws BudgetUsed when that would take too much. */
    Result eval(ParseTree tree) {
        budget.enter();
        try {
            return Trees.inner(tree).accept(this);
        } catch (Inexpressible noText) {
            return raw(tree);
        } finally {
            budget.leave();
        }
    }

    /** {@code tree} as it is written. */
    Residual raw(ParseTree tree) {
        if (!Trees.cannotFail(tree)) {
            doubts.mayBeUndefined(Texts.brief(tree) + " is not evaluated");
        }
        String text = Texts.raw(tree, memory.bound());
        budget.spendOn(text);
        return new Residual(text, Texts.isAtom(tree), null);
    }

    @Override
    public Result visitChildren(RuleNode node) {
        return raw(node);
    }

    // ---- connectives

    @Override
    public Result visitLogicalandexpr(JmlParser.LogicalandexprContext context) {
        return junction(context, context.inclusiveorexpr(), true);
    }

    @Override
    public Result visitLogicalorexpr(JmlParser.LogicalorexprContext context) {
        return junction(context, context.logicalandexpr(), false);
    }

    private Result junction(ParseTree whole, List<? extends ParseTree> parts, boolean isAnd) {
        List<String> left = new ArrayList<>();
        Set<String> assumptions = doubts.assumptions();
        try {
            for (ParseTree part : parts) {
                Result result = truth(eval(part));
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
                    return raw(whole);
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

    @Override
    public Result visitImpliesexpr(JmlParser.ImpliesexprContext context) {
        if (context.IMPLIES() != null) {
            return implication(() -> eval(context.a), () -> eval(context.b), context.b);
        }
        // a <== b <== c is (a <== b) <== c: the last one is evaluated first, as the antecedent of the rest.
        return backward(context, context.getChildCount() - 1);
    }

    private Result backward(JmlParser.ImpliesexprContext context, int last) {
        ParseTree antecedent = context.getChild(last);
        if (last == 2) {
            return implication(() -> eval(antecedent), () -> eval(context.getChild(0)), context.getChild(0));
        }
        return implication(() -> eval(antecedent), () -> backward(context, last - 2), context);
    }

    @Override
    public Result visitImpliesforwardexpr(JmlParser.ImpliesforwardexprContext context) {
        return implication(() -> eval(context.a), () -> eval(context.b), context.b);
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

    private static Result truth(Result result) {
        if (result instanceof Value.Null) {
            return new Undefined("null where a truth value is needed", Kind.BOOLEAN);
        }
        return result instanceof Value.Boxed boxed ? Operators.unboxed(boxed) : result;
    }

    @Override
    public Result visitEquivalenceexpr(JmlParser.EquivalenceexprContext context) {
        Result left = truth(eval(context.impliesexpr(0)));
        for (int i = 1; i < context.impliesexpr().size(); i++) {
            boolean isSame = context.EQV_ANTIV(i - 1).getText().equals("<==>");
            Result right = truth(eval(context.impliesexpr(i)));
            left = operation(isSame ? "<==>" : "<=!=>", isSame ? "==" : "!=", left, right);
        }
        return left;
    }

    @Override
    public Result visitConditionalexpr(JmlParser.ConditionalexprContext context) {
        Result condition = truth(eval(context.equivalenceexpr()));
        if (condition instanceof Undefined undefined) {
            return new Undefined(undefined.why());
        }
        ParseTree yes = context.conditionalexpr(0);
        ParseTree no = context.conditionalexpr(1);
        if (condition instanceof Value.Truth truth) {
            ParseTree chosen = truth.holds() ? yes : no;
            ParseTree other = truth.holds() ? no : yes;
            Result value = eval(chosen);
            return value instanceof Value known ? Conditionals.convert(known, chosen, kindOf(other), other) : value;
        }
        Set<String> assumptions = doubts.assumptions();
        doubts.assume(Texts.of(condition), true);
        String first = branch(yes);
        doubts.restore(assumptions);
        return Residual.composed(Texts.operand(condition) + " ? " + first + " : " + branch(no), null);
    }

    private String branch(ParseTree tree) {
        Result result = eval(tree);
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
            return Conditionals.kind(eval(tree));
        } finally {
            doubts.become(kept);
        }
    }

    // ---- operators

    @Override
    public Result visitInclusiveorexpr(JmlParser.InclusiveorexprContext context) {
        return operations(context);
    }

    @Override
    public Result visitExclusiveorexpr(JmlParser.ExclusiveorexprContext context) {
        return operations(context);
    }

    @Override
    public Result visitAndexpr(JmlParser.AndexprContext context) {
        return operations(context);
    }

    @Override
    public Result visitEqualityexpr(JmlParser.EqualityexprContext context) {
        return operations(context);
    }

    @Override
    public Result visitShiftexpr(JmlParser.ShiftexprContext context) {
        return operations(context);
    }

    @Override
    public Result visitAdditiveexpr(JmlParser.AdditiveexprContext context) {
        return operations(context);
    }

    @Override
    public Result visitMultexpr(JmlParser.MultexprContext context) {
        return operations(context);
    }

    /** Operands and operators in turn, from the left (JLS 15.7). */
    private Result operations(ParseTree tree) {
        Result left = eval(tree.getChild(0));
        for (int i = 1; i < tree.getChildCount(); i += 2) {
            String operator = tree.getChild(i).getText();
            left = operation(operator, operator, left, eval(tree.getChild(i + 1)));
        }
        return left;
    }

    private Result operation(String written, String operator, Result left, Result right) {
        if (left instanceof Undefined || right instanceof Undefined) {
            Undefined first = (Undefined) (left instanceof Undefined ? left : right);
            return new Undefined(first.why(), kind(operator, left, right));
        }
        if (left instanceof Value a && right instanceof Value b) {
            Result typed = typeTests.equality(operator, a, b);
            Result result = typed != null ? typed : operators.binary(operator, a, b, math);
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
        return truth.holds() == operator.equals("==") ? residual : not(residual);
    }

    private Residual residual(String written, String operator, Result left, Result right) {
        boolean equality = operator.equals("==") || operator.equals("!=");
        if (equality && mayCompareStrings(left, right)) {
            doubts.unprovable("== compares strings as objects, and the test does not show whether they are the same");
        }
        if ((operator.equals("/") || operator.equals("%")) && !(right instanceof Value)) {
            doubts.mayBeUndefined(Texts.of(right) + " is not known and may be zero");
        }
        String text = Texts.operand(left) + " " + written + " " + Texts.operand(right);
        budget.spendOn(text);
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

    @Override
    public Result visitRelational_chain(JmlParser.Relational_chainContext context) {
        // a < b < c is a < b && b < c, with b evaluated once (JML manual, "Relational operators").
        List<String> open = new ArrayList<>();
        Result left = eval(context.shiftexpr(0));
        for (int i = 1; i < context.shiftexpr().size(); i++) {
            Token operator = context.op.get(i - 1);
            Result right = eval(context.shiftexpr(i));
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

    @Override
    public Result visitUnaryexpr(JmlParser.UnaryexprContext context) {
        if (context.DECLITERAL() != null) {
            Value literal = Literals.whole("-" + context.DECLITERAL().getText());
            return literal == null ? raw(context) : literal;
        }
        return unary(context, context.getChild(0).getText(), context.unaryexpr());
    }

    @Override
    public Result visitUnaryexprnotplusminus(JmlParser.UnaryexprnotplusminusContext context) {
        return unary(context, context.getChild(0).getText(), context.unaryexpr());
    }

    private Result unary(ParseTree whole, String operator, ParseTree operand) {
        Result result = eval(operand);
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
                    : Arithmetic.unary(operator, plain, math);
            return known == null ? raw(whole) : known;
        }
        Kind kind = ((Residual) result).kind();
        return Residual.composed(operator + Texts.operand(result), operator.equals("!") ? Kind.BOOLEAN
                : kind == null ? null : kind.promoted());
    }

    @Override
    public Result visitCastexpr(JmlParser.CastexprContext context) {
        Result operand = eval(context.unaryexpr());
        String type = context.typespec().getText();
        if (operand instanceof Undefined undefined) {
            return new Undefined(undefined.why(), Kind.of(type));
        }
        if (operand instanceof Value value) {
            Result cast = typeTests.cast(type, value, math);
            if (cast != null) {
                return cast;
            }
        }
        if (Kind.of(type) == Kind.REFERENCE) {
            doubts.mayBeUndefined("the cast to " + type + " may fail");
        }
        return new Residual("((" + type + ") " + Texts.operand(operand) + ")", true, Kind.of(type));
    }

    @Override
    public Result visitInstance_of(JmlParser.Instance_ofContext context) {
        Result operand = eval(context.shiftexpr());
        String type = context.typespec().getText();
        Boolean known = operand instanceof Value value ? typeTests.isInstance(value, type) : null;
        return operand instanceof Undefined undefined ? new Undefined(undefined.why(), Kind.BOOLEAN)
                : known != null ? new Value.Truth(known)
                : Residual.composed(Texts.operand(operand) + " instanceof " + type, Kind.BOOLEAN);
    }

    // ---- what has parts of its own

    @Override
    public Result visitPrimaryParen(JmlParser.PrimaryParenContext context) {
        return eval(context.expression());
    }

    @Override
    public Result visitPostfixexpr(JmlParser.PostfixexprContext context) {
        return paths.postfix(context);
    }

    @Override
    public Result visitNew_expr(JmlParser.New_exprContext context) {
        return paths.newArray(context);
    }

    @Override
    public Result visitSpecquantifiedexpression(JmlParser.SpecquantifiedexpressionContext context) {
        return quantifiers.quantified(context);
    }

    @Override
    public Result visitPrimarySubset(JmlParser.PrimarySubsetContext context) {
        return locations.subset(context);
    }

    @Override
    public Result visitOldexpression(JmlParser.OldexpressionContext context) {
        if (context.IDENT() != null) {
            return raw(context);
        }
        boolean was = memory.setOld(true);
        try {
            Result result = eval(context.expression());
            return was ? result : paths.fromOld(result);
        } finally {
            memory.setOld(was);
        }
    }

    @Override
    public Result visitJava_math_expression(JmlParser.Java_math_expressionContext context) {
        return in(MathMode.JAVA, context.expression(), "\\java_math");
    }

    @Override
    public Result visitSafe_math_expression(JmlParser.Safe_math_expressionContext context) {
        return in(MathMode.SAFE, context.expression(), "\\safe_math");
    }

    @Override
    public Result visitBigint_math_expression(JmlParser.Bigint_math_expressionContext context) {
        return in(MathMode.BIGINT, context.expression(), "\\bigint_math");
    }

    private Result in(MathMode mode, ParseTree tree, String word) {
        MathMode was = math;
        math = mode;
        try {
            Result result = eval(tree);
            return result instanceof Residual residual
                    ? Residual.atom(word + "(" + residual.text() + ")", residual.kind()) : result;
        } finally {
            math = was;
        }
    }

    @Override
    public Result visitPrimaryNNE(JmlParser.PrimaryNNEContext context) {
        return paths.nonNullElements(context);
    }

    @Override
    public Result visitPrimaryFresh(JmlParser.PrimaryFreshContext context) {
        return paths.fresh(context);
    }

    @Override
    public Result visitPrimaryTypeOf(JmlParser.PrimaryTypeOfContext context) {
        Result operand = eval(context.expression());
        if (operand instanceof Value.Null) {
            return new Undefined("\\typeof of null");
        }
        String type = operand instanceof Value value ? typeTests.exactType(value) : null;
        return operand instanceof Undefined ? operand
                : type != null ? new Value.Type(type)
                : Residual.atom("\\typeof(" + Texts.of(operand) + ")", null);
    }

    @Override
    public Result visitPrimayTypeSpec(JmlParser.PrimayTypeSpecContext context) {
        return new Value.Type(context.typespec().getText());
    }

    // ---- leaves

    @Override
    public Result visitIdent(JmlParser.IdentContext context) {
        return context.SUPER() != null ? raw(context) : memory.name(context.getText());
    }

    @Override
    public Result visitPrimaryResult(JmlParser.PrimaryResultContext context) {
        return memory.result();
    }

    @Override
    public Result visitTrue_(JmlParser.True_Context context) {
        return new Value.Truth(true);
    }

    @Override
    public Result visitFalse_(JmlParser.False_Context context) {
        return new Value.Truth(false);
    }

    @Override
    public Result visitNull_(JmlParser.Null_Context context) {
        return new Value.Null(null);
    }

    @Override
    public Result visitIntegerliteral(JmlParser.IntegerliteralContext context) {
        Value literal = Literals.whole(context.getText());
        return literal == null ? raw(context) : literal;
    }

    @Override
    public Result visitFractionalliteral(JmlParser.FractionalliteralContext context) {
        return context.REAL_LITERAL() != null ? raw(context) : Literals.floating(context.getText());
    }

    @Override
    public Result visitCharliteral(JmlParser.CharliteralContext context) {
        String text = Literals.unquoted(context.getText());
        return text.length() == 1 ? Value.Whole.of(Kind.CHAR, text.charAt(0)) : raw(context);
    }

    @Override
    public Result visitStringliteral(JmlParser.StringliteralContext context) {
        return new Value.Text(Literals.unquoted(context.getText()), "", true, null);
    }
}
