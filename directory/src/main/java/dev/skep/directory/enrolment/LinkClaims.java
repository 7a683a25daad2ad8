package dev.skep.directory.enrolment;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import java.time.Duration;
import java.time.Instant;

/**
 * The content of a link's token.
 *
 * @param agentKeyVersion the version of the host's key the token was got with
 * @param place machine and folder, to distinguish two copies of one host
 * @param clockOff by how much the host's clock was ahead when it connected
 */
public record LinkClaims(
        OrgId org,
        HostId host,
        int agentKeyVersion,
        String place,
        Duration clockOff,
        Instant expiresAt) {
    public Principal.Host principal() {
        return new Principal.Host(org, host);
    }
}
