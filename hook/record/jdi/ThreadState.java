package clausefit.record;

import com.sun.jdi.ThreadReference;
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

    ThreadState(ThreadReference thread) {
        this.thread = thread;
    }

    boolean hasUnderWay(Watch watch) {
        return calls.stream().anyMatch(call -> call.watch == watch);
    }
}
