package dev.skep.app.assembly;

import dev.skep.agents.AgentTables;
import dev.skep.cli.config.Configuration;
import dev.skep.directory.HostTable;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.org.OrgStore;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.kernel.row.SyncTable;
import dev.skep.registry.table.RegistryTables;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.clock.RetentionClock;
import dev.skep.store.clock.SteadyClock;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.OwnRowWriter;
import dev.skep.store.feed.SyncTables;
import dev.skep.store.migration.Migrations;
import dev.skep.sync.SyncSchema;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A database and the host it belongs to: what a runner and a hub each stand on. */
public record HostProcess(
        Database database,
        LocalHost host,
        UlidSource ids,
        FeedClock feed,
        SyncSchema schema,
        SteadyClock steady,
        RetentionClock retention) {

    /** A runner's rows are in a file of its data dir, wherever its hubs keep theirs. */
    public static DatabaseUrl.Sqlite runnerDatabase(Configuration configuration) {
        return new DatabaseUrl.Sqlite(configuration.dataDir().resolve("runner.db"));
    }

    /** Opens the database, migrated, and makes or finds its host. */
    public static HostProcess open(
            Lifecycle lifecycle, DatabaseUrl url, Configuration configuration, HostKind kind) {
        return open(lifecycle, url, configuration.dataDir(), kind, configuration.host().hostname());
    }

    private static HostProcess open(
            Lifecycle lifecycle, DatabaseUrl url, Path dataDir, HostKind kind, String hostname) {
        return open(
                lifecycle,
                Databases.open(url, SystemTime.clock()),
                new LocalHost.Config(dataDir, hostname, kind));
    }

    /** One that is gone with this process and writes nothing anywhere. */
    static HostProcess inMemory(Lifecycle lifecycle, Configuration configuration, HostKind kind) {
        return open(
                lifecycle,
                Databases.openInMemory(SystemTime.clock()),
                new LocalHost.Config(
                        configuration.dataDir(), configuration.host().hostname(), kind, false));
    }

    private static HostProcess open(Lifecycle lifecycle, Database opened, LocalHost.Config config) {
        InstantSource clock = SystemTime.clock();
        var random = new SecureRandom();
        String kind = config.kind().stored();
        Database database = lifecycle.own(kind + " database", opened);
        var ids = new UlidSource(clock, random);
        var feed = new FeedClock(clock, random);
        SyncSchema schema = SyncSchema.of(syncTables(), Migrations.shipped().latest());
        LocalHost host =
                LocalHost.open(database, schema.tables(), feed, ids, clock, random, config);
        SteadyClock steady =
                lifecycle.start(
                        kind + " steady clock",
                        SteadyClock.open(database, clock, System::nanoTime));
        RetentionClock retention =
                lifecycle.start(
                        kind + " retention clock",
                        RetentionClock.open(database, clock, System::nanoTime));
        return new HostProcess(database, host, ids, feed, schema, steady, retention);
    }

    /** How this host writes rows of an org; a hub has some of each. */
    public OwnRowWriter rowsOf(OrgId org) {
        return org.equals(host.org())
                ? host.ownRowWriter()
                : new OwnRowWriter(schema.tables(), feed, org, host.id());
    }

    /** The same for every org that this process knows, its own first. */
    List<OwnRowWriter> ownRows() {
        Principal.Local local = new Principal.Local(host.org());
        Stream<OrgId> others =
                database.read(db -> new OrgStore().all(db, local)).stream()
                        .map(org -> new OrgId(org.id()));
        return Stream.concat(Stream.of(host.org()), others).distinct().map(this::rowsOf).toList();
    }

    /** Every table that is synced, whatever the process runs. */
    public static SyncTables syncTables() {
        List<SyncTable> tables = new ArrayList<>(List.of(HostTable.HOSTS));
        tables.addAll(AgentTables.ALL);
        tables.addAll(RegistryTables.ALL);
        return new SyncTables(tables);
    }
}
