package dev.skep.directory.module;

import dev.skep.directory.host.LocalHost;
import dev.skep.directory.org.OrgStore;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.clock.RetentionClock;
import dev.skep.store.clock.SteadyClock;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.OwnRowWriter;
import dev.skep.store.feed.SyncTables;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

/**
 * A database and the host it belongs to, for a runner or a hub.
 *
 * @param tables those that are synced
 * @param clock for people
 */
public record HostProcess(
        Database database,
        LocalHost host,
        UlidSource ids,
        FeedClock feed,
        SyncTables tables,
        InstantSource clock,
        SteadyClock steady,
        RetentionClock retention) {

    /** This host as those it is linked to know it. */
    public Principal.Host self() {
        return new Principal.Host(host.org(), host.id());
    }

    /** How this host writes rows of an org; a hub has some of each. */
    public OwnRowWriter rowsOf(OrgId org) {
        return org.equals(host.org())
                ? host.ownRowWriter()
                : new OwnRowWriter(tables, feed, org, host.id());
    }

    /** The same for every org that this process knows, its own first. */
    public List<OwnRowWriter> ownRows() {
        Principal.Local local = new Principal.Local(host.org());
        Stream<OrgId> others =
                database.read(db -> new OrgStore().all(db, local)).stream()
                        .map(org -> new OrgId(org.id()));
        return Stream.concat(Stream.of(host.org()), others).distinct().map(this::rowsOf).toList();
    }
}
