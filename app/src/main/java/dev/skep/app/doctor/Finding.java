package dev.skep.app.doctor;

import java.util.Locale;

/**
 * The result of one check.
 *
 * @param check what was looked at, in a word or two
 * @param fix what to do about it; empty where nothing is wrong
 */
public record Finding(String check, Level level, String says, String fix) {
    /** How much it matters; only a problem keeps something from working. */
    public enum Level {
        OK,
        WARNING,
        PROBLEM;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public static Finding ok(String check, String says) {
        return new Finding(check, Level.OK, says, "");
    }

    public static Finding warning(String check, String says, String fix) {
        return new Finding(check, Level.WARNING, says, fix);
    }

    public static Finding problem(String check, String says, String fix) {
        return new Finding(check, Level.PROBLEM, says, fix);
    }

    /** Our own errors name the thing and, behind the last semicolon, the fix. */
    static Finding problem(String check, RuntimeException failure) {
        String message = String.valueOf(failure.getMessage());
        int end = message.lastIndexOf("; ");
        return end < 0
                ? problem(check, message, "see docs/reference/errors.md")
                : problem(check, message.substring(0, end), message.substring(end + 2));
    }

    /** One line for people. */
    public String line() {
        return fix.isEmpty() ? says : says + "; " + fix;
    }
}
