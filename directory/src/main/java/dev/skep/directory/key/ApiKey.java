package dev.skep.directory.key;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What may be shown of a key: everything but the key itself.
 *
 * @param subject the agent or operator it acts for; empty for a key of the org
 * @param hostId the agent's host
 */
public record ApiKey(
        String id,
        String org,
        String kind,
        String subject,
        @Nullable String hostId,
        String label,
        String createdBy,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Instant revokedAt) {

    boolean isUsable(Instant now) {
        return revokedAt == null && Optional.ofNullable(expiresAt).filter(now::isAfter).isEmpty();
    }
}
