package clausefit.record;

import com.sun.jdi.ThreadGroupReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The threads of a JVM that never run code of the project: each is asked once, since asking costs the program time. */
final class Bystanders {
    private static final String OF_JDK = "jdk.internal.misc.InnocuousThread";
    // java.lang.ref.Cleaner runs in such threads what programs gave it.
    private static final String CLEANER = "Cleaner-";
    // These are in the group of the JVM, but run what is to be done when a process ends or a signal comes.
    private static final String PROCESSES = "process reaper";
    private static final String SIGNALS = " handler";
    // Surefire's own threads (commands, pings, flushes of output): only Surefire runs there.
    private static final String SUREFIRE = "surefire-forkedjvm-";
    // Runs finalizers (JLS 12.6). Beside it "Common-Cleaner" cleans up for the JDK alone.
    private static final String FINALIZER = "Finalizer";
    private final VirtualMachine vm;
    private final Loaded loaded;
    private final Map<ThreadReference, Boolean> known = new HashMap<>();

    Bystanders(VirtualMachine vm, Loaded loaded) {
        this.vm = vm;
        this.loaded = loaded;
    }

    /** All other threads that are there now, and may run code of the project. */
    List<ThreadReference> others(ThreadReference self) {
        List<ThreadReference> found = new ArrayList<>(vm.allThreads());
        found.removeIf(thread -> thread.equals(self)
                || (known.computeIfAbsent(thread, Bystanders::isBystander) && !mayFinalize(thread)));
        return found;
    }

    void forget(ThreadReference thread) {
        known.remove(thread);
    }

    /** Whether the thread runs what classes of the project have to do when an object is gone. */
    private boolean mayFinalize(ThreadReference thread) {
        return loaded.hasFinalizer() && thread.name().equals(FINALIZER);
    }

    private static boolean isBystander(ThreadReference thread) {
        ThreadGroupReference group = thread.threadGroup();
        String name = thread.name();
        if (group != null && group.parent() == null) {
            return !name.startsWith(PROCESSES) && !name.endsWith(SIGNALS);
        }
        return name.startsWith(SUREFIRE)
                || (thread.referenceType().name().equals(OF_JDK) && !name.startsWith(CLEANER));
    }
}
