// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The methods of the Java library that evaluation may run: none that writes, asks for time, locale, system properties or
 * the order of hashing, or whose result differs between platforms.
 */
final class Library {
    private static final String NUMBER = "byteValue shortValue intValue longValue floatValue doubleValue equals compareTo"
            + " toString valueOf compare ";

    private static final String WHOLE = NUMBER + "hashCode parseInt parseLong parseByte parseShort toBinaryString toHexString"
            + " toOctalString toUnsignedString parseUnsignedInt parseUnsignedLong bitCount signum reverse reverseBytes"
            + " highestOneBit lowestOneBit numberOfLeadingZeros numberOfTrailingZeros rotateLeft rotateRight compareUnsigned"
            + " divideUnsigned remainderUnsigned toUnsignedInt toUnsignedLong max min sum decode MAX_VALUE MIN_VALUE SIZE BYTES";

    private static final String FLOATING = NUMBER + "hashCode isNaN isInfinite isFinite parseDouble parseFloat max min sum"
            + " doubleToLongBits floatToIntBits longBitsToDouble intBitsToFloat MAX_VALUE MIN_VALUE MIN_NORMAL NaN"
            + " POSITIVE_INFINITY NEGATIVE_INFINITY MAX_EXPONENT MIN_EXPONENT SIZE BYTES";

    // Not sin, exp and the like: their last digit is left to the platform.
    private static final String MATH = "abs max min floorDiv floorMod addExact subtractExact multiplyExact negateExact"
            + " incrementExact decrementExact toIntExact absExact signum sqrt ceil floor rint round multiplyHigh multiplyFull fma"
            + " copySign getExponent nextUp nextDown nextAfter ulp scalb pow PI E";

    private static final String CHARACTERS = "length charAt isEmpty subSequence toString compare";

    private static final String STRING = CHARACTERS + " codePointAt codePointBefore codePointCount compareTo compareToIgnoreCase"
            + " concat contains contentEquals endsWith equals equalsIgnoreCase hashCode indexOf isBlank lastIndexOf"
            + " offsetByCodePoints regionMatches repeat replace startsWith strip stripLeading stripTrailing substring toCharArray"
            + " trim valueOf copyValueOf join matches replaceAll replaceFirst split toUpperCase toLowerCase";

    private static final String CHARACTER = "charValue equals compareTo compare hashCode toString valueOf isDigit isLetter"
            + " isLetterOrDigit isAlphabetic isUpperCase isLowerCase isTitleCase isWhitespace isSpaceChar isISOControl"
            + " isJavaIdentifierStart isJavaIdentifierPart isSurrogate isHighSurrogate isLowSurrogate isValidCodePoint"
            + " toUpperCase toLowerCase toTitleCase getNumericValue digit forDigit reverseBytes toChars charCount toCodePoint"
            + " MAX_VALUE MIN_VALUE MIN_RADIX MAX_RADIX SIZE BYTES";

    private static final String COLLECTION = "size isEmpty contains containsAll equals ";

    private static final String BIG = NUMBER + "add subtract multiply negate abs signum max min remainder divide intValueExact"
            + " longValueExact hashCode ZERO ONE TEN TWO ";

    private static final Map<Class<?>, Set<String>> METHODS = new HashMap<>();
    private static final Map<String, Class<?>> CLASSES = new HashMap<>();

