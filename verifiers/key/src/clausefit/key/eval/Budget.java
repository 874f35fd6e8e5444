// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

/** What the evaluation of one clause may still cost. */
final class Budget {
    /** Some hundred milliseconds. */
    private static final int STEPS = 2_000_000;

    /** Of operators within each other; beyond it a clause is not one that somebody wrote. */
    private static final int DEPTH = 2_000;

    private int steps;
    private int depth;

    /** Takes {@code count} steps; throws BudgetUsed when there are not as many left. */
    void spend(int count) {
        steps += count;
        if (steps > STEPS || steps < 0) {
            throw new BudgetUsed("evaluation takes more than " + STEPS + " steps");
        }
    }

    /** Takes what making a text costs. */
    void spendOn(String text) {
        spend(1 + text.length() / 4);
    }

    void enter() {
        spend(1);
        if (++depth > DEPTH) {
            throw new BudgetUsed("more than " + DEPTH + " operators within each other");
        }
    }

    void leave() {
        depth--;
    }
}
