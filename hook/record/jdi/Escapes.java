package clausefit.record;

import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.StackFrame;
import java.util.ArrayList;
import java.util.List;

/**
 * Which frames of a stack an exception leaves.
 *
 * <p>The JVM names the place of the handler, not its frame, and looks past native frames, which may catch as well: it
 * is certain only where the method of the handler stands once on the stack, and no native frame lies between.
 */
final class Escapes {
    enum Answer { LEAVES, IS_CAUGHT, NOT_KNOWN }

    private final List<Integer> handlers = new ArrayList<>();
    private int firstNative = Integer.MAX_VALUE;

    Escapes(List<StackFrame> stack, Location handler) throws IncompatibleThreadStateException {
        Method catcher = handler == null ? null : handler.method();
        for (int i = 0; i < stack.size(); i++) {
            Method method = stack.get(i).location().method();
            if (method.equals(catcher)) {
                handlers.add(i);
            }
            if (method.isNative()) {
                firstNative = Math.min(firstNative, i);
            }
        }
    }

    /** Whether the exception leaves the frame of this index (0: the innermost). */
    Answer of(int index) {
        if (firstNative > 0 && firstNative <= index) {
            return Answer.NOT_KNOWN;
        }
        if (handlers.isEmpty() || handlers.get(0) > index) {
            return Answer.LEAVES;
        }
        return handlers.size() == 1 ? Answer.IS_CAUGHT : Answer.NOT_KNOWN;
    }
}
