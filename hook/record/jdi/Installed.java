package clausefit.record;

import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;
import java.util.ArrayList;
import java.util.List;

/**
 * The breakpoints of a watched method in one JVM: at its first instruction and at its returns.
 *
 * <p>Method entry and exit events would have every method of the thread interpreted; breakpoints only this one.
 */
final class Installed {
    static final String ROLE = "clausefit";

    /** What a breakpoint is for. */
    record Entry(Installed installed) {}

    /** What a breakpoint is for. */
    record Return(Installed installed) {}

    final Watch watch;
    final Method method;
    final boolean loopsToStart;
    private final EventRequestManager requests;
    private final List<BreakpointRequest> returns = new ArrayList<>();
    private BreakpointRequest entry;

    Installed(Watch watch, Method method, EventRequestManager requests) {
        this.watch = watch;
        this.method = method;
        this.requests = requests;
        Code code = new Code(method.bytecodes());
        loopsToStart = code.loopsToStart();
        entry = at(0, new Entry(this));
        for (int place : code.returns()) {
            returns.add(at(place, new Return(this)));
        }
    }

    private BreakpointRequest at(int place, Object role) {
        Location location = method.locationOfCodeIndex(place);
        if (location == null) {
            throw new IllegalStateException("no location " + place + " in " + method);
        }
        BreakpointRequest request = requests.createBreakpointRequest(location);
        request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        request.putProperty(ROLE, role);
        request.enable();
        return request;
    }

    /** No new calls are seen from now on. */
    void ignoreEntries() {
        if (entry != null) {
            requests.deleteEventRequest(entry);
            entry = null;
        }
    }

    /** New calls are seen again. */
    void seeEntries() {
        if (entry == null) {
            entry = at(0, new Entry(this));
        }
        returns.forEach(EventRequest::enable);
    }

    /** Full speed again; for when no call is under way. */
    void ignoreReturns() {
        returns.forEach(EventRequest::disable);
    }

    boolean seesEntries() {
        return entry != null;
    }
}
