package clausefit.record;

import java.util.Map;
import java.util.Set;

/**
 * The methods of Java's library that give nobody an object of the project, an array or a list that was there before,
 * unless it is in what they are given.
 */
final class Harmless {
    private static final Set<String> WHOLE = Set.of(
            "java.lang.Math", "java.lang.StrictMath", "java.lang.String", "java.lang.StringBuilder",
            "java.lang.StringBuffer", "java.lang.CharSequence", "java.lang.Number", "java.lang.Comparable",
            "java.lang.Boolean", "java.lang.Byte", "java.lang.Character", "java.lang.Short", "java.lang.Integer",
            "java.lang.Long", "java.lang.Float", "java.lang.Double", "java.lang.Record", "java.lang.Iterable",
            "java.math.BigInteger", "java.math.BigDecimal", "java.util.Objects", "java.util.Arrays",
            "java.util.ArrayList", "java.util.LinkedList", "java.util.Collection", "java.util.AbstractList",
            "java.util.Iterator", "java.util.ListIterator", "java.util.ArrayDeque", "java.util.Deque", "java.util.Queue",
            "java.util.HashMap", "java.util.LinkedHashMap", "java.util.TreeMap", "java.util.Map$Entry",
            "java.util.HashSet", "java.util.LinkedHashSet", "java.util.TreeSet", "java.util.Comparator");
    // Of these the methods without an object may give one that all share.
    private static final Set<String> OF_OBJECTS = Set.of("java.util.List", "java.util.Set", "java.util.Map");
    private static final Map<String, Set<String>> SOME = Map.of(
            "java.lang.Object", Set.of("<init>", "getClass", "hashCode", "equals", "toString"),
            "java.lang.Enum", Set.of("<init>", "ordinal", "name", "compareTo", "equals", "hashCode", "toString"),
            "java.lang.System", Set.of("arraycopy", "nanoTime", "currentTimeMillis", "identityHashCode"),
            "java.lang.Thread", Set.of("sleep", "onSpinWait"),
            "java.lang.Class", Set.of("desiredAssertionStatus", "getName", "getSimpleName", "isInstance", "hashCode"),
            "java.util.Collections", Set.of("sort", "reverse", "swap", "max", "min", "addAll", "unmodifiableList"));
    private static final Set<String> SHARED = Set.of("copyOf", "of", "ofEntries");

    private Harmless() {}

    /** Whether a method of the library is such; what it calls back is not looked at. */
    static boolean is(Pool.Member member, boolean isStatic) {
        if (WHOLE.contains(member.owner()) || SOME.getOrDefault(member.owner(), Set.of()).contains(member.name())) {
            return true;
        }
        if (OF_OBJECTS.contains(member.owner())) {
            return !isStatic || !SHARED.contains(member.name())
                    || (member.name().equals("of") && !member.descriptor().startsWith("()"));
        }
        boolean isThrowable = member.owner().endsWith("Exception") || member.owner().endsWith("Error")
                || member.owner().equals("java.lang.Throwable");
        return isThrowable && member.owner().startsWith("java.")
                && (member.name().equals("<init>") || member.name().equals("getMessage"));
    }
}
