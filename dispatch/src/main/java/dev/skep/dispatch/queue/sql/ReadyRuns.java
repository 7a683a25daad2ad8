package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.job.Steering;
import dev.skep.dispatch.queue.ledger.WaitingRuns;
import dev.skep.kernel.id.HostId;
import dev.skep.store.Dialect;
import dev.skep.store.Fields;
import dev.skep.store.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks up what hosts are to do next: the first entries of the index {@code job_runs_ready}, so
 * that its cost does not depend on how much waits.
 */
final class ReadyRuns {
    private static final int STANDING = WaitingRuns.WIDTH + 1;

    private static final String OF_ONE_HOST =
            """
            SELECT %s, r.priority FROM job_runs r JOIN jobs j ON j.id = r.job_id
            WHERE r.host_id = ? AND r.status = 'pending' AND r.due_at IS NULL AND r.priority >= ?
            ORDER BY r.priority DESC, r.job_id LIMIT ?"""
                    .formatted(WaitingRuns.COLUMNS);

    private ReadyRuns() {}

    /** As many runs for each host as it takes at most, best first. */
    static Map<HostId, List<ReadyRun>> find(Snapshot snapshot, Map<HostId, Wish> wishes) {
        if (wishes.isEmpty()) {
            return Map.of();
        }
        return snapshot.dialect() == Dialect.SQLITE
                ? oneByOne(snapshot, wishes)
                : together(snapshot, wishes);
    }

    private static Map<HostId, List<ReadyRun>> oneByOne(
            Snapshot snapshot, Map<HostId, Wish> wishes) {
        Map<HostId, List<ReadyRun>> found = new HashMap<>();
        wishes.forEach(
                (host, wish) -> {
                    List<ReadyRun> runs =
                            snapshot.list(
                                    OF_ONE_HOST,
                                    ReadyRuns::read,
                                    host.value(),
                                    floor(wish),
                                    wish.most());
                    if (!runs.isEmpty()) {
                        found.put(host, runs);
                    }
                });
        return found;
    }

    /** One round trip for all; each host's part reads only as many entries as it may have. */
    private static Map<HostId, List<ReadyRun>> together(
            Snapshot snapshot, Map<HostId, Wish> wishes) {
        List<Object> parameters = new ArrayList<>();
        StringBuilder values = new StringBuilder();
        wishes.forEach(
                (host, wish) -> {
                    values.append(values.isEmpty() ? "(?::text, ?::int8, ?::int8)" : ", (?, ?, ?)");
                    parameters.add(host.value());
                    parameters.add(floor(wish));
                    parameters.add(wish.most());
                });
        // Rows that ask for nothing keep the number of different statements small.
        for (int padding = wishes.size(); padding % 8 != 0; padding++) {
            values.append(", (?, ?, ?)");
            parameters.addAll(List.of("", 0, 0));
        }
        Map<HostId, List<ReadyRun>> found = new HashMap<>();
        snapshot.list(
                        """
                        SELECT %s, r.priority FROM (VALUES %s) AS w (host_id, floor, runs)
                        CROSS JOIN LATERAL (
                            SELECT * FROM job_runs
                            WHERE host_id = w.host_id AND status = 'pending' AND due_at IS NULL
                              AND priority >= w.floor
                            ORDER BY priority DESC, job_id LIMIT w.runs FOR UPDATE SKIP LOCKED) r
                        JOIN jobs j ON j.id = r.job_id
                        ORDER BY r.priority DESC, r.job_id"""
                                .formatted(WaitingRuns.COLUMNS, values),
                        ReadyRuns::read,
                        parameters.toArray())
                .forEach(
                        run ->
                                found.computeIfAbsent(
                                                run.assignment().host(), h -> new ArrayList<>())
                                        .add(run));
        return found;
    }

    private static int floor(Wish wish) {
        return wish.onlySteering() ? Steering.FLOOR : Integer.MIN_VALUE;
    }

    private static ReadyRun read(Fields row) {
        return new ReadyRun(WaitingRuns.read(row), row.number(STANDING) >= Steering.FLOOR);
    }
}
