package clausefit.record;

import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.StackFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Which frames of a stack an exception leaves.
 *
 * <p>The JVM names the place of the handler, not its frame, and looks past native frames, which may catch as well: it
 * is certain only where the method of the handler stands once on the stack, and no native frame lies between. Where the
 * JVM itself called a frame (to initialise or load a class, to link a call), it may put another exception in the place
 * of the one that leaves it.
 */
final class Escapes {
    enum Answer { LEAVES, IS_CAUGHT, NOT_KNOWN, MAY_BE_REPLACED }

    // JVMS 5.5, 5.3.2 and 5.4.3.6: what the JVM calls at instructions that may be calls as well.
    private static final Set<String> CALLED_BY_JVM =
            Set.of("<clinit>", "loadClass", "loadClassInternal", "checkPackageAccess");
    private static final Set<String> LINKERS = Set.of("java.lang.invoke.MethodHandleNatives");
    private static final int FIRST_INVOKE = 0xb6;
    private static final int LAST_INVOKE = 0xba;

    private final List<StackFrame> stack;
    private final List<Integer> handlers = new ArrayList<>();
    private int firstUncertain = Integer.MAX_VALUE;
    private int looked;

    Escapes(List<StackFrame> stack, Location handler) {
        this.stack = stack;
        Method catcher = handler == null ? null : handler.method();
        for (int i = 0; i < stack.size(); i++) {
            if (stack.get(i).location().method().equals(catcher)) {
                handlers.add(i);
            }
        }
    }

    /** Whether the exception leaves the frame of this index (0: the innermost). */
    Answer of(int index) {
        // Each method is asked for its code: only as far as it matters.
        while (looked < index && firstUncertain == Integer.MAX_VALUE) {
            looked++;
            if (!isPlainCall(stack.get(looked).location(), stack.get(looked - 1).location().method())) {
                firstUncertain = looked;
            }
        }
        // A handler below the first such frame gets the exception as it was thrown.
        boolean isCaughtBefore = handlers.size() == 1 && handlers.get(0) < firstUncertain && handlers.get(0) <= index;
        if (firstUncertain <= index && !isCaughtBefore) {
            return Answer.MAY_BE_REPLACED;
        }
        if (handlers.isEmpty() || handlers.get(0) > index) {
            return Answer.LEAVES;
        }
        return handlers.size() == 1 ? Answer.IS_CAUGHT : Answer.NOT_KNOWN;
    }

    private static boolean isPlainCall(Location caller, Method callee) {
        Method method = caller.method();
        if (method.isNative() || CALLED_BY_JVM.contains(callee.name())
                || LINKERS.contains(callee.declaringType().name())) {
            return false;
        }
        byte[] code = method.bytecodes();
        int at = (int) caller.codeIndex();
        int opcode = at >= 0 && at < code.length ? code[at] & 0xff : 0;
        return opcode >= FIRST_INVOKE && opcode <= LAST_INVOKE;
    }
}
