package dev.skep.sync;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.OwnRowWriter;
import dev.skep.sync.link.RunnerSyncProtocol;
import dev.skep.sync.runner.JoinKind;
import dev.skep.sync.sql.SqlSyncStore;
import dev.skep.sync.sql.SyncReports;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.hub.PlainLinks;
import dev.skep.transport.link.LinkDialer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A runner with one agent that writes what a test wants, and one link. */
final class LineRunner implements AutoCloseable {
    private static final OrgId ORG = new OrgId("01ORG0000000000000000000AA");
    private static final String TIME = "2027-01-01T00:00:00.000000Z";
    private static final String LETTERS =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    final Principal.Host self;
    final RunnerSyncProtocol sync;
    final Database database;
    final SyncStore store;
    final SyncSchema schema = LineHub.schema();
    private final Lifecycle lifecycle = new Lifecycle();
    private final OwnRowWriter own;
    private final Random random = new Random(7);
    private @Nullable LinkDialer dialer;
    private int written;

    LineRunner(Path folder, String name, SyncLimits limits) {
        this(folder, name, limits, InstantSource.system(), InstantSource.system());
    }

    LineRunner(
            Path folder,
            String name,
            SyncLimits limits,
            InstantSource clock,
            InstantSource steady) {
        self = new Principal.Host(ORG, new HostId("01HST000000000000000000%s".formatted(name)));
        database = Databases.open(new DatabaseUrl.Sqlite(folder.resolve(name + ".db")), clock);
        lifecycle.own("database", database);
        FeedClock feed = new FeedClock(clock, new SecureRandom());
        feed.start(database);
        own = new OwnRowWriter(schema.tables(), feed, ORG, self.id());
        store = SqlSyncStore.ofRunner(database, schema, feed, new EventBus(), clock);
        sync =
                lifecycle.start(
                        "sync",
                        new RunnerSyncProtocol(
                                self,
                                JoinKind.AS_RUNNER,
                                schema,
                                limits,
                                store,
                                feed,
                                clock,
                                steady));
        String id = self.id().value();
        put(
                HostTable.HOSTS,
                HostTable.HOSTS.values(
                        "id, name, kind, name_conflict, created_at, updated_at",
                        id,
                        name,
                        "runner",
                        0L,
                        TIME,
                        TIME));
        put(
                AgentTables.USERS,
                AgentTables.USERS.values(
                        "id, username, kind, name_conflict, created_at, updated_at",
                        id,
                        name,
                        "agent",
                        0L,
                        TIME,
                        TIME));
    }

    void link(String url) {
        String ticket = "host:%s:%s".formatted(ORG.value(), self.id().value());
        dialer =
                lifecycle.start(
                        "link", PlainLinks.dialer(url, ticket, sync.with(HubConsent.toAll(url))));
    }

    /** Ends the link, after all that the hub said on it is taken. */
    void unlink() {
        if (dialer != null) {
            dialer.close();
        }
        Eventually.holds("the link ends", Duration.ofSeconds(20), () -> !sync.isLinked("hub"));
    }

    /** Rows written here that the hub did not confirm. */
    long lag() {
        return new SyncReports(database, schema).waiting(self, sync.confirmed("hub")).rows();
    }

    boolean isConnected() {
        return dialer != null && dialer.status().connected();
    }

    /** Mail of so many letters each, which hardly get fewer by compression. */
    void mail(int count, int letters) {
        database.write(
                tx -> {
                    for (int i = 0; i < count; i++) {
                        own.put(tx, AgentTables.MAIL_MESSAGES, mail(letters));
                    }
                    return count;
                });
    }

    /** A mail in the name of somebody whom neither this host nor a hub knows. */
    void mailOfNobody() {
        @Nullable Object[] mail = mail(100);
        mail[AgentTables.MAIL_MESSAGES.indexOf("from_user_id")] = "01USR00000000000000000NONE";
        put(AgentTables.MAIL_MESSAGES, mail);
    }

    /** What the database says that the hub has pulled. */
    long pulled() {
        return store.read(db -> db.peer("hub").pulled());
    }

    private @Nullable Object[] mail(int letters) {
        StringBuilder text = new StringBuilder(letters);
        for (int i = 0; i < letters; i++) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        String id = "01MAIL%s%09d".formatted(self.id().value().substring(15), written++);
        return AgentTables.MAIL_MESSAGES.values(
                "id, from_user_id, subject, body, created_at, updated_at",
                id,
                self.id().value(),
                "A subject",
                text.toString(),
                TIME,
                TIME);
    }

    private void put(SyncTable table, @Nullable Object... values) {
        database.write(
                tx -> {
                    own.put(tx, table, values);
                    return table;
                });
    }

    long count(SyncTable table) {
        return count(database, table);
    }

    static long count(Database database, SyncTable table) {
        return database.read(
                db ->
                        db.first("SELECT count(*) FROM " + table.name(), row -> row.number(1))
                                .orElseThrow());
    }

    @Override
    public void close() {
        lifecycle.close();
    }
}
