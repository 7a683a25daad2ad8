package dev.skep.registry.wire;

import org.jspecify.annotations.Nullable;

/** A call and the id its answer is to carry. */
public record RegistryRequest(@Nullable String id, RegistryCall call) {}
