package dev.skep.models;

import org.jspecify.annotations.Nullable;

/**
 * How a model is to answer.
 *
 * @param temperature null for the provider's own default
 * @param cachePrompt whether to mark the prompt for the provider's cache where that is explicit
 */
public record ModelSettings(
        int maxOutputTokens,
        @Nullable Double temperature,
        Reasoning reasoning,
        boolean cachePrompt) {

    /** How hard a model that can reason is to think before it answers. */
    public enum Reasoning {
        OFF,
        LOW,
        MEDIUM,
        HIGH
    }

    public static ModelSettings standard() {
        return new ModelSettings(4096, null, Reasoning.OFF, true);
    }
}
