package dev.skep.cli.config;

/** A value that is used and never shown. */
public record SecretValue(String value) {
    /** What is shown in its place. */
    public static final String MASK = "********";

    @Override
    public String toString() {
        return MASK;
    }
}
