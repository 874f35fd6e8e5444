package clausefit.record;

import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Method;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Keeps the watching from slowing the program down: pauses, removed breakpoints, calls that run long. */
final class Pace {
    private static final long SAMPLE_NANOS = 500_000_000L;
    private static final long UNMUTE_NANOS = 200_000_000L;
    private static final long LONG_NANOS = 1_000_000_000L;
    private static final int BUSY_SAMPLES = 2;

    /** From which part of the allowed time on how many different calls of a method are enough. */
    private record Level(double used, int calls) {}

    // Tests that come late must find some of the time left: methods of which nothing was seen take what others left.
    private static final List<Level> LEVELS = List.of(
            new Level(1.2, 0), new Level(1.0, 1), new Level(0.9, 2), new Level(0.7, 5), new Level(0.5, 10),
            new Level(0.3, 20));
    // A method is watched again only when clearly less is used, so that it does not come and go.
    private static final double RESUME_BELOW = 0.7;
    private final VirtualMachine vm;
    private final Budget budget;
    private final Calls calls;
    private final Map<Watch, List<Installed>> installed = new LinkedHashMap<>();
    private final Set<Installed> muted = new LinkedHashSet<>();
    /** Those whose calls are not seen, since enough of them were for the time that is used up. */
    private final Set<Installed> resting = new LinkedHashSet<>();
    private boolean isPartial;
    private int enough = Integer.MAX_VALUE;
    private long lastWake = System.nanoTime();
    private long lastSample = System.nanoTime();
    private long lastUnmute = System.nanoTime();

    Pace(VirtualMachine vm, Budget budget, Calls calls) {
        this.vm = vm;
        this.budget = budget;
        this.calls = calls;
    }

    /** Whether some calls of watched methods were not watched. */
    boolean isPartial() {
        return isPartial;
    }

    void add(Installed one) {
        installed.computeIfAbsent(one.watch, watch -> new ArrayList<>()).add(one);
        restIfEnough(one.watch);
    }

    /** Nothing more is to be recorded of a method: full speed again. */
    void close(Watch watch) {
        watch.close();
        isPartial = true;
        List<Installed> all = installed.getOrDefault(watch, List.of());
        all.forEach(Installed::ignoreEntries);
        all.removeIf(one -> {
            boolean isOver = !isUnderWay(one);
            if (isOver) {
                one.ignoreReturns();
            }
            return isOver;
        });
    }

    void tick() {
        int nowEnough = enoughAt(budget.used());
        if (nowEnough < enough) {
            enough = nowEnough;
            installed.keySet().forEach(this::restIfEnough);
        }
        if (!resting.isEmpty() && System.nanoTime() - lastWake > UNMUTE_NANOS) {
            lastWake = System.nanoTime();
            enough = Math.max(enough, enoughAt(budget.used() / RESUME_BELOW));
            wake();
        }
        if (!muted.isEmpty() && System.nanoTime() - lastUnmute > UNMUTE_NANOS) {
            lastUnmute = System.nanoTime();
            unmute();
        }
        if (System.nanoTime() - lastSample > SAMPLE_NANOS) {
            lastSample = System.nanoTime();
            sample();
        }
    }

    private static int enoughAt(double used) {
        return LEVELS.stream().filter(one -> used > one.used()).findFirst().map(Level::calls).orElse(Integer.MAX_VALUE);
    }

    /** A call of a method has ended. */
    void ended(Watch watch) {
        restIfEnough(watch);
        quieten(watch);
    }

    private void restIfEnough(Watch watch) {
        if (watch.seen() < enough) {
            return;
        }
        for (Installed one : installed.getOrDefault(watch, List.of())) {
            if (one.seesEntries()) {
                isPartial = true;
                one.ignoreEntries();
                resting.add(one);
            }
        }
        quieten(watch);
    }

    /** A loop leads to the start of a method again and again: new calls of it are not seen until this one has ended. */
    void mute(Installed one) {
        isPartial = true;
        one.ignoreEntries();
        muted.add(one);
    }

    /** The same for a method of which a call is left out that may still run. */
    void muteLoops(Method method) {
        for (List<Installed> some : installed.values()) {
            some.stream().filter(one -> one.loopsToStart && one.method.equals(method)).forEach(this::mute);
        }
    }

