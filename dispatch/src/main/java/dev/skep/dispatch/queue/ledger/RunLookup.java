package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds runs in {@code job_runs} for decisions about them. */
public final class RunLookup {
    static final String COLUMNS =
            "id, org_id, job_id, host_id, attempt, status, priority, cancel_asked, failures_left, losses_left";

    /** The runs, locked until the transaction ends, by id. */
    public Map<RunId, Run> lock(Transaction transaction, Collection<RunId> ids) {
        return withIds(transaction, ids, forUpdate(transaction));
    }

    /** The same to look at only. */
    public Map<RunId, Run> find(Snapshot snapshot, Collection<RunId> ids) {
        return withIds(snapshot, ids, "");
    }

    private static Map<RunId, Run> withIds(
            Snapshot snapshot, Collection<RunId> ids, String forUpdate) {
        Map<RunId, Run> found = new LinkedHashMap<>();
        if (ids.isEmpty()) {
            return found;
        }
        InList in = InList.of(ids.stream().map(RunId::value).toList());
        snapshot.list(
                        "SELECT %s FROM job_runs WHERE id IN (%s) ORDER BY id%s"
                                .formatted(COLUMNS, in.placeholders(), forUpdate),
                        RunLookup::read,
                        in.after())
                .forEach(run -> found.put(run.id(), run));
        return found;
    }

    /** Runs whose lease ran out. */
    public List<Run> unrenewed(Transaction transaction, Instant now, int limit, boolean lock) {
        return transaction.list(
                """
                SELECT %s FROM job_runs WHERE status = 'running' AND lease_until < ?
                ORDER BY lease_until, id LIMIT ?%s"""
                        .formatted(COLUMNS, lock ? forUpdate(transaction) : ""),
                RunLookup::read,
                now,
                limit);
    }

    /** Runs whose deadline passed. */
    public List<Run> overdue(Transaction transaction, Instant now, int limit, boolean lock) {
        return transaction.list(
                """
                SELECT %s FROM job_runs
                WHERE status = 'running' AND deadline IS NOT NULL AND deadline < ?
                ORDER BY deadline, id LIMIT ?%s"""
                        .formatted(COLUMNS, lock ? forUpdate(transaction) : ""),
                RunLookup::read,
                now,
                limit);
    }

    /** Running runs, in the order of their leases. */
    public List<Run> running(Snapshot snapshot) {
        return snapshot.list(
                "SELECT %s FROM job_runs WHERE status = 'running' ORDER BY lease_until"
                        .formatted(COLUMNS),
                RunLookup::read);
    }

    static Run read(ResultRow row) {
        return new Run(
                new RunId(row.text("id")),
                new OrgId(row.text("org_id")),
                new JobId(row.text("job_id")),
                new HostId(row.text("host_id")),
                (int) row.number("attempt"),
                RunStatus.of(row.text("status")),
                (int) row.number("priority"),
                row.flag("cancel_asked"),
                (int) row.number("failures_left"),
                (int) row.number("losses_left"));
    }

    private static String forUpdate(Snapshot snapshot) {
        return snapshot.dialect() == SqlDialect.POSTGRES ? " FOR UPDATE" : "";
    }
}
