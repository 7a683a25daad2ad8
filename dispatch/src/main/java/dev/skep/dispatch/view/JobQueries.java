package dev.skep.dispatch.view;

import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.RunId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.transport.route.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads jobs and runs for people; every query names the caller's org. */
public final class JobQueries {
    private static final String RUN =
            """
            r.id AS r_id, r.job_id, r.host_id AS r_host, r.attempt, r.status, r.cancel_asked,
            r.due_at, r.started_at, r.finished_at, r.result, r.late_result""";

    private static final String JOB =
            """
            SELECT j.id, j.host_id, j.server_instance_id, j.type, j.payload, j.priority,
                   j.timeout_seconds, j.max_attempts, j.run_at, j.created_by_id, j.created_at, %s
            FROM jobs j JOIN job_runs r ON r.id = j.run_id WHERE j.org_id = ?"""
                    .formatted(RUN);

    /** As in the index that has them. */
    private static final String FILE_CHANGES =
            " AND j.type IN ('agent.create', 'agent.edit', 'agent.remove', 'agent.restore')";

    private JobQueries() {}

    public static List<JobDetails> list(Snapshot snapshot, Principal principal, JobFilter filter) {
        StringBuilder sql = new StringBuilder(JOB);
        List<@Nullable Object> parameters = new ArrayList<>();
        parameters.add(principal.org().value());
        and(sql, parameters, "r.status = ?", filter.status());
        and(sql, parameters, "j.host_id = ?", filter.host());
        and(sql, parameters, "j.server_instance_id = ?", filter.server());
        and(sql, parameters, "j.type = ?", filter.type());
        and(sql, parameters, "j.id < ?", filter.before());
        sql.append(" ORDER BY j.id DESC LIMIT ?");
        parameters.add(filter.limit());
        return snapshot.list(sql.toString(), JobQueries::job, parameters.toArray());
    }

    /** Changes of agents' files that are not over, the oldest first; of one host or of all. */
    public static List<JobDetails> fileChanges(
            Snapshot snapshot, Principal principal, Optional<String> host, int limit) {
        StringBuilder sql = new StringBuilder(JOB).append(FILE_CHANGES);
        List<@Nullable Object> parameters = new ArrayList<>();
        parameters.add(principal.org().value());
        and(sql, parameters, "j.host_id = ?", host);
        sql.append(" AND r.status IN ('pending', 'running') ORDER BY j.id LIMIT ?");
        parameters.add(limit);
        return snapshot.list(sql.toString(), JobQueries::job, parameters.toArray());
    }

    /** Whether an org has a job with this idempotency key. */
    public static boolean isKnown(Snapshot snapshot, OrgId org, String idempotencyKey) {
        return snapshot.first(
                        "SELECT 1 FROM jobs WHERE org_id = ? AND idempotency_key = ?",
                        row -> true,
                        org.value(),
                        idempotencyKey)
                .isPresent();
    }

    /** How many jobs there are in each state, of one host or of all. */
    public static Map<String, Long> counts(
            Snapshot snapshot, Principal principal, Optional<String> host) {
        StringBuilder sql =
                new StringBuilder(
                        """
                        SELECT r.status, count(*) AS n FROM jobs j JOIN job_runs r ON r.id = j.run_id
                        WHERE j.org_id = ?""");
        List<@Nullable Object> parameters = new ArrayList<>();
        parameters.add(principal.org().value());
        and(sql, parameters, "j.host_id = ?", host);
        Map<String, Long> counts = new TreeMap<>();
        snapshot.list(
                sql.append(" GROUP BY r.status").toString(),
                row -> {
                    counts.put(row.text("status"), row.number("n"));
                    return true;
                },
                parameters.toArray());
        return counts;
    }

    public static Optional<JobDetails> find(Snapshot snapshot, Principal principal, String job) {
        return snapshot.first(JOB + " AND j.id = ?", JobQueries::job, principal.org().value(), job);
    }

    /** All attempts at a job, in order. */
    public static List<RunDetails> runs(Snapshot snapshot, Principal principal, String job) {
        List<RunDetails> runs = new ArrayList<>();
        find(snapshot, principal, job)
                .ifPresent(
                        found -> {
                            for (int attempt = 1; attempt < found.run().attempt(); attempt++) {
                                String id = RunId.of(new JobId(job), attempt).value();
                                run(snapshot, principal, job, id).ifPresent(runs::add);
                            }
                            runs.add(found.run());
                        });
        return runs;
    }

    public static Optional<RunDetails> run(
            Snapshot snapshot, Principal principal, String job, String run) {
        return snapshot.first(
                "SELECT %s FROM job_runs r WHERE r.id = ? AND r.job_id = ? AND r.org_id = ?"
                        .formatted(RUN),
                JobQueries::run,
                run,
                job,
                principal.org().value());
    }

    /** The newest runs of a host's newest jobs. */
    public static List<RunDetails> ofHost(
            Snapshot snapshot, Principal principal, String host, int limit) {
        return snapshot.list(
                """
                SELECT %s FROM jobs j JOIN job_runs r ON r.id = j.run_id
                WHERE j.host_id = ? AND j.org_id = ? ORDER BY j.id DESC LIMIT ?"""
                        .formatted(RUN),
                JobQueries::run,
                host,
                principal.org().value(),
                limit);
    }

    private static void and(
            StringBuilder sql,
            List<@Nullable Object> parameters,
            String term,
            Optional<String> value) {
        value.ifPresent(
                v -> {
                    sql.append(" AND ").append(term);
                    parameters.add(v);
                });
    }

    private static JobDetails job(ResultRow row) {
        return new JobDetails(
                row.text("id"),
                row.text("host_id"),
                row.textOrNull("server_instance_id"),
                row.text("type"),
                Json.raw(row.text("payload")),
                (int) row.number("priority"),
                row.numberOrNull("timeout_seconds"),
                (int) row.number("max_attempts"),
                row.timeOrNull("run_at"),
                row.text("created_by_id"),
                row.time("created_at"),
                row.text("status"),
                run(row));
    }

    private static RunDetails run(ResultRow row) {
        return new RunDetails(
                row.text("r_id"),
                row.text("job_id"),
                row.text("r_host"),
                (int) row.number("attempt"),
                row.text("status"),
                row.flag("cancel_asked"),
                row.timeOrNull("due_at"),
                row.timeOrNull("started_at"),
                row.timeOrNull("finished_at"),
                Json.raw(row.textOrNull("result")),
                Json.raw(row.textOrNull("late_result")));
    }
}
