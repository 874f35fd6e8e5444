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
    private static final List<String> MADE = List.of("/", "$$", "$Proxy", "$MockitoMock$");
    private final Plan plan;
    private final Map<ReferenceType, Shape> shapes = new HashMap<>();

    Shapes(Plan plan) {
        this.plan = plan;
    }

    /** The shape of a class of the project, null for any other class and where a part of its objects is not shown. */
    Shape of(ReferenceType type) {
        if (!shapes.containsKey(type)) {
            shapes.put(type, isOfProject(type) && !hasHiddenState((ClassType) type) ? shape(type) : null);
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
            return !isMade(type.name()) && plan.isOfProject(type.name(), (end < 0 ? simple : simple.substring(0, end)) + ".java");
        }
    }

    /** Whether a class was made while the program ran (lambdas, proxies, mocks): its name differs from run to run. */
    static boolean isMade(String name) {
        return MADE.stream().anyMatch(name::contains);
    }

    /** Whether objects have fields of classes outside of the project: a list of its own is not empty for having none. */
    private boolean hasHiddenState(ClassType type) {
        for (ClassType one = type; one != null; one = one.superclass()) {
            if (!isOfProject(one) && one.fields().stream().anyMatch(field -> !field.isStatic())) {
                return true;
            }
        }
        return false;
    }

    private Shape shape(ReferenceType type) {
        List<Field> fields = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<String> types = new ArrayList<>();
        boolean isWhole = true;
        for (ClassType one = (ClassType) type; one != null && isOfProject(one); one = one.superclass()) {
            for (Field field : one.fields()) {
                if (!field.isStatic() && !field.isSynthetic()) {
                    fields.add(field);
                    names.add(field.name());
                    types.add(field.typeName());
                }
                isWhole &= field.isStatic() || !field.isSynthetic() || Reach.isPlain(field);
            }
        }
        return new Shape(fields, names, types, isWhole);
    }
}
