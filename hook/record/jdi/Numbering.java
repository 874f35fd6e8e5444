package clausefit.record;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Small numbers for the objects of one call in the order in which they are met: equal inputs give equal texts. */
final class Numbering {
    private final Map<Long, Integer> objects = new HashMap<>();
    private final Map<Long, Integer> strings = new HashMap<>();

    int object(long id) {
        return objects.computeIfAbsent(id, one -> objects.size());
    }

    int string(long id) {
        return strings.computeIfAbsent(id, one -> strings.size());
    }

    Set<Long> objects() {
        return objects.keySet();
    }
}