    static {
        allow(String.class, STRING);
        allow(CharSequence.class, CHARACTERS);
        allow(Integer.class, WHOLE);
        allow(Long.class, WHOLE);
        allow(Short.class, WHOLE);
        allow(Byte.class, WHOLE);
        allow(Double.class, FLOATING);
        allow(Float.class, FLOATING);
        allow(Boolean.class, "booleanValue equals compareTo compare hashCode toString valueOf parseBoolean logicalAnd logicalOr"
                + " logicalXor TRUE FALSE");
        allow(Character.class, CHARACTER);
        allow(Math.class, MATH);
        allow(StrictMath.class, MATH);
        allow(Objects.class, "equals deepEquals isNull nonNull requireNonNull requireNonNullElse checkIndex toString");
        allow(Arrays.class, "equals deepEquals asList toString deepToString hashCode deepHashCode copyOf copyOfRange compare"
                + " mismatch");
        allow(Collection.class, COLLECTION);
        allow(List.class, COLLECTION + "of copyOf get indexOf lastIndexOf subList hashCode toString");
        allow(Set.class, COLLECTION + "of");
        allow(Map.class, "of size isEmpty containsKey containsValue get getOrDefault equals");
        allow(Optional.class, "of empty ofNullable isPresent isEmpty get orElse orElseThrow equals");
        allow(Collections.class, "emptyList singletonList nCopies max min frequency disjoint unmodifiableList emptySet"
                + " singleton emptyMap singletonMap");
        allow(java.math.BigInteger.class, BIG + "mod gcd testBit bitLength");
        allow(java.math.BigDecimal.class, BIG + "scale precision stripTrailingZeros toPlainString");
    }

    /** Calls that give a value for every argument of their types, so that an unknown one is no reason for doubt. */
    private static final Set<String> TOTAL = Set.of("length", "isEmpty", "isBlank", "equals", "equalsIgnoreCase", "size", "trim",
            "strip", "toString", "abs", "max", "min", "isDigit", "isLetter", "isLetterOrDigit", "isUpperCase", "isLowerCase",
            "isWhitespace", "isNaN", "compare", "signum", "nonNull", "isNull", "valueOf", "hashCode", "toCharArray", "intValue",
            "longValue", "doubleValue", "booleanValue", "charValue", "bitCount", "sqrt", "floor", "ceil", "round");

    private Library() {}

    private static void allow(Class<?> type, String names) {
        METHODS.put(type, new HashSet<>(Arrays.asList(names.split(" "))));
        CLASSES.put(type.getSimpleName(), type);
        CLASSES.put(type.getName(), type);
    }

    /** The class of that simple or qualified name, if it has methods that may be run; else null. */
    static Class<?> named(String name) {
        return CLASSES.get(name);
    }

    static boolean allows(Class<?> type, String member) {
        return METHODS.getOrDefault(type, Set.of()).contains(member);
    }

    static boolean isTotal(String method) {
        return TOTAL.contains(method);
    }

    /** The class whose methods may be run on {@code object}; null when there is none. */
    static Class<?> view(Object object) {
        if (METHODS.containsKey(object.getClass())) {
            return object.getClass();
        }
        for (Class<?> type : List.of(List.class, Set.class, Map.class, Collection.class)) {
            if (type.isInstance(object)) {
                return type;
            }
        }
        return null;
    }

    private static final int MOST_FOUND = 1_000;

    /** What was found before: looking for a class that is not there takes long. */
    private static final Map<String, Optional<Class<?>>> FOUND = new HashMap<>();

    /**
     * The class of that name in the Java library, initializers not run; null for any other name. {@code name} may leave out
     * {@code java.lang}, {@code java.util} or {@code java.io}, which many files do. Not to be called by several threads.
     */
    static Class<?> find(String name) {
        if (FOUND.size() > MOST_FOUND) {
            FOUND.clear();
        }
        return FOUND.computeIfAbsent(name, Library::look).orElse(null);
    }

    private static Optional<Class<?>> look(String name) {
        for (String prefix : name.startsWith("java.") ? List.of("") : List.of("java.lang.", "java.util.", "java.io.")) {
            try {
                // Only the class loader of the JDK: no code of anybody else is looked for.
                return Optional.of(Class.forName(prefix + name, false, ClassLoader.getPlatformClassLoader()));
            } catch (ClassNotFoundException | LinkageError unknown) {
                continue;
            }
        }
        return Optional.empty();
    }
}
