package clausefit.record;

import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The classes of the project that a JVM has loaded so far: no code of any other one has run. */
final class Loaded {
    private final Map<String, List<ReferenceType>> byName = new HashMap<>();
    private final Map<String, List<Method>> methods = new HashMap<>();
    private boolean hasFinalizer;
    private int count;

    void add(ReferenceType type) {
        count++;
        byName.computeIfAbsent(type.name(), name -> new ArrayList<>()).add(type);
        for (Method method : type.methods()) {
            methods.computeIfAbsent(method.name() + method.signature(), name -> new ArrayList<>()).add(method);
            hasFinalizer |= method.name().equals("finalize") && method.signature().equals("()V") && !method.isStatic();
        }
    }

    /** How many there are, so that what depends on them can be kept until there are more. */
    int count() {
        return count;
    }

    /** Those of a binary name, one for each class loader. */
    List<ReferenceType> named(String name) {
        return byName.getOrDefault(name, List.of());
    }

    /** Their methods of a name and signature, whatever class they are in. */
    List<Method> methods(String name, String signature) {
        return methods.getOrDefault(name + signature, List.of());
    }

    /** All their methods. */
    Iterable<List<Method>> methods() {
        return methods.values();
    }

    /** Whether the thread that finalizes objects may run code of the project. */
    boolean hasFinalizer() {
        return hasFinalizer;
    }
}
