package dev.skep.models.provider;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where a model answers and what it can be asked.
 *
 * @param model the provider's name of it
 * @param key null where none is wanted
 * @param tools whether it can call tools; else commands are taken from its text
 * @param temperature whether it takes one
 * @param idle how long nothing may arrive before the call is given up
 */
public record ModelEndpoint(
        ProviderProtocol dialect,
        String model,
        String address,
        @Nullable String key,
        boolean tools,
        ReasoningStyle reasoning,
        boolean temperature,
        int maxOutputTokens,
        Duration idle) {

    /** How a model is asked to think. */
    public enum ReasoningStyle {
        NONE,
        /** By a number of tokens. */
        BUDGET,
        /** By a word: low, medium, high. */
        EFFORT,
        /** Anthropic's newer models: the model decides, an effort guides it. */
        ADAPTIVE
    }

    /** Never shows the key. */
    @Override
    public String toString() {
        return "%s at %s (%s)".formatted(model, address, dialect.word());
    }
}