    private void unmute() {
        if (mayBeReplaced()) {
            return;
        }
        long from = System.nanoTime();
        vm.suspend();
        try {
            muted.removeIf(one -> one.watch.isClosed());
            for (Installed one : new ArrayList<>(muted)) {
                if (!isOnSomeStack(one.method)) {
                    one.seeEntries();
                    muted.remove(one);
                }
            }
        } finally {
            vm.resume();
            budget.stopped(System.nanoTime() - from);
        }
    }

    /** Removes the breakpoints at returns that no call under way needs any more, where calls are not seen. */
    private void quieten(Watch watch) {
        for (Installed one : installed.getOrDefault(watch, List.of())) {
            if (!one.seesEntries() && !isUnderWay(one)) {
                one.ignoreReturns();
            }
        }
    }

    /** Watches methods again of which more calls may be seen by now. */
    private void wake() {
        resting.removeIf(one -> one.watch.isClosed());
        List<Installed> woken = new ArrayList<>(resting);
        woken.removeIf(one -> one.watch.seen() >= enough);
        if (woken.isEmpty() || mayBeReplaced()) {
            return;
        }
        long from = System.nanoTime();
        vm.suspend();
        try {
            for (Installed one : woken) {
                resting.remove(one);
                if (one.loopsToStart) {
                    // Within a loop that leads back to the start, a stop there is not the start of a call.
                    muted.add(one);
                } else {
                    one.seeEntries();
                }
            }
        } finally {
            vm.resume();
            budget.stopped(System.nanoTime() - from);
        }
    }

    /** Whether an agent may have put other code in the place of a method (mocks do): its calls are not the method's. */
    private boolean mayBeReplaced() {
        return !vm.classesByName("sun.instrument.InstrumentationImpl").isEmpty();
    }

    private boolean isOnSomeStack(Method method) {
        for (ThreadReference thread : vm.allThreads()) {
            try {
                for (StackFrame frame : thread.frames()) {
                    if (frame.location().method().equals(method)) {
                        return true;
                    }
                }
            } catch (IncompatibleThreadStateException gone) {
                // A thread that has no stack to look at (it has ended, or not begun) has no frame of the method.
                continue;
            }
        }
        return false;
    }

    private boolean isUnderWay(Installed one) {
        return calls.threads().values().stream()
                .anyMatch(state -> state.calls.stream().anyMatch(call -> call.method.equals(one.method)));
    }

    /** Looks at calls that have been under way for long. */
    private void sample() {
        long now = budget.ownNanos();
        List<ThreadState> busy = calls.busyThreads();
        busy.removeIf(state -> now - state.calls.peekLast().startedAt < LONG_NANOS);
        if (busy.isEmpty()) {
            return;
        }
        long from = System.nanoTime();
        vm.suspend();
        try {
            for (ThreadState state : busy) {
                look(state, now);
            }
        } catch (IncompatibleThreadStateException gone) {
            throw new IllegalStateException(gone);
        } finally {
            vm.resume();
            budget.stopped(System.nanoTime() - from);
        }
    }

    private void look(ThreadState state, long now) throws IncompatibleThreadStateException {
        boolean isRunning = state.thread.status() == ThreadReference.THREAD_STATUS_RUNNING;
        if (state.thread.frameCount() == 0) {
            return;
        }
        Method innermost = state.thread.frame(0).location().method();
        for (Call call : new ArrayList<>(state.calls)) {
            if (now - call.startedAt >= LONG_NANOS) {
                call.ranBesideProject |= call.isDisturbedByOthers(state.thread);
                call.hasWaited |= !isRunning;
                call.wasSeenRunning |= isRunning;
                // With breakpoints in it a method is only interpreted (Method::is_not_compilable in HotSpot).
                boolean isBusy = isRunning && call.method.equals(innermost);
                if (isBusy && ++call.timesSeenBusy == BUSY_SAMPLES) {
                    releaseAll(call.watch);
                }
            }
        }
    }

    private void releaseAll(Watch watch) throws IncompatibleThreadStateException {
        watch.close();
        isPartial = true;
        for (ThreadState state : calls.busyThreads()) {
            for (Call call : state.calls) {
                if (call.watch == watch) {
                    calls.release(state, call);
                }
            }
        }
        for (Installed one : installed.getOrDefault(watch, List.of())) {
            one.ignoreEntries();
            one.ignoreReturns();
        }
        installed.remove(watch);
    }
}
