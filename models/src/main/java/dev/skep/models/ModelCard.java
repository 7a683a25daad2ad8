package dev.skep.models;

import java.util.Optional;

/**
 * What is known about a model before it is asked.
 *
 * @param name as agents' files write it, for example {@code claude-sonnet-4-5} or {@code
 *     scripted:alice.script.yaml}
 * @param contextTokens how much one call may hold
 * @param isPriced whether what it costs is known; nothing is known of one with a key and no price
 * @param seesImages whether it can be shown images
 */
public record ModelCard(
        String name,
        String provider,
        long contextTokens,
        Prices prices,
        boolean isPriced,
        boolean seesImages) {
    public ModelCard(
            String name, String provider, long contextTokens, Prices prices, boolean isPriced) {
        this(name, provider, contextTokens, prices, isPriced, false);
    }

    public ModelCard(String name, String provider, long contextTokens, Prices prices) {
        this(name, provider, contextTokens, prices, true);
    }

    /** Why agents with a spend limit may not use it; empty if they may. */
    public Optional<String> unpriced() {
        return isPriced
                ? Optional.empty()
                : Optional.of(
                        "model %s has no price, so that no spend limit can hold for it; give it prices in models.yaml, { input: 0, output: 0 } if it costs nothing"
                                .formatted(name));
    }
}
