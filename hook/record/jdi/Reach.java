package clausefit.record;

import com.sun.jdi.ClassType;
import com.sun.jdi.Field;
import com.sun.jdi.InterfaceType;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VirtualMachine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Whether the code that a call may have run can get hold of objects other than those it was given and those it makes.
 *
 * <p>It reads the code of the method and of all that it may call in the project; calls that are bound late may go to
 * any method of that name in a loaded class. Static fields with objects, code made while the program runs, native code
 * and libraries may lead anywhere; of Java's own library some does not ({@link Harmless}).
 */
final class Reach {
    private static final int MOST_METHODS = 400;
    private static final Set<String> ALWAYS_CALLED_BACK = Set.of("toString", "hashCode", "equals", "compareTo");
    // What the library calls of objects that implement its interfaces.
    private static final Set<String> CALLED_BACK = Set.of(
            "compare", "iterator", "listIterator", "hasNext", "next", "hasPrevious", "previous", "size", "isEmpty",
            "contains", "get", "set", "add", "addAll", "remove", "toArray", "length", "charAt", "subSequence", "apply",
            "accept", "test", "run", "call", "forEach", "entrySet", "keySet", "values", "getKey", "getValue", "formatTo",
            "applyAsInt", "applyAsLong", "applyAsDouble", "getAsInt", "forEachRemaining", "containsKey", "put", "clone",
            "setValue", "reversed", "comparator", "spliterator", "removeIf", "replaceAll", "computeIfAbsent");
    private static final Set<String> NO_FIELDS = Set.of("java.lang.Object", "java.lang.Enum", "java.lang.Record");

    // Arrays of the constants of an enum, of which programs get copies only.
    private static final Set<String> MADE_BY_COMPILERS = Set.of("$VALUES", "ENUM$VALUES");

    private record Answer(int loaded, boolean isClosed) {}

    /** What the code of a method names. */
    private record Named(List<Pool.Member> read, List<Pool.Member> called, List<Pool.Member> calledExactly,
            Set<String> initialised, boolean isUnknown) {}

    private final VirtualMachine vm;
    private final Loaded loaded;
    private final Map<ReferenceType, Pool> pools = new HashMap<>();
    private final Map<Method, Named> names = new HashMap<>();
    private final Map<Method, Map<Set<Watch.StaticField>, Answer>> answers = new HashMap<>();

    Reach(VirtualMachine vm, Loaded loaded) {
        this.vm = vm;
        this.loaded = loaded;
    }

    /** Asked at the end of a call; <code>known</code> are static fields whose objects were all seen before it. */
    boolean isClosed(Method method, Set<Watch.StaticField> known) {
        Map<Set<Watch.StaticField>, Answer> ofMethod = answers.computeIfAbsent(method, one -> new HashMap<>());
        Answer answer = ofMethod.get(known);
        if (answer == null || answer.loaded() != loaded.count()) {
            answer = new Answer(loaded.count(), vm.canGetBytecodes() && vm.canGetConstantPool() && look(method, known));
            ofMethod.put(known, answer);
        }
        return answer.isClosed();
    }

    private boolean look(Method start, Set<Watch.StaticField> known) {
        Deque<Method> waiting = new ArrayDeque<>(List.of(start));
        Set<Method> seen = new HashSet<>(waiting);
        boolean callsLibrary = false;
        // Its own class was initialised before.
        Set<String> initialised = new HashSet<>();
        for (ReferenceType one = start.declaringType(); one != null; one = superclass(one)) {
            initialised.add(one.name());
        }
        while (!waiting.isEmpty()) {
            Method method = waiting.pop();
            if (method.isAbstract()) {
                continue;
            }
            Named named = names.computeIfAbsent(method, this::read);
            if (named.isUnknown() || seen.size() > MOST_METHODS
                    || named.read().stream().anyMatch(one -> !isKnown(one, known))) {
                return false;
            }
            named.initialised().stream().filter(initialised::add).forEach(one -> initialisers(one, waiting, seen));
            for (Pool.Member one : named.calledExactly()) {
                if (!follow(one, true, waiting, seen)) {
                    return false;
                }
            }
            for (Pool.Member one : named.called()) {
                addAll(loaded.methods(one.name(), one.descriptor()), waiting, seen);
                if (!follow(one, false, waiting, seen)) {
                    return false;
                }
            }
            if (!callsLibrary && callsLibrary(named)) {
                callsLibrary = true;
                loaded.methods().forEach(some -> some.stream().filter(Reach::isCalledBack)
                        .forEach(one -> addAll(List.of(one), waiting, seen)));
            }
        }
        return true;
    }

    private boolean callsLibrary(Named named) {
        return Stream.concat(named.called().stream(), named.calledExactly().stream())
                .anyMatch(one -> loaded.named(one.owner()).isEmpty() && !isPlainConstructor(one));
    }

    private static boolean isPlainConstructor(Pool.Member call) {
        return call.name().equals("<init>") && (NO_FIELDS.contains(call.owner())
                || call.owner().endsWith("Exception") || call.owner().endsWith("Error"));
    }

    private static boolean isCalledBack(Method method) {
        if (method.isStatic() || ALWAYS_CALLED_BACK.contains(method.name())) {
            return !method.isStatic();
        }
        return CALLED_BACK.contains(method.name()) && isOfLibrary(method.declaringType());
    }

    /** Whether objects of a class can be used as ones of the library. */
    private static boolean isOfLibrary(ReferenceType type) {
        if (type instanceof InterfaceType own) {
            return own.superinterfaces().stream().anyMatch(Reach::isOfLibrary) || own.name().startsWith("java.");
        }
        ClassType one = (ClassType) type;
        return one.allInterfaces().stream().anyMatch(Reach::isOfLibrary)
                || (one.superclass() != null && !NO_FIELDS.contains(one.superclass().name()));
    }

