package dev.skep.transport.route;

import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import java.util.Optional;

/** Finds the caller that these credentials belong to. Thread-safe. */
public interface Authenticator {
    /** Authenticates no one, for listeners that leave credentials to the handlers behind them. */
    Authenticator NOBODY =
            new Authenticator() {
                @Override
                public Optional<Principal> principalOf(Credentials credentials) {
                    return Optional.empty();
                }

                @Override
                public boolean isOrg(OrgId org) {
                    return false;
                }
            };

    /**
     * Empty if no credentials were offered; throws with the matching code if they are wrong,
     * expired or revoked.
     */
    Optional<Principal> principalOf(Credentials credentials);

    /**
     * The caller in an org that a path names and that is not the one they speak for first; empty if
     * they do not belong to it.
     */
    default Optional<Principal> principalIn(Credentials credentials, OrgId org) {
        return Optional.empty();
    }

    /** Whether there is such an org, for the process itself, which may act in any. */
    boolean isOrg(OrgId org);
}
