package dev.skep.dispatch.secret;

import dev.skep.dispatch.job.JobId;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The tables {@code secret_targets} and {@code secret_seals}; always of the caller's org. */
public final class SecretStore {
    /**
     * A secret as it is sealed for a host.
     *
     * @param status of the job that brings it; null once that is no longer kept
     */
    public record Seal(
            String name,
            HostId host,
            long version,
            String job,
            @Nullable String status,
            String by,
            Instant at) {}

    /** Where each secret is meant to be, by its name. */
    public Map<String, List<SecretTarget>> targets(Snapshot snapshot, Principal principal) {
        Map<String, List<SecretTarget>> all = new TreeMap<>();
        snapshot.list(
                        "SELECT name, target FROM secret_targets WHERE org_id = ? ORDER BY name, target",
                        row -> Map.entry(row.text("name"), SecretTarget.parse(row.text("target"))),
                        principal.org().value())
                .forEach(
                        each ->
                                all.computeIfAbsent(each.getKey(), _ -> new ArrayList<>())
                                        .add(each.getValue()));
        return all;
    }

    public List<Seal> seals(Snapshot snapshot, Principal principal) {
        return snapshot.list(
                """
                SELECT s.name, s.host_id, s.version, s.job_id, s.sealed_by, s.sealed_at, r.status
                FROM secret_seals s
                LEFT JOIN jobs j ON j.id = s.job_id AND j.org_id = s.org_id
                LEFT JOIN job_runs r ON r.id = j.run_id
                WHERE s.org_id = ? ORDER BY s.name, s.host_id""",
                SecretStore::seal,
                principal.org().value());
    }

    private static Seal seal(ResultRow row) {
        return new Seal(
                row.text("name"),
                new HostId(row.text("host_id")),
                row.number("version"),
                row.text("job_id"),
                row.textOrNull("status"),
                row.text("sealed_by"),
                row.time("sealed_at"));
    }

    /** Puts these targets in the place of all earlier ones. */
    public void aim(
            Transaction transaction,
            OrgId org,
            String name,
            List<SecretTarget> targets,
            Instant now) {
        transaction.update(
                "DELETE FROM secret_targets WHERE org_id = ? AND name = ?", org.value(), name);
        targets.stream()
                .distinct()
                .forEach(
                        target ->
                                transaction.update(
                                        "INSERT INTO secret_targets (org_id, name, target, created_at) VALUES (?, ?, ?, ?)",
                                        org.value(),
                                        name,
                                        target.text(),
                                        now));
    }

    /** Remembers the newest seal for a host. */
    public void sealed(
            Transaction transaction,
            OrgId org,
            String name,
            HostId host,
            long version,
            JobId job,
            String by,
            Instant now) {
        transaction.update(
                """
                INSERT INTO secret_seals (org_id, name, host_id, version, job_id, sealed_by, sealed_at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (org_id, name, host_id) DO UPDATE
                SET version = excluded.version, job_id = excluded.job_id,
                    sealed_by = excluded.sealed_by, sealed_at = excluded.sealed_at""",
                org.value(),
                name,
                host.value(),
                version,
                job.value(),
                by,
                now);
    }

    public void forget(Transaction transaction, OrgId org, String name) {
        aim(transaction, org, name, List.of(), Instant.EPOCH);
        transaction.update(
                "DELETE FROM secret_seals WHERE org_id = ? AND name = ?", org.value(), name);
    }

    /** The secret is no longer meant for this host. */
    public void forget(Transaction transaction, OrgId org, String name, HostId host) {
        transaction.update(
                "DELETE FROM secret_seals WHERE org_id = ? AND name = ? AND host_id = ?",
                org.value(),
                name,
                host.value());
    }
}
