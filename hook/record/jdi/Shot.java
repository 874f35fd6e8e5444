package clausefit.record;

import com.sun.jdi.ArrayReference;
import com.sun.jdi.ArrayType;
import com.sun.jdi.ClassObjectReference;
import com.sun.jdi.Field;
import com.sun.jdi.ObjectCollectedException;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.StringReference;
import com.sun.jdi.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** One state of memory: the objects that the roots lead to, nearest first, as far as the limits allow. */
final class Shot {
    /** What is in an object; <code>type</code> is that of the elements of an array. */
    private record Content(char form, String type, List<String> names, List<String> types, List<Value> values) {}

    private final Readers readers;
    private final Map<Long, Content> contents = new LinkedHashMap<>();
    private final Map<Long, ObjectReference> objects = new LinkedHashMap<>();
    private final Predicate<ObjectReference> mayShow;
    private int cellsLeft = Limits.CELLS;
    private boolean isWhole = true;

    /** <code>mayShow</code> tells which objects are looked into; the others are not known. */
    Shot(Readers readers, Collection<? extends Value> roots, Collection<ObjectReference> also,
            Predicate<ObjectReference> mayShow) {
        this.readers = readers;
        this.mayShow = mayShow;
        List<Value> level = new ArrayList<>(roots);
        level.addAll(also);
        for (int depth = 0; depth < readers.limits.depth() && !level.isEmpty(); depth++) {
            List<Value> below = new ArrayList<>();
            for (Value value : level) {
                if (value instanceof ObjectReference object && !contents.containsKey(object.uniqueID())) {
                    take(object, below);
                }
            }
            level = below;
        }
        isWhole = isWhole && level.stream().noneMatch(this::isUnseen);
    }

    /** Whether all is in it that the roots lead to: nobody can get from them to any other object. */
    boolean isWhole() {
        return isWhole;
    }

    private boolean isUnseen(Value value) {
        return value instanceof ObjectReference object && !contents.containsKey(object.uniqueID())
                && !readers.isEnd(object);
    }

    Collection<ObjectReference> objects() {
        return objects.values();
    }

    Set<Long> kept() {
        return contents.keySet();
    }

    private void take(ObjectReference object, List<Value> below) {
        try {
            Content content = !mayShow.test(object) ? null : read(object);
            isWhole &= content != null || readers.isEnd(object);
            if (content != null && content.values().size() >= cellsLeft) {
                isWhole = false;
            } else if (content != null) {
                cellsLeft -= content.values().size() + 1;
                contents.put(object.uniqueID(), content);
                objects.put(object.uniqueID(), object);
                below.addAll(content.values());
            }
        } catch (ObjectCollectedException gone) {
            // Nothing refers to it any more: it is not part of this state.
            contents.remove(object.uniqueID());
        }
    }

    private Content read(ObjectReference object) {
        if (object instanceof StringReference || object instanceof ClassObjectReference) {
            return null;
        }
        if (object instanceof ArrayReference array) {
            int length = array.length();
            if (length > readers.limits.elements()) {
                return null;
            }
            String type = ((ArrayType) array.referenceType()).componentTypeName();
            if (Shapes.isMade(type)) {
                return null;
            }
            return new Content('A', type, List.of(), List.of(), length == 0 ? List.of() : array.getValues());
        }
        String name = object.referenceType().name();
        if (Lists.isList(name)) {
            List<Value> elements = readers.lists.elements(object);
            return elements == null ? null : new Content('L', "java.lang.Object", List.of(), List.of(), elements);
        }
        Shape shape = readers.shapes.of(object.referenceType());
        if (shape == null || Leaves.enumOf(object) != null) {
            return null;
        }
        isWhole &= shape.isWhole();
        Map<Field, Value> found = shape.fields().isEmpty() ? Map.of() : object.getValues(shape.fields());
        List<Value> values = new ArrayList<>();
        shape.fields().forEach(field -> values.add(found.get(field)));
        return new Content('O', name, shape.names(), shape.types(), values);
    }

    /** The objects as JSON, those that the numbering knows already first: <code>[[number, form, type, parts], …]</code>. */
    void write(Json out, Numbering numbers) {
        out.open('[');
        contents.keySet().forEach(numbers::object);
        contents.forEach((id, content) -> {
            out.open('[').number(numbers.object(id)).text(String.valueOf(content.form())).text(content.type());
            out.open('[');
            for (int i = 0; i < content.values().size(); i++) {
                boolean isStruct = content.form() == 'O';
                if (isStruct) {
                    out.open('[').text(content.names().get(i));
                }
                String declared = isStruct ? content.types().get(i) : content.type();
                readers.leaves.write(out, content.values().get(i), declared, kept(), numbers);
                if (isStruct) {
                    out.close(']');
                }
            }
            out.close(']').close(']');
        });
        out.close(']');
    }
}
