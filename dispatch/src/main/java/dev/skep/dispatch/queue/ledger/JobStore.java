package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.queue.CreatedJob;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.row.Column;
import dev.skep.store.BulkInsert;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table {@code jobs}, as the queue writes it. */
public final class JobStore {
    private static final BulkInsert INSERT =
            new BulkInsert(
                    "jobs",
                    List.of(
                            Column.text("id"),
                            Column.text("org_id"),
                            Column.text("server_instance_id"),
                            Column.text("host_id"),
                            Column.text("type"),
                            Column.text("payload"),
                            Column.integer("priority"),
                            Column.text("idempotency_key"),
                            Column.integer("timeout_seconds"),
                            Column.integer("max_attempts"),
                            Column.text("run_at"),
                            Column.text("run_id"),
                            Column.text("created_by_id"),
                            Column.text("created_at")),
                    "");

    /** A job about to be stored. */
    public record Row(JobId id, RunId run, NewJob job) {}

    /**
     * Jobs whose last run had ended by a reading of the retention clock, in the order of their ids.
     *
     * @param after the last id of the page before, empty for the first
     */
    public List<JobId> endedBy(Snapshot snapshot, long reading, String after, int limit) {
        return snapshot.list(
                """
                SELECT j.id FROM jobs j JOIN job_runs r ON r.id = j.run_id
                WHERE j.id > ? AND r.status NOT IN ('pending', 'running') AND r.ages_from <= ?
                ORDER BY j.id LIMIT ?\
                """,
                row -> new JobId(row.text("id")),
                after,
                reading,
                limit);
    }

    public void delete(Transaction transaction, JobId job) {
        transaction.update("DELETE FROM jobs WHERE id = ?", job.value());
    }

    public void insert(Transaction transaction, Actor actor, Instant now, List<Row> jobs) {
        List<@Nullable Object[]> rows = new ArrayList<>(jobs.size());
        for (Row row : jobs) {
            NewJob job = row.job();
            rows.add(
                    new @Nullable Object[] {
                        row.id().value(),
                        actor.org().value(),
                        job.server() == null ? null : job.server().value(),
                        job.host().value(),
                        job.type(),
                        job.payload(),
                        job.priority(),
                        job.idempotencyKey(),
                        job.timeout() == null ? null : job.timeout().toSeconds(),
                        job.maxAttempts(),
                        job.runAt(),
                        row.run().value(),
                        actor.principal().label(),
                        now
                    });
        }
        transaction.insertAll(INSERT, rows);
    }

    /** The jobs an org made with these idempotency keys. */
    public Map<String, CreatedJob> byKey(Snapshot snapshot, OrgId org, Collection<String> keys) {
        Map<String, CreatedJob> found = new HashMap<>();
        if (keys.isEmpty()) {
            return found;
        }
        InList in = InList.of(keys);
        snapshot.list(
                """
                SELECT id, run_id, idempotency_key FROM jobs
                WHERE org_id = ? AND idempotency_key IN (%s)\
                """
                        .formatted(in.placeholders()),
                row ->
                        found.put(
                                        row.text("idempotency_key"),
                                        new CreatedJob(
                                                new JobId(row.text("id")),
                                                new RunId(row.text("run_id")),
                                                false))
                                == null,
                in.after(org.value()));
        return found;
    }

    /** A job's newest run, if the org has such a job. */
    public Optional<RunId> newestRun(Snapshot snapshot, OrgId org, JobId job) {
        return snapshot.first(
                "SELECT run_id FROM jobs WHERE id = ? AND org_id = ?",
                row -> new RunId(row.text("run_id")),
                job.value(),
                org.value());
    }

    /** How often a job may fail in all. */
    public int maxAttempts(Snapshot snapshot, JobId job) {
        return snapshot.first(
                        "SELECT max_attempts FROM jobs WHERE id = ?",
                        row -> (int) row.number(1),
                        job.value())
                .orElse(1);
    }

    public void setNewestRuns(Transaction transaction, List<@Nullable Object[]> runAndJob) {
        transaction.updateAll("UPDATE jobs SET run_id = ? WHERE id = ?", runAndJob);
    }
}
