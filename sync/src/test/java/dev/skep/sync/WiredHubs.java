package dev.skep.sync;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Column;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.FeedPage;
import dev.skep.store.feed.OwnRowWriter;
import dev.skep.sync.hub.HubLink;
import dev.skep.sync.hub.HubSync;
import dev.skep.sync.runner.RunnerLink;
import dev.skep.sync.sql.SqlSyncStore;
import dev.skep.wire.Message;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Hubs and runners on SQLite, joined by wires that are read when the test says so. */
final class WiredHubs implements AutoCloseable {
    private static final InstantSource CLOCK = () -> Instant.parse("2027-01-01T00:00:00Z");
    private static final OrgId ORG = new OrgId("org");

    private final Path folder;
    private final SyncLimits limits;
    private final Deque<Runnable> inTheAir = new ArrayDeque<>();
    private final List<Database> databases = new ArrayList<>();
    private final List<Hub> hubs = new ArrayList<>();
    private final List<Runner> runners = new ArrayList<>();
    private int made;

    /** What every runner lets every hub do. */
    Consents allows = Consents.OF_OWN_HUB;

    /**
     * Nothing is there yet.
     *
     * @param pageRows how many rows a message may hold
     */
    WiredHubs(Path folder, int pageRows) {
        this.folder = folder;
        this.limits =
                new SyncLimits(
                        new FeedPage.Limits(pageRows, 1 << 20),
                        16,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(60),
                        1 << 20);
    }

    @Override
    public void close() {
        databases.forEach(Database::close);
    }

    private Database open(String name) {
        Database database =
                Databases.open(new DatabaseUrl.Sqlite(folder.resolve(name + ".db")), CLOCK);
        databases.add(database);
        return database;
    }

    private void close(Database database) {
        databases.remove(database);
        database.close();
    }

    /** Delivers until nobody has anything to say. */
    void settle() {
        boolean busy = true;
        while (busy) {
            hubs.forEach(hub -> hub.sync.readFeed());
            busy = !inTheAir.isEmpty();
            while (!inTheAir.isEmpty()) {
                inTheAir.removeFirst().run();
            }
        }
    }

    /** A hub; opened again on the same file it is the same hub after a restart. */
    final class Hub {
        final Database database;
        final HubSync sync;
        private final SyncStore store;

        Hub(String name) {
            database = open(name);
            FeedClock feed = new FeedClock(CLOCK, new Random(1));
            feed.start(database);
            store = SqlSyncStore.ofHub(database, ProductTables.SCHEMA, feed, new EventBus(), CLOCK);
            sync = new HubSync(store, ProductTables.SCHEMA, limits, CLOCK);
            hubs.add(this);
        }

        List<String> ids(SyncTable table) {
            return WiredHubs.ids(database, table);
        }

        void stop() {
            hubs.remove(this);
            close(database);
        }
    }

    /** A runner with rows of its own. */
    final class Runner {
        final Principal.Host self;
        final Database database;
        private final SyncStore store;
        private final OwnRowWriter own;

        Runner(String name) {
            self = new Principal.Host(ORG, new HostId(("01HOST" + name).toUpperCase(Locale.ROOT)));
            database = open(name);
            FeedClock feed = new FeedClock(CLOCK, new Random(name.hashCode()));
            feed.start(database);
            store =
                    SqlSyncStore.ofRunner(
                            database, ProductTables.SCHEMA, feed, new EventBus(), CLOCK);
            own = new OwnRowWriter(ProductTables.SCHEMA.tables(), feed, ORG, self.id());
            runners.add(this);
        }

        /** Writes a row and returns its key. */
        String write(SyncTable table) {
            @Nullable Object[] values = values(table, "row" + made++, self.id().value());
            database.write(
                    tx -> {
                        own.put(tx, table, values);
                        return table;
                    });
            String key = table.key().getFirst();
            return key.equals("host_id")
                    ? self.id().value()
                    : String.valueOf(values[table.indexOf(key)]);
        }

        List<String> ids(SyncTable table) {
            return WiredHubs.ids(database, table);
        }

        /** To a hub that knows the agent of this runner already, as all others do. */
        Wire connect(Hub hub) {
            String agent = self.id().value();
            SyncRow row = new SyncRow(agent, 0, 1, values(AgentTables.USERS, agent, agent), null);
            hub.store.write(tx -> tx.noteHosts(ORG, List.of(row)));
            for (Runner other : runners) {
                other.store.write(tx -> tx.noteHosts(ORG, List.of(row)));
            }
            return new Wire(this, hub);
        }
    }

    /** One link, and all that was said on it. */
    final class Wire {
        final List<Message> toRunner = new ArrayList<>();
        final List<Message> toHub = new ArrayList<>();
        private final RunnerLink runner;
        private final HubLink hub;
        private boolean cut;

        Wire(Runner end, Hub other) {
            hub =
                    other.sync.open(
                            end.self, port(toRunner, m -> runnerEnd().onMessage(m)), Runnable::run);
            runner =
                    new RunnerLink(
                            end.self,
                            "hub" + hubs.indexOf(other),
                            new HubConsent("http://hub" + hubs.indexOf(other), () -> allows),
                            ProductTables.SCHEMA,
                            limits,
                            end.store,
                            CLOCK,
                            port(toHub, m -> hubEnd().onMessage(m)));
            runner.onOpen();
        }

        private RunnerLink runnerEnd() {
            return runner;
        }

        private HubLink hubEnd() {
            return hub;
        }

        private SyncConnection port(List<Message> received, Consumer<Message> end) {
            return new SyncConnection() {
                @Override
                public void send(Message message) {
                    inTheAir.addLast(
                            () -> {
                                if (!cut) {
                                    received.add(message);
                                    end.accept(message);
                                }
                            });
                }

                @Override
                public void close(String reason) {
                    throw new AssertionError(reason);
                }
            };
        }

        /** The runner has something new. */
        void nudge() {
            runner.onMoved();
        }

        /** The socket breaks. */
        void cut() {
            cut = true;
            hub.onClosed();
        }

        <M extends Message> List<M> said(Class<M> kind) {
            List<Message> all = new ArrayList<>(toRunner);
            all.addAll(toHub);
            return all.stream().filter(kind::isInstance).map(kind::cast).toList();
        }
    }

    private static @Nullable Object[] values(SyncTable table, String id, String agent) {
        List<@Nullable Object> values = new ArrayList<>();
        for (Column column : table.columns()) {
            // A host introduces itself only.
            boolean self = table.equals(HostTable.HOSTS) && column.name().equals("id");
            if (self || column.name().equals(table.author())) {
                values.add(agent);
            } else if (column.name().endsWith("_at")) {
                values.add(column.required() ? "2027-01-01T00:00:00.000000Z" : null);
            } else if (column.type() == Column.Type.INTEGER) {
                values.add(column.required() ? 0L : null);
            } else {
                values.add(column.required() ? id : null);
            }
        }
        return values.toArray();
    }

    private static List<String> ids(Database database, SyncTable table) {
        String sql =
                "SELECT %1$s AS it FROM %2$s ORDER BY %1$s"
                        .formatted(table.key().getFirst(), table.name());
        return database.read(db -> db.list(sql, row -> row.text("it")));
    }
}
