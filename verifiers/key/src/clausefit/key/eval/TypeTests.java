// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import java.util.Set;

/** Types of values at run time: instanceof, casts, {@code \typeof}. Null stands for what is not certain. */
final class TypeTests {
    private static final Set<String> OF_ARRAYS = Set.of("java.lang.Object", "java.lang.Cloneable", "java.io.Serializable");

    private final Memory memory;

    TypeTests(Memory memory) {
        this.memory = memory;
    }

    /** The class of an object; null for null and where only a supertype is known. */
    String exactType(Value value) {
        if (value instanceof Value.Text) {
            return "java.lang.String";
        }
        if (value instanceof Value.Boxed boxed) {
            return boxed.content().getClass().getName();
        }
        // A list's class is not known: it is pinned by its elements.
        return value instanceof Value.Reference reference && reference.isExact() && isClass(reference) ? reference.type() : null;
    }

    private boolean isClass(Value.Reference reference) {
        var state = memory.current().object(reference.name());
        return reference.type() != null && (state == null || !state.isList());
    }

    /** Equality of two types; null for other operands. */
    Result equality(String operator, Value left, Value right) {
        boolean equals = operator.equals("==");
        if (!(left instanceof Value.Type a && right instanceof Value.Type b) || (!equals && !operator.equals("!="))) {
            return null;
        }
        boolean same = Memory.isSame(a.name(), b.name());
        if (!same && simple(a.name()).equals(simple(b.name()))) {
            return null;
        }
        return new Value.Truth(same == equals);
    }

    private static String simple(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }

    /** {@code value instanceof type}. */
    Boolean isInstance(Value value, String type) {
        if (value instanceof Value.Null) {
            return false;
        }
        if (value instanceof Value.Reference reference) {
            return isInstance(reference, type);
        }
        if (value instanceof Value.Constant constant) {
            return Memory.isSame(constant.type(), type) || isObject(type) || type.equals("Enum") || type.equals("java.lang.Enum")
                    ? true : null;
        }
        if (value instanceof Value.Foreign foreign) {
            Class<?> target = Library.find(type);
            return target == null ? null : (Boolean) target.isInstance(foreign.object());
        }
        String own = exactType(value);
        Class<?> target = own == null ? null : Library.find(type);
        return target == null ? null : (Boolean) target.isAssignableFrom(Library.find(own));
    }

    private static boolean isObject(String type) {
        return type.equals("Object") || type.equals("java.lang.Object");
    }

    private Boolean isInstance(Value.Reference reference, String type) {
        String own = reference.type();
        if (isObject(type)) {
            return true;
        }
        if (own == null) {
            return null;
        }
        if (reference.name().equals(Memory.EXCEPTION) && Memory.isSame("java.lang.Throwable", type)) {
            return true;
        }
        if (reference.isArray()) {
            return isArrayInstance(own, type);
        }
        if (isClass(reference) && Memory.isSame(own, type)) {
            return true;
        }
        Class<?> from = Library.find(own);
        Class<?> to = Library.find(type);
        // Only a qualified name of the JDK is certain to be that class.
        if (from == null || to == null || !own.startsWith("java.")) {
            return null;
        }
        if (to.isAssignableFrom(from)) {
            return true;
        }
        return reference.isExact() && isClass(reference) ? false : null;
    }

    private static Boolean isArrayInstance(String own, String type) {
        if (own.equals(type) || OF_ARRAYS.contains(type) || type.equals("Cloneable") || type.equals("Serializable")) {
            return true;
        }
        String element = own.substring(0, own.length() - 2);
        if (!type.endsWith("[]")) {
            return Library.find(type) == null ? null : Boolean.FALSE;
        }
        String target = type.substring(0, type.length() - 2);
        if (Kind.of(element) != Kind.REFERENCE || Kind.of(target) != Kind.REFERENCE) {
            return false;
        }
        return Memory.isSame(element, target) || (isObject(target)) ? true : null;
    }

    /** The value after a cast, Undefined when the cast fails (JLS 5.5). */
    Result cast(String type, Value value, MathMode math) {
        Kind kind = Kind.of(type);
        if (kind == Kind.REFERENCE) {
            return referenceCast(type, value);
        }
        if (value instanceof Value.Null) {
            return new Undefined("a cast of null to " + type, kind);
        }
        Value plain = Operators.unboxed(value);
        if (plain instanceof Value.Truth) {
            return kind == Kind.BOOLEAN ? plain : null;
        }
        boolean isNumber = plain instanceof Value.Whole || plain instanceof Value.Floating;
        return isNumber && kind.isNumeric() ? Arithmetic.cast(kind, plain, math) : null;
    }

    private Result referenceCast(String type, Value value) {
        if (value instanceof Value.Null) {
            return new Value.Null(type);
        }
        if (!Operators.isReference(value)) {
            return null;
        }
        Boolean fits = isInstance(value, type);
        if (fits == null) {
            return null;
        }
        if (!fits) {
            return new Undefined("ClassCastException in a cast to " + type);
        }
        if (value instanceof Value.Reference reference) {
            return new Value.Reference(reference.name(), reference.type(), reference.isExact(), type,
                    "((" + type + ") " + memory.path(reference) + ")");
        }
        return value;
    }
}
