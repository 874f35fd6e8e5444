// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;

/** Text of JML for results, and of parts of a clause that stay as they are. */
final class Texts {
    private Texts() {}

    /**
     * An expression that denotes the result.
     *
     * @throws Inexpressible when there is none
     */
    static String of(Result result) {
        if (result instanceof Residual residual) {
            return residual.text();
        }
        if (result instanceof Value value) {
            return of(value);
        }
        throw new Inexpressible("what has no value");
    }

    private static String of(Value value) {
        String source = source(value);
        if (source != null) {
            return source;
        }
        if (value instanceof Value.Truth truth) {
            return String.valueOf(truth.holds());
        }
        if (value instanceof Value.Whole whole) {
            return Literals.of(whole);
        }
        if (value instanceof Value.Floating floating) {
            return Literals.of(floating);
        }
        if (value instanceof Value.Null) {
            return "null";
        }
        if (value instanceof Value.Text text) {
            return Literals.of(text.content());
        }
        if (value instanceof Value.Constant constant) {
            return constant.type() + "." + constant.name();
        }
        if (value instanceof Value.Type type) {
            return "\\type(" + type.name() + ")";
        }
        if (value instanceof Value.Prefix prefix) {
            return prefix.name();
        }
        throw new Inexpressible("an object without a name");
    }

    /** The expression that a value came from; null where none is kept. */
    static String source(Value value) {
        if (value instanceof Value.Text text) {
            return text.source();
        }
        if (value instanceof Value.Boxed boxed) {
            return boxed.source();
        }
        if (value instanceof Value.Constant constant) {
            return constant.source();
        }
        if (value instanceof Value.Reference reference) {
            return reference.source();
        }
        return value instanceof Value.Foreign foreign ? foreign.source() : null;
    }

    /** The value with {@code source} as the expression that denotes it, where it keeps one. */
    static Value withSource(Value value, String source) {
        if (value instanceof Value.Text text) {
            return new Value.Text(text.content(), text.identity(), text.isConstant(), source);
        }
        if (value instanceof Value.Boxed boxed) {
            return new Value.Boxed(boxed.content(), source);
        }
        if (value instanceof Value.Constant constant) {
            return new Value.Constant(constant.type(), constant.name(), source);
        }
        if (value instanceof Value.Reference reference) {
            return new Value.Reference(reference.name(), reference.type(), reference.isExact(), reference.declared(), source);
        }
        return value instanceof Value.Foreign foreign ? new Value.Foreign(foreign.object(), source) : value;
    }

    /** Like {@code of}, in parentheses where an operator beside it could tear it apart. */
    static String operand(Result result) {
        String text = of(result);
        // Never around a name alone: KeY reads (x) + 1 as a cast.
        return result instanceof Residual residual && !residual.isAtom() ? "(" + text + ")" : text;
    }

    /** Arguments of a call. */
    static String list(List<Result> results) {
        StringBuilder text = new StringBuilder();
        for (Result result : results) {
            text.append(text.length() == 0 ? "" : ", ").append(of(result));
        }
        return text.toString();
    }

    /** The text of {@code tree} as it was written, with values for the variables of quantifiers around it. */
    static String raw(ParseTree tree, Map<String, Value> bound) {
        Raw raw = new Raw();
        raw.add(tree, bound);
        return raw.text.toString();
    }

    /** The text of {@code tree} for a message. */
    static String brief(ParseTree tree) {
        String text = raw(tree, Map.of()).replaceAll("\\s+", " ");
        return text.length() <= 60 ? text : text.substring(0, 57) + "...";
    }

    private static final class Raw {
        private final StringBuilder text = new StringBuilder();
        private int end = -1;

        void add(ParseTree tree, Map<String, Value> bound) {
            if (tree instanceof TerminalNode node) {
                Value value = node.getParent() instanceof JmlParser.IdentContext ? bound.get(node.getText()) : null;
                add(node.getSymbol(), value == null ? node.getText() : of(value));
                return;
            }
            Map<String, Value> inner = bound;
            if (tree instanceof JmlParser.TypespecContext) {
                inner = Map.of();
            } else if (!bound.isEmpty()) {
                inner = without(tree, bound);
            }
            for (int i = 0; i < tree.getChildCount(); i++) {
                add(tree.getChild(i), inner);
            }
        }

        /** A quantifier's own variables hide those around it. */
        private static Map<String, Value> without(ParseTree tree, Map<String, Value> bound) {
            for (int i = 0; i < tree.getChildCount(); i++) {
                if (tree.getChild(i) instanceof JmlParser.QuantifiedvardeclsContext own) {
                    Map<String, Value> inner = new HashMap<>(bound);
                    own.quantifiedvariabledeclarator().forEach(variable -> inner.remove(variable.IDENT().getText()));
                    return inner;
                }
            }
            return bound;
        }

        private void add(Token token, String written) {
            if (end >= 0 && token.getStartIndex() > end) {
                text.append(' ');
            }
            text.append(written);
            end = token.getStopIndex() + 1;
        }
    }

    /** Whether the text of {@code tree} needs no parentheses beside an operator. */
    static boolean isAtom(ParseTree tree) {
        ParseTree inner = Trees.inner(tree);
        return inner instanceof JmlParser.SpecquantifiedexpressionContext
                || inner instanceof JmlParser.BsumtermContext || inner instanceof JmlParser.SeqdeftermContext
                || inner instanceof JmlParser.PostfixexprContext || inner instanceof JmlParser.PrimaryexprContext
                || inner instanceof JmlParser.JmlprimaryContext || inner instanceof JmlParser.IdentContext
                || (inner instanceof ParserRuleContext context
                        && context.getParent() instanceof JmlParser.ConstantContext);
    }
}
