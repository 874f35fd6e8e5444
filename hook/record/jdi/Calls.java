package clausefit.record;

import com.sun.jdi.ClassLoaderReference;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.VoidValue;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.ExceptionEvent;
import com.sun.jdi.event.LocatableEvent;
import com.sun.jdi.event.MethodExitEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The watched calls of one JVM from their beginning to their end. Everything is done while the JVM stands still. */
final class Calls {
    private static final int MOST_FRAMES = 1500;
    private static final int MOST_EXCEPTIONS = 300;
    private static final int MOST_LOOPS = 20;
    private static final String UNSEEN_END = "how it ended was not seen";
    private static final String BESIDE_PROJECT = "another thread ran code of the project meanwhile";

    /** What a breakpoint is for: the place where an exception is caught. */
    private record Landing(ThreadState state) {}

    /** What a breakpoint is for: the place behind the call of a method that runs long. */
    private record Behind(ThreadState state, Call call) {}

    private final VirtualMachine vm;
    private final EventRequestManager requests;
    private final Limits limits;
    private final Readers readers;
    private final Output output;
    private final Pace pace;
    private final Budget budget;
    private final Map<ThreadReference, ThreadState> threads = new HashMap<>();
    private long order;
    private String program;

    Calls(VirtualMachine vm, Limits limits, Readers readers, Output output, Budget budget) {
        this.vm = vm;
        this.limits = limits;
        this.readers = readers;
        this.output = output;
        this.budget = budget;
        requests = vm.eventRequestManager();
        pace = new Pace(vm, budget, this);
    }

    void install(Watch watch, Method method) {
        output.line(origin(new Json().open('{').key("m").number(watch.number), method).close('}').toString());
        if (!watch.isClosed()) {
            pace.add(new Installed(watch, method, requests));
        }
    }

    private Json origin(Json out, Method method) {
        Origins.Origin found = readers.origins.of(method.declaringType());
        return out.key("origin").open('[').text(method.declaringType().name()).text(found.path()).text(found.digest())
                .close(']');
    }

    Map<ThreadReference, ThreadState> threads() {
        return threads;
    }

    /** The order in which events of one stop are handled: a method may return with its first instruction. */
    int rank(Event event) {
        return event instanceof BreakpointEvent && event.request() != null
                        && event.request().getProperty(Installed.ROLE) instanceof Installed.Entry
                ? 0
                : 1;
    }

    void handle(Event event) {
        if (!(event instanceof LocatableEvent located)) {
            return;
        }
        try {
            ThreadReference thread = located.thread();
            Object role = event.request() == null ? null : event.request().getProperty(Installed.ROLE);
            if (role instanceof Installed.Entry entry) {
                // A stop that came while the breakpoints were being removed: the return would not be seen.
                if (entry.installed().seesEntries()) {
                    enter(thread, entry.installed());
                }
            } else if (role instanceof Installed.Return) {
                reachReturn(thread, located.location().method());
            } else if (role instanceof Landing landing) {
                land(landing.state());
            } else if (role instanceof Behind behind) {
                comeBack(behind.state(), behind.call(), event.request());
            } else if (event instanceof MethodExitEvent exit && threads.containsKey(thread)) {
                exit(threads.get(thread), exit.method(), exit.returnValue());
            } else if (event instanceof ExceptionEvent thrown && threads.containsKey(thread)) {
                thrown(threads.get(thread), thrown);
            }
        } catch (IncompatibleThreadStateException problem) {
            throw new IllegalStateException(problem);
        }
    }

    // ---- beginnings

