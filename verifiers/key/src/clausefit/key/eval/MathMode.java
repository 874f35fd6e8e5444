// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

/** The arithmetic of a clause: wraps around, is that of mathematical integers, or has no value when it overflows. */
enum MathMode { JAVA, BIGINT, SAFE }
