package p;

import java.io.FileWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Writes each call as one line: what it was given, how it ended, and what that looked like afterwards. */
final class Log {
    static final class Call {
        private final String signature;
        private final Object[] named;
        private final String before;

        Call(String signature, Object[] named) {
            this.signature = signature;
            this.named = named;
            this.before = state(named);
        }
        void returned(Object result) { write(text(result, 0)); }
        void nothing() { write("void"); }
        void threw(Throwable thrown) { write("throws " + thrown.getClass().getName().replace('$', '.')); }

        private void write(String end) {
            try (FileWriter out = new FileWriter(System.getProperty("pins.log"), true)) {
                out.write(signature + ": " + before + " -> " + end + " | " + state(named) + "\n");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static Call enter(String signature, Object... named) { return new Call(signature, named); }

    private static String state(Object[] named) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < named.length; i += 2) parts.add(named[i] + "=" + text(named[i + 1], 0));
        return String.join(", ", parts);
    }

    private static String text(Object o, int depth) {
        if (o == null) return "null";
        if (depth > 5) return "...";
        if (o instanceof String) return "\"" + o + "\"";
        if (o instanceof Character) return "'" + o + "'";
        if (o instanceof Double) return "d" + Long.toHexString(Double.doubleToLongBits((Double) o));
        if (o instanceof Float) return "f" + Integer.toHexString(Float.floatToIntBits((Float) o));
        if (o instanceof Number || o instanceof Boolean) return o.toString();
        if (o instanceof Enum) return o.getClass().getName().replace('$', '.') + "." + ((Enum<?>) o).name();
        List<String> parts = new ArrayList<>();
        if (o instanceof List) {
            for (Object one : (List<?>) o) parts.add(text(one, depth + 1));
            return "(" + String.join(", ", parts) + ")";
        }
        if (o.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(o); i++) parts.add(text(Array.get(o, i), depth + 1));
            return "[" + String.join(", ", parts) + "]";
        }
        for (Class<?> c = o.getClass(); c.getName().startsWith("p."); c = c.getSuperclass()) {
            for (Field f : c.getDeclaredFields()) {
                if (Modifier.isStatic(f.getModifiers())) continue;
                f.setAccessible(true);
                try {
                    parts.add(f.getName() + ": " + text(f.get(o), depth + 1));
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
        Collections.sort(parts);
        return o.getClass().getName().replace('$', '.') + "{" + String.join(", ", parts) + "}";
    }
}
