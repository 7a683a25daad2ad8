package dev.skep.transport.route;

import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import java.util.Optional;

/** Finds the caller that these credentials belong to. Thread-safe. */
public interface Authenticator {
    /** Knows nobody, for listeners whose visitors show what they have to what is behind them. */
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
     * Nobody if nothing was offered; throws if what was offered is wrong, expired or revoked, with
     * the code that says which.
     */
    Optional<Principal> principalOf(Credentials credentials);

    /** Whether there is such an org, for the process itself, which may act in any. */
    boolean isOrg(OrgId org);
}
