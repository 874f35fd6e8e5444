package clausefit.record;

import com.sun.jdi.ClassObjectReference;
import com.sun.jdi.ClassType;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StringReference;
import com.sun.jdi.VirtualMachine;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What reads the values of one JVM. */
final class Readers {
    private static final Set<String> ENDS =
            Set.of("java.lang.Object", "java.math.BigInteger", "java.math.BigDecimal", "java.util.UUID");
    private final Map<ReferenceType, Boolean> ends = new HashMap<>();
    final Limits limits;
    final Shapes shapes;
    final Lists lists;
    final Leaves leaves;
    final Bystanders bystanders;
    final Loaded loaded = new Loaded();
    final Reach reach;
    final Origins origins;

    Readers(VirtualMachine vm, Plan plan) {
        origins = new Origins(vm, plan);
        reach = new Reach(vm, loaded);
        bystanders = new Bystanders(vm, loaded);
        limits = plan.limits;
        shapes = new Shapes(plan);
        lists = new Lists(limits.elements());
        leaves = new Leaves(new Texts(limits.text()));
    }

    /** Whether an object leads to no others: a string, a number, a constant without fields. */
    boolean isEnd(ObjectReference object) {
        if (object instanceof StringReference || object instanceof ClassObjectReference) {
            return true;
        }
        ReferenceType type = object.referenceType();
        return ends.computeIfAbsent(type, one -> Leaves.isWrapper(one.name()) || ENDS.contains(one.name())
                || (Leaves.enumOf(object) != null && hasPlainFields((ClassType) one)));
    }

    private static boolean hasPlainFields(ClassType type) {
        for (ClassType one = type; one != null; one = one.superclass()) {
            boolean isOwn = !one.name().equals("java.lang.Enum") && !one.name().equals("java.lang.Object");
            if (isOwn && one.fields().stream().anyMatch(field -> !field.isStatic() && !Reach.isPlain(field))) {
                return false;
            }
        }
        return true;
    }
}
