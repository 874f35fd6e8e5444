package clausefit.record;

import com.sun.jdi.Method;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A watched method, and what has been recorded of it so far in all JVMs. */
final class Watch {
    /** A static field of a class. */
    record StaticField(String className, String field) {}

    private static final int EQUAL_HITS = 4;
    final int number;
    final String className;
    final String method;
    final List<String> parameters;
    /** Those that the contract names. */
    final List<StaticField> statics;
    /** Those of its class that the contract does not name. */
    final List<StaticField> unnamed;
    /** How many of the first arguments the text does not have: the object around, for constructors of inner classes. */
    final int hidden;
    private final Set<String> contents = new HashSet<>();
    private final Set<String> written = new HashSet<>();
    private final Map<String, Integer> leftOut = new TreeMap<>();
    private int hits;
    private boolean closed;

    Watch(int number, String className, String method, List<String> parameters, List<StaticField> statics,
            int hidden, List<StaticField> unnamed) {
        this.number = number;
        this.className = className;
        this.method = method;
        this.parameters = parameters;
        this.statics = statics;
        this.hidden = hidden;
        this.unnamed = unnamed;
    }

    /** Whether a loaded method has these parameters. A type that begins with ? is known by the end of its name only. */
    boolean fits(Method candidate) {
        List<String> found = candidate.argumentTypeNames();
        if (!candidate.name().equals(method) || candidate.isBridge() || found.size() != parameters.size()) {
            return false;
        }
        for (int i = 0; i < found.size(); i++) {
            String real = found.get(i).replace('$', '.');
            String wanted = parameters.get(i).replace('$', '.');
            boolean same = wanted.startsWith("?")
                    ? ("." + real).endsWith("." + wanted.substring(1))
                    : real.equals(wanted);
            if (!same) {
                return false;
            }
        }
        return true;
    }

    /** Counts a call; false once nothing more of this method is to be recorded. */
    synchronized boolean hit(Limits limits) {
        if (!closed && (++hits > limits.hits() || contents.size() >= limits.distinctCalls())) {
            closed = true;
        }
        return !closed;
    }

    /** How many different calls were recorded; many equal ones count as some, since each takes its time. */
    synchronized int seen() {
        return Math.max(contents.size(), hits / EQUAL_HITS);
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** No more calls of it are watched, in any JVM. */
    synchronized void close() {
        closed = true;
    }

    /** Whether this content (input and outcome) made by this test is new, so that it must be written. */
    synchronized boolean isNew(String content, String test, Limits limits) {
        // Digests: the texts themselves may be large.
        String digest = digest(content);
        contents.add(digest);
        if (contents.size() >= limits.distinctCalls()) {
            closed = true;
        }
        return written.add(digest + " " + test);
    }

    synchronized void leaveOut(String reason) {
        leftOut.merge(reason, 1, Integer::sum);
    }

    synchronized Map<String, Integer> leftOut() {
        return Collections.unmodifiableMap(new TreeMap<>(leftOut));
    }

    private static String digest(String content) {
        try {
            byte[] bytes = content.getBytes(StandardCharsets.US_ASCII);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 16);
        } catch (NoSuchAlgorithmException impossible) {
            // Every Java has SHA-256 (see MessageDigest).
            throw new IllegalStateException(impossible);
        }
    }

    static List<String> words(String text) {
        return text.isEmpty() ? List.of() : new ArrayList<>(List.of(text.split(",")));
    }
}
