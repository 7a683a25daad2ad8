package dev.skep.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.AgentTables;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.TableRows;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.sync.hub.HubLink;
import dev.skep.sync.hub.HubSync;
import dev.skep.sync.sql.SqlSyncStore;
import dev.skep.wire.Message;
import dev.skep.wire.Message.SyncError;
import dev.skep.wire.MessageRows;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;

/** A hub's end of links on SQLite, for tests of hosts that say what hosts of ours never say. */
abstract class HubEndOfLinks {
    static final InstantSource CLOCK = () -> Instant.parse("2027-01-01T00:00:00Z");
    static final String AT = "2027-01-01T00:00:00.000000Z";
    static final Principal.Host ALICE = host("org", "01HOSTALICE000000000000000");
    static final Principal.Host MALLORY = host("org", "01HOSTMALLORY0000000000000");
    static final Principal.Host STRANGER = host("other", "01HOSTSTRANGER000000000000");
    final Database database;
    final SyncStore store;
    final HubSync hub;
    Instant wall = CLOCK.instant();

    HubEndOfLinks(Path folder) {
        database = Databases.open(new DatabaseUrl.Sqlite(folder.resolve("hub.db")), CLOCK);
        FeedClock feed = new FeedClock(CLOCK, new Random(1));
        feed.start(database);
        store =
                SqlSyncStore.ofHub(
                        database, ProductTables.SCHEMA, feed, new EventBus(), () -> wall);
        hub = new HubSync(store, ProductTables.SCHEMA, SyncLimits.DEFAULT, CLOCK);
    }

    @AfterEach
    void close() {
        database.close();
    }

    static Principal.Host host(String org, String id) {
        return new Principal.Host(new OrgId(org), new HostId(id));
    }

    /** One end's socket: what the hub said, and whether it hung up. */
    final class Socket implements SyncConnection {
        final Principal.Host host;
        final List<Message> received = new ArrayList<>();
        final HubLink link;
        boolean closed;

        Socket(Principal.Host host) {
            this(host, hub);
        }

        Socket(Principal.Host host, HubSync at) {
            this.host = host;
            this.link = at.open(host, this, Runnable::run);
        }

        @Override
        public void send(Message message) {
            received.add(message);
        }

        @Override
        public void close(String reason) {
            closed = true;
        }

        Socket connect() {
            return connect(SyncSchema.PROTOCOL_MAX);
        }

        Socket connect(int protocol) {
            say(new Message.CatchUp(host.id().value(), 1, 1, protocol, 0, 0, Map.of()));
            say(new Message.CatchUp(host.id().value(), 1, 1, protocol, 0, 0, Map.of()));
            return this;
        }

        Message.SyncRequest lastAsked() {
            return (Message.SyncRequest) received.getLast();
        }

        void say(Message message) {
            link.onMessage(message);
        }

        /** Answers the request in flight with rows. */
        void answer(long upto, SyncRow... rows) {
            answer(upto, false, rows);
        }

        void answer(long upto, boolean hasMore, SyncRow... rows) {
            answer(upto, hasMore, new TableRows(AgentTables.USERS, List.of(rows)));
        }

        void answer(long upto, boolean hasMore, TableRows... tables) {
            Message.SyncRequest asked = lastAsked();
            MessageRows page = MessageRows.of(List.of(tables));
            say(
                    new Message.SyncResponse(
                            asked.reqId(), host.id().value(), page, upto, upto, hasMore, 0, false));
        }

        void assertRefused(String error) {
            assertThat(received)
                    .anySatisfy(
                            message ->
                                    assertThat(message)
                                            .isInstanceOfSatisfying(
                                                    SyncError.class,
                                                    e -> assertThat(e.error()).isEqualTo(error)));
            assertThat(closed).isTrue();
        }
    }

    static SyncRow user(Principal.Host owner, long gen, long ver, String id, String name) {
        return new SyncRow(
                owner.id().value(),
                gen,
                ver,
                AgentTables.USERS.values(
                        "id, username, kind, name_conflict, created_at, updated_at",
                        id,
                        name,
                        "agent",
                        0L,
                        AT,
                        AT),
                null);
    }

    String stored(String column) {
        return database.read(
                db ->
                        String.join(
                                ",",
                                db.list(
                                        "SELECT %s AS it FROM users ORDER BY id".formatted(column),
                                        row -> row.text("it"))));
    }

    String quarantined() {
        return database.read(
                db ->
                        String.join(
                                ",",
                                db.list(
                                        "SELECT reason FROM sync_quarantine ORDER BY reason",
                                        row -> row.text("reason"))));
    }

    static SyncRow mail(Principal.Host owner, long ver, String id, String from) {
        return new SyncRow(
                owner.id().value(),
                0,
                ver,
                AgentTables.MAIL_MESSAGES.values(
                        "id, from_user_id, subject, body, created_at, updated_at",
                        id,
                        from,
                        "subject",
                        "body",
                        AT,
                        AT),
                null);
    }

    static SyncRow cost(Principal.Host owner, long ver, String id, String agent) {
        return new SyncRow(
                owner.id().value(),
                0,
                ver,
                AgentTables.COSTS.values(
                        "id, user_id, run_id, session_id, source, model, cost, input_tokens, output_tokens, cache_write_tokens, cache_read_tokens, created_at, updated_at",
                        id,
                        agent,
                        "r",
                        "1",
                        "turn",
                        "m",
                        1_000_000L,
                        1L,
                        1L,
                        0L,
                        0L,
                        AT,
                        AT),
                null);
    }

    List<String> ids(String table) {
        return database.read(
                db -> db.list("SELECT id FROM " + table + " ORDER BY id", row -> row.text("id")));
    }
}
