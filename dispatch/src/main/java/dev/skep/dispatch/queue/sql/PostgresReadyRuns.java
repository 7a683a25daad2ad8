package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.queue.ledger.ValueList;
import dev.skep.dispatch.queue.sql.QueueHeadCache.Head;
import dev.skep.kernel.id.HostId;
import dev.skep.store.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * In PostgreSQL, locked as they are found: from where a host's runs are known to begin, and from
 * the start for hosts of which that is not known or too few stand from there on.
 */
final class PostgresReadyRuns extends ReadyRuns {
    private static final String FROM_START =
            """
            SELECT %2$s FROM (VALUES %1$s) AS w (host_id, runs, floor)
            CROSS JOIN LATERAL (
                SELECT * FROM job_runs
                WHERE host_id = w.host_id AND status = 'pending' AND due_at IS NULL
                  AND ordered_outside IS NULL AND priority >= w.floor
                ORDER BY priority DESC, job_id LIMIT w.runs FOR UPDATE SKIP LOCKED) r
            JOIN jobs j ON j.id = r.job_id""";

    private static final String FROM_HEAD =
            """
            SELECT %2$s FROM (VALUES %1$s) AS w (host_id, runs, standing, first)
            CROSS JOIN LATERAL (
                SELECT * FROM job_runs
                WHERE host_id = w.host_id AND status = 'pending' AND due_at IS NULL
                  AND ordered_outside IS NULL AND priority = w.standing AND job_id >= w.first
                ORDER BY job_id LIMIT w.runs FOR UPDATE SKIP LOCKED) r
            JOIN jobs j ON j.id = r.job_id""";

    private final QueueHeadCache queueHeadCache;

    PostgresReadyRuns(QueueHeadCache queueHeadCache) {
        this.queueHeadCache = queueHeadCache;
    }

    /** What one host asks for, and what is known of it before the query. */
    private record HostRequest(HostId host, ClaimRequest request, Head head) {
        boolean satisfiedBy(Map<HostId, List<ReadyRun>> found) {
            return found.getOrDefault(host, List.of()).size() == request.most();
        }
    }

    @Override
    void look(
            Snapshot snapshot,
            Map<HostId, ClaimRequest> claimRequests,
            Map<HostId, List<ReadyRun>> found) {
        List<HostRequest> all = new ArrayList<>(claimRequests.size());
        claimRequests.forEach(
                (host, claimRequest) ->
                        all.add(new HostRequest(host, claimRequest, queueHeadCache.of(host))));
        fromHeads(snapshot, all, found);
        List<HostRequest> left =
                all.stream().filter(hostRequest -> !hostRequest.satisfiedBy(found)).toList();
        left.forEach(hostRequest -> found.remove(hostRequest.host()));
        fromStart(snapshot, left, found);
    }

    private void fromHeads(
            Snapshot snapshot, List<HostRequest> all, Map<HostId, List<ReadyRun>> found) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (HostRequest each : all) {
            QueuePosition first = each.head().first();
            if (first != null && !each.request().onlySteering()) {
                rows.add(
                        new @Nullable Object[] {
                            each.host().value(),
                            each.request().most(),
                            first.standing(),
                            first.job()
                        });
            }
        }
        if (rows.isEmpty()) {
            return;
        }
        list(snapshot, FROM_HEAD, ValueList.of(rows, "TEXT", "BIGINT", "BIGINT", "TEXT"), found);
        for (HostRequest each : all) {
            QueuePosition first = first(found, each.host());
            if (first != null && each.satisfiedBy(found)) {
                queueHeadCache.found(each.host(), each.head(), first);
            }
        }
    }

    private void fromStart(
            Snapshot snapshot, List<HostRequest> left, Map<HostId, List<ReadyRun>> found) {
        if (left.isEmpty()) {
            return;
        }
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (HostRequest each : left) {
            rows.add(
                    new @Nullable Object[] {
                        each.host().value(), each.request().most(), floor(each.request())
                    });
        }
        list(snapshot, FROM_START, ValueList.of(rows, "TEXT", "BIGINT", "BIGINT"), found);
        for (HostRequest each : left) {
            if (!each.request().onlySteering()) {
                queueHeadCache.scannedFromStart(
                        each.host(), each.head(), first(found, each.host()));
            }
        }
    }

    private static @Nullable QueuePosition first(Map<HostId, List<ReadyRun>> found, HostId host) {
        return found.getOrDefault(host, List.of()).stream()
                .map(ReadyRun::queuePosition)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }
}
