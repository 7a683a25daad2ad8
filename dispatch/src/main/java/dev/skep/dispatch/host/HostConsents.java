package dev.skep.dispatch.host;

import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.job.JobKind;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What hosts report that they let this hub do. It spares people a job that would come back refused;
 * the host's own check is the one that counts. A job for a host that reports nothing is let
 * through.
 */
public final class HostConsents {
    private final Database database;

    public HostConsents(Database database) {
        this.database = database;
    }

    /** Of every host of the org that has reported it. */
    public Map<String, List<String>> of(Principal principal) {
        Map<String, List<String>> all = new HashMap<>();
        database.read(
                        snapshot ->
                                snapshot.list(
                                        "SELECT host_id, allows FROM host_health WHERE org_id = ? AND allows IS NOT NULL",
                                        row -> Map.entry(row.text("host_id"), consents(row)),
                                        principal.org().value()))
                .forEach(each -> all.put(each.getKey(), each.getValue().labels()));
        return all;
    }

    /** Refuses a job of a type that the host does not accept from this hub. */
    public void requireForJob(OrgId org, HostId host, String type) {
        JobKind.of(type).ifPresent(kind -> require(org, host, kind.consent()));
    }

    /** Refuses what the host does not let this hub do. */
    public void require(OrgId org, HostId host, Consent needed) {
        Optional<Consents> allows =
                database.read(
                        snapshot ->
                                snapshot.first(
                                        "SELECT allows FROM host_health WHERE org_id = ? AND host_id = ? AND allows IS NOT NULL",
                                        HostConsents::consents,
                                        org.value(),
                                        host.value()));
        if (allows.filter(said -> !said.has(needed)).isPresent()) {
            throw new SkepException(
                    ErrorCode.NO_CONSENT,
                    "host %s does not allow '%s' to this hub, only %s; on that host, 'skep allow' shows and changes it"
                            .formatted(host, needed.label(), allows.get()));
        }
    }

    private static Consents consents(ResultRow row) {
        return Consents.parse(row.text("allows"));
    }
}
