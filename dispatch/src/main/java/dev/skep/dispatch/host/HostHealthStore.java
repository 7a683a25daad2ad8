package dev.skep.dispatch.host;

import dev.skep.directory.host.HostStore;
import dev.skep.dispatch.job.HostLimits;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.Column;
import dev.skep.kernel.row.Timestamps;
import dev.skep.store.BulkInsert;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The table {@code host_health}, and the row in {@code host_slots} that each host is born with. */
public final class HostHealthStore {
    private static final BulkInsert ADMIT =
            new BulkInsert(
                    "host_health",
                    List.of(
                            Column.text("host_id"),
                            Column.text("org_id"),
                            Column.text("status"),
                            Column.text("created_at"),
                            Column.text("updated_at")),
                    "ON CONFLICT (host_id) DO NOTHING");

    private static final BulkInsert SLOTS =
            new BulkInsert(
                    "host_slots",
                    List.of(Column.text("host_id")),
                    "ON CONFLICT (host_id) DO NOTHING");

    /** What the status of a host is decided from, and whose host it is. */
    public record StatusInput(HostId host, OrgId org, HealthRecord health) {}

    /** What a beat leaves behind; what is null stays as it was. */
    public record HeartbeatUpdate(
            HostId host,
            HealthRecord health,
            boolean changed,
            @Nullable String version,
            @Nullable Integer keyVersion,
            @Nullable String metrics,
            @Nullable Consents allows,
            @Nullable String facts) {}

