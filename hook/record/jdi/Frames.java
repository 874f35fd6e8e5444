package clausefit.record;

import com.sun.jdi.Location;
import com.sun.jdi.StackFrame;
import java.util.List;

/** The frames of a stack that may be a test: those that are not of Java itself or of what runs tests. */
final class Frames {
    private static final int MOST = 64;
    private static final List<String> NO_TESTS = List.of(
            "java.", "javax.", "jdk.", "sun.", "com.sun.", "org.junit.", "junit.", "org.testng.", "org.apache.maven.",
            "org.gradle.", "worker.org.gradle.", "org.mockito.", "org.assertj.", "org.hamcrest.");

    final String json;
    /** The outermost of them as text, to tell tests apart. */
    final String outermost;

    Frames(List<StackFrame> stack) {
        Json out = new Json().open('[');
        String last = "";
        int count = 0;
        for (StackFrame frame : stack) {
            Location at = frame.location();
            String className = at.declaringType().name();
            if (NO_TESTS.stream().anyMatch(className::startsWith) || className.contains("/")) {
                continue;
            }
            last = className + "." + at.method().name();
            if (count++ < MOST) {
                out.open('[').text(className).text(at.method().name()).number(at.lineNumber()).close(']');
            }
        }
        json = out.close(']').toString();
        outermost = last;
    }
}
