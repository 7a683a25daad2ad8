package dev.skep.supervisor.source;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Somebody connected or disconnected. */
public record ConnectionView(String id, String event, Instant at, @Nullable String address) {}
