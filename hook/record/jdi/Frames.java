package clausefit.record;

import com.sun.jdi.Location;
import com.sun.jdi.StackFrame;
import java.util.ArrayList;
import java.util.List;

/**
 * The frames of a stack that may be a test: those that are not of Java itself or of what runs tests. A call by
 * reflection stays beside the frame that it called: so are tests called.
 */
final class Frames {
    private static final int MOST = 64;
    private static final List<String> NO_TESTS = List.of(
            "java.", "javax.", "jdk.", "sun.", "com.sun.", "org.junit.", "junit.", "org.testng.", "org.apache.maven.",
            "org.gradle.", "worker.org.gradle.", "org.mockito.", "org.assertj.", "org.hamcrest.");

    private static final List<String> REFLECTION = List.of(
            "jdk.internal.reflect.", "java.lang.reflect.", "sun.reflect.", "java.lang.invoke.");

    final String json;
    /** The outermost of them as text, to tell tests apart. */
    final String outermost;

    Frames(List<StackFrame> stack) {
        List<String> kept = new ArrayList<>();
        String last = "";
        boolean isCallee = false;
        for (StackFrame frame : stack) {
            Location at = frame.location();
            String className = at.declaringType().name();
            boolean mayBeTest = NO_TESTS.stream().noneMatch(className::startsWith) && !className.contains("/");
            boolean callsTest = isCallee && REFLECTION.stream().anyMatch(className::startsWith);
            isCallee = mayBeTest;
            if (mayBeTest) {
                last = className + "." + at.method().name();
            }
            if (mayBeTest || callsTest) {
                Json one = new Json().open('[').text(className).text(at.method().name()).number(at.lineNumber());
                kept.add(one.close(']').toString());
            }
        }
        if (kept.size() > MOST) {
            // In a deep recursion the test is at the other end.
            kept.subList(MOST / 2, kept.size() - MOST / 2).clear();
        }
        json = "[" + String.join(",", kept) + "]";
        outermost = last;
    }
}
