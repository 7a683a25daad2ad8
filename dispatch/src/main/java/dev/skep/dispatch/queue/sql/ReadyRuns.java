package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.job.Steering;
import dev.skep.dispatch.queue.ledger.ValueList;
import dev.skep.dispatch.queue.ledger.WaitingRuns;
import dev.skep.kernel.id.HostId;
import dev.skep.store.Dialect;
import dev.skep.store.Fields;
import dev.skep.store.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Looks up what hosts are to do next, many in one statement: the first entries of each host's part
 * of the index {@code job_runs_ready}, so that its cost does not depend on how much waits.
 */
final class ReadyRuns {
    private static final int STANDING = WaitingRuns.WIDTH + 1;

    /**
     * Its LIMIT cannot depend on the row, so there is one statement for hosts that want as many.
     */
    private static final String SQLITE =
            """
            WITH w (host_id, floor, runs) AS (VALUES %s)
            SELECT %s, r.priority FROM w
            CROSS JOIN job_runs r ON r.rowid IN (
                SELECT x.rowid FROM job_runs x
                WHERE x.host_id = w.host_id AND x.status = 'pending' AND x.due_at IS NULL
                  AND x.ordered_outside IS NULL AND x.priority >= w.floor
                ORDER BY x.priority DESC, x.job_id LIMIT ?)
            CROSS JOIN jobs j ON j.id = r.job_id""";

    private static final String POSTGRES =
            """
            SELECT %2$s, r.priority FROM (VALUES %1$s) AS w (host_id, floor, runs)
            CROSS JOIN LATERAL (
                SELECT * FROM job_runs
                WHERE host_id = w.host_id AND status = 'pending' AND due_at IS NULL
                  AND ordered_outside IS NULL AND priority >= w.floor
                ORDER BY priority DESC, job_id LIMIT w.runs FOR UPDATE SKIP LOCKED) r
            JOIN jobs j ON j.id = r.job_id""";

    private ReadyRuns() {}

    /** For each host as many runs as it takes at most if there are, best first. */
    static Map<HostId, List<ReadyRun>> find(Snapshot snapshot, Map<HostId, Wish> wishes) {
        Map<HostId, List<ReadyRun>> found = new HashMap<>();
        if (snapshot.dialect() == Dialect.SQLITE) {
            Map<Integer, List<@Nullable Object[]>> alike = new TreeMap<>();
            wishes.forEach(
                    (host, wish) ->
                            alike.computeIfAbsent(wish.most(), most -> new ArrayList<>())
                                    .add(row(host, wish)));
            alike.forEach((most, rows) -> find(snapshot, SQLITE, rows, found, most));
        } else if (!wishes.isEmpty()) {
            List<@Nullable Object[]> rows = new ArrayList<>(wishes.size());
            wishes.forEach((host, wish) -> rows.add(row(host, wish)));
            find(snapshot, POSTGRES, rows, found);
        }
        found.values().forEach(runs -> runs.sort(ReadyRun.BEST_FIRST));
        return found;
    }

    private static @Nullable Object[] row(HostId host, Wish wish) {
        int floor = wish.onlySteering() ? Steering.FLOOR : Integer.MIN_VALUE;
        return new @Nullable Object[] {host.value(), floor, wish.most()};
    }

    private static void find(
            Snapshot snapshot,
            String sql,
            List<@Nullable Object[]> rows,
            Map<HostId, List<ReadyRun>> found,
            Object... more) {
        ValueList values = ValueList.of(rows, "TEXT", "BIGINT", "BIGINT");
        snapshot.list(
                        sql.formatted(values.placeholders(), WaitingRuns.COLUMNS),
                        ReadyRuns::read,
                        values.before(more))
                .forEach(
                        run ->
                                found.computeIfAbsent(
                                                run.assignment().host(), h -> new ArrayList<>())
                                        .add(run));
    }

    private static ReadyRun read(Fields row) {
        return new ReadyRun(WaitingRuns.read(row), row.number(STANDING));
    }
}
