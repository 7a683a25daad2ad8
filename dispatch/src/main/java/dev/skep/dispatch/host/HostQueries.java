package dev.skep.dispatch.host;

import dev.skep.directory.host.HostNames;
import dev.skep.dispatch.setting.LoadThresholds;
import dev.skep.dispatch.setting.OrgSettingsStore;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.clock.SteadyClock;
import dev.skep.transport.route.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads hosts for people; always of the caller's org. */
public final class HostQueries {
    private static final String SHOWN =
            "coalesce(%s, h.display_name, h.host_id)"
                    .formatted(HostNames.sql("h.host_id", "h.org_id"));

    private static final String SELECT =
            """
            SELECT h.host_id, %s AS shown, h.status,
                   h.status_since, h.last_heartbeat_at, h.agent_version, h.last_metrics, h.labels,
                   h.degraded_reason, h.max_concurrent, h.jobs_per_minute, h.allows,
                   coalesce(u.running, 0) AS running, h.created_at, h.updated_at
            FROM host_health h
            LEFT JOIN (
                SELECT host_id, count(*) AS running FROM job_runs WHERE status = 'running'
                GROUP BY host_id) u ON u.host_id = h.host_id
            WHERE h.org_id = ?
            """
                    .formatted(SHOWN);

    private HostQueries() {}

    public static List<HostDetails> list(
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
                            sql.append(" AND lower(%s) LIKE lower(?) ESCAPE '!'".formatted(SHOWN));
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
        Duration ahead = SteadyClock.ahead(snapshot);
        LoadThresholds thresholds = thresholds(snapshot, principal);
        return snapshot.list(
                sql.toString(),
                row -> view(row, suspectBefore, ahead, thresholds),
                parameters.toArray());
    }

    public static Optional<HostDetails> find(
            Snapshot snapshot, Principal principal, HostId host, Instant suspectBefore) {
        Duration ahead = SteadyClock.ahead(snapshot);
        LoadThresholds thresholds = thresholds(snapshot, principal);
        return snapshot.first(
                SELECT + " AND h.host_id = ?",
                row -> view(row, suspectBefore, ahead, thresholds),
                principal.org().value(),
                host.value());
    }

    /** Beats older than this, by the steady clock, make a host that is up look silent. */
    public static Instant suspectBefore(Instant now, Duration interval) {
        return now.minus(HeartbeatInterval.suspectAfter(interval));
    }

    private static LoadThresholds thresholds(Snapshot snapshot, Principal principal) {
        return OrgSettingsStore.of(snapshot, principal.org()).thresholds();
    }

    private static String escaped(String text) {
        return text.replace("!", "!!").replace("%", "!%").replace("_", "!_");
    }

    /** In an operator's words, or by what the host last measured; if by neither, by its jobs. */
    private static @Nullable String why(
            ResultRow row, HostStatus status, LoadThresholds thresholds) {
        String byHand = row.textOrNull("degraded_reason");
        return byHand != null || status != HostStatus.DEGRADED
                ? byHand
                : Optional.ofNullable(row.textOrNull("last_metrics"))
                        .map(Json::fields)
                        .flatMap(thresholds::in)
                        .orElse("most of its last jobs failed");
    }

    /**
     * Beats are stored by the steady clock and shown by the wall clock.
     *
     * @param ahead how far the steady clock is ahead of the other
     */
    private static HostDetails view(
            ResultRow row, Instant suspectBefore, Duration ahead, LoadThresholds thresholds) {
        HostStatus status = HostStatus.of(row.textOrNull("status"));
        Instant lastBeat = row.timeOrNull("last_heartbeat_at");
        String allows = row.textOrNull("allows");
        Long perMinute = row.numberOrNull("jobs_per_minute");
        return new HostDetails(
                row.text("host_id"),
                row.text("shown"),
                status.label(),
                status.isUp() && lastBeat != null && lastBeat.isBefore(suspectBefore),
                row.timeOrNull("status_since"),
                lastBeat == null ? null : lastBeat.minus(ahead),
                row.textOrNull("agent_version"),
                Json.raw(row.textOrNull("last_metrics")),
                Json.raw(row.textOrNull("labels")),
                why(row, status, thresholds),
                (int) row.number("max_concurrent"),
                perMinute == null ? null : perMinute.intValue(),
                (int) row.number("running"),
                row.time("created_at"),
                row.time("updated_at"),
                allows == null ? null : Consents.parse(allows).labels());
    }
}
