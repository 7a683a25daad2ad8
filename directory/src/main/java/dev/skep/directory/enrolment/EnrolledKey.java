package dev.skep.directory.enrolment;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One version of a host's public key as this hub knows it. */
public record EnrolledKey(
        OrgId org,
        HostId host,
        int version,
        String name,
        String publicKey,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Instant revokedAt) {

    boolean isAccepted(Instant now) {
        return revokedAt == null && Optional.ofNullable(expiresAt).filter(now::isAfter).isEmpty();
    }
}
