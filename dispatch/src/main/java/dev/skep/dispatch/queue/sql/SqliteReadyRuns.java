package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.queue.ledger.ValueList;
import dev.skep.kernel.id.HostId;
import dev.skep.store.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** In SQLite, whose LIMIT cannot depend on the row: a statement for hosts that want as many. */
final class SqliteReadyRuns extends ReadyRuns {
    private static final String FIRST =
            """
            WITH w (host_id, floor) AS (VALUES %s)
            SELECT %s FROM w
            CROSS JOIN job_runs r ON r.rowid IN (
                SELECT x.rowid FROM job_runs x
                WHERE x.host_id = w.host_id AND x.status = 'pending' AND x.due_at IS NULL
                  AND x.ordered_outside IS NULL AND x.priority >= w.floor
                ORDER BY x.priority DESC, x.job_id LIMIT ?)
            CROSS JOIN jobs j ON j.id = r.job_id""";

    @Override
    void look(
            Snapshot snapshot,
            Map<HostId, ClaimRequest> claimRequests,
            Map<HostId, List<ReadyRun>> found) {
        Map<Integer, List<@Nullable Object[]>> alike = new TreeMap<>();
        claimRequests.forEach(
                (host, claimRequest) ->
                        alike.computeIfAbsent(claimRequest.most(), most -> new ArrayList<>())
                                .add(new @Nullable Object[] {host.value(), floor(claimRequest)}));
        alike.forEach(
                (most, rows) ->
                        list(snapshot, FIRST, ValueList.of(rows, "TEXT", "BIGINT"), found, most));
    }
}
