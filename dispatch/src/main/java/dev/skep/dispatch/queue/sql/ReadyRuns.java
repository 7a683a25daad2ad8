package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.job.SteeringJobTypes;
import dev.skep.dispatch.queue.ledger.ValueList;
import dev.skep.dispatch.queue.ledger.WaitingRuns;
import dev.skep.kernel.id.HostId;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What hosts are to do next, looked up for many in one statement: the first entries of each host's
 * part of the index {@code job_runs_ready}, so that the cost does not depend on how much waits.
 */
abstract sealed class ReadyRuns permits SqliteReadyRuns, PostgresReadyRuns {
    private static final int STANDING = WaitingRuns.WIDTH + 1;

    /** What each statement reads, of job_runs as r and jobs as j. */
    static final String COLUMNS = WaitingRuns.COLUMNS + ", r.priority";

    /** For each host as many runs as it takes at most if there are, best first. */
    final Map<HostId, List<ReadyRun>> find(
            Snapshot snapshot, Map<HostId, ClaimRequest> claimRequests) {
        Map<HostId, List<ReadyRun>> found = new HashMap<>();
        look(snapshot, claimRequests, found);
        found.values().forEach(runs -> runs.sort(ReadyRun.BEST_FIRST));
        return found;
    }

    abstract void look(
            Snapshot snapshot,
            Map<HostId, ClaimRequest> claimRequests,
            Map<HostId, List<ReadyRun>> found);

    /** The lowest standing that a host may be given. */
    static int floor(ClaimRequest claimRequest) {
        return claimRequest.onlySteering() ? SteeringJobTypes.FLOOR : Integer.MIN_VALUE;
    }

    static void list(
            Snapshot snapshot,
            String sql,
            ValueList values,
            Map<HostId, List<ReadyRun>> found,
            @Nullable Object... more) {
        for (ReadyRun run :
                snapshot.list(
                        sql.formatted(values.placeholders(), COLUMNS),
                        ReadyRuns::read,
                        values.before(more))) {
            found.computeIfAbsent(run.assignment().host(), h -> new ArrayList<>()).add(run);
        }
    }

    private static ReadyRun read(ResultRow row) {
        return new ReadyRun(WaitingRuns.read(row), row.number(STANDING));
    }
}
