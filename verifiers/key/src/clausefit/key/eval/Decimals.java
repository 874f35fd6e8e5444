// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

/** Numbers with a fraction as text. */
final class Decimals {
    /** So many digits tell any two doubles (or floats) apart that differ in them. */
    private static final int DOUBLE_DIGITS = 15;

    private static final int FLOAT_DIGITS = 6;

    private Decimals() {}

    /**
     * What {@code toString} gives; null where that is not the same in all versions of Java (JDK-4511638, mended in 19:
     * before, some texts had more digits than needed).
     */
    static String text(Number number) {
        String text = number.toString();
        long digits = text.replaceFirst("E.*", "").chars().filter(Character::isDigit).count();
        boolean special = text.contains("N") || text.contains("I");
        return special || digits <= (number instanceof Float ? FLOAT_DIGITS : DOUBLE_DIGITS) ? text : null;
    }
}
