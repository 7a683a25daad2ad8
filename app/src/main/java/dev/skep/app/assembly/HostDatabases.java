package dev.skep.app.assembly;

import dev.skep.agents.AgentTables;
import dev.skep.cli.config.Configuration;
import dev.skep.directory.HostTable;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.module.HostProcess;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.kernel.row.SyncTable;
import dev.skep.registry.table.RegistryTables;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.clock.RetentionClock;
import dev.skep.store.clock.SteadyClock;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.SyncTables;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Opens the databases of a process, each with the host it belongs to. */
public final class HostDatabases {
    private HostDatabases() {}

    /** A runner's rows are in a file of its data dir, wherever its hubs keep theirs. */
    public static DatabaseUrl.Sqlite runnerDatabase(Configuration configuration) {
        return new DatabaseUrl.Sqlite(configuration.dataDir().resolve("runner.db"));
    }

    /** Opens the database, migrated, and makes or finds its host. */
    public static HostProcess open(
            Lifecycle lifecycle, DatabaseUrl url, Configuration configuration, HostKind kind) {
        return open(
                lifecycle,
                Databases.open(url, SystemTime.clock()),
                new LocalHost.Config(
                        configuration.dataDir(), configuration.host().hostname(), kind));
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
        SyncTables tables = syncTables();
        LocalHost host = LocalHost.open(database, tables, feed, ids, clock, random, config);
        SteadyClock steady =
                lifecycle.start(
                        kind + " steady clock",
                        SteadyClock.open(database, clock, System::nanoTime));
        RetentionClock retention =
                lifecycle.start(
                        kind + " retention clock",
                        RetentionClock.open(database, clock, System::nanoTime));
        return new HostProcess(database, host, ids, feed, tables, clock, steady, retention);
    }

    /** Every table that is synced, whatever the process runs. */
    public static SyncTables syncTables() {
        List<SyncTable> tables = new ArrayList<>(List.of(HostTable.HOSTS));
        tables.addAll(AgentTables.ALL);
        tables.addAll(RegistryTables.ALL);
        return new SyncTables(tables);
    }
}
