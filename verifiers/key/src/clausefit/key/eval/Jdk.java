// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Runs calls of the Java library whose receiver and arguments are known. */
final class Jdk {
    private static final int LONGEST = 100_000;
    private static final Set<Locale> ODD_LOCALES = Set.of(new Locale("tr"), new Locale("lt"), new Locale("az"));

    private final Conversions conversions;
    private final Budget budget;

    Jdk(Conversions conversions, Budget budget) {
        this.conversions = conversions;
        this.budget = budget;
    }

    /** The constant {@code name} of a class; null when it is none that may be read. */
    static Value constant(Class<?> type, String name) {
        try {
            Field field = type.getField(name);
            boolean isConstant = Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers());
            if (!isConstant || !Library.allows(type, name)) {
                return null;
            }
            Object object = field.get(null);
            String source = type.getName() + "." + name;
            return object instanceof BigInteger || object instanceof java.math.BigDecimal
                    ? new Value.Foreign(object, source)
                    : field.getType().isPrimitive() ? Operators.unboxed(new Value.Boxed(object, null))
                            : new Value.Boxed(object, source);
        } catch (NoSuchFieldException | IllegalAccessException unknown) {
            return null;
        }
    }

    /**
     * What a call gives: a value, Undefined when it throws, null when it is not to be run or depends on what is not known.
     * {@code receiver} is null for a static method of {@code type}; {@code source} is the text of the call, null when it has none.
     */
    Result call(Class<?> type, Value receiver, String name, List<Value> arguments, String source) {
        boolean isAmbiguous = arguments.stream().anyMatch(argument -> argument instanceof Value.Null none && none.isUndeclared())
                && !Overloads.isOnly(type, name, arguments.size(), receiver == null);
        boolean comparesArrays = !name.startsWith("deep") && arguments.stream().anyMatch(Jdk::isArrayOfArrays);
        if (!Library.allows(type, name) || isAmbiguous || comparesArrays) {
            return null;
        }
        try {
            Class<?>[] types = new Class<?>[arguments.size()];
            for (int i = 0; i < types.length; i++) {
                types[i] = conversions.type(arguments.get(i));
            }
            Overloads.Chosen chosen = Overloads.choose(type, name, types, receiver == null);
            if (chosen == null) {
                return null;
            }
            Object object = receiver == null ? null : conversions.toJava(receiver, Object.class);
            Object[] converted = converted(chosen, arguments);
            return run(chosen, object, converted, source);
        } catch (Inexpressible | ArithmeticException notPassable) {
            return null;
        }
    }

    /** Their elements are objects of which only the identity counts, and what is passed are copies. */
    private static boolean isArrayOfArrays(Value value) {
        return value instanceof Value.Reference reference && reference.type() != null && reference.type().endsWith("[][]");
    }

    private Object[] converted(Overloads.Chosen chosen, List<Value> arguments) {
        Class<?>[] parameters = chosen.method().getParameterTypes();
        int fixed = chosen.collects() ? parameters.length - 1 : parameters.length;
        Object[] converted = new Object[parameters.length];
        for (int i = 0; i < fixed; i++) {
            converted[i] = conversions.toJava(arguments.get(i), parameters[i]);
        }
        if (chosen.collects()) {
            Class<?> component = parameters[fixed].getComponentType();
            Object rest = Array.newInstance(component, arguments.size() - fixed);
            for (int i = fixed; i < arguments.size(); i++) {
                Array.set(rest, i - fixed, conversions.toJava(arguments.get(i), component));
            }
            converted[fixed] = rest;
        }
        return converted;
    }

    private Result run(Overloads.Chosen chosen, Object receiver, Object[] arguments, String source) {
        String name = chosen.method().getName();
        budget.spend(20);
        if (!isAffordable(name, receiver, arguments)) {
            throw new BudgetUsed("a call of " + name + " with a result that is too large");
        }
        Object result;
        try {
            result = invoke(chosen, receiver, arguments);
        } catch (RuntimeException problem) {
            return thrown(problem, Conversions.kind(chosen.method().getReturnType()), source);
        }
        return stable(conversions.fromJava(result, chosen.method().getReturnType(), source), name, receiver, arguments);
    }

    /** What the method returns; throws what it throws. */
    private static Object invoke(Overloads.Chosen chosen, Object receiver, Object[] arguments) {
        String name = chosen.method().getName();
        if (receiver instanceof String text && Regex.takes(name)) {
            return Regex.call(text, name, arguments);
        }
        if (receiver instanceof String text && name.endsWith("erCase") && arguments.length == 0) {
            return cased(text, name.equals("toUpperCase"));
        }
        if (name.equals("pow")) {
            return power((double) arguments[0], (double) arguments[1]);
        }
        try {
            return chosen.method().invoke(receiver, arguments);
        } catch (InvocationTargetException problem) {
            if (problem.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new BudgetUsed(problem.getCause().getClass().getSimpleName() + " in " + name);
        } catch (IllegalAccessException | IllegalArgumentException notCallable) {
            throw new Opaque.Asked();
        }
    }

    /** Text made of a number with a fraction is only taken where all versions of Java make the same. */
    private static Value stable(Value value, String name, Object receiver, Object[] arguments) {
        if (!(value instanceof Value.Text) || !Set.of("toString", "valueOf").contains(name)) {
            return value;
        }
        Object number = receiver != null ? receiver : arguments.length > 0 ? arguments[0] : null;
        boolean hasFraction = number instanceof Double || number instanceof Float;
        return hasFraction && Decimals.text((Number) number) == null ? null : value;
    }

    private static Result thrown(RuntimeException cause, Kind kind, String source) {
        if (cause instanceof BudgetUsed) {
            throw cause;
        }
        if (cause instanceof Opaque.Asked) {
            return null;
        }
        String place = source == null ? "a call of the Java library" : source;
        return new Undefined(cause.getClass().getSimpleName() + " in " + place, kind);
    }

    private static boolean isAffordable(String name, Object receiver, Object[] arguments) {
        return switch (name) {
            case "repeat" -> (long) ((String) receiver).length() * Math.max(0, (int) arguments[0]) <= LONGEST;
            case "nCopies" -> (int) arguments[0] <= LONGEST;
            case "copyOf" -> arguments.length < 2 || (int) arguments[1] <= LONGEST;
            case "copyOfRange" -> (long) (int) arguments[2] - (int) arguments[1] <= LONGEST;
            case "multiply" -> !(receiver instanceof BigInteger number) || number.bitLength() <= 4096;
            default -> true;
        };
    }

    /** Null where it depends on the locale of the machine. */
    private static String cased(String text, boolean upper) {
        String cased = upper ? text.toUpperCase(Locale.ROOT) : text.toLowerCase(Locale.ROOT);
        for (Locale locale : ODD_LOCALES) {
            if (!cased.equals(upper ? text.toUpperCase(locale) : text.toLowerCase(locale))) {
                throw new Opaque.Asked();
            }
        }
        return cased;
    }

    /** Exact where Java says so: for whole numbers whose power a double holds; else up to the platform. */
    private static Object power(double base, double exponent) {
        boolean whole = base == Math.rint(base) && exponent == Math.rint(exponent);
        if (whole && Math.abs(base) < 1L << 53 && exponent >= 0 && exponent <= 64) {
            BigInteger exact = BigInteger.valueOf((long) base).pow((int) exponent);
            if (exact.abs().bitLength() <= 53) {
                return exact.doubleValue();
            }
        }
        throw new Opaque.Asked();
    }

    /** What string concatenation makes of a value (JLS 5.1.11); null when that is not known. */
    String text(Value value) {
        if (value instanceof Value.Text text) {
            return text.content();
        }
        if (value instanceof Value.Whole whole) {
            return !whole.fits() ? null
                    : whole.kind() == Kind.CHAR ? String.valueOf((char) whole.number().intValue()) : whole.number().toString();
        }
        if (value instanceof Value.Truth truth) {
            return String.valueOf(truth.holds());
        }
        if (value instanceof Value.Null) {
            return "null";
        }
        if (value instanceof Value.Floating floating) {
            return Decimals.text(floating.kind() == Kind.FLOAT ? (Number) (float) floating.number() : floating.number());
        }
        if (value instanceof Value.Boxed boxed) {
            return boxed.content() instanceof Double || boxed.content() instanceof Float
                    ? Decimals.text((Number) boxed.content()) : boxed.content().toString();
        }
        return list(value);
    }

    private String list(Value value) {
        boolean isList = value instanceof Value.Reference reference && conversions.isList(reference);
        if (!isList && !(value instanceof Value.Foreign foreign && foreign.object() instanceof List)) {
            return null;
        }
        Result text = call(List.class, value, "toString", List.of(), "toString()");
        return text instanceof Value.Text known ? known.content() : null;
    }
}