    /** Adds what a call may go to; false where that is not known. */
    private boolean follow(Pool.Member call, boolean isExact, Deque<Method> waiting, Set<Method> seen) {
        if (call.owner().startsWith("[")) {
            return true;
        }
        List<ReferenceType> owners = loaded.named(call.owner());
        if (owners.isEmpty()) {
            // What is not loaded did not run.
            return Harmless.is(call, isExact) || vm.classesByName(call.owner()).isEmpty();
        }
        for (ReferenceType owner : owners) {
            List<Method> found = owner.methodsByName(call.name(), call.descriptor());
            for (Method one : found) {
                String declaring = one.declaringType().name();
                if (!loaded.named(declaring).isEmpty()) {
                    addAll(List.of(one), waiting, seen);
                } else if (!Harmless.is(new Pool.Member(declaring, call.name(), call.descriptor()), isExact)) {
                    return false;
                }
            }
            if (found.isEmpty() && !(owner instanceof InterfaceType)) {
                return false;
            }
        }
        return true;
    }

    /** Adds what runs when a class is initialised (JLS 12.4.1). */
    private void initialisers(String className, Deque<Method> waiting, Set<Method> seen) {
        for (ReferenceType type : loaded.named(className)) {
            List<ReferenceType> all = new ArrayList<>();
            for (ReferenceType one = type; one != null; one = superclass(one)) {
                all.add(one);
            }
            if (type instanceof ClassType one) {
                all.addAll(one.allInterfaces());
            }
            for (ReferenceType one : all) {
                if (!loaded.named(one.name()).isEmpty()) {
                    addAll(one.methods().stream().filter(Method::isStaticInitializer).toList(), waiting, seen);
                }
            }
        }
    }

    private static ReferenceType superclass(ReferenceType type) {
        return type instanceof ClassType one ? one.superclass() : null;
    }

    private static void addAll(Collection<Method> methods, Deque<Method> waiting, Set<Method> seen) {
        methods.stream().filter(seen::add).forEach(waiting::push);
    }

    /** Whether a static field leads to nothing that was not seen. */
    private boolean isKnown(Pool.Member field, Set<Watch.StaticField> known) {
        String type = field.descriptor();
        if (MADE_BY_COMPILERS.contains(field.name()) && type.startsWith("[")) {
            type = type.substring(1);
        }
        if (type.length() == 1 || field.name().startsWith("$SwitchMap$") || known.contains(new Watch.StaticField(field.owner(), field.name()))) {
            return true;
        }
        String name = type.startsWith("L") ? type.substring(1, type.length() - 1).replace('/', '.') : "";
        return name.equals("java.lang.String") || Leaves.isWrapper(name)
                || (!loaded.named(name).isEmpty() && loaded.named(name).stream().allMatch(Reach::isPlainEnum));
    }

    /** Whether the constants of an enum lead to no other objects; those with bodies of their own have classes of their own. */
    private static boolean isPlainEnum(ReferenceType type) {
        return type instanceof ClassType one && one.superclass() != null
                && one.superclass().name().equals("java.lang.Enum")
                && one.subclasses().isEmpty()
                && one.fields().stream().allMatch(field -> field.isStatic() || isPlain(field));
    }

    /** Whether a field can hold a number or string only. */
    static boolean isPlain(Field field) {
        String name = field.typeName();
        return field.signature().length() == 1 || name.equals("java.lang.String") || Leaves.isWrapper(name);
    }

    private Named read(Method method) {
        if (method.isNative()) {
            return unknown();
        }
        Pool pool = pools.computeIfAbsent(method.declaringType(), Pool::new);
        byte[] bytes = method.bytecodes();
        Code code = new Code(bytes);
        Named named = new Named(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(),
                new HashSet<>(), false);
        for (int at = 0; at < bytes.length; at = code.next(at)) {
            int opcode = bytes[at] & 0xff;
            int index = opcode == 0x12 ? bytes[at + 1] & 0xff
                    : at + 2 < bytes.length ? (bytes[at + 1] & 0xff) << 8 | (bytes[at + 2] & 0xff) : 0;
            switch (opcode) {
                case 0x12, 0x13, 0x14 -> {
                    if (pool.isDynamic(index)) {
                        return unknown();
                    }
                }
                case 0xb2 -> {
                    named.read().add(pool.member(index));
                    named.initialised().add(pool.member(index).owner());
                }
                case 0xb3 -> named.initialised().add(pool.member(index).owner());
                case 0xbb -> named.initialised().add(pool.className(index));
                case 0xb6, 0xb9 -> named.called().add(pool.member(index));
                case 0xb7 -> named.calledExactly().add(pool.member(index));
                case 0xb8 -> {
                    named.calledExactly().add(pool.member(index));
                    named.initialised().add(pool.member(index).owner());
                }
                case 0xba -> {
                    // Strings are joined and records compared like this; what makes a lambda gives an object.
                    String result = pool.member(index).descriptor().split("\\)", 2)[1];
                    if (result.length() != 1 && !result.equals("Ljava/lang/String;")) {
                        return unknown();
                    }
                    named.called().add(new Pool.Member("java.lang.Object", "toString", "()Ljava/lang/String;"));
                }
                default -> { }
            }
        }
        return named;
    }

    private static Named unknown() {
        return new Named(List.of(), List.of(), List.of(), Set.of(), true);
    }
}
