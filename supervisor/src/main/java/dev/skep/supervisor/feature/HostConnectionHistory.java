package dev.skep.supervisor.feature;

import dev.skep.directory.history.ConnectionRecord;
import dev.skep.directory.history.ConnectionRecordStore;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.supervisor.source.HostConnection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** When hosts were connected, as their hub wrote it down. */
final class HostConnectionHistory {
    private final Database database;
    private final Predicate<HostId> isLive;
    private final ConnectionRecordStore periods = new ConnectionRecordStore();

    /** One without an end is open if its host is there now; nobody saw the end of others. */
    HostConnectionHistory(Database database, Predicate<HostId> isLive) {
        this.database = database;
        this.isLive = isLive;
    }

    List<HostConnection> newest(Principal principal, Optional<String> host, int limit) {
        return database
                .read(db -> periods.newest(db, principal, host.map(HostId::new), limit))
                .stream()
                .map(this::shown)
                .toList();
    }

    private HostConnection shown(ConnectionRecord connectionRecord) {
        boolean open = connectionRecord.closedAt() == null;
        boolean here = open && isLive.test(new HostId(connectionRecord.host()));
        return new HostConnection(
                connectionRecord.id(),
                connectionRecord.host(),
                here ? "connected" : open ? "unknown" : "ended",
                connectionRecord.hub(),
                connectionRecord.address(),
                connectionRecord.openedAt(),
                connectionRecord.closedAt(),
                connectionRecord.reason());
    }
}
