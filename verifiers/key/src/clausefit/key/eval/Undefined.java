// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

/** An expression without a value, such as a division by zero. {@code kind} is that of its type, null if not known. */
record Undefined(String why, Kind kind) implements Result {
    Undefined(String why) {
        this(why, null);
    }
}
