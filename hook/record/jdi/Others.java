package clausefit.record;

import com.sun.jdi.Field;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Location;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the other threads of a JVM do at one moment at which it stands still. Code of the project in another thread may
 * change what a call works on, so that the change seems to be the call's.
 */
final class Others {
    private static final int MOST_FRAMES = 1500;
    private static final List<String> NOT_OF_PROJECT = List.of(
            "java.", "javax.", "jdk.", "sun.", "com.sun.", "org.junit.", "junit.", "org.testng.", "org.apache.maven.",
            "org.gradle.", "worker.org.gradle.", "com.intellij.");
    private static final List<String> OF_TOOLS = List.of(
            "org.junit.", "junit.", "org.testng.", "org.apache.maven.", "org.gradle.", "worker.org.gradle.",
            "com.intellij.");
    private static final String POOL = "java.util.concurrent.ThreadPoolExecutor";
    private static final String FORK_JOIN_POOL = "java.util.concurrent.ForkJoinPool";
    // The releases of Java of which it is known that WorkQueue.nsteals counts the tasks that came to an end.
    private static final int FIRST_COUNTED = 17;
    private static final int LAST_COUNTED = 21;
    private static final String END_OF_MAIN = "DestroyJavaVM";

    // Each thread that may run code of programs, with what is another value once it has run some.
    private final Map<ThreadReference, Object> idle = new HashMap<>();
    private boolean runProject;

    Others(Bystanders bystanders, ThreadReference self) {
        for (ThreadReference thread : bystanders.others(self)) {
            if (!runProject) {
                look(thread);
            }
        }
    }

    /** Whether another thread runs code of the project, or it cannot be told. */
    boolean runProject() {
        return runProject;
    }

    /**
     * Whether another thread ran code of the project then or now, or may have between: all but those that have waited in
     * one place since. (A new thread was started by the call itself, or by one of those.)
     */
    boolean mayHaveRunUntil(Others now) {
        return runProject || now.runProject
                || idle.entrySet().stream().anyMatch(one -> !Objects.equals(now.idle.get(one.getKey()), one.getValue()));
    }

    private void look(ThreadReference thread) {
        try {
            Object sign = thread.frameCount() > MOST_FRAMES ? null : idleSign(thread, thread.frames());
            runProject |= sign == null;
            idle.put(thread, sign);
        } catch (IncompatibleThreadStateException beginsOrEnds) {
            runProject = true;
        }
    }

    /** What stays the same as long as the thread runs no code of the project; null where that is not known. */
    private static Object idleSign(ThreadReference thread, List<StackFrame> stack) {
        boolean isOfTool = false;
        for (int i = 0; i < stack.size(); i++) {
            Location at = stack.get(i).location();
            String name = at.declaringType().name();
            if (NOT_OF_PROJECT.stream().noneMatch(name::startsWith)) {
                return null;
            }
            if (at.method().name().equals("runWorker") && name.equals(POOL)) {
                return endedTasks(stack, i, "getTask", "completedTasks");
            }
            if (at.method().name().equals("runWorker") && name.equals(FORK_JOIN_POOL)) {
                return isCounted(thread) ? endedTasks(stack, i, "awaitWork", "nsteals") : null;
            }
            isOfTool |= OF_TOOLS.stream().anyMatch(name::startsWith);
        }
        if (stack.isEmpty()) {
            return thread.name().equals(END_OF_MAIN) ? END_OF_MAIN : null;
        }
        // Threads of Java alone may run tasks of programs (timers, servers, windows); tools wait for tests of theirs.
        boolean isWaiting = isOfTool && thread.status() != ThreadReference.THREAD_STATUS_RUNNING;
        return isWaiting ? stack.stream().map(StackFrame::location).toList() : null;
    }

    private static boolean isCounted(ThreadReference thread) {
        String release = thread.virtualMachine().version().split("[^0-9]", 2)[0];
        int number = release.isEmpty() ? 0 : Integer.parseInt(release);
        return number >= FIRST_COUNTED && number <= LAST_COUNTED;
    }

    /** How many tasks the worker of a pool has ended, null unless it waits for its next task: there it is within none. */
    private static Value endedTasks(List<StackFrame> stack, int runner, String wait, String counter) {
        if (runner == 0 || !stack.get(runner - 1).location().method().name().equals(wait)
                || !(stack.get(runner).getArgumentValues().get(0) instanceof ObjectReference worker)) {
            return null;
        }
        Field field = worker.referenceType().fieldByName(counter);
        return field == null ? null : worker.getValue(field);
    }
}
