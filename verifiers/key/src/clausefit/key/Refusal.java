// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

/** A request, a clause or a skeleton that cannot be used. {@code kind} is one of the words of the protocol. */
final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    private static final int LONGEST = 300;

    private final String kind;

    Refusal(String kind, String message) {
        super(message);
        this.kind = kind;
    }

    String kind() {
        return kind;
    }

    /**
     * The refusal that stands for an exception of KeY.
     *
     * @throws Error when that is what lies beneath: KeY wraps OutOfMemoryError and StackOverflowError into its own
     *     exceptions, and neither says anything about the text that was read
     */
    static Refusal of(String kind, Throwable problem) {
        for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
            if (cause instanceof VirtualMachineError error) {
                throw error;
            }
        }
        return new Refusal(kind, sentence(problem));
    }

    /** What an exception of KeY says, in one line; the name of its class where it says nothing. */
    static String sentence(Throwable problem) {
        Throwable told = problem;
        while (isBlank(told.getMessage()) && told.getCause() != null && told.getCause() != told) {
            told = told.getCause();
        }
        String text = isBlank(told.getMessage()) ? told.getClass().getSimpleName() : told.getMessage();
        return shorten(text);
    }

    /** A message of KeY in one line, without the names of exceptions around it and without lists of tokens. */
    static String shorten(String text) {
        String line = text.strip().replaceAll("\\s+", " ").replaceFirst("^(?:[\\w.$]+Exception: )+", "")
                .replaceFirst(" expecting \\{.*", "");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
    }

    private static boolean isBlank(String text) {
        return text == null || text.isBlank();
    }
}
