// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.tree.ParseTree;

/** Questions about KeY's parse trees. */
final class Trees {
    private Trees() {}

    /** The node below all rules that only pass on to one other. */
    static ParseTree inner(ParseTree tree) {
        ParseTree node = tree;
        while (node.getChildCount() == 1 && node.getChild(0) instanceof ParserRuleContext child) {
            node = child;
        }
        return node;
    }

    /** Like {@code inner}, parentheses taken off too. */
    static ParseTree bare(ParseTree tree) {
        ParseTree node = inner(tree);
        while (node instanceof JmlParser.PrimaryParenContext paren) {
            node = inner(paren.expression());
        }
        return node;
    }

    /** The parts of a conjunction, in order, those of conjunctions within it too. */
    static List<ParseTree> conjuncts(ParseTree tree) {
        List<ParseTree> parts = new ArrayList<>();
        addConjuncts(tree, parts);
        return parts;
    }

    private static void addConjuncts(ParseTree tree, List<ParseTree> parts) {
        ParseTree node = bare(tree);
        if (node instanceof JmlParser.LogicalandexprContext and) {
            and.inclusiveorexpr().forEach(part -> addConjuncts(part, parts));
        } else {
            parts.add(node);
        }
    }

    /** Whether one of the names occurs in {@code tree} as a variable. */
    static boolean mentions(ParseTree tree, Collection<String> names) {
        if (tree instanceof JmlParser.IdentContext) {
            return names.contains(tree.getText());
        }
        for (int i = 0; i < tree.getChildCount(); i++) {
            if (mentions(tree.getChild(i), names)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether {@code tree} has a value whatever that of the variables named is: none of them is part of a division, an
     * access, a call or a cast.
     */
    static boolean isTotal(ParseTree tree, Collection<String> names) {
        ParseTree node = bare(tree);
        if (!mentions(node, names)) {
            return true;
        }
        boolean divides = node instanceof JmlParser.MultexprContext product
                && product.op.stream().anyMatch(operator -> !operator.getText().equals("*"));
        boolean partial = divides || node instanceof JmlParser.CastexprContext
                || (node instanceof JmlParser.PostfixexprContext postfix && !postfix.primarysuffix().isEmpty())
                || node instanceof JmlParser.SpecquantifiedexpressionContext
                || node instanceof JmlParser.Safe_math_expressionContext || node instanceof JmlParser.New_exprContext;
        if (partial) {
            return node instanceof JmlParser.MultexprContext product && dividesByLiterals(product, names);
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            if (!isTotal(node.getChild(i), names)) {
                return false;
            }
        }
        return true;
    }

    private static boolean dividesByLiterals(JmlParser.MultexprContext product, Collection<String> names) {
        for (int i = 0; i < product.op.size(); i++) {
            ParseTree divisor = bare(product.unaryexpr(i + 1));
            boolean literal = divisor instanceof JmlParser.IntegerliteralContext && !divisor.getText().matches("[0_]+[lL]?");
            if (!product.op.get(i).getText().equals("*") && !literal) {
                return false;
            }
        }
        return product.unaryexpr().stream().allMatch(factor -> isTotal(factor, names));
    }

    /** Whether all that could have no value is missing in {@code tree}, whatever its names stand for. */
    static boolean cannotFail(ParseTree tree) {
        ParseTree node = bare(tree);
        if (node instanceof JmlParser.CastexprContext || node instanceof JmlParser.New_exprContext
                || node instanceof JmlParser.Safe_math_expressionContext
                || (node instanceof JmlParser.PostfixexprContext postfix && !postfix.primarysuffix().isEmpty())
                || (node instanceof JmlParser.MultexprContext product && product.op.stream()
                        .anyMatch(operator -> !operator.getText().equals("*")) && !dividesByLiterals(product, List.of()))) {
            return false;
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            if (!cannotFail(node.getChild(i))) {
                return false;
            }
        }
        return true;
    }
}
