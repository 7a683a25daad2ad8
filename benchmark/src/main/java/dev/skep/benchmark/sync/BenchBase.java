package dev.skep.benchmark.sync;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.SyncTables;
import dev.skep.sync.SyncSchema;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** A database with its host, as a runner or a hub of the benchmark stands on. */
record BenchBase(
        Database database, LocalHost host, FeedClock feed, SyncSchema schema, InstantSource clock)
        implements AutoCloseable {
    static final String ACCESS_KEY = "the-key-of-the-benchmark";

    private static final int SCHEMA_VERSION = 1;

    static BenchBase open(Path folder, String name, HostKind kind) {
        InstantSource clock = InstantSource.system();
        SecureRandom random = new SecureRandom();
        Database database =
                Databases.open(
                        new DatabaseUrl.Sqlite(folder.resolve(kind.stored() + ".db")), clock);
        FeedClock feed = new FeedClock(clock, random);
        SyncSchema schema = tables();
        LocalHost host =
                LocalHost.open(
                        database,
                        schema.tables(),
                        feed,
                        new UlidSource(clock, random),
                        clock,
                        random,
                        new LocalHost.Config(folder, name, kind));
        return new BenchBase(database, host, feed, schema, clock);
    }

    static SyncSchema tables() {
        List<SyncTable> tables = new ArrayList<>(List.of(HostTable.HOSTS));
        tables.addAll(AgentTables.ALL);
        return SyncSchema.of(new SyncTables(tables), SCHEMA_VERSION);
    }

    long count(String table) {
        return database.read(
                db ->
                        db.first("SELECT count(*) FROM " + table, row -> row.number(1))
                                .orElseThrow());
    }

    long head() {
        return database.read(feed::now);
    }

    @Override
    public void close() {
        database.close();
    }
}
