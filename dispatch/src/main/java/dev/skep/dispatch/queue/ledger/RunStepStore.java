package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.queue.RunReport;
import dev.skep.store.Transaction;
import dev.skep.store.clock.RetentionClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Starts and successes in {@code job_runs}: what every run goes through, many in a statement. */
public final class RunStepStore {
    private static final String START_PENDING =
            """
            UPDATE job_runs SET status = 'running', started_at = ?, lease_until = ?, deadline = ?
            WHERE status = 'pending' AND id IN (%s)""";

    /**
     * Of runs named by their ids, those that run. PostgreSQL would otherwise use the index of
     * leases, which contains everything that ever ran until the next vacuum.
     */
    static final String RUNNING = "job_runs.status || '' = 'running'";

    private static final String SUCCEED_ALIKE =
            """
            UPDATE job_runs
            SET status = 'succeeded', finished_at = ?, lease_until = NULL, result = ?, ages_from = %s
            WHERE %s AND id IN (%%s)"""
                    .formatted(RetentionClock.NOW, RUNNING);

    /** What a run becomes when it is handed out. */
    public record Start(Instant now, Instant leaseUntil, @Nullable Instant deadline) {}

    /** Marks runs as taken that this transaction has found pending and keeps so. */
    public void start(Transaction transaction, Collection<RunId> ids, Start as) {
        InList in = ids(ids);
        transaction.update(
                in.in(
                        """
                        UPDATE job_runs
                        SET status = 'running', started_at = ?, lease_until = ?, deadline = ?
                        WHERE id IN (%s)"""),
                in.after(as.now, as.leaseUntil, as.deadline));
    }

    /**
     * Marks runs as taken that are all pending still.
     *
     * @throws BatchMismatchException if one is not
     */
    void startExpected(Transaction transaction, Collection<RunId> ids, Start as) {
        InList in = ids(ids);
        int started =
                transaction.update(
                        in.in(START_PENDING), in.after(as.now, as.leaseUntil, as.deadline));
        if (started != ids.size()) {
            throw new BatchMismatchException();
        }
    }

    /** Marks runs as taken if they are still pending, and returns those. */
    Set<RunId> startPending(Transaction transaction, Collection<RunId> ids, Start as) {
        InList in = ids(ids);
        return new HashSet<>(
                transaction.list(
                        in.in(START_PENDING + " RETURNING id"),
                        row -> new RunId(row.text(1)),
                        in.after(as.now, as.leaseUntil, as.deadline)));
    }

    /**
     * Marks runs as succeeded that are known to be their hosts' and that all run still.
     *
     * @throws BatchMismatchException if one does not
     */
    void succeedExpected(Transaction transaction, Instant now, List<RunReport> reports) {
        if (reports.isEmpty()) {
            return;
        }
        String result = reports.getFirst().result();
        boolean same = reports.stream().allMatch(r -> Objects.equals(r.result(), result));
        int ended =
                same
                        ? succeedAlike(transaction, now, reports, result)
                        : succeedEach(transaction, now, reports);
        if (ended != reports.size()) {
            throw new BatchMismatchException();
        }
    }

    /** Half as many parameters: few runs have a result of their own. */
    private static int succeedAlike(
            Transaction transaction,
            Instant now,
            List<RunReport> reports,
            @Nullable String result) {
        InList in = ids(reports.stream().map(RunReport::run).toList());
        return transaction.update(in.in(SUCCEED_ALIKE), in.after(now, result));
    }

    private static int succeedEach(Transaction transaction, Instant now, List<RunReport> reports) {
        List<@Nullable Object[]> rows = new ArrayList<>(reports.size());
        for (RunReport each : reports) {
            rows.add(new @Nullable Object[] {each.run().value(), each.result()});
        }
        ValueList values = ValueList.of(rows, "TEXT", "TEXT");
        return transaction.update(
                """
                WITH said (id, result) AS (VALUES %s)
                UPDATE job_runs
                SET status = 'succeeded', finished_at = ?, lease_until = NULL, result = said.result,
                    ages_from = %s
                FROM said WHERE job_runs.id = said.id AND %s"""
                        .formatted(values.placeholders(), RetentionClock.NOW, RUNNING),
                values.before(now));
    }

    /**
     * Marks runs as succeeded that are their hosts' to end, and returns those with their
     * priorities; the others must be checked one by one.
     */
    Map<RunId, Integer> succeed(Transaction transaction, Instant now, List<HostReport> reports) {
        Map<RunId, Integer> succeeded = new HashMap<>();
        if (reports.isEmpty()) {
            return succeeded;
        }
        List<@Nullable Object[]> rows = new ArrayList<>(reports.size());
        for (HostReport each : reports) {
            rows.add(
                    new @Nullable Object[] {
                        each.report().run().value(),
                        each.report().attempt(),
                        each.host().id().value(),
                        each.host().org().value(),
                        each.report().result()
                    });
        }
        ValueList values = ValueList.of(rows, "TEXT", "BIGINT", "TEXT", "TEXT", "TEXT");
        transaction.list(
                """
                WITH said (id, attempt, host_id, org_id, result) AS (VALUES %s)
                UPDATE job_runs
                SET status = 'succeeded', finished_at = ?, lease_until = NULL, result = said.result,
                    ages_from = %s
                FROM said
                WHERE job_runs.id = said.id AND %s
                  AND job_runs.attempt = said.attempt
                  AND job_runs.host_id = said.host_id AND job_runs.org_id = said.org_id
                RETURNING job_runs.id, job_runs.priority"""
                        .formatted(values.placeholders(), RetentionClock.NOW, RUNNING),
                row -> succeeded.put(new RunId(row.text(1)), (int) row.number(2)) == null,
                values.before(now));
        return succeeded;
    }

    private static InList ids(Collection<RunId> runs) {
        return InList.of(runs.stream().map(RunId::value).toList());
    }
}
