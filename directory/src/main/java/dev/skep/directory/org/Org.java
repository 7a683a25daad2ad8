package dev.skep.directory.org;

import java.time.Instant;

/** A tenant; its id is the short word it was created with and never changes. */
public record Org(String id, String name, Instant createdAt) {}
