package dev.skep.supervisor.feature;

import dev.skep.directory.history.LinkPeriod;
import dev.skep.directory.history.LinkPeriodStore;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.supervisor.source.HostConnection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** When hosts were connected, as their hub wrote it down. */
final class LinkHistory {
    private final Database database;
    private final Predicate<HostId> isLive;
    private final LinkPeriodStore periods = new LinkPeriodStore();

    /** One without an end is open if its host is there now; nobody saw the end of others. */
    LinkHistory(Database database, Predicate<HostId> isLive) {
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

    private HostConnection shown(LinkPeriod period) {
        boolean open = period.closedAt() == null;
        boolean here = open && isLive.test(new HostId(period.host()));
        return new HostConnection(
                period.id(),
                period.host(),
                here ? "connected" : open ? "unknown" : "ended",
                period.hub(),
                period.address(),
                period.openedAt(),
                period.closedAt(),
                period.reason());
    }
}
