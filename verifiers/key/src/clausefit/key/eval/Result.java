// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

/** What is known of an expression at a pin: a value, that it has none, or a text that is left to be proved. */
sealed interface Result permits Undefined, Residual, Value {}
