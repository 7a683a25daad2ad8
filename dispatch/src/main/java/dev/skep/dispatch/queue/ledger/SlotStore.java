package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.job.HostLimits;
import dev.skep.dispatch.job.HostUsage;
import dev.skep.dispatch.job.SteeringJobTypes;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The table {@code host_slots}: what hosts hold of what they may. */
public final class SlotStore {

    /** What one host holds, and what it may. */
    public record Slots(OrgId org, HostLimits limits, HostUsage usage) {}

    /** The slots of these hosts, locked in the order of their ids until the transaction ends. */
    public Map<HostId, Slots> lock(Transaction transaction, Collection<HostId> hosts) {
        return read(transaction, hosts, transaction.dialect() == SqlDialect.POSTGRES);
    }

    /** The same to look at only. */
    public Map<HostId, Slots> read(Snapshot snapshot, Collection<HostId> hosts) {
        return read(snapshot, hosts, false);
    }

    private static Map<HostId, Slots> read(
            Snapshot snapshot, Collection<HostId> hosts, boolean forUpdate) {
        Map<HostId, Slots> found = new LinkedHashMap<>();
        if (hosts.isEmpty()) {
            return found;
        }
        InList in = InList.of(hosts.stream().map(HostId::value).distinct().sorted().toList());
        snapshot.list(
                """
                SELECT h.host_id, h.org_id, h.max_concurrent, h.jobs_per_minute,
                       s.running, s.minute, s.started
                FROM host_health h JOIN host_slots s ON s.host_id = h.host_id
                WHERE h.host_id IN (%s) ORDER BY h.host_id%s"""
                        .formatted(in.placeholders(), forUpdate ? " FOR UPDATE OF s" : ""),
                row -> found.put(new HostId(row.text(1)), slots(row)) == null,
                in.after());
        return found;
    }

    /** What one host may hold, where something else counts what it does. */
    public record Limits(OrgId org, HostLimits limits) {}

    /** The limits of these hosts. */
    public Map<HostId, Limits> limits(Snapshot snapshot, Collection<HostId> hosts) {
        Map<HostId, Limits> found = new HashMap<>();
        InList in = InList.of(hosts.stream().map(HostId::value).distinct().toList());
        snapshot.list(
                in.in(
                        """
                        SELECT host_id, org_id, max_concurrent, jobs_per_minute FROM host_health
                        WHERE host_id IN (%s)"""),
                row ->
                        found.put(
                                        new HostId(row.text(1)),
                                        new Limits(new OrgId(row.text(2)), limits(row)))
                                == null,
                in.after());
        return found;
    }

    public void write(Transaction transaction, Map<HostId, HostUsage> changed) {
        if (changed.isEmpty()) {
            return;
        }
        List<@Nullable Object[]> rows = new ArrayList<>(changed.size());
        changed.forEach(
                (host, usage) ->
                        rows.add(
                                new @Nullable Object[] {
                                    host.value(), usage.running(), usage.minute(), usage.started()
                                }));
        ValueList values = ValueList.of(rows, "TEXT", "BIGINT", "BIGINT", "BIGINT");
        transaction.update(
                """
                WITH now (host_id, running, minute, started) AS (VALUES %s)
                UPDATE host_slots
                SET running = now.running, minute = now.minute, started = now.started
                FROM now WHERE host_slots.host_id = now.host_id"""
                        .formatted(values.placeholders()),
                values.before());
    }

    /**
     * Counts what hosts hold: another engine, which counts for itself, may have been in use since
     * the last count. Under the locks of all hosts, as everything that changes it.
     */
    public void recount(Transaction transaction) {
        Map<HostId, HostUsage> changed = new LinkedHashMap<>();
        String lock = transaction.dialect() == SqlDialect.POSTGRES ? " FOR UPDATE" : "";
        transaction.list(
                "SELECT host_id, running, minute, started FROM host_slots ORDER BY host_id" + lock,
                row -> changed.put(new HostId(row.text(1)), usage(row, 2)) == null);
        Map<HostId, Integer> held = new HashMap<>();
        transaction.list(
                """
                SELECT host_id, count(*) FROM job_runs
                WHERE status = 'running' AND priority < ? GROUP BY host_id""",
                row -> held.put(new HostId(row.text(1)), (int) row.number(2)) == null,
                SteeringJobTypes.FLOOR);
        changed.entrySet()
                .removeIf(of -> of.getValue().running() == held.getOrDefault(of.getKey(), 0));
        changed.replaceAll(
                (host, usage) ->
                        new HostUsage(held.getOrDefault(host, 0), usage.minute(), usage.started()));
        write(transaction, changed);
    }

    /** By position, as all here: names are looked up for every row. */
    private static Slots slots(ResultRow row) {
        return new Slots(new OrgId(row.text(2)), limits(row), usage(row, 5));
    }

    private static HostLimits limits(ResultRow row) {
        Long perMinute = row.numberOrNull(4);
        return new HostLimits((int) row.number(3), perMinute == null ? null : perMinute.intValue());
    }

    private static HostUsage usage(ResultRow row, int from) {
        return new HostUsage(
                (int) row.number(from), row.number(from + 1), (int) row.number(from + 2));
    }
}
