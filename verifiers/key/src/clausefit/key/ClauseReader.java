// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import clausefit.key.eval.Literals;
import de.uka.ilkd.key.speclang.njml.JmlFacade;
import de.uka.ilkd.key.speclang.njml.JmlLexer;
import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.util.EmptyStackException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.antlr.v4.runtime.tree.ParseTree;

/** Text of a clause to KeY's own parse tree. */
final class ClauseReader {
    private static final Set<String> PRIMITIVE = Set.of("byte", "short", "char", "int", "long",
            "float", "double", "\\bigint", "\\real");

    private static final int DEEPEST = 200;
    private static final int MOST_KNOWN = 500;
    private static final int LONGEST_KNOWN = 2000;

    /** Scenes of a method ask the same clauses, and reading one takes longer than evaluating it. */
    private static final Map<String, JmlParser.ExpressionContext> KNOWN = new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, JmlParser.ExpressionContext> eldest) {
            return size() > MOST_KNOWN;
        }
    };

    private ClauseReader() {}

    /**
     * Parses one JML expression.
     *
     * <p>Not by {@code JmlIO.parseExpression}: that hides syntax errors behind a NullPointerException, and its lexer
     * leaves out characters that it does not know.
     *
     * @throws Refusal of kind {@code parse_error} with the place and KeY's message
     */
    static JmlParser.ExpressionContext read(String text) throws Refusal {
        JmlParser.ExpressionContext known = KNOWN.get(text);
        if (known == null) {
            known = readAnew(text);
            if (text.length() <= LONGEST_KNOWN) {
                KNOWN.put(text, known);
            }
        }
        return known;
    }

    private static JmlParser.ExpressionContext readAnew(String text) throws Refusal {
        refuseDepth(text);
        JmlParser.ExpressionContext clause = parse(text);
        StringBuilder plain = new StringBuilder(text);
        boolean changed = bareFalseCasts(clause, plain);
        if (writeOutEscapes(clause, plain) || changed) {
            clause = parse(plain.toString());
            refuseFalseCasts(clause);
        }
        return clause;
    }

    private static JmlParser.ExpressionContext parse(String text) throws Refusal {
        try {
            return parse(text, PredictionMode.SLL);
        } catch (Refusal weaker) {
            // SLL is three times faster and refuses some right texts; only LL has the last word.
            return parse(text, PredictionMode.LL);
        }
    }

    /** The parser needs seconds for thousands of brackets within each other. */
    private static void refuseDepth(String text) throws Refusal {
        int depth = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
            if (depth > DEEPEST) {
                throw new Refusal("parse_error", "more than " + DEEPEST + " brackets within each other");
            }
        }
    }

    private static JmlParser.ExpressionContext parse(String text, PredictionMode mode) throws Refusal {
        Errors errors = new Errors();
        JmlLexer lexer = JmlFacade.createLexer(text);
        lexer._mode = JmlLexer.expr;
        lexer.removeErrorListeners();
        lexer.addErrorListener(errors);
        JmlParser parser = JmlFacade.createParser(lexer);
        parser.removeErrorListeners();
        parser.addErrorListener(errors);
        parser.getInterpreter().setPredictionMode(mode);
        JmlParser.ExpressionContext clause;
        try {
            clause = parser.expressionEOF().expression();
        } catch (EmptyStackException end) {
            // At a semicolon or bracket too many the lexer leaves the expression, and there is nothing around it.
            throw new Refusal("parse_error", "the expression ends before its text does");
        } catch (RuntimeException problem) {
            throw new Refusal("parse_error", errors.first == null ? Refusal.sentence(problem) : errors.first);
        }
        if (errors.first != null || clause == null) {
            throw new Refusal("parse_error", errors.first == null ? "not an expression" : errors.first);
        }
        return clause;
    }

    /**
     * KeY reads {@code (x) + 1} as a cast of {@code +1} to a type {@code x}. In Java only a cast to a primitive type
     * may stand before a sign (JLS 15.16), so this is never what was meant: it is a name in parentheses, which means the
     * same without them. Takes these out of {@code text}; returns whether there were any.
     */
    private static boolean bareFalseCasts(ParseTree tree, StringBuilder text) {
        boolean found = false;
        if (tree instanceof JmlParser.CastexprContext cast && isFalse(cast)) {
            // The lexer counts code points.
            text.setCharAt(text.offsetByCodePoints(0, cast.LPAREN().getSymbol().getStartIndex()), ' ');
            text.setCharAt(text.offsetByCodePoints(0, cast.RPAREN().getSymbol().getStartIndex()), ' ');
            found = true;
        }
        for (int i = 0; i < tree.getChildCount(); i++) {
            found |= bareFalseCasts(tree.getChild(i), text);
        }
        return found;
    }

    /**
     * KeY takes escapes in strings as they are written: two characters for {@code \'}. Puts the characters that are meant in
     * their place, where they need no escape; returns whether there were any.
     */
    private static boolean writeOutEscapes(ParseTree tree, StringBuilder text) {
        boolean found = false;
        // From the end on: places before a change stay what they are.
        for (int i = tree.getChildCount() - 1; i >= 0; i--) {
            found |= writeOutEscapes(tree.getChild(i), text);
        }
        if (tree instanceof JmlParser.StringliteralContext literal && literal.getText().indexOf('\\') >= 0) {
            String plain = Literals.plain(literal.getText());
            if (plain != null) {
                text.replace(text.offsetByCodePoints(0, literal.getStart().getStartIndex()),
                        text.offsetByCodePoints(0, literal.getStop().getStopIndex() + 1), plain);
                found = true;
            }
        }
        return found;
    }

    /** Whether there is a string that KeY does not read as Java does. */
    static boolean hasForeignStrings(ParseTree tree) {
        if (tree instanceof JmlParser.StringliteralContext literal) {
            return !literal.getText().equals(Literals.plain(literal.getText()));
        }
        for (int i = 0; i < tree.getChildCount(); i++) {
            if (hasForeignStrings(tree.getChild(i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isFalse(JmlParser.CastexprContext cast) {
        if (cast.typespec() == null || cast.unaryexpr() == null) {
            return false;
        }
        String operand = cast.unaryexpr().getText();
        boolean signed = operand.startsWith("+") || operand.startsWith("-");
        return signed && !PRIMITIVE.contains(cast.typespec().getText());
    }

    private static void refuseFalseCasts(ParseTree tree) throws Refusal {
        if (tree instanceof JmlParser.CastexprContext cast && isFalse(cast)) {
            throw new Refusal("parse_error", "KeY reads " + cast.getText() + " as a cast");
        }
        for (int i = 0; i < tree.getChildCount(); i++) {
            refuseFalseCasts(tree.getChild(i));
        }
    }

    /** Whether an argument of a method call in {@code tree} begins with that name. */
    static boolean passes(ParseTree tree, String name) {
        if (tree instanceof JmlParser.ExpressionlistContext list) {
            for (JmlParser.ExpressionContext argument : list.expression()) {
                if (argument.getText().replace("(", "").startsWith(name)) {
                    return true;
                }
            }
        }
        for (int i = 0; i < tree.getChildCount(); i++) {
            if (passes(tree.getChild(i), name)) {
                return true;
            }
        }
        return false;
    }

    private static final class Errors extends BaseErrorListener {
        private String first;

        @Override
        public void syntaxError(Recognizer<?, ?> recognizer, Object symbol, int line, int column, String message,
                RecognitionException problem) {
            if (first == null) {
                first = line + ":" + (column + 1) + ": " + Refusal.shorten(message);
            }
        }
    }
}
