package clausefit.record;

import com.sun.jdi.VirtualMachine;

/** What reads the values of one JVM. */
final class Readers {
    final Limits limits;
    final Shapes shapes;
    final Lists lists;
    final Leaves leaves;
    final Bystanders bystanders;

    Readers(VirtualMachine vm, Plan plan) {
        bystanders = new Bystanders(vm);
        limits = plan.limits;
        shapes = new Shapes(plan);
        lists = new Lists(limits.elements());
        leaves = new Leaves(new Texts(limits.text()));
    }
}
