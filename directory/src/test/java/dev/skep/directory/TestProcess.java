package dev.skep.directory;

import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.SyncTables;
import dev.skep.testkit.SettableClock;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Random;

/** One process on a data dir with a SQLite database and a clock the test sets. */
public final class TestProcess implements AutoCloseable {
    public final Path dataDir;
    public final SettableClock clock;
    public final UlidSource ids;
    public final Database database;
    public final LocalHost host;

    public TestProcess(Path dataDir, HostKind kind, String name) {
        this(dataDir, kind, name, new SettableClock(Instant.parse("2026-11-15T08:00:00Z")));
    }

    public TestProcess(Path dataDir, HostKind kind, String name, SettableClock clock) {
        this.dataDir = dataDir;
        this.clock = clock;
        this.ids = new UlidSource(clock, new SecureRandom());
        this.database =
                Databases.open(
                        new DatabaseUrl.Sqlite(dataDir.resolve(kind.stored() + ".db")), clock);
        try {
            SyncTables tables = new SyncTables(List.of(HostTable.HOSTS));
            this.host =
                    LocalHost.open(
                            database,
                            tables,
                            new FeedClock(clock, new Random(2)),
                            ids,
                            clock,
                            new SecureRandom(),
                            new LocalHost.Config(dataDir, name, kind));
        } catch (RuntimeException | Error e) {
            database.close();
            throw e;
        }
    }

    @Override
    public void close() {
        database.close();
    }
}
