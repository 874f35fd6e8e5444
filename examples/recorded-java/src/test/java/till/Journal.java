package till;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** The tests' own log of all calls: JSON lines in the file that CLAUSEFIT_LOG names; without it, none. */
final class Journal {
    private static final String FILE = System.getenv("CLAUSEFIT_LOG");

    private Journal() {
    }

    /** One line; quotes in the format are written as '. */
    static void write(String format, Object... values) {
        if (FILE == null) {
            return;
        }
        String line = "{" + String.format(format, values).replace('\'', '"') + "}\n";
        try {
            Files.writeString(Path.of(FILE), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    static String row(int[] values) {
        return Arrays.toString(values);
    }
}
