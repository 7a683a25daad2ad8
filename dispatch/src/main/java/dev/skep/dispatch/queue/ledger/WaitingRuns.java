package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.ServerId;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Runs with the parts of their jobs that a host needs to do them. */
public final class WaitingRuns {
    /** The columns {@link #read} takes, first and in this order, of job_runs as r and jobs as j. */
    public static final String COLUMNS =
            "r.id, r.job_id, r.host_id, r.attempt, j.type, j.payload, j.server_instance_id, j.timeout_seconds";

    /** How many columns those are. */
    public static final int WIDTH = 8;

    private WaitingRuns() {}

    /** A run that waits, with its place in the order. */
    public record Waiting(OrgId org, int priority, Assignment assignment) {}

    /** All hosts that could have something to claim. */
    public static List<HostId> hosts(Snapshot snapshot) {
        return snapshot.list(
                "SELECT host_id FROM host_health ORDER BY host_id",
                row -> new HostId(row.text("host_id")));
    }

    /** What is due and ordered outside, in the order of its ids, after one of them. */
    public static List<Waiting> outside(Snapshot snapshot, String after, int limit) {
        return snapshot.list(
                """
                SELECT %s, r.org_id, r.priority FROM job_runs r JOIN jobs j ON j.id = r.job_id
                WHERE r.status = 'pending' AND r.due_at IS NULL AND r.ordered_outside IS NOT NULL
                  AND r.id > ?
                ORDER BY r.id LIMIT ?"""
                        .formatted(COLUMNS),
                WaitingRuns::waiting,
                after,
                limit);
    }

    /** These runs, whatever their state. */
    public static List<Waiting> withIds(Snapshot snapshot, Collection<RunId> runs) {
        if (runs.isEmpty()) {
            return List.of();
        }
        InList in = InList.of(runs.stream().map(RunId::value).toList());
        return snapshot.list(
                """
                SELECT %s, r.org_id, r.priority FROM job_runs r JOIN jobs j ON j.id = r.job_id
                WHERE r.id IN (%s)"""
                        .formatted(COLUMNS, in.placeholders()),
                WaitingRuns::waiting,
                in.after());
    }

    private static Waiting waiting(ResultRow row) {
        return new Waiting(new OrgId(row.text("org_id")), (int) row.number("priority"), read(row));
    }

    /** By position: names are looked up for every row, and claims read many. */
    public static Assignment read(ResultRow row) {
        String server = row.textOrNull(7);
        Long timeout = row.numberOrNull(8);
        return new Assignment(
                new JobId(row.text(2)),
                new RunId(row.text(1)),
                new HostId(row.text(3)),
                server == null ? null : new ServerId(server),
                row.text(5),
                row.text(6),
                (int) row.number(4),
                timeout == null ? null : Duration.ofSeconds(timeout));
    }
}
