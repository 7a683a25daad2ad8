package dev.skep.directory.audit;

import java.time.Instant;

/**
 * One thing that was done.
 *
 * @param actor kind and id, for example {@code operator:01J…}
 * @param target kind and id of what it was done to
 * @param from an address, or {@code local}
 * @param detail a JSON object; never a secret
 */
public record AuditEntry(
        String id,
        Instant at,
        String actor,
        String action,
        String target,
        String from,
        String detail) {}