    private void enter(ThreadReference thread, Installed installed) throws IncompatibleThreadStateException {
        Watch watch = installed.watch;
        ThreadState state = threads.computeIfAbsent(thread, ThreadState::new);
        // All at once, unless there may be very many.
        boolean isDeep = state.lastDepth > MOST_FRAMES / 2;
        List<StackFrame> stack = isDeep ? List.of() : thread.frames();
        int depth = isDeep ? thread.frameCount() : stack.size();
        state.lastDepth = depth;
        Call top = state.calls.peek();
        if (top != null && top.depth == depth && top.method.equals(installed.method) && installed.loopsToStart) {
            if (++top.loops > MOST_LOOPS) {
                pace.mute(installed);
            }
            return;
        }
        dropAbove(state, depth - 1);
        if (!watch.hit(limits) || output.isBroken()) {
            pace.close(watch);
            return;
        }
        if (depth > MOST_FRAMES) {
            pass(installed, "calls are nested more than " + MOST_FRAMES + " deep");
            return;
        }
        if (isDeep) {
            stack = thread.frames();
        }
        if (program == null) {
            program = programOf(stack);
        }
        Call call = new Call(watch, installed.method, stack.get(0), depth, isOutermost(state, installed, stack),
                new Frames(stack.subList(1, stack.size())), order++, budget.ownNanos(), readers);
        if (isCalledFromOtherLoader(installed.method, stack)) {
            pass(installed, "its class and its test are of different class loaders: which code ran is not certain");
            return;
        }
        if (isPartOfOther(call, stack)) {
            pass(installed, "a constructor of a subclass, or another one of its class, calls it");
            return;
        }
        call.isDisturbed = othersRunUnwatched(state);
        for (ThreadState other : threads.values()) {
            if (other != state) {
                call.overlapping.addAll(other.calls);
                other.calls.forEach(one -> one.overlapping.add(call));
            }
        }
        state.calls.push(call);
        if (state.exceptions == null) {
            state.exceptions = requests.createExceptionRequest(null, true, true);
            state.exceptions.addThreadFilter(thread);
            state.exceptions.setSuspendPolicy(EventRequest.SUSPEND_ALL);
            state.exceptions.enable();
        }
    }

    /** Leaves out a call that begins. */
    private void pass(Installed installed, String reason) {
        installed.watch.leaveOut(reason);
        pace.muteLoops(installed.method);
    }

    /** Whether code of the project below it has another class loader: it may have another class of the same name. */
    private boolean isCalledFromOtherLoader(Method method, List<StackFrame> stack) {
        ClassLoaderReference own = method.declaringType().classLoader();
        for (StackFrame frame : stack) {
            ReferenceType type = frame.location().declaringType();
            if (!Objects.equals(type.classLoader(), own) && readers.shapes.isOfProject(type)) {
                return true;
            }
        }
        return false;
    }

    /** Whether no call of the same method is under way in the thread, seen or not. */
    private static boolean isOutermost(ThreadState state, Installed installed, List<StackFrame> stack) {
        return !state.hasUnderWay(installed.watch)
                && stack.stream().skip(1).noneMatch(one -> one.location().method().equals(installed.method));
    }

    /** Whether a constructor only makes a part of an object: what it leaves is not what its callers get. */
    private static boolean isPartOfOther(Call call, List<StackFrame> stack) {
        if (call.made() == null) {
            return false;
        }
        boolean isSubclass = !call.made().referenceType().equals(call.method.declaringType());
        return isSubclass || (stack.size() > 1
                && stack.get(1).location().method().isConstructor()
                && call.made().equals(stack.get(1).thisObject()));
    }

    private String programOf(List<StackFrame> stack) throws IncompatibleThreadStateException {
        for (ThreadReference thread : vm.allThreads()) {
            if (thread.name().equals("main") && thread.frameCount() > 0) {
                return thread.frame(thread.frameCount() - 1).location().declaringType().name();
            }
        }
        return stack.get(stack.size() - 1).location().declaringType().name();
    }

    /** Whether another thread that made watched calls runs, while not all calls are watched any more. */
    private boolean othersRunUnwatched(ThreadState state) {
        return pace.isPartial() && threads.values().stream().anyMatch(other -> other != state
                && other.thread.status() == ThreadReference.THREAD_STATUS_RUNNING);
    }

    // ---- ends

    private void reachReturn(ThreadReference thread, Method method) throws IncompatibleThreadStateException {
        ThreadState state = threads.get(thread);
        if (state == null) {
            return;
        }
        int depth = thread.frameCount();
        dropAbove(state, depth);
        Call top = state.calls.peek();
        if (top == null || top.depth != depth || !top.method.equals(method)) {
            return;
        }
        if (method.returnTypeName().equals("void")) {
            finish(state, top.returned(vm.mirrorOfVoid()));
        } else {
            top.isReturning = true;
            if (state.exit == null) {
                // Only the exit itself shows the result; it comes with the very next instruction.
                state.exit = requests.createMethodExitRequest();
                state.exit.addThreadFilter(thread);
                state.exit.addClassFilter(method.declaringType());
                state.exit.setSuspendPolicy(EventRequest.SUSPEND_ALL);
                state.exit.enable();
            }
        }
    }

