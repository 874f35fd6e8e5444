// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

/**
 * What evaluation makes of a clause at a pin.
 *
 * @param verdict what was found
 * @param text the clause, as far as it was simplified; JML that means the same at this pin
 * @param isWellDefined whether nothing in it that could be evaluated is, or may be, without a value (calls of the project's
 *     methods aside); where it is not, no proof of the clause says that it holds
 * @param isProvable whether KeY may be asked: false where the pins say more than the test shows (the identity of strings)
 * @param isOnlyAsWritten whether KeY may only be asked for the clause as it is written, not for {@code text}: strings are
 *     literals there, of which equal ones are one object
 * @param why the reason for {@code UNDEFINED}, for a clause that may be undefined, or for what was left; else empty
 */
public record Evaluation(Verdict verdict, String text, boolean isWellDefined, boolean isProvable, boolean isOnlyAsWritten,
        String why) {
    /** TRUE and FALSE are certain; RESIDUAL is left to be proved; UNDEFINED has no value. */
    public enum Verdict { TRUE, FALSE, RESIDUAL, UNDEFINED }

    static Evaluation of(boolean holds) {
        return new Evaluation(holds ? Verdict.TRUE : Verdict.FALSE, String.valueOf(holds), true, true, false, "");
    }
}
