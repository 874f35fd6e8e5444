// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import de.uka.ilkd.key.speclang.njml.JmlParser;
import de.uka.ilkd.key.speclang.njml.JmlParserBaseVisitor;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.RuleNode;

/** Evaluates one clause, from the root of its tree down. What it does not know it leaves as text. */
final class Walker extends JmlParserBaseVisitor<Result> {
    private final Memory memory;
    private final Doubts doubts = new Doubts();
    private final Budget budget = new Budget();
    private final Connectives connectives;
    private final Operations operations;
    private final TypeTests typeTests;
    private final Paths paths;
    private final ObjectQuestions objects;
    private final Quantifiers quantifiers;
    private final Locations locations;
    private MathMode math;

    Walker(Memory memory, MathMode math) {
        this.memory = memory;
        this.math = math;
        Conversions conversions = new Conversions(memory, budget);
        Jdk jdk = new Jdk(conversions, budget);
        typeTests = new TypeTests(memory);
        connectives = new Connectives(this, memory, doubts);
        operations = new Operations(this, memory, doubts, new Operators(doubts, jdk), typeTests);
        paths = new Paths(this, memory, doubts, jdk, conversions);
        objects = new ObjectQuestions(this, memory, doubts, conversions, paths);
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
            Result result = Trees.inner(tree).accept(this);
            // A name that nothing is known of may be a field of this.
            return result instanceof Value.Prefix name ? Residual.atom(name.name(), null) : result;
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

    // ---- connectives and operators

    @Override
    public Result visitLogicalandexpr(JmlParser.LogicalandexprContext context) {
        return connectives.junction(context, context.inclusiveorexpr(), true);
    }

    @Override
    public Result visitLogicalorexpr(JmlParser.LogicalorexprContext context) {
        return connectives.junction(context, context.logicalandexpr(), false);
    }

    @Override
    public Result visitImpliesexpr(JmlParser.ImpliesexprContext context) {
        return connectives.implies(context);
    }

    @Override
    public Result visitImpliesforwardexpr(JmlParser.ImpliesforwardexprContext context) {
        return connectives.implies(context);
    }

    @Override
    public Result visitConditionalexpr(JmlParser.ConditionalexprContext context) {
        return connectives.conditional(context);
    }

    @Override
    public Result visitEquivalenceexpr(JmlParser.EquivalenceexprContext context) {
        return operations.equivalence(context);
    }

    @Override
    public Result visitInclusiveorexpr(JmlParser.InclusiveorexprContext context) {
        return operations.operations(context);
    }

    @Override
    public Result visitExclusiveorexpr(JmlParser.ExclusiveorexprContext context) {
        return operations.operations(context);
    }

    @Override
    public Result visitAndexpr(JmlParser.AndexprContext context) {
        return operations.operations(context);
    }

    @Override
    public Result visitEqualityexpr(JmlParser.EqualityexprContext context) {
        return operations.operations(context);
    }

    @Override
    public Result visitShiftexpr(JmlParser.ShiftexprContext context) {
        return operations.operations(context);
    }

    @Override
    public Result visitAdditiveexpr(JmlParser.AdditiveexprContext context) {
        return operations.operations(context);
    }

    @Override
    public Result visitMultexpr(JmlParser.MultexprContext context) {
        return operations.operations(context);
    }

    @Override
    public Result visitRelational_chain(JmlParser.Relational_chainContext context) {
        return operations.chain(context);
    }

    @Override
    public Result visitUnaryexpr(JmlParser.UnaryexprContext context) {
        if (context.DECLITERAL() != null) {
            Value literal = Literals.whole("-" + context.DECLITERAL().getText());
            return literal == null ? raw(context) : literal;
        }
        return operations.unary(context, context.getChild(0).getText(), context.unaryexpr());
    }

    @Override
    public Result visitUnaryexprnotplusminus(JmlParser.UnaryexprnotplusminusContext context) {
        return operations.unary(context, context.getChild(0).getText(), context.unaryexpr());
    }

    @Override
    public Result visitCastexpr(JmlParser.CastexprContext context) {
        return operations.cast(context);
    }

    @Override
    public Result visitInstance_of(JmlParser.Instance_ofContext context) {
        return operations.instance(context);
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
        return objects.newArray(context);
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
        return objects.nonNullElements(context);
    }

    @Override
    public Result visitPrimaryFresh(JmlParser.PrimaryFreshContext context) {
        return objects.fresh(context);
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
