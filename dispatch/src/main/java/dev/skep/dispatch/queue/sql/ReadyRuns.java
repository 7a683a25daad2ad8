package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.ledger.WaitingRuns;
import dev.skep.kernel.id.HostId;
import dev.skep.store.Dialect;
import dev.skep.store.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Looks up what hosts are to do next: the first entries of the index {@code job_runs_ready}, so
 * that its cost does not depend on how much waits.
 */
final class ReadyRuns {
    private static final String OF_ONE_HOST =
            """
            SELECT %s FROM job_runs r JOIN jobs j ON j.id = r.job_id
            WHERE r.host_id = ? AND r.status = 'pending' AND r.due_at IS NULL
            ORDER BY r.priority DESC, r.job_id LIMIT ?"""
                    .formatted(WaitingRuns.COLUMNS);

    private ReadyRuns() {}

    /** Up to so many runs for each host, best first. */
    static List<Assignment> find(Snapshot snapshot, Map<HostId, Integer> wanted) {
        if (wanted.isEmpty()) {
            return List.of();
        }
        if (snapshot.dialect() == Dialect.SQLITE) {
            List<Assignment> found = new ArrayList<>();
            wanted.forEach(
                    (host, runs) ->
                            found.addAll(
                                    snapshot.list(
                                            OF_ONE_HOST, WaitingRuns::read, host.value(), runs)));
            return found;
        }
        // One round trip for all; each host's part reads only as many entries as it may have.
        List<Object> parameters = new ArrayList<>();
        StringBuilder values = new StringBuilder();
        wanted.forEach(
                (host, runs) -> {
                    values.append(values.isEmpty() ? "(?::text, ?::int8)" : ", (?, ?)");
                    parameters.add(host.value());
                    parameters.add(runs);
                });
        // Rows that ask for nothing keep the number of different statements small.
        for (int padding = wanted.size(); padding % 8 != 0; padding++) {
            values.append(", (?, ?)");
            parameters.add("");
            parameters.add(0);
        }
        return snapshot.list(
                """
                SELECT %s FROM (VALUES %s) AS w (host_id, runs)
                CROSS JOIN LATERAL (
                    SELECT * FROM job_runs
                    WHERE host_id = w.host_id AND status = 'pending' AND due_at IS NULL
                    ORDER BY priority DESC, job_id LIMIT w.runs FOR UPDATE SKIP LOCKED) r
                JOIN jobs j ON j.id = r.job_id
                ORDER BY r.priority DESC, r.job_id"""
                        .formatted(WaitingRuns.COLUMNS, values),
                WaitingRuns::read,
                parameters.toArray());
    }
}
