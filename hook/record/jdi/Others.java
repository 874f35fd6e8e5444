package clausefit.record;

import com.sun.jdi.Field;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.LongValue;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
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
    private static final String POOL = "java.util.concurrent.ThreadPoolExecutor";
    private static final List<String> UNTOLD = List.of(
            "java.util.concurrent.ForkJoinWorkerThread", "java.util.TimerThread");

    // Each thread that may run code of programs, with how many tasks it has ended (0 for those outside of a pool).
    private final Map<ThreadReference, Long> ended = new HashMap<>();
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
     * Whether another thread ran code of the project then or now, or may have between: a thread that has ended since,
     * or one of a pool that has ended a task since. (A new thread was started by the call itself, or by one of those.)
     */
    boolean mayHaveRunUntil(Others now) {
        return runProject || now.runProject
                || ended.entrySet().stream()
                        .anyMatch(one -> !Objects.equals(now.ended.get(one.getKey()), one.getValue()));
    }

    private void look(ThreadReference thread) {
        long tasks = 0;
        try {
            if (thread.frameCount() > MOST_FRAMES) {
                runProject = true;
                return;
            }
            String callee = "";
            for (StackFrame frame : thread.frames()) {
                String name = frame.location().declaringType().name();
                if (NOT_OF_PROJECT.stream().noneMatch(name::startsWith)) {
                    runProject = true;
                } else if (name.equals(POOL)) {
                    tasks += tasksOf(frame, callee);
                } else if (UNTOLD.contains(name)) {
                    // How many tasks these have ended cannot be told.
                    runProject = true;
                }
                callee = frame.location().method().name();
            }
            ended.put(thread, tasks);
        } catch (IncompatibleThreadStateException beginsOrEnds) {
            runProject = true;
        }
    }

    private long tasksOf(StackFrame frame, String callee) {
        if (!frame.location().method().name().equals("runWorker")) {
            return 0;
        }
        // Only where it waits for its next task (getTask) is it certain that it is within none.
        if (callee.equals("getTask") && frame.getArgumentValues().get(0) instanceof ObjectReference worker) {
            Field field = worker.referenceType().fieldByName("completedTasks");
            if (field != null && worker.getValue(field) instanceof LongValue tasks) {
                return tasks.value();
            }
        }
        runProject = true;
        return 0;
    }
}
