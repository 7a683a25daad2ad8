package dev.skep.dispatch.server;

import dev.skep.dispatch.job.ServerId;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.transport.route.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table {@code server_instances}. */
public final class ServerStore {
    private static final String COLUMNS =
            "id, host_id, name, spec, state, state_since, created_at, updated_at";

    /**
     * How much a heartbeat's delay may add to a server's age; a smaller difference is no restart.
     */
    private static final Duration SAME = Duration.ofSeconds(2);

    /** Where a server's jobs go, and what its host must know to do them. */
    public record Target(ServerId id, HostId host, String name, String spec) {}

    public void insert(
            Transaction transaction,
            OrgId org,
            ServerId id,
            HostId host,
            String name,
            String spec,
            Instant now) {
        transaction.update(
                """
                INSERT INTO server_instances
                    (id, org_id, host_id, name, spec, state, state_since, created_at, updated_at)
                VALUES (?, ?, ?, ?, ?, 'stopped', ?, ?, ?)""",
                id.value(),
                org.value(),
                host.value(),
                name,
                spec,
                now,
                now,
                now);
    }

    public Optional<Target> target(Snapshot snapshot, OrgId org, ServerId id) {
        return snapshot.first(
                "SELECT id, host_id, name, spec FROM server_instances WHERE id = ? AND org_id = ?",
                row ->
                        new Target(
                                new ServerId(row.text("id")),
                                new HostId(row.text("host_id")),
                                row.text("name"),
                                row.text("spec")),
                id.value(),
                org.value());
    }

    public Optional<ServerDetails> find(Snapshot snapshot, Principal principal, ServerId id) {
        return snapshot.first(
                "SELECT %s FROM server_instances WHERE id = ? AND org_id = ?".formatted(COLUMNS),
                ServerStore::view,
                id.value(),
                principal.org().value());
    }

    /** Servers after an id, of one host if that is given. */
    public List<ServerDetails> list(
            Snapshot snapshot,
            Principal principal,
            @Nullable HostId host,
            String after,
            int limit) {
        return snapshot.list(
                """
                SELECT %s FROM server_instances
                WHERE org_id = ? AND id > ? AND (CAST(? AS TEXT) IS NULL OR host_id = ?)
                ORDER BY id LIMIT ?"""
                        .formatted(COLUMNS),
                ServerStore::view,
                principal.org().value(),
                after,
                host == null ? null : host.value(),
                host == null ? null : host.value(),
                limit);
    }

    public boolean update(
            Transaction transaction,
            OrgId org,
            ServerId id,
            @Nullable String name,
            @Nullable String spec,
            Instant now) {
        return transaction.update(
                        """
                        UPDATE server_instances SET name = coalesce(?, name),
                            spec = coalesce(?, spec), updated_at = ?
                        WHERE id = ? AND org_id = ?""",
                        name,
                        spec,
                        now,
                        id.value(),
                        org.value())
                == 1;
    }

    public boolean delete(Transaction transaction, OrgId org, ServerId id) {
        return transaction.update(
                        "DELETE FROM server_instances WHERE id = ? AND org_id = ?",
                        id.value(),
                        org.value())
                == 1;
    }

    /**
     * What a host reports about one of its servers.
     *
     * @param since null from runners that do not report it: then the time of the report
     */
    public record ReportedState(String id, String state, @Nullable Instant since) {}

    /**
     * Stores what a host reports about its own servers. Detects a restart as well as the state,
     * because a restart can lie between two heartbeats.
     */
    public void storeReportedStates(
            Transaction transaction,
            Principal.Host host,
            List<ReportedState> servers,
            Instant now) {
        for (ReportedState reportedState : servers) {
            Instant since = reportedState.since();
            transaction.update(
                    """
                    UPDATE server_instances SET state = ?, state_since = ?, updated_at = ?
                    WHERE id = ? AND host_id = ? AND org_id = ?
                        AND (state <> ? OR state_since NOT BETWEEN ? AND ?)""",
                    reportedState.state(),
                    since == null ? now : since,
                    now,
                    reportedState.id(),
                    host.id().value(),
                    host.org().value(),
                    reportedState.state(),
                    since == null ? null : since.minus(SAME),
                    since == null ? null : since.plus(SAME));
        }
    }

    private static ServerDetails view(ResultRow row) {
        return new ServerDetails(
                row.text("id"),
                row.text("host_id"),
                row.text("name"),
                Json.raw(row.text("spec")),
                row.text("state"),
                row.time("state_since"),
                row.time("created_at"),
                row.time("updated_at"));
    }
}
