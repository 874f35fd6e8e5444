// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

/** A value that no text of JML denotes, or no object of Java stands for; what it is part of is left as it was written. */
final class Inexpressible extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Inexpressible(String what) {
        super(what, null, false, false);
    }
}
