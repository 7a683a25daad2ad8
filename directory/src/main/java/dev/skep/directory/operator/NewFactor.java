package dev.skep.directory.operator;

/**
 * A new second factor, shown once.
 *
 * @param secret to type into an app, in base 32
 * @param link the same, as apps read it
 */
public record NewFactor(String secret, String link) {
    @Override
    public String toString() {
        return "a new second factor";
    }
}
