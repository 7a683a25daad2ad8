package dev.skep.benchmark.store;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.OwnRowWriter;
import dev.skep.store.feed.SyncTables;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The store as a runner uses it: stamped rows through the single writer, durable on return. */
final class OurStore implements AutoCloseable {
    private final Database database;
    private final OwnRowWriter own;

    OurStore(DatabaseUrl url) {
        List<SyncTable> described = new ArrayList<>(AgentTables.ALL);
        described.add(HostTable.HOSTS);
        SyncTables tables = new SyncTables(described);
        FeedClock clock = new FeedClock(InstantSource.system(), new Random(1));
        this.database = Databases.open(url, InstantSource.system());
        this.own =
                new OwnRowWriter(
                        tables,
                        clock,
                        new OrgId("01BENCHMARKORG000000000000"),
                        new HostId("01BENCHMARKHOST00000000000"));
        clock.start(database);
    }

    void put(SyncTable table, List<@Nullable Object[]> rows) {
        database.write(
                transaction -> {
                    own.putAll(transaction, table, 0, rows);
                    return rows.size();
                });
    }

    @Override
    public void close() {
        database.close();
    }
}
