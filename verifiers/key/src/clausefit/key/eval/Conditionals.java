// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import de.uka.ilkd.key.speclang.njml.JmlParser;
import org.antlr.v4.runtime.tree.ParseTree;

/** Types of conditional expressions: the branch that is not taken decides on the type of the one that is (JLS 15.25). */
final class Conditionals {
    private Conditionals() {}

    /** The kind of a result's type; null where it is not known. */
    static Kind kind(Result result) {
        if (result instanceof Residual residual) {
            return residual.kind();
        }
        if (result instanceof Undefined undefined) {
            return undefined.kind();
        }
        Value plain = Operators.unboxed((Value) result);
        if (plain instanceof Value.Whole whole) {
            return whole.kind();
        }
        if (plain instanceof Value.Floating floating) {
            return floating.kind();
        }
        return plain instanceof Value.Truth ? Kind.BOOLEAN : Kind.REFERENCE;
    }

    /** The kind that an operator on two numbers gives; null where it is not known. */
    static Kind promoted(Result left, Result right) {
        Kind a = kind(left);
        Kind b = kind(right);
        return a != null && b != null && a.isNumeric() && b.isNumeric() ? Kind.promoted(a, b) : null;
    }

    /**
     * The value of the chosen branch as the whole expression has it, or text where the type of the other is needed and
     * not known.
     */
    static Result convert(Value value, ParseTree chosen, Kind otherKind, ParseTree other) {
        Value plain = Operators.unboxed(value);
        Kind kind = kind(plain);
        if (!kind.isNumeric() || kind == Kind.DOUBLE && otherKind == null) {
            return value;
        }
        if (otherKind == null) {
            return Residual.atom(Texts.of(value), null);
        }
        if (!otherKind.isNumeric()) {
            return value;
        }
        Kind target = target(kind, chosen, otherKind, other);
        if (target == kind) {
            return plain;
        }
        return plain instanceof Value.Whole whole && target.isWhole()
                ? new Value.Whole(target, whole.number()) : Arithmetic.cast(target, plain, MathMode.JAVA);
    }

    private static Kind target(Kind kind, ParseTree tree, Kind otherKind, ParseTree other) {
        if (kind == otherKind) {
            return kind;
        }
        if (takesLiteral(kind, other, otherKind)) {
            return kind;
        }
        return takesLiteral(otherKind, tree, kind) ? otherKind : Kind.promoted(kind, otherKind);
    }

    /** {@code c ? 'a' : 98} is a char: an int constant that fits becomes one. */
    private static boolean takesLiteral(Kind narrow, ParseTree tree, Kind kind) {
        if (kind != Kind.INT || !narrow.isWhole() || narrow.promoted() != Kind.INT) {
            return false;
        }
        ParseTree inner = Trees.bare(tree);
        Value.Whole literal = inner instanceof JmlParser.IntegerliteralContext || inner instanceof JmlParser.UnaryexprContext
                && inner.getText().matches("-\\d+") ? Literals.whole(inner.getText()) : null;
        return literal != null && narrow.holds(literal.number());
    }
}
