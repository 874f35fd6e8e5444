// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import java.util.HashSet;
import java.util.Set;

/** Reasons met on the way why a proof of what is left may not count; of each sort the first is kept. */
final class Doubts {
    private String undefined;
    private String unprovable;
    private boolean isForWritten;
    private Set<String> nonNull = new HashSet<>();

    /** Notes that something may have no value. */
    void mayBeUndefined(String why) {
        if (undefined == null) {
            undefined = why;
        }
    }

    /** Notes that {@code text}, which is not known, is used as an object. */
    void mayBeNull(String text) {
        if (!nonNull.contains(text)) {
            mayBeUndefined(text + " is not known and may be null");
        }
    }

    /** Notes a question that the test does not settle although KeY would: which of all equal strings one is, for example. */
    void unprovable(String why) {
        if (unprovable == null) {
            unprovable = why;
        }
    }

    /** Notes that only the clause as it is written may be proved: a simpler text would say more than the test shows. */
    void onlyAsWritten() {
        isForWritten = true;
    }

    /** Whether only the clause as it is written may be proved. */
    boolean isOnlyAsWritten() {
        return isForWritten;
    }

    /** Why the clause may be undefined; null when nothing speaks for it. */
    String undefined() {
        return undefined;
    }

    /** Why KeY must not be asked; null when it may. */
    String unprovable() {
        return unprovable;
    }

    /** Remembers what has to hold where evaluation goes on: comparisons with null within {@code guard}. */
    void assume(String guard, boolean holds) {
        Set<String> known = new HashSet<>(nonNull);
        String suffix = holds ? " != null" : " == null";
        for (String part : guard.split(holds ? " && " : " \\|\\| ")) {
            if (part.endsWith(suffix)) {
                known.add(part.substring(0, part.length() - suffix.length()));
            }
        }
        nonNull = known;
    }

    /** What is assumed now, to be given to {@code restore}. */
    Set<String> assumptions() {
        return nonNull;
    }

    void restore(Set<String> assumptions) {
        nonNull = assumptions;
    }

    /** A copy, to go back to what it was. */
    Doubts copy() {
        Doubts copy = new Doubts();
        copy.undefined = undefined;
        copy.unprovable = unprovable;
        copy.isForWritten = isForWritten;
        copy.nonNull = nonNull;
        return copy;
    }

    void become(Doubts other) {
        undefined = other.undefined;
        unprovable = other.unprovable;
        isForWritten = other.isForWritten;
        nonNull = other.nonNull;
    }
}
