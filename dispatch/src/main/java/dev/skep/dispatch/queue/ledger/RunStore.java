package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.queue.LeaseRenewal;
import dev.skep.kernel.row.Column;
import dev.skep.kernel.row.Timestamps;
import dev.skep.store.BulkInsert;
import dev.skep.store.Snapshot;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import dev.skep.store.clock.RetentionClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The table {@code job_runs}: one row per attempt. */
public final class RunStore {
    private static final BulkInsert INSERT =
            new BulkInsert(
                    "job_runs",
                    List.of(
                            Column.text("id"),
                            Column.text("org_id"),
                            Column.text("job_id"),
                            Column.text("host_id"),
                            Column.integer("attempt"),
                            Column.text("status"),
                            Column.integer("priority"),
                            Column.text("due_at"),
                            Column.integer("failures_left"),
                            Column.integer("losses_left"),
                            Column.integer("ordered_outside")),
                    "");

    private final QueueOrderOwner order;

    public RunStore(QueueOrderOwner order) {
        this.order = order;
    }

    /** A pending run about to be stored; due now where {@code due} is null. */
    public record Pending(Run run, @Nullable Instant due) {}

    /** What a run becomes when it ends. */
    public record Ended(RunId run, RunStatus status, @Nullable String result) {}

    public void insert(Transaction transaction, List<Pending> pending) {
        List<@Nullable Object[]> rows = new ArrayList<>(pending.size());
        for (Pending each : pending) {
            Run run = each.run();
            rows.add(
                    new @Nullable Object[] {
                        run.id().value(),
                        run.org().value(),
                        run.job().value(),
                        run.host().value(),
                        run.attempt(),
                        RunStatus.PENDING.label(),
                        run.priority(),
                        each.due(),
                        run.failuresLeft(),
                        run.lossesLeft(),
                        order == QueueOrderOwner.OUTSIDE ? 1 : null
                    });
        }
        transaction.insertAll(INSERT, rows);
    }

    public void end(Transaction transaction, Instant now, List<Ended> ended) {
        String at = Timestamps.format(now);
        List<@Nullable Object[]> rows = new ArrayList<>(ended.size());
        for (Ended each : ended) {
            rows.add(
                    new @Nullable Object[] {
                        each.status().label(), at, each.result(), each.run().value()
                    });
        }
        transaction.updateAll(
                """
                UPDATE job_runs SET status = ?, finished_at = ?, lease_until = NULL, result = ?,
                    ages_from = %s
                WHERE id = ?"""
                        .formatted(RetentionClock.NOW),
                rows);
    }

    /** Keeps what came too late; the last word stays. */
    public void keepLate(Transaction transaction, List<@Nullable Object[]> resultAndRun) {
        transaction.updateAll("UPDATE job_runs SET late_result = ? WHERE id = ?", resultAndRun);
    }

    public void askToCancel(Transaction transaction, RunId run) {
        transaction.update("UPDATE job_runs SET cancel_asked = 1 WHERE id = ?", run.value());
    }

    /** Renews what a host still holds; whatever is not in the answer is no longer its own. */
    public Map<RunId, LeaseRenewal> renew(
            Transaction transaction, HostActiveRuns hostActiveRuns, Instant leaseUntil) {
        Map<RunId, LeaseRenewal> renewed = new HashMap<>();
        InList in = InList.of(hostActiveRuns.held().stream().map(h -> h.run().value()).toList());
        transaction.list(
                """
                UPDATE job_runs SET lease_until = ?
                WHERE %s AND host_id = ? AND org_id = ? AND id IN (%s)
                RETURNING id, cancel_asked"""
                        .formatted(RunStepStore.RUNNING, in.placeholders()),
                row ->
                        renewed.put(
                                        new RunId(row.text("id")),
                                        row.flag("cancel_asked")
                                                ? LeaseRenewal.CANCEL
                                                : LeaseRenewal.RENEWED)
                                == null,
                in.after(
                        leaseUntil,
                        hostActiveRuns.host().id().value(),
                        hostActiveRuns.host().org().value()));
        return renewed;
    }

    /** Keeps running runs from being lost before the given time for lack of a heartbeat. */
    int giveTimeUntil(Transaction transaction, Instant until) {
        return transaction.update(
                        "UPDATE job_runs SET lease_until = ? WHERE status = 'running' AND lease_until < ?",
                        until,
                        until)
                + transaction.update(
                        "UPDATE job_runs SET deadline = ? WHERE status = 'running' AND deadline < ?",
                        until,
                        until);
    }

    /** Lets no retry wait beyond the given time. */
    int retryBy(Transaction transaction, Instant latest) {
        return transaction.update(
                """
                UPDATE job_runs SET due_at = ?
                WHERE status = 'pending' AND due_at > ? AND attempt > 1""",
                latest,
                latest);
    }

    /** Makes runs claimable whose time has come. */
    public List<Run> wake(Transaction transaction, Instant now, int limit) {
        return transaction.list(
                """
                UPDATE job_runs SET due_at = NULL WHERE id IN (
                    SELECT id FROM job_runs WHERE status = 'pending' AND due_at <= ?
                    ORDER BY due_at LIMIT ?%s)
                RETURNING %s"""
                        .formatted(skipLocked(transaction), RunLookup.COLUMNS),
                RunLookup::read,
                now,
                limit);
    }

    /**
     * Takes over the order of waiting runs: all of it when engines change, nothing otherwise. In
     * parts, each of which has its index.
     */
    public int takeOver(Transaction transaction) {
        String where = order == QueueOrderOwner.OUTSIDE ? "IS NULL" : "IS NOT NULL";
        int taken = 0;
        for (String due : List.of("IS NULL", "IS NOT NULL")) {
            taken +=
                    transaction.update(
                            """
                            UPDATE job_runs SET ordered_outside = ?
                            WHERE status = 'pending' AND due_at %s AND ordered_outside %s"""
                                    .formatted(due, where),
                            order == QueueOrderOwner.OUTSIDE ? 1 : null);
        }
        return taken;
    }

    private static String skipLocked(Snapshot snapshot) {
        return snapshot.dialect() == SqlDialect.POSTGRES ? " FOR UPDATE SKIP LOCKED" : "";
    }

    /** A job's runs, whose ids begin with its own. */
    public static void deleteOf(Transaction transaction, JobId job) {
        transaction.update("DELETE FROM job_runs WHERE id >= ? AND id < ?", job + "-", job + "-~");
    }
}