    private void exit(ThreadState state, Method method, Value result) {
        Call top = state.calls.peek();
        if (top != null && top.isReturning && top.method.equals(method)) {
            finish(state, top.returned(result));
        }
    }

    private void thrown(ThreadState state, ExceptionEvent event) throws IncompatibleThreadStateException {
        if (state.calls.isEmpty()) {
            seeNoExceptions(state);
            return;
        }
        // A return instruction may throw instead.
        state.calls.forEach(one -> one.isReturning = false);
        removeLanding(state);
        int depth = state.thread.frameCount();
        dropAbove(state, depth);
        if (state.calls.isEmpty()) {
            return;
        }
        state.thrown = event.exception().referenceType().name();
        if (depth > MOST_FRAMES) {
            dropAll(state, "calls are nested more than " + MOST_FRAMES + " deep");
            return;
        }
        Escapes escapes = new Escapes(state.thread.frames(), event.catchLocation());
        while (!state.calls.isEmpty()) {
            Call top = state.calls.peek();
            Escapes.Answer answer = escapes.of(depth - top.depth);
            if (answer == Escapes.Answer.LEAVES) {
                finish(state, top.threw(state.thrown));
                continue;
            }
            boolean mayBeReplaced = answer == Escapes.Answer.MAY_BE_REPLACED;
            if (mayBeReplaced && new Code(top.method.bytecodes()).loopsToStart()) {
                // Its next call could be taken for a loop of this one.
                drop(state, UNSEEN_END);
                continue;
            }
            if ((mayBeReplaced || answer == Escapes.Answer.NOT_KNOWN) && event.catchLocation() != null) {
                state.mayBeReplaced = mayBeReplaced;
                state.landing = breakpoint(event.catchLocation(), state.thread, new Landing(state));
            }
            if (++top.exceptions > MOST_EXCEPTIONS) {
                dropAll(state, "too many exceptions are thrown and caught within the call");
            }
            return;
        }
    }

    private void land(ThreadState state) throws IncompatibleThreadStateException {
        removeLanding(state);
        int depth = state.thread.frameCount();
        while (!state.calls.isEmpty() && state.calls.peek().depth > depth) {
            if (state.mayBeReplaced) {
                drop(state, UNSEEN_END);
            } else {
                finish(state, state.calls.peek().threw(state.thrown));
            }
        }
    }

    private void removeLanding(ThreadState state) {
        if (state.landing != null) {
            requests.deleteEventRequest(state.landing);
            state.landing = null;
        }
    }

    private BreakpointRequest breakpoint(Location place, ThreadReference thread, Object role) {
        BreakpointRequest request = requests.createBreakpointRequest(place);
        request.addThreadFilter(thread);
        request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        request.putProperty(Installed.ROLE, role);
        request.enable();
        return request;
    }

    // ---- calls that run long

    /** Lets a call run at full speed; only that it comes back is still seen. */
    void release(ThreadState state, Call call) throws IncompatibleThreadStateException {
        int caller = state.thread.frameCount() - call.depth + 1;
        if (call.isReleased) {
            return;
        }
        call.isReleased = true;
        if (caller < 1 || caller >= state.thread.frameCount()) {
            return;
        }
        Location from = state.thread.frame(caller).location();
        if (from.method().isNative()) {
            return;
        }
        int behind = new Code(from.method().bytecodes()).next((int) from.codeIndex());
        Location place = from.method().locationOfCodeIndex(behind);
        if (place != null) {
            breakpoint(place, state.thread, new Behind(state, call));
            call.isSeenComingBack = true;
        }
    }

    private void comeBack(ThreadState state, Call call, EventRequest request) throws IncompatibleThreadStateException {
        if (!state.calls.contains(call)) {
            requests.deleteEventRequest(request);
        } else if (state.thread.frameCount() < call.depth) {
            requests.deleteEventRequest(request);
            dropAbove(state, call.depth);
            if (call.method.returnTypeName().equals("void") && state.calls.peek() == call) {
                finish(state, call.returned(vm.mirrorOfVoid()));
            } else {
                dropAbove(state, call.depth - 1);
            }
        }
    }

