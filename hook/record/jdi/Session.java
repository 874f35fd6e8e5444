package clausefit.record;

import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.ThreadDeathEvent;
import com.sun.jdi.event.VMDeathEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.ThreadDeathRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One JVM: watches its classes being loaded, and hands what happens in watched methods to {@link Calls}. */
final class Session implements Runnable {
    private static final long TICK_MILLIS = 100;
    private static final long PATIENCE_NANOS = 2_000_000_000L;
    private static final String MOCKS = "org.mockito.internal.creation.bytebuddy.InlineBytecodeGenerator";
    private static final String HEIRS_OF = "heirs";
    private static final String ALL_CLASSES = "all";
    private static final List<String> NOT_OF_PROJECT = List.of("java.lang", "java.util", "javax", "jdk", "sun", "com.sun");
    private final VirtualMachine vm;
    private final Plan plan;
    private final Output output;
    private final Budget budget;
    private final Calls calls;
    private final Readers readers;
    private final Map<String, List<Watch>> byClass = new HashMap<>();
    private final Set<String> seen = new LinkedHashSet<>();
    private volatile boolean isStopping;
    private volatile long stopBy;
    /** After how many seconds the command is being ended, 0 as long as it is not. */
    private volatile double limit;
    private boolean hasEnded;
    private boolean isGone;

    Session(VirtualMachine vm, Plan plan, Output output) {
        this.vm = vm;
        this.plan = plan;
        this.output = output;
        budget = new Budget(plan.limits.slowdown());
        readers = new Readers(vm, plan);
        calls = new Calls(vm, plan.limits, readers, output, budget);
        plan.watches.forEach(one -> byClass.computeIfAbsent(one.className, name -> new ArrayList<>()).add(one));
    }

    /** Lets the JVM go as soon as no more events are waiting, or a little later. */
    void stop() {
        stopBy = System.nanoTime() + PATIENCE_NANOS;
        isStopping = true;
    }

    /** The command is being ended, since it has run for so long: nothing that happens from now on says anything. */
    void limitReached(double seconds) {
        limit = seconds;
    }

    @Override
    public void run() {
        try {
            watchClasses();
            while (limit == 0 && takeEvents()) {
                calls.tick();
            }
        } catch (VMDisconnectedException over) {
            isGone = true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            calls.end(limit, isGone && !hasEnded);
            release();
            output.close();
        }
    }

    private void release() {
        try {
            vm.dispose();
        } catch (VMDisconnectedException over) {
            isStopping = true;
        }
    }

    private void watchClasses() {
        List<String> names = new ArrayList<>(byClass.keySet());
        names.add(MOCKS);
        for (String name : names) {
            ClassPrepareRequest request = vm.eventRequestManager().createClassPrepareRequest();
            request.addClassFilter(name);
            request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
            request.enable();
        }
        // All classes of the project, in the order of the other events.
        ClassPrepareRequest all = vm.eventRequestManager().createClassPrepareRequest();
        NOT_OF_PROJECT.stream()
                .filter(one -> !plan.hasFolderOf(one))
                .forEach(one -> all.addClassExclusionFilter(one + ".*"));
        all.setSuspendPolicy(EventRequest.SUSPEND_NONE);
        all.putProperty(ALL_CLASSES, true);
        all.enable();
        ThreadDeathRequest deaths = vm.eventRequestManager().createThreadDeathRequest();
        deaths.setSuspendPolicy(EventRequest.SUSPEND_NONE);
        deaths.enable();
    }

    private boolean takeEvents() throws InterruptedException {
        EventSet set = vm.eventQueue().remove(TICK_MILLIS);
        if (set == null) {
            return !isStopping;
        }
        long from = System.nanoTime();
        boolean goesOn = true;
        try {
            List<Event> events = new ArrayList<>(set);
            events.sort((one, other) -> Integer.compare(calls.rank(one), calls.rank(other)));
            for (Event event : events) {
                goesOn &= handle(event);
            }
        } finally {
            if (goesOn) {
                set.resume();
            }
            if (set.suspendPolicy() != EventRequest.SUSPEND_NONE) {
                budget.stopped(System.nanoTime() - from);
            }
        }
        return goesOn && !(isStopping && System.nanoTime() > stopBy);
    }

    private boolean handle(Event event) {
        try {
            if (event instanceof VMDisconnectEvent) {
                isGone = true;
                return false;
            } else if (event instanceof VMDeathEvent) {
                // It ended by itself; one that is killed does not say so.
                hasEnded = true;
            } else if (event instanceof ClassPrepareEvent prepared) {
                prepare(prepared);
            } else if (event instanceof ThreadDeathEvent death) {
                calls.forget(death.thread());
            } else {
                calls.handle(event);
            }
        } catch (VMDisconnectedException over) {
            throw over;
        } catch (RuntimeException problem) {
            // Whatever JDI cannot tell about one call must not stop the program.
            calls.giveUp(event, "the debugger could not read it: " + problem);
        }
        return true;
    }

    private void prepare(ClassPrepareEvent event) {
        ReferenceType type = event.referenceType();
        if (event.request() != null && event.request().getProperty(ALL_CLASSES) != null) {
            if (plan.hasPackageOf(type.name()) && !Shapes.isMade(type.name()) && readers.shapes.isOfProject(type)) {
                readers.loaded.add(type);
            }
            return;
        }
        if (event.request() != null && event.request().getProperty(HEIRS_OF) instanceof Watch inherited) {
            prepareHeir(type, inherited);
            return;
        }
        if (type.name().equals(MOCKS)) {
            // The JVM drops the breakpoints of a class whose code is replaced, as inline mocks do.
            once("Mockito replaces the code of classes that it mocks: their calls are missing from then on");
        }
        for (Watch watch : byClass.getOrDefault(type.name(), List.of())) {
            Method found = find(type, watch);
            if (found == null) {
                String name = watch.className + "." + watch.method + "(" + String.join(", ", watch.parameters) + ")";
                once(name + " is not in the class that runs: compile the tests and sources anew");
            } else if (found.isAbstract()) {
                watchHeirs(type, watch);
            } else if (!found.isNative()) {
                calls.install(watch, found);
            }
        }
    }

    private static Method find(ReferenceType type, Watch watch) {
        List<Method> fitting = type.methodsByName(watch.method).stream()
                .filter(one -> one.declaringType().equals(type) && watch.fits(one))
                .toList();
        return fitting.size() == 1 ? fitting.get(0) : null;
    }

    /** A method without code: its calls are those of the methods that implement it without a contract of their own. */
    private void watchHeirs(ReferenceType type, Watch watch) {
        ClassPrepareRequest request = vm.eventRequestManager().createClassPrepareRequest();
        request.addClassFilter(type);
        request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        request.putProperty(HEIRS_OF, watch);
        request.enable();
    }

    private void prepareHeir(ReferenceType type, Watch inherited) {
        boolean hasOwn = byClass.getOrDefault(type.name(), List.of()).stream()
                .anyMatch(own -> own.method.equals(inherited.method)
                        && own.parameters.size() == inherited.parameters.size());
        // Classes that are made while the program runs (lambdas, proxies, mocks) have no text with a contract.
        if (hasOwn || type.name().contains("/") || !readers.shapes.isOfProject(type)) {
            return;
        }
        Method found = find(type, inherited);
        if (found != null && !found.isAbstract() && !found.isNative() && !found.isSynthetic()) {
            calls.install(inherited, found);
        }
    }

    private void once(String problem) {
        if (seen.add(problem)) {
            output.problem(problem);
        }
    }
}
