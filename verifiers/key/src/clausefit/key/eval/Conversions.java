// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Values to objects of Java, and back. */
final class Conversions {
    private static final int DEEPEST = 8;

    private final Memory memory;
    private final Budget budget;
    private final Map<Value.Reference, Object> made = new HashMap<>();
    private final Map<Value.Reference, Object> madeOld = new HashMap<>();

    Conversions(Memory memory, Budget budget) {
        this.memory = memory;
        this.budget = budget;
    }

    /**
     * The static type of an argument.
     *
     * @throws Inexpressible when Java has none for it
     */
    Class<?> type(Value value) {
        if (value instanceof Value.Whole whole) {
            if (whole.kind() == Kind.BIGINT || !whole.fits()) {
                throw new Inexpressible("a mathematical integer as an argument");
            }
            return primitive(whole.kind());
        }
        if (value instanceof Value.Floating floating) {
            return primitive(floating.kind());
        }
        if (value instanceof Value.Truth) {
            return boolean.class;
        }
        if (value instanceof Value.Null none) {
            return none.type() == null || none.isUndeclared() ? Void.class : named(none.type());
        }
        if (value instanceof Value.Text) {
            return String.class;
        }
        if (value instanceof Value.Boxed boxed) {
            return boxed.content().getClass();
        }
        if (value instanceof Value.Foreign foreign) {
            Class<?> view = Library.view(foreign.object());
            return view == null ? foreign.object().getClass() : view;
        }
        if (value instanceof Value.Reference reference) {
            // An array in a variable of type Object is no array to the choice of an overload.
            String type = reference.declared() == null ? reference.type() : reference.declared();
            return type == null ? Object.class : named(type);
        }
        return Object.class;
    }

    private static Class<?> named(String type) {
        if (type.endsWith("[]")) {
            return named(type.substring(0, type.length() - 2)).arrayType();
        }
        Kind kind = Kind.of(type);
        if (kind != Kind.REFERENCE) {
            return primitive(kind);
        }
        int arguments = type.indexOf('<');
        Class<?> known = Library.named(arguments < 0 ? type : type.substring(0, arguments));
        return known == null ? List.of("ArrayList", "LinkedList").contains(type.replaceFirst("<.*", "").replaceFirst(".*\\.", ""))
                ? List.class : Object.class : known;
    }

    /** The class of a primitive type of Java; null for any other name. */
    Class<?> primitiveNamed(String type) {
        Kind kind = Kind.of(type);
        return kind == Kind.REFERENCE || kind == Kind.BIGINT ? null : primitive(kind);
    }

    /** The kind of an expression of that type, a wrapper unboxed; null for Object, which stands for a type parameter too. */
    static Kind kind(Class<?> type) {
        return type == Object.class ? null : Kind.of(MethodType.methodType(type).unwrap().returnType().getName());
    }

    private static Class<?> primitive(Kind kind) {
        return switch (kind) {
            case BOOLEAN -> boolean.class;
            case BYTE -> byte.class;
            case SHORT -> short.class;
            case CHAR -> char.class;
            case INT -> int.class;
            case LONG -> long.class;
            case FLOAT -> float.class;
            case DOUBLE -> double.class;
            default -> throw new Inexpressible("no type of Java");
        };
    }

    /**
     * The value as a parameter of type {@code target} gets it.
     *
     * @throws Inexpressible when no object of Java stands for it
     */
    Object toJava(Value value, Class<?> target) {
        Value plain = target.isPrimitive() ? Operators.unboxed(value) : value;
        if (plain instanceof Value.Whole whole) {
            return number(whole, target.isPrimitive() ? target : type(whole));
        }
        if (plain instanceof Value.Floating floating) {
            boolean single = floating.kind() == Kind.FLOAT && target != double.class;
            return single ? (Object) (float) floating.number() : (Object) floating.number();
        }
        if (plain instanceof Value.Truth truth) {
            return truth.holds();
        }
        Object object = object(plain, 0);
        if (object != null && object.getClass().isArray() && !target.isArray()) {
            // Of an array as an object only its identity counts, and this one is a copy.
            throw new Inexpressible("an array as an object");
        }
        return object;
    }

