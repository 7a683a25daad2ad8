package dev.skep.conformance.store;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.ChangeFeed;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.OwnRowWriter;
import dev.skep.store.feed.ReplicaWriter;
import dev.skep.store.feed.SyncTables;
import dev.skep.testkit.SettableClock;
import dev.skep.testkit.server.TestDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** An open database with everything that stands directly on it, as one host would hold it. */
final class StoreFixture implements AutoCloseable {
    static final OrgId ORG = new OrgId("01ORG0000000000000000000AA");
    static final OrgId OTHER_ORG = new OrgId("01ORG0000000000000000000BB");
    static final HostId SELF = new HostId("01HST0000000000000000000AA");
    static final HostId PEER = new HostId("01HST0000000000000000000BB");
    static final String TIME = "2027-01-01T00:00:00.000000Z";

    final SettableClock time = SettableClock.atNewYear();
    final DatabaseUrl url;
    final Database database;
    final SyncTables tables = new SyncTables(allTables());
    final FeedClock clock = new FeedClock(time, new Random(7));
    final ChangeFeed feed = new ChangeFeed(tables, clock);
    final OwnRowWriter own = new OwnRowWriter(tables, clock, ORG, SELF);
    final ReplicaWriter hub = ReplicaWriter.forHub(tables, clock);
    final ReplicaWriter runner = ReplicaWriter.forRunner(tables, clock);

    StoreFixture(TestDatabase kind, Path folder) {
        this(kind.create(folder));
    }

    StoreFixture(DatabaseUrl url) {
        this.url = url;
        this.database = Databases.open(url, time);
        clock.start(database);
    }

    static List<SyncTable> allTables() {
        List<SyncTable> all = new ArrayList<>();
        all.add(HostTable.HOSTS);
        all.addAll(AgentTables.ALL);
        return all;
    }

    /** The same database opened again, as after a restart. */
    StoreFixture reopened() {
        close();
        return new StoreFixture(url);
    }

    void putHost(HostId id, String name) {
        database.write(
                tx -> {
                    own.put(tx, HostTable.HOSTS, host(id, name));
                    return true;
                });
    }

    void putLog(String id, String message) {
        database.write(
                tx -> {
                    own.put(tx, AgentTables.CONTEXT_LOG, log(id, message));
                    return true;
                });
    }

    static @Nullable Object[] host(HostId id, String name) {
        return HostTable.HOSTS.values(
                "id, name, kind, name_conflict, created_at, updated_at",
                id.value(),
                name,
                "runner",
                0L,
                TIME,
                TIME);
    }

    static @Nullable Object[] log(String id, String message) {
        return AgentTables.CONTEXT_LOG.values(
                "id, user_id, run_id, session_id, role, source, type, message, created_at, updated_at",
                id,
                "user",
                "run",
                "session",
                "assistant",
                "llm",
                "text",
                message,
                TIME,
                TIME);
    }

    @Override
    public void close() {
        database.close();
    }
}