    /**
     * The end of the JVM, or of the watching: calls under way that never came back are told, where somebody waited for
     * them and ended that. <code>limit</code>: after how many seconds the command was ended, else 0; what has lasted for
     * half of them counts then. <code>isKilled</code>: the JVM did not end by itself.
     */
    void end(double limit, boolean isKilled) {
        long now = budget.ownNanos();
        double least = limit > 0 ? Math.min(limits.callSeconds(), limit / 2) : limits.callSeconds();
        for (ThreadState state : threads.values()) {
            for (Call call : state.calls) {
                boolean isLong = now - call.startedAt >= least * 1e9;
                boolean isSeen = !call.isReleased || call.isSeenComingBack;
                isSeen &= !call.wasDisturbedByOthers();
                // A program ends without waiting for its daemons.
                isSeen &= (limit > 0 || isKilled) && state.isAwaited;
                if (isLong && isSeen && call.wasSeenRunning && !call.hasWaited) {
                    write(call, call.never());
                } else if (limit > 0) {
                    call.watch.leaveOut("--limit ended the command inside of it");
                } else {
                    call.watch.leaveOut("the program or its thread ended before it came back");
                }
            }
            state.calls.clear();
        }
    }

    // ---- what becomes of a call

    private void finish(ThreadState state, String content) {
        Call call = state.calls.pop();
        call.isDisturbed |= othersRunUnwatched(state);
        boolean isShared = call.overlapping.stream().anyMatch(call::sharesObjectsWith);
        if (call.isDisturbedByOthers(state.thread)) {
            call.watch.leaveOut(BESIDE_PROJECT);
        } else if (isShared || call.isDisturbed) {
            call.watch.leaveOut("another thread may have worked on the same objects meanwhile");
        } else {
            write(call, content);
        }
        settle(state, call);
    }

    private void write(Call call, String content) {
        int end = content.indexOf('\n');
        if (!call.watch.isNew(content, call.frames.outermost, limits)) {
            return;
        }
        output.line(origin(new Json().open('{').key("m").number(call.watch.number), call.method)
                .key("order").number(call.order)
                .key("outermost").truth(call.isOutermost)
                .key("program").text(program == null ? "" : program)
                .key("frames").raw(call.frames.json)
                .key("before").raw(content.substring(0, end))
                .key("after").raw(content.substring(end + 1))
                .close('}')
                .toString());
    }

    private void settle(ThreadState state, Call call) {
        if (state.exit != null) {
            requests.deleteEventRequest(state.exit);
            state.exit = null;
        }
        if (state.calls.isEmpty()) {
            removeLanding(state);
        }
        if (call.watch.isClosed()) {
            pace.close(call.watch);
        } else {
            pace.ended(call.watch);
        }
    }

    private void seeNoExceptions(ThreadState state) {
        if (state.exceptions != null) {
            requests.deleteEventRequest(state.exceptions);
            state.exceptions = null;
        }
    }

    /** Leaves out the calls that ended unseen: those above a stack of this depth. */
    private void dropAbove(ThreadState state, int depth) {
        while (!state.calls.isEmpty() && state.calls.peek().depth > depth) {
            drop(state, UNSEEN_END);
        }
    }

    private void dropAll(ThreadState state, String reason) {
        while (!state.calls.isEmpty()) {
            drop(state, reason);
        }
    }

    private void drop(ThreadState state, String reason) {
        Call call = state.calls.pop();
        call.watch.leaveOut(reason);
        // It may still run: where a loop leads to its start, that is no new call.
        pace.muteLoops(call.method);
        settle(state, call);
    }

    void forget(ThreadReference thread) {
        ThreadState state = threads.remove(thread);
        if (state != null) {
            dropAll(state, "the program or its thread ended before it came back");
            seeNoExceptions(state);
        }
        readers.bystanders.forget(thread);
    }

    /** Leaves out what is under way in the thread of an event that could not be handled. */
    void giveUp(Event event, String reason) {
        if (event instanceof LocatableEvent located && threads.containsKey(located.thread())) {
            ThreadState state = threads.get(located.thread());
            dropAll(state, reason);
        }
        if (event.request() != null && event.request().getProperty(Installed.ROLE) instanceof Installed.Entry entry) {
            pass(entry.installed(), reason);
        }
    }

    void tick() {
        pace.tick();
    }

    List<ThreadState> busyThreads() {
        List<ThreadState> found = new ArrayList<>(threads.values());
        found.removeIf(state -> state.calls.isEmpty());
        return found;
    }
}
