package dev.skep.dispatch.host;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Fields;
import dev.skep.store.Snapshot;
import dev.skep.transport.route.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads hosts for people; always of the caller's org. */
public final class HostViews {
    private static final String SELECT =
            """
            SELECT h.host_id, coalesce(h.display_name, s.name, h.host_id) AS shown, h.status,
                   h.status_since, h.last_heartbeat_at, h.agent_version, h.last_metrics, h.labels,
                   h.degraded_reason, h.max_concurrent, h.jobs_per_minute,
                   coalesce(u.running, 0) AS running
            FROM host_health h
            LEFT JOIN hosts s ON s.id = h.host_id AND s.org_id = h.org_id
            LEFT JOIN (
                SELECT host_id, count(*) AS running FROM job_runs WHERE status = 'running'
                GROUP BY host_id) u ON u.host_id = h.host_id
            WHERE h.org_id = ?
            """;

    private HostViews() {}

    public static List<HostView> list(
            Snapshot snapshot, Principal principal, HostFilter filter, Instant suspectBefore) {
        StringBuilder sql = new StringBuilder(SELECT);
        List<@Nullable Object> parameters = new ArrayList<>();
        parameters.add(principal.org().value());
        filter.status()
                .ifPresent(
                        status -> {
                            sql.append(" AND h.status = ?");
                            parameters.add(status.label());
                        });
        filter.label()
                .ifPresent(
                        label -> {
                            sql.append(" AND h.labels LIKE ? ESCAPE '!'");
                            parameters.add("%" + escaped(HostLabels.member(label)) + "%");
                        });
        filter.text()
                .ifPresent(
                        text -> {
                            sql.append(
                                    " AND lower(coalesce(h.display_name, s.name, h.host_id)) LIKE lower(?) ESCAPE '!'");
                            parameters.add("%" + escaped(text) + "%");
                        });
        filter.after()
                .ifPresent(
                        after -> {
                            sql.append(" AND h.host_id > ?");
                            parameters.add(after);
                        });
        sql.append(" ORDER BY h.host_id LIMIT ?");
        parameters.add(filter.limit());
        return snapshot.list(sql.toString(), row -> view(row, suspectBefore), parameters.toArray());
    }

    public static Optional<HostView> find(
            Snapshot snapshot, Principal principal, HostId host, Instant suspectBefore) {
        return snapshot.first(
                SELECT + " AND h.host_id = ?",
                row -> view(row, suspectBefore),
                principal.org().value(),
                host.value());
    }

    /** Beats older than this make a host that is up look silent. */
    public static Instant suspectBefore(Instant now, Duration interval) {
        return now.minus(BeatInterval.suspectAfter(interval));
    }

    private static String escaped(String text) {
        return text.replace("!", "!!").replace("%", "!%").replace("_", "!_");
    }

    private static HostView view(Fields row, Instant suspectBefore) {
        HostStatus status = HostStatus.of(row.textOrNull("status"));
        Instant lastBeat = row.timeOrNull("last_heartbeat_at");
        Long perMinute = row.numberOrNull("jobs_per_minute");
        return new HostView(
                row.text("host_id"),
                row.text("shown"),
                status.label(),
                status.isUp() && lastBeat != null && lastBeat.isBefore(suspectBefore),
                row.timeOrNull("status_since"),
                lastBeat,
                row.textOrNull("agent_version"),
                Json.raw(row.textOrNull("last_metrics")),
                Json.raw(row.textOrNull("labels")),
                row.textOrNull("degraded_reason"),
                (int) row.number("max_concurrent"),
                perMinute == null ? null : perMinute.intValue(),
                (int) row.number("running"));
    }
}