    private static Object number(Value.Whole whole, Class<?> target) {
        BigInteger number = whole.number();
        Class<?> unboxed = MethodType.methodType(target).unwrap().returnType();
        if (unboxed == byte.class) {
            return number.byteValueExact();
        } else if (unboxed == short.class) {
            return number.shortValueExact();
        } else if (unboxed == char.class) {
            return (char) number.intValueExact();
        } else if (unboxed == int.class) {
            return number.intValueExact();
        } else if (unboxed == long.class) {
            return number.longValueExact();
        } else if (unboxed == float.class) {
            return number.floatValue();
        } else if (unboxed == double.class) {
            return number.doubleValue();
        }
        throw new Inexpressible("a number as an object of another class");
    }

    /** A reference as an object of Java; one that has none becomes opaque. */
    private Object object(Value value, int depth) {
        if (value == null) {
            throw new Inexpressible("an element that is not known");
        }
        if (value instanceof Value.Null) {
            return null;
        }
        if (value instanceof Value.Text text) {
            return text.content();
        }
        if (value instanceof Value.Boxed boxed) {
            return boxed.content();
        }
        if (value instanceof Value.Foreign foreign) {
            return foreign.object();
        }
        return value instanceof Value.Reference reference ? reference(reference, depth) : new Opaque(value);
    }

    private Object reference(Value.Reference reference, int depth) {
        boolean isList = isList(reference);
        if (!isList && !reference.isArray()) {
            return new Opaque(reference);
        }
        if (depth > DEEPEST) {
            throw new Inexpressible("lists or arrays too deep within each other");
        }
        Map<Value.Reference, Object> known = memory.isOld() ? madeOld : made;
        Value.Reference key = new Value.Reference(reference.name(), reference.type(), true, null, null);
        Object object = known.get(key);
        if (object == null) {
            List<Value> elements = memory.elements(reference);
            if (elements == null) {
                throw new Inexpressible("a list or array whose elements are not known");
            }
            budget.spend(elements.size());
            object = isList ? list(elements, depth) : array(reference.type(), elements, depth);
            known.put(key, object);
        }
        return object;
    }

    boolean isList(Value.Reference reference) {
        var state = memory.current().object(reference.name());
        return state != null && state.isList();
    }

    private List<Object> list(List<Value> elements, int depth) {
        List<Object> list = new ArrayList<>();
        for (Value element : elements) {
            boolean isArray = element instanceof Value.Reference reference && reference.isArray();
            list.add(isArray ? new Opaque(element) : object(element, depth + 1));
        }
        return Collections.unmodifiableList(list);
    }

    private Object array(String type, List<Value> elements, int depth) {
        Class<?> component = named(type.substring(0, type.length() - 2));
        Object array = Array.newInstance(component, elements.size());
        for (int i = 0; i < elements.size(); i++) {
            Value element = elements.get(i);
            if (element == null) {
                throw new Inexpressible("an array with an element that is not known");
            }
            Object object = component.isPrimitive() ? toJava(element, component) : object(element, depth + 1);
            if (!component.isPrimitive() && object != null && !component.isInstance(object)) {
                throw new Inexpressible("an array with an element of another type");
            }
            Array.set(array, i, object);
        }
        return array;
    }

    /** The value that a call gave; {@code declared} is its return type. Null when nothing can be said of it. */
    Value fromJava(Object object, Class<?> declared, String source) {
        if (object == null) {
            return new Value.Null(declared.getName());
        }
        if (object instanceof Opaque opaque) {
            return opaque.value();
        }
        if (object instanceof String text) {
            return new Value.Text(text, "", false, null);
        }
        if (object instanceof Number || object instanceof Boolean || object instanceof Character) {
            Value.Boxed boxed = new Value.Boxed(object, source);
            if (declared.isPrimitive()) {
                return Operators.unboxed(boxed);
            }
            return object instanceof BigInteger || object instanceof java.math.BigDecimal
                    ? new Value.Foreign(object, source) : boxed;
        }
        return object.getClass().isArray() || Library.view(object) != null ? new Value.Foreign(object, source) : null;
    }
}
