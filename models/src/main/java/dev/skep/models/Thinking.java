package dev.skep.models;

import org.jspecify.annotations.Nullable;

/**
 * A model's reasoning, kept only to hand it back to the provider that signed it.
 *
 * @param signature opaque; null where the provider signs nothing
 */
public record Thinking(String text, @Nullable String signature) {}
