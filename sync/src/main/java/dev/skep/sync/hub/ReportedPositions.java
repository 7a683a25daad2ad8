package dev.skep.sync.hub;

import dev.skep.directory.HostTable;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Position;
import dev.skep.kernel.row.SyncRow;
import dev.skep.store.feed.ReplicaWriter;
import dev.skep.sync.SyncStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a host reports that it holds of others, as far as it is possible: the others open an epoch
 * above it, so a number near the maximum would be their last. It can hold nothing of a host that is
 * known here in another org; an unknown host may be in its org, since the hub asks after losing its
 * data.
 */
final class ReportedPositions {
    private static final Logger LOG = LoggerFactory.getLogger(ReportedPositions.class);

    private ReportedPositions() {}

    static Map<String, Map<Long, Long>> believed(
            SyncStore.Reading db,
            Principal.Host teller,
            Map<String, Map<Long, Long>> held,
            BooleanSupplier isNews) {
        Map<List<Object>, ReplicaWriter.Owner> known =
                db.owners(
                        HostTable.HOSTS,
                        held.keySet().stream().map(ReportedPositions::rowOf).toList());
        Map<String, Map<Long, Long>> believed = new HashMap<>();
        int dropped = 0;
        for (Map.Entry<String, Map<Long, Long>> host : held.entrySet()) {
            ReplicaWriter.Owner owner = known.get(HostTable.HOSTS.keyOf(rowOf(host.getKey())));
            if (owner != null && !owner.org().equals(teller.org())) {
                dropped += host.getValue().size();
                continue;
            }
            Map<Long, Long> seen = new HashMap<>(host.getValue());
            seen.entrySet().removeIf(e -> !Position.isCredible(e.getKey(), e.getValue()));
            dropped += host.getValue().size() - seen.size();
            if (!seen.isEmpty()) {
                believed.put(host.getKey(), seen);
            }
        }
        if (dropped > 0 && isNews.getAsBoolean()) {
            LOG.warn("ignored {} impossible positions from host={}", dropped, teller.id());
        }
        return believed;
    }

    private static SyncRow rowOf(String host) {
        @Nullable Object[] values = HostTable.HOSTS.values("id", host);
        return new SyncRow(host, 0, 0, values, null);
    }
}
