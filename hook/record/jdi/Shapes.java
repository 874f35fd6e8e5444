package clausefit.record;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.ClassType;
import com.sun.jdi.Field;
import com.sun.jdi.ReferenceType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which fields objects have. Only objects of classes of the project are opened: of others the fields mean nothing to a contract. */
final class Shapes {
    private final Plan plan;
    private final Map<ReferenceType, Shape> shapes = new HashMap<>();

    Shapes(Plan plan) {
        this.plan = plan;
    }

    /** The shape of a class of the project, null for any other class. */
    Shape of(ReferenceType type) {
        if (!shapes.containsKey(type)) {
            shapes.put(type, isOfProject(type) ? shape(type) : null);
        }
        return shapes.get(type);
    }

    boolean isOfProject(ReferenceType type) {
        try {
            return plan.isOfProject(type.name(), type.sourceName());
        } catch (AbsentInformationException generated) {
            // Compiled without its file's name: known by its own.
            String simple = type.name().substring(type.name().lastIndexOf('.') + 1);
            int end = simple.indexOf('$', 1);
            boolean isMade = simple.contains("$$") || simple.contains("$MockitoMock$");
            return !isMade && plan.isOfProject(type.name(), (end < 0 ? simple : simple.substring(0, end)) + ".java");
        }
    }

    private Shape shape(ReferenceType type) {
        List<Field> fields = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<String> types = new ArrayList<>();
        for (ClassType one = (ClassType) type; one != null && isOfProject(one); one = one.superclass()) {
            for (Field field : one.fields()) {
                if (!field.isStatic() && !field.isSynthetic()) {
                    fields.add(field);
                    names.add(field.name());
                    types.add(field.typeName());
                }
            }
        }
        return new Shape(fields, names, types);
    }
}
