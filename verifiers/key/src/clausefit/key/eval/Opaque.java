// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

/**
 * Stands in a Java list or array for what has no object of Java here: an object of the project, an enum constant, an array as
 * an object. Whatever depends on more than its place there cannot be evaluated.
 */
final class Opaque implements Comparable<Object> {
    /** A call of the Java library asked something of an object that is not there. */
    static final class Asked extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Asked() {
            super("an object of the project is asked", null, false, false);
        }
    }

    private final Value value;

    Opaque(Value value) {
        this.value = value;
    }

    Value value() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        if (value instanceof Value.Reference a && other instanceof Opaque opaque && opaque.value instanceof Value.Reference b
                && a.name().equals(b.name())) {
            // Every equals is reflexive (its contract says so).
            return true;
        }
        if (value instanceof Value.Constant a && other instanceof Opaque opaque && opaque.value instanceof Value.Constant b) {
            return a.type().equals(b.type()) && a.name().equals(b.name());
        }
        if (other == null) {
            return false;
        }
        throw new Asked();
    }

    @Override
    public int hashCode() {
        throw new Asked();
    }

    @Override
    public String toString() {
        throw new Asked();
    }

    @Override
    public int compareTo(Object other) {
        throw new Asked();
    }
}
