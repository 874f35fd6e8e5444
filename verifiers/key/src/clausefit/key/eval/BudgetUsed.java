// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

/** Evaluation was given up: what it would take is beyond a limit. */
final class BudgetUsed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BudgetUsed(String what) {
        super(what, null, false, false);
    }
}
