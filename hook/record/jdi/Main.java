package clausefit.record;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.connect.ListeningConnector;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The recorder: waits for JVMs that connect, and watches each until it ends.
 *
 * <p>Called with the plan, the folder for what is recorded, and the port. Its requests on stdin are answered with
 * <code>done</code>: <code>start</code> once it listens; <code>limit</code> with a number of seconds ends the watching,
 * since the command is being ended after so many; <code>finish</code>, after which it ends, is answered with
 * <code>broken</code> when not all that was recorded could be written. When nobody is there any more to finish it, it
 * lets all JVMs go on unwatched, and ends when no new one has come for a while.
 */
public final class Main {
    private static final long LINGER_NANOS = 120_000_000_000L;
    private static final long DRAIN_MILLIS = 4_000;
    private final Plan plan;
    private final Path folder;
    private final ListeningConnector connector;
    private final Map<String, Connector.Argument> arguments;
    private final List<Session> sessions = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final AtomicLong lastCame = new AtomicLong(System.nanoTime());
    private volatile boolean isLingering;
    private volatile boolean isBroken;
    private int count;

    private Main(Plan plan, Path folder, String port) {
        this.plan = plan;
        this.folder = folder;
        connector = Bootstrap.virtualMachineManager().listeningConnectors().stream()
                .filter(one -> one.name().equals("com.sun.jdi.SocketListen"))
                .findFirst()
                .orElseThrow();
        arguments = connector.defaultArguments();
        arguments.get("localAddress").setValue("127.0.0.1");
        arguments.get("port").setValue(port);
    }

    /** See the class. */
    public static void main(String[] words) throws Exception {
        new Main(new Plan(Path.of(words[0])), Path.of(words[1]), words[2]).serve();
    }

    private void serve() throws IOException, IllegalConnectorArgumentsException, InterruptedException {
        connector.startListening(arguments);
        Thread acceptor = new Thread(this::accept);
        acceptor.setDaemon(true);
        acceptor.start();
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            if (line.equals("start")) {
                System.out.println("done");
            } else if (line.startsWith("limit ")) {
                double seconds = Double.parseDouble(line.substring("limit ".length()));
                sessions.forEach(one -> one.limitReached(seconds));
                long until = System.currentTimeMillis() + DRAIN_MILLIS;
                for (Thread thread : threads) {
                    thread.join(Math.max(1, until - System.currentTimeMillis()));
                }
                System.out.println("done");
            } else if (line.equals("finish")) {
                finish();
                System.out.println(isBroken ? "broken" : "done");
                return;
            }
        }
        linger();
    }

    private void accept() {
        while (true) {
            try {
                VirtualMachine vm = connector.accept(arguments);
                lastCame.set(System.nanoTime());
                if (isLingering) {
                    vm.dispose();
                } else {
                    watch(vm);
                }
            } catch (IOException | IllegalConnectorArgumentsException | RuntimeException problem) {
                // One JVM, or what was none, that did not come through; the next one may.
                System.err.println("clausefit: a JVM could not be watched: " + problem);
            }
        }
    }

    private void watch(VirtualMachine vm) throws IOException {
        Session session = new Session(vm, plan, new Output(folder.resolve("vm-" + count + ".jsonl"), this::breakOff));
        count++;
        Thread thread = new Thread(() -> {
            session.run();
            sessions.remove(session);
            threads.remove(Thread.currentThread());
        });
        thread.setDaemon(true);
        sessions.add(session);
        threads.add(thread);
        thread.start();
    }

    private void finish() throws IOException, InterruptedException {
        sessions.forEach(Session::stop);
        long until = System.currentTimeMillis() + DRAIN_MILLIS;
        for (Thread thread : threads) {
            thread.join(Math.max(1, until - System.currentTimeMillis()));
        }
        try (Output summary = new Output(folder.resolve("summary.jsonl"), this::breakOff)) {
            for (Watch watch : plan.watches) {
                watch.leftOut().forEach((reason, number) -> summary.line(new Json().open('{')
                        .key("m").number(watch.number)
                        .key("left_out").text(reason)
                        .key("count").number(number)
                        .close('}')
                        .toString()));
            }
        }
    }

    private void breakOff() {
        isBroken = true;
    }

    private void linger() throws InterruptedException {
        isLingering = true;
        sessions.forEach(Session::stop);
        while (System.nanoTime() - lastCame.get() < LINGER_NANOS) {
            Thread.sleep(500);
        }
    }
}
