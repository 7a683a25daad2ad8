package dev.skep.directory.enrolment;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Snapshot;
import java.util.Optional;

/** The public keys of an org's hosts, by which others seal texts for them. */
public final class HostPublicKeys {
    private HostPublicKeys() {}

    /**
     * The newest key that a host of the org enrolled with; for one that needed not enrol, since it
     * is in this process, that of its own row. Empty for a host that was revoked.
     */
    public static Optional<String> of(Snapshot snapshot, Principal principal, HostId host) {
        String org = principal.org().value();
        boolean enrolled =
                snapshot.first(
                                "SELECT 1 FROM credentials WHERE kind = 'host_key' AND org_id = ? AND subject = ?",
                                _ -> true,
                                org,
                                host.value())
                        .isPresent();
        return enrolled
                ? snapshot.first(
                        """
                        SELECT public_key FROM credentials
                        WHERE kind = 'host_key' AND org_id = ? AND subject = ? AND revoked_at IS NULL
                        ORDER BY version DESC LIMIT 1""",
                        row -> row.text("public_key"),
                        org,
                        host.value())
                : snapshot.first(
                        "SELECT public_key FROM hosts WHERE org_id = ? AND id = ? AND public_key IS NOT NULL",
                        row -> row.text("public_key"),
                        org,
                        host.value());
    }
}
