package clausefit.record;

/** What reads the values of one JVM. */
final class Readers {
    final Limits limits;
    final Shapes shapes;
    final Lists lists;
    final Leaves leaves;

    Readers(Plan plan) {
        limits = plan.limits;
        shapes = new Shapes(plan);
        lists = new Lists(limits.elements());
        leaves = new Leaves(new Texts(limits.text()));
    }
}
