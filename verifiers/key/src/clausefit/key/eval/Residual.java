// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

/**
 * An expression that was not evaluated to its end: JML that means the same at this pin. {@code isAtom} tells a text that
 * needs no parentheses around it; {@code kind} is that of its type, null where it is not known.
 */
record Residual(String text, boolean isAtom, Kind kind) implements Result {
    static Residual atom(String text, Kind kind) {
        return new Residual(text, true, kind);
    }

    static Residual composed(String text, Kind kind) {
        return new Residual(text, false, kind);
    }
}
