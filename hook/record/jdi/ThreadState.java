package clausefit.record;

import com.sun.jdi.BooleanValue;
import com.sun.jdi.Field;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ExceptionRequest;
import com.sun.jdi.request.MethodExitRequest;
import java.util.ArrayDeque;
import java.util.Deque;

/** The watched calls under way in one thread, innermost first, and what was asked of the JVM for their sake. */
final class ThreadState {
    final ThreadReference thread;
    final Deque<Call> calls = new ArrayDeque<>();
    /** Kept between calls; an exception outside of any ends it. */
    ExceptionRequest exceptions;
    MethodExitRequest exit;
    /** Where the last exception will be caught, if that tells which calls it ends. */
    BreakpointRequest landing;
    /** Whether what is caught there may be another exception than the one that was thrown. */
    boolean mayBeReplaced;
    String thrown = "";
    /** How many frames it had when a call began last. */
    int lastDepth;

    /** Whether its program does not end before it: it is no daemon. */
    final boolean isAwaited;

    ThreadState(ThreadReference thread) {
        this.thread = thread;
        isAwaited = read(thread, "daemon") instanceof BooleanValue daemon && !daemon.value();
    }

    /** A field of a thread; from Java 19 on some are in another object that it has. */
    private static Value read(ThreadReference thread, String name) {
        Field own = thread.referenceType().fieldByName(name);
        if (own != null) {
            return thread.getValue(own);
        }
        Field holder = thread.referenceType().fieldByName("holder");
        if (holder == null || !(thread.getValue(holder) instanceof ObjectReference held)) {
            return null;
        }
        Field inside = held.referenceType().fieldByName(name);
        return inside == null ? null : held.getValue(inside);
    }

    boolean hasUnderWay(Watch watch) {
        return calls.stream().anyMatch(call -> call.watch == watch);
    }
}
