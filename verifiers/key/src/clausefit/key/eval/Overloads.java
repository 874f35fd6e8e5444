// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Choice of a method by the types of its arguments (JLS 15.12.2). The type of a null without a declared one is Void. */
final class Overloads {
    /** A method, and whether its last arguments are to be collected into an array. */
    record Chosen(Method method, boolean collects) {}

    private static final List<Class<?>> WIDENING =
            List.of(byte.class, short.class, int.class, long.class, float.class, double.class);

    private Overloads() {}

    /** The most specific applicable method; null when there is none or no single one. */
    static Chosen choose(Class<?> type, String name, Class<?>[] arguments, boolean isStatic) {
        List<Method> named = named(type, name, isStatic);
        for (int phase = 1; phase <= 3; phase++) {
            List<Method> applicable = new ArrayList<>();
            for (Method method : named) {
                if (phase < 3 ? applies(method, arguments, phase == 1) : collects(method, arguments)) {
                    applicable.add(method);
                }
            }
            if (!applicable.isEmpty()) {
                Method best = mostSpecific(applicable);
                return best == null ? null : new Chosen(best, phase == 3);
            }
        }
        return null;
    }

    /** Methods by name; reflection copies all of them each time it is asked. */
    private static final ClassValue<Map<String, List<Method>>> METHODS = new ClassValue<>() {
        @Override
        protected Map<String, List<Method>> computeValue(Class<?> type) {
            Map<String, List<Method>> methods = new HashMap<>();
            for (Method method : type.getMethods()) {
                if (!method.isBridge()) {
                    methods.computeIfAbsent(method.getName(), any -> new ArrayList<>()).add(method);
                }
            }
            return methods;
        }
    };

    /** The methods of that name, static ones or the others. */
    static List<Method> named(Class<?> type, String name, boolean isStatic) {
        List<Method> named = new ArrayList<>();
        for (Method method : METHODS.get(type).getOrDefault(name, List.of())) {
            if (Modifier.isStatic(method.getModifiers()) == isStatic) {
                named.add(method);
            }
        }
        // Interfaces have the methods of Object too (JLS 9.2).
        return named.isEmpty() && type.isInterface() && !isStatic ? named(Object.class, name, false) : named;
    }

    /** Whether there is only one method of that name that takes {@code count} arguments. */
    static boolean isOnly(Class<?> type, String name, int count, boolean isStatic) {
        return named(type, name, isStatic).stream()
                .filter(method -> method.getParameterCount() == count || method.isVarArgs()).count() == 1;
    }

    private static boolean applies(Method method, Class<?>[] arguments, boolean strict) {
        Class<?>[] parameters = method.getParameterTypes();
        if (parameters.length != arguments.length) {
            return false;
        }
        for (int i = 0; i < parameters.length; i++) {
            if (strict ? !isSubtype(arguments[i], parameters[i]) : !converts(arguments[i], parameters[i])) {
                return false;
            }
        }
        return true;
    }

    private static boolean collects(Method method, Class<?>[] arguments) {
        Class<?>[] parameters = method.getParameterTypes();
        int fixed = parameters.length - 1;
        if (!method.isVarArgs() || arguments.length < fixed) {
            return false;
        }
        for (int i = 0; i < arguments.length; i++) {
            if (!converts(arguments[i], i < fixed ? parameters[i] : parameters[fixed].getComponentType())) {
                return false;
            }
        }
        return true;
    }

    private static Method mostSpecific(List<Method> methods) {
        Method best = null;
        for (Method method : methods) {
            boolean isBest = true;
            for (Method other : methods) {
                isBest &= other == method || isMoreSpecific(method.getParameterTypes(), other.getParameterTypes());
            }
            if (isBest) {
                if (best != null) {
                    return null;
                }
                best = method;
            }
        }
        return best;
    }

    private static boolean isMoreSpecific(Class<?>[] parameters, Class<?>[] others) {
        if (parameters.length != others.length) {
            return false;
        }
        for (int i = 0; i < parameters.length; i++) {
            if (!isSubtype(parameters[i], others[i])) {
                return false;
            }
        }
        return true;
    }

    /** Conversion without boxing (JLS 4.10, 5.1.2). */
    static boolean isSubtype(Class<?> type, Class<?> other) {
        if (type == other) {
            return true;
        }
        if (type == Void.class) {
            return !other.isPrimitive();
        }
        if (!type.isPrimitive() || !other.isPrimitive()) {
            return type.isPrimitive() == other.isPrimitive() && other.isAssignableFrom(type);
        }
        int from = type == char.class ? WIDENING.indexOf(short.class) : WIDENING.indexOf(type);
        int to = WIDENING.indexOf(other);
        return from >= 0 && to > from;
    }

    private static boolean converts(Class<?> type, Class<?> parameter) {
        if (isSubtype(type, parameter)) {
            return true;
        }
        if (type == Void.class) {
            return false;
        }
        if (type.isPrimitive()) {
            return parameter.isAssignableFrom(MethodType.methodType(type).wrap().returnType());
        }
        Class<?> unboxed = MethodType.methodType(type).unwrap().returnType();
        return unboxed.isPrimitive() && isSubtype(unboxed, parameter);
    }
}
