package clausefit.record;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of JSON lines, flushed line by line: a recorder that is killed loses nothing that was written. */
final class Output implements AutoCloseable {
    private final Writer writer;
    private final Runnable whenBroken;
    private boolean isBroken;

    Output(Path file, Runnable whenBroken) throws IOException {
        this.whenBroken = whenBroken;
        writer = Files.newBufferedWriter(file, StandardCharsets.US_ASCII);
    }

    synchronized void line(String json) {
        if (isBroken) {
            return;
        }
        try {
            writer.write(json);
            writer.write('\n');
            writer.flush();
        } catch (IOException problem) {
            // A full disk: what is written stays, the suite goes on.
            isBroken = true;
            whenBroken.run();
        }
    }

    synchronized boolean isBroken() {
        return isBroken;
    }

    void problem(String text) {
        line(new Json().open('{').key("problem").text(text).close('}').toString());
    }

    @Override
    public synchronized void close() {
        try {
            writer.close();
        } catch (IOException problem) {
            isBroken = true;
            whenBroken.run();
        }
    }
}