    /** Makes hosts known; those that are stay as they are. */
    public void admit(Transaction transaction, OrgId org, Collection<HostId> hosts, Instant now) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        List<@Nullable Object[]> slots = new ArrayList<>();
        for (HostId host : hosts) {
            rows.add(
                    new @Nullable Object[] {
                        host.value(), org.value(), HostStatus.UNKNOWN.label(), now, now
                    });
            slots.add(new @Nullable Object[] {host.value()});
        }
        transaction.insertAll(ADMIT, rows);
        transaction.insertAll(SLOTS, slots);
    }

    /** Whether the org has this host; one that is only in the synced table becomes known. */
    public boolean isOf(Transaction transaction, OrgId org, HostId host, Instant now) {
        if (has(transaction, org, host)) {
            return true;
        }
        if (HostStore.has(transaction, org, host)) {
            admit(transaction, org, List.of(host), now);
            return has(transaction, org, host);
        }
        return false;
    }

    private static boolean has(Snapshot snapshot, OrgId org, HostId host) {
        return snapshot.first(
                        "SELECT 1 FROM host_health WHERE host_id = ? AND org_id = ?",
                        row -> true,
                        host.value(),
                        org.value())
                .isPresent();
    }

    public Map<HostId, StatusInput> known(Snapshot snapshot, Collection<HostId> hosts) {
        Map<HostId, StatusInput> found = new HashMap<>();
        List<String> ids = hosts.stream().map(HostId::value).distinct().toList();
        for (int from = 0; from < ids.size(); from += 256) {
            List<String> part = ids.subList(from, Math.min(ids.size(), from + 256));
            List<String> padded = new ArrayList<>(part);
            padded.addAll(
                    Collections.nCopies(
                            (part.size() < 16 ? 16 : 256) - part.size(), part.getLast()));
            snapshot.list(
                            """
                            SELECT host_id, org_id, status, last_heartbeat_at, beats, degraded_reason
                            FROM host_health WHERE host_id IN (%s)"""
                                    .formatted(
                                            String.join(
                                                    ", ", Collections.nCopies(padded.size(), "?"))),
                            HostHealthStore::known,
                            padded.toArray())
                    .forEach(statusInput -> found.put(statusInput.host(), statusInput));
        }
        return found;
    }

    public void recordHeartbeat(Transaction transaction, List<HeartbeatUpdate> beats, Instant now) {
        List<@Nullable Object[]> rows = new ArrayList<>(beats.size());
        for (HeartbeatUpdate beat : beats) {
            HealthRecord health = beat.health();
            rows.add(
                    new @Nullable Object[] {
                        health.lastBeat(),
                        health.status().label(),
                        health.beats(),
                        beat.version(),
                        beat.keyVersion(),
                        beat.metrics(),
                        beat.changed() ? now : null,
                        beat.allows() == null ? null : beat.allows().toString(),
                        beat.facts(),
                        beat.host().value()
                    });
        }
        transaction.updateAll(
                """
                UPDATE host_health SET last_heartbeat_at = ?, status = ?, beats = ?,
                    agent_version = coalesce(?, agent_version),
                    agent_key_version = coalesce(?, agent_key_version),
                    last_metrics = coalesce(?, last_metrics),
                    status_since = coalesce(?, status_since),
                    allows = coalesce(?, allows),
                    facts = coalesce(?, facts)
                WHERE host_id = ?""",
                rows);
    }

    /** Stands for orgs that have set no time of silence. */
    static final long USUAL_SILENCE = 0;

    /**
     * Hosts that are up by their row and have sent no heartbeat since, of the orgs that have set
     * this time of silence.
     */
    public List<StatusInput> silentSince(
            Snapshot snapshot, Instant lastBeat, long setSeconds, int limit) {
        return snapshot.list(
                """
                SELECT host_id, org_id, status, last_heartbeat_at, beats, degraded_reason
                FROM host_health
                WHERE last_heartbeat_at <= ? AND status IN ('online', 'degraded')
                  AND coalesce((SELECT s.offline_after_seconds FROM org_settings s
                                WHERE s.org_id = host_health.org_id), 0) = ?
                ORDER BY last_heartbeat_at LIMIT ?""",
                HostHealthStore::known,
                lastBeat,
                setSeconds,
                limit);
    }

    /** Marks a host offline unless a heartbeat came meanwhile. */
    public boolean goOffline(Transaction transaction, StatusInput silent, Instant now) {
        return transaction.update(
                        """
                        UPDATE host_health SET status = 'offline', status_since = ?, beats = 0
                        WHERE host_id = ? AND last_heartbeat_at = ?
                          AND status IN ('online', 'degraded')""",
                        now,
                        silent.host().value(),
                        silent.health().lastBeat())
                == 1;
    }

    public int up(Snapshot snapshot, OrgId org) {
        return snapshot.first(
                        "SELECT count(*) FROM host_health WHERE org_id = ? AND status IN ('online', 'degraded')",
                        row -> (int) row.number(1),
                        org.value())
                .orElse(0);
    }

    public long count(Snapshot snapshot) {
        return snapshot.first("SELECT count(*) FROM host_health", row -> row.number(1)).orElse(0L);
    }

    /** Fills in what a version before statuses left out, by the rule of seed 3. */
    public int backfill(Transaction transaction, Instant silentBefore, Instant now) {
        return transaction.update(
                        """
                        UPDATE host_health SET
                            status = CASE WHEN last_heartbeat_at >= ? THEN 'online' ELSE 'offline' END,
                            status_since = ?
                        WHERE last_heartbeat_at IS NOT NULL AND (status IS NULL OR status = 'unknown')""",
                        silentBefore,
                        now)
                + transaction.update(
                        """
                        INSERT INTO host_slots (host_id) SELECT host_id FROM host_health WHERE true
                        ON CONFLICT (host_id) DO NOTHING""");
    }

    public void setLimits(Transaction transaction, HostId host, HostLimits limits, Instant now) {
        transaction.update(
                "UPDATE host_health SET max_concurrent = ?, jobs_per_minute = ?, updated_at = ? WHERE host_id = ?",
                limits.concurrent(),
                limits.perMinute(),
                now,
                host.value());
    }

    /** Applies what an operator changed; the status follows a flag set by hand at once. */
    public void edit(Transaction transaction, StatusInput statusInput, HostEdit edit, Instant now) {
        edit.name().ifPresent(name -> set(transaction, statusInput, "display_name", name, now));
        edit.labels()
                .ifPresent(
                        labels ->
                                set(
                                        transaction,
                                        statusInput,
                                        "labels",
                                        HostLabels.stored(labels),
                                        now));
        edit.concurrent()
                .ifPresent(jobs -> set(transaction, statusInput, "max_concurrent", jobs, now));
        edit.perMinute()
                .ifPresent(
                        minute ->
                                set(
                                        transaction,
                                        statusInput,
                                        "jobs_per_minute",
                                        minute.runs(),
                                        now));
        edit.degraded()
                .ifPresent(
                        reason -> {
                            String stored = reason.isBlank() ? null : reason;
                            set(transaction, statusInput, "degraded_reason", stored, now);
                            if (statusInput.health().status().isUp()) {
                                HostStatus status =
                                        stored == null ? HostStatus.ONLINE : HostStatus.DEGRADED;
                                set(transaction, statusInput, "status", status.label(), now);
                                set(
                                        transaction,
                                        statusInput,
                                        "status_since",
                                        Timestamps.format(now),
                                        now);
                            }
                        });
    }

    private static void set(
            Transaction transaction,
            StatusInput statusInput,
            String column,
            @Nullable Object value,
            Instant now) {
        transaction.update(
                "UPDATE host_health SET %s = ?, updated_at = ? WHERE host_id = ?".formatted(column),
                value,
                now,
                statusInput.host().value());
    }

    private static StatusInput known(ResultRow row) {
        Long beats = row.numberOrNull("beats");
        return new StatusInput(
                new HostId(row.text("host_id")),
                new OrgId(row.text("org_id")),
                new HealthRecord(
                        HostStatus.of(row.textOrNull("status")),
                        row.timeOrNull("last_heartbeat_at"),
                        beats == null ? 0 : beats.intValue(),
                        row.textOrNull("degraded_reason")));
    }
}
