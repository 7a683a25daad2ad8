package dev.skep.registry.wire;

import org.jspecify.annotations.Nullable;

/** A call and the id its answer is to carry. */
public record Request(@Nullable String id, Call call) {}
