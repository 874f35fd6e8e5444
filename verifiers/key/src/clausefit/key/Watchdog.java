// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import java.util.function.Consumer;

/**
 * Ends a search that does not look at the clock: between two rules KeY may think for ever. What is known by then is
 * answered, and the process ends, since nothing else stops a thread.
 */
final class Watchdog {
    private static final long GRACE_NANOS = 4_000_000_000L;
    private static final long PAUSE_MILLIS = 250;

    private final Consumer<Inquiry> onStuck;
    private Inquiry current;
    private long deadline;

    /** {@code onStuck} is called by another thread, once, and with the inquiry that takes too long. */
    Watchdog(Consumer<Inquiry> onStuck) {
        this.onStuck = onStuck;
        Thread thread = new Thread(this::watch, "watchdog");
        thread.setDaemon(true);
        thread.start();
    }

    /** From now on {@code inquiry} is asked, which should take no longer than that. */
    synchronized void begin(Inquiry inquiry, long millis) {
        current = inquiry;
        deadline = System.nanoTime() + millis * 1_000_000 + GRACE_NANOS;
    }

    /** The inquiry is over. */
    synchronized void end() {
        current = null;
    }

    private void watch() {
        try {
            while (!looksStuck()) {
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean looksStuck() {
        if (current == null || System.nanoTime() < deadline) {
            return false;
        }
        // Still holding the lock: a search that ends in this moment waits in end(), and answers nothing of its own.
        onStuck.accept(current);
        return true;
    }
}
