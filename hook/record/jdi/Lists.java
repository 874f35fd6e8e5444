package clausefit.record;

import com.sun.jdi.ArrayReference;
import com.sun.jdi.Field;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.Value;
import java.util.ArrayList;
import java.util.List;

/** Reads the elements of the JDK's own lists through their fields; no code of the program is run for it. */
final class Lists {
    private static final int MOST_WRAPPERS = 4;
    private final int most;

    Lists(int most) {
        this.most = most;
    }

    static boolean isList(String className) {
        return switch (className) {
            case "java.util.ArrayList", "java.util.LinkedList", "java.util.Vector", "java.util.Stack",
                    "java.util.Arrays$ArrayList", "java.util.ImmutableCollections$List12",
                    "java.util.ImmutableCollections$ListN", "java.util.Collections$EmptyList",
                    "java.util.Collections$SingletonList", "java.util.Collections$UnmodifiableList",
                    "java.util.Collections$UnmodifiableRandomAccessList" -> true;
            default -> false;
        };
    }

    /** The elements; null when there are too many of them, or the fields are not those of a JDK that is known. */
    List<Value> elements(ObjectReference list) {
        return elements(list, MOST_WRAPPERS);
    }

    private List<Value> elements(ObjectReference list, int wrappers) {
        return switch (list.referenceType().name()) {
            case "java.util.ArrayList" -> first(list, "elementData", "size");
            case "java.util.Vector", "java.util.Stack" -> first(list, "elementData", "elementCount");
            case "java.util.Arrays$ArrayList" -> all(field(list, "a"));
            case "java.util.ImmutableCollections$ListN" -> all(field(list, "elements"));
            case "java.util.ImmutableCollections$List12" -> oneOrTwo(list);
            case "java.util.Collections$EmptyList" -> List.of();
            case "java.util.Collections$SingletonList" -> single(list);
            case "java.util.LinkedList" -> linked(list);
            default -> wrappers > 0 && field(list, "list") instanceof ObjectReference inner
                            && isList(inner.referenceType().name())
                    ? elements(inner, wrappers - 1)
                    : null;
        };
    }

    private List<Value> first(ObjectReference list, String arrayName, String sizeName) {
        if (!(field(list, arrayName) instanceof ArrayReference array)
                || !(field(list, sizeName) instanceof IntegerValue size)
                || size.value() > most
                || size.value() > array.length()
                || size.value() < 0) {
            return null;
        }
        return size.value() == 0 ? List.of() : array.getValues(0, size.value());
    }

    private List<Value> all(Value array) {
        if (!(array instanceof ArrayReference elements) || elements.length() > most) {
            return null;
        }
        return elements.length() == 0 ? List.of() : elements.getValues();
    }

    private static List<Value> single(ObjectReference list) {
        List<Value> found = new ArrayList<>();
        found.add(field(list, "element"));
        return found;
    }

    /** List.of(a) has null or, from Java 16 on, a bare java.lang.Object of its own in the second place. */
    private static List<Value> oneOrTwo(ObjectReference list) {
        List<Value> found = new ArrayList<>();
        found.add(field(list, "e0"));
        Value second = field(list, "e1");
        Field empty = list.referenceType().fieldByName("EMPTY");
        if (empty == null) {
            var holder = list.virtualMachine().classesByName("java.util.ImmutableCollections");
            empty = holder.size() == 1 ? holder.get(0).fieldByName("EMPTY") : null;
        }
        Value none = empty != null && empty.isStatic() ? empty.declaringType().getValue(empty) : null;
        if (second != null && !second.equals(none)) {
            found.add(second);
        }
        return found;
    }

    private List<Value> linked(ObjectReference list) {
        if (!(field(list, "size") instanceof IntegerValue size) || size.value() > most) {
            return null;
        }
        List<Value> found = new ArrayList<>();
        Value node = field(list, "first");
        while (node instanceof ObjectReference one && found.size() <= size.value()) {
            found.add(field(one, "item"));
            node = field(one, "next");
        }
        return found.size() == size.value() ? found : null;
    }

    private static Value field(ObjectReference object, String name) {
        Field found = object.referenceType().fieldByName(name);
        return found == null ? null : object.getValue(found);
    }
}
