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
     * The same for a path that names an org: whoever belongs to several is found as who they are in
     * that one.
     */
    default Optional<Principal> principalOf(Credentials credentials, OrgId org) {
        return principalOf(credentials);
    }

    /** Whether there is such an org, for the process itself, which may act in any. */
    boolean isOrg(OrgId org);
}
