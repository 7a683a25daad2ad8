package dev.skep.runner.runtime;

/** The model that a runtime is told to use. */
public record RuntimeModel(String name, long contextTokens, long outputTokens) {
    public RuntimeModel {
        // It is written into the texts of other programs as it is.
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._:/@+-]*")) {
            throw new IllegalArgumentException("'%s' is no name of a model".formatted(name));
        }
    }
}
