// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonObject;
import com.eclipsesource.json.JsonValue;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Reads one request a line and writes one answer a line, until its input ends. README.md says what they hold. */
public final class Main {
    /** Clauses and terms are walked recursively; the stack that Java gives a thread by itself ends at some thousands. */
    private static final long STACK_BYTES = 256L << 20;

    private final PrintStream answers;
    private final Watchdog watchdog = new Watchdog(this::giveUp);
    private Skeleton skeleton;
    private JsonValue id = Json.NULL;
    private SceneJudge judge;

    private Main(PrintStream answers) {
        this.answers = answers;
    }

    /** Runs until the input ends; takes no arguments. */
    public static void main(String[] arguments) throws InterruptedException {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        // KeY and its libraries print here and there; an answer must not get between their lines.
        System.setOut(System.err);
        Thread worker = new Thread(null, () -> System.exit(new Main(answers).serve()), "requests", STACK_BYTES);
        worker.start();
        worker.join();
    }

    private int serve() {
        try (BufferedReader input = new BufferedReader(
                new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                tell(answer(line));
            }
            return 0;
        } catch (IOException problem) {
            System.err.println("input: " + problem.getMessage());
            return 1;
        }
    }

    private void tell(JsonObject answer) {
        answers.print(answer.toString());
        answers.print('\n');
        answers.flush();
    }

    /** What is known of the scene when one of its questions takes too long; another process is asked the rest. */
    private void giveUp(Inquiry stuck) {
        stuck.settleByEvaluation();
        if (stuck.isOpen()) {
            stuck.end("timeout", "");
        }
        tell(judge.answerSoFar().add("id", id).add("last", true));
        Runtime.getRuntime().halt(0);
    }

    private JsonObject answer(String line) {
        id = Json.NULL;
        try {
            JsonObject request = Requests.object(line);
            if (request.get("id") != null) {
                id = request.get("id");
            }
            return handle(request).add("id", id);
        } catch (Refusal refusal) {
            return error(id, refusal.kind(), refusal.getMessage());
        } catch (OutOfMemoryError problem) {
            return error(id, "out_of_memory", "the Java process has too little memory for this");
        } catch (StackOverflowError problem) {
            return error(id, "stack_overflow", "KeY recurses too deeply on this");
        } catch (Throwable problem) {
            // Whatever KeY runs into in one scene, the next scene is another one.
            return error(id, "crash", problem.getClass().getSimpleName() + ": " + Refusal.sentence(problem));
        }
    }

    private JsonObject handle(JsonObject request) throws Refusal {
        if (request.get("load") != null) {
            if (skeleton != null) {
                skeleton.close();
                skeleton = null;
            }
            skeleton = Skeleton.load(Requests.load(request.get("load")));
            return Json.object().add("loaded", true);
        }
        if (request.get("evaluate") != null) {
            return EvaluateRequest.answer(request.get("evaluate"));
        }
        if (request.get("scene") == null) {
            throw new Refusal("request", "the request has neither load nor scene");
        }
        if (skeleton == null) {
            throw new Refusal("request", "nothing is loaded");
        }
        Requests.Scene scene = Requests.scene(request.get("scene"));
        try {
            judge = new SceneJudge(scene, watchdog);
            return judge.judge(skeleton);
        } catch (RuntimeException | Error problem) {
            // Wherever it stopped, the proof may be left half changed.
            skeleton.forget();
            throw problem;
        }
    }

    private static JsonObject error(JsonValue id, String kind, String message) {
        return Json.object().add("id", id)
                .add("error", Json.object().add("kind", kind).add("message", message == null ? "" : message));
    }
}
