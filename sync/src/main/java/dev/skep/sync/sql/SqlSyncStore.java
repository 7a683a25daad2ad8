package dev.skep.sync.sql;

import dev.skep.kernel.event.EventBus;
import dev.skep.store.Database;
import dev.skep.store.feed.ChangeFeed;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.ReplicaWriter;
import dev.skep.store.feed.RowsByOwner;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.SyncStore;
import java.time.InstantSource;
import java.util.function.Function;

/**
 * What the ends of a link need, from a database; it notifies this process of the rows that arrived.
 * Thread-safe.
 */
public final class SqlSyncStore implements SyncStore {
    final SyncSchema schema;
    final FeedClock clock;
    final ReplicaWriter replicaWriter;
    final ChangeFeed feed;
    final RowsByOwner held;
    final PeerStore peers = new PeerStore();
    final SeenStore seen = new SeenStore();
    final QuarantineStore quarantine = new QuarantineStore();
    final OwnershipGrantStore grants = new OwnershipGrantStore();
    final AgentHostStore agentHosts = new AgentHostStore();
    final AwaitedAgentStore awaitedAgents = new AwaitedAgentStore();
    final NameClaimStore names = new NameClaimStore();
    final ForeignAgentStore origins = new ForeignAgentStore();
    final RetentionStore retention;

    private final Database database;
    final EventBus eventBus;
    private final InstantSource time;

    private SqlSyncStore(
            Database database,
            SyncSchema schema,
            FeedClock clock,
            ReplicaWriter replicaWriter,
            EventBus eventBus,
            InstantSource time) {
        this.database = database;
        this.schema = schema;
        this.clock = clock;
        this.replicaWriter = replicaWriter;
        this.feed = new ChangeFeed(schema.tables(), clock);
        this.held = new RowsByOwner(schema.tables());
        this.eventBus = eventBus;
        this.time = time;
        this.retention = new RetentionStore(database, time);
    }

    /** A runner's database: rows of others are stored and not sent on. */
    public static SqlSyncStore ofRunner(
            Database database,
            SyncSchema schema,
            FeedClock clock,
            EventBus eventBus,
            InstantSource time) {
        ReplicaWriter replicaWriter = ReplicaWriter.forRunner(schema.tables(), clock);
        return new SqlSyncStore(database, schema, clock, replicaWriter, eventBus, time);
    }

    /** A hub's database: shared rows are sent on. */
    public static SqlSyncStore ofHub(
            Database database,
            SyncSchema schema,
            FeedClock clock,
            EventBus eventBus,
            InstantSource time) {
        ReplicaWriter replicaWriter = ReplicaWriter.forHub(schema.tables(), clock);
        return new SqlSyncStore(database, schema, clock, replicaWriter, eventBus, time);
    }

    @Override
    public <T> T read(Function<? super Reading, T> work) {
        return database.read(snapshot -> work.apply(new SqlReading(snapshot, this)));
    }

    @Override
    public <T> T write(Function<? super Writing, T> work) {
        return database.write(tx -> work.apply(new SqlWriting(tx, this, time.instant())));
    }

    public RetentionStore retention() {
        return retention;
    }
}
