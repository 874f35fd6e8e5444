// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import java.util.regex.Pattern;

/** Methods of String that take regular expressions, with a limit: some expressions take time without end on some texts. */
final class Regex {
    private static final int MOST_LOOKS = 200_000;
    private static final int LONGEST = 1_000;

    private Regex() {}

    /** Whether this class runs the method of that name in place of the Java library. */
    static boolean takes(String method) {
        return method.equals("matches") || method.equals("replaceAll") || method.equals("replaceFirst")
                || method.equals("split");
    }

    /**
     * What the method gives.
     *
     * @throws BudgetUsed beyond the limit
     * @throws RuntimeException what the method itself throws
     */
    static Object call(String text, String method, Object[] arguments) {
        String expression = (String) arguments[0];
        if (expression.length() > LONGEST) {
            throw new BudgetUsed("a regular expression of more than " + LONGEST + " characters");
        }
        try {
            Pattern pattern = Pattern.compile(expression);
            CharSequence limited = new Limited(text, new int[1]);
            return switch (method) {
                case "matches" -> pattern.matcher(limited).matches();
                case "replaceAll" -> pattern.matcher(limited).replaceAll((String) arguments[1]);
                case "replaceFirst" -> pattern.matcher(limited).replaceFirst((String) arguments[1]);
                default -> pattern.split(limited, arguments.length > 1 ? (int) arguments[1] : 0);
            };
        } catch (StackOverflowError tooDeep) {
            throw new BudgetUsed("a regular expression that goes too deep");
        }
    }

    private record Limited(String text, int[] looks) implements CharSequence {
        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (++looks[0] > MOST_LOOKS) {
                throw new BudgetUsed("a regular expression that looks at more than " + MOST_LOOKS + " characters");
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
