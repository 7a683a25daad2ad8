package dev.skep.directory.audit;

import java.time.Instant;
import java.util.Optional;

/** Which entries to read; what is empty does not narrow. */
public record AuditFilter(
        Optional<String> actor,
        Optional<String> action,
        Optional<String> target,
        Optional<Instant> since,
        Optional<Instant> until) {
    public static final AuditFilter ALL =
            new AuditFilter(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
}
