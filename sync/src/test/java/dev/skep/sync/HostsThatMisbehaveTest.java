package dev.skep.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
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
import dev.skep.sync.hub.TakeoverService;
import dev.skep.sync.sql.SqlSyncStore;
import dev.skep.wire.Message;
import dev.skep.wire.Message.SyncError;
import dev.skep.wire.MessageRows;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hub's end of links on SQLite, and what hosts of ours never say. */
class HostsThatMisbehaveTest {
    private static final InstantSource CLOCK = () -> Instant.parse("2027-01-01T00:00:00Z");
    private static final String AT = "2027-01-01T00:00:00.000000Z";
    private static final Principal.Host ALICE = host("org", "01HOSTALICE000000000000000");
    private static final Principal.Host MALLORY = host("org", "01HOSTMALLORY0000000000000");
    private static final Principal.Host STRANGER = host("other", "01HOSTSTRANGER000000000000");

    private final Database database;
    private final SyncStore store;
    private final HubSync hub;
    private Instant wall = CLOCK.instant();

    HostsThatMisbehaveTest(@TempDir Path folder) {
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

    private static Principal.Host host(String org, String id) {
        return new Principal.Host(new OrgId(org), new HostId(id));
    }

    /** One end's socket: what the hub said, and whether it hung up. */
    private final class Socket implements SyncConnection {
        private final Principal.Host host;
        private final List<Message> heard = new ArrayList<>();
        private final HubLink link;
        private boolean closed;

        Socket(Principal.Host host) {
            this(host, hub);
        }

        Socket(Principal.Host host, HubSync at) {
            this.host = host;
            this.link = at.open(host, this, Runnable::run);
        }

        @Override
        public void send(Message message) {
            heard.add(message);
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
            return (Message.SyncRequest) heard.getLast();
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
            assertThat(heard)
                    .anySatisfy(
                            message ->
                                    assertThat(message)
                                            .isInstanceOfSatisfying(
                                                    SyncError.class,
                                                    e -> assertThat(e.error()).isEqualTo(error)));
            assertThat(closed).isTrue();
        }
    }

    private static SyncRow user(Principal.Host owner, long gen, long ver, String id, String name) {
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

    private String stored(String column) {
        return database.read(
                db ->
                        String.join(
                                ",",
                                db.list(
                                        "SELECT %s AS it FROM users ORDER BY id".formatted(column),
                                        row -> row.text("it"))));
    }

    private String quarantined() {
        return database.read(
                db ->
                        String.join(
                                ",",
                                db.list(
                                        "SELECT reason FROM sync_quarantine ORDER BY reason",
                                        row -> row.text("reason"))));
    }

    @Test
    void a_host_that_says_it_is_another_is_refused() {
        Socket socket = new Socket(MALLORY);
        socket.say(new Message.CatchUp(ALICE.id().value(), 1, 1, 1, 0, 0, Map.of()));
        socket.assertRefused(SyncError.NOT_AUTHORISED);
    }

    @Test
    void another_version_is_named_with_ours() {
        Socket socket = new Socket(ALICE);
        socket.say(new Message.CatchUp(ALICE.id().value(), 2, 1, 1, 0, 0, Map.of()));
        socket.assertRefused(SyncError.SCHEMA_VERSION_MISMATCH);
        assertThat(socket.heard)
                .contains(
                        new SyncError(
                                SyncError.SCHEMA_VERSION_MISMATCH,
                                1L,
                                2L,
                                "Runner schema version 2 does not match Hub version 1. Please update hub."));
    }

    @Test
    void an_answer_is_awaited_until_it_comes_or_its_host_leaves() {
        Socket socket = new Socket(ALICE).connect();
        assertThat(hub.asked())
                .containsExactly(
                        Map.entry(
                                ALICE.id(),
                                new HubSync.PendingResponse(CLOCK.instant(), CLOCK.instant())));
        socket.answer(5, user(ALICE, 0, 5, "a", "anna"));
        assertThat(hub.asked()).isEmpty();

        socket.say(new Message.SyncAvailable());
        assertThat(hub.asked()).containsOnlyKeys(ALICE.id());
        socket.link.onClosed();
        assertThat(hub.asked()).isEmpty();
    }

    @Test
    void only_a_host_that_knows_what_it_means_is_asked_ahead() {
        Socket old = new Socket(ALICE).connect(1);
        old.answer(5, true, user(ALICE, 0, 5, "a", "anna"));
        assertThat(old.lastAsked().since()).isEqualTo(5);
        assertThat(old.lastAsked().ahead()).isFalse();

        Socket current = new Socket(MALLORY).connect(SyncSchema.PROTOCOL_AHEAD);
        current.answer(5, true, user(MALLORY, 0, 5, "m", "mallory"));
        assertThat(current.lastAsked().since()).isEqualTo(5);
        assertThat(current.lastAsked().ahead()).isTrue();
    }

    @Test
    void a_host_with_much_is_not_asked_ahead_while_another_waits_for_its_turn() {
        SyncLimits usual = SyncLimits.DEFAULT;
        HubSync oneAtATime =
                new HubSync(
                        store,
                        ProductTables.SCHEMA,
                        new SyncLimits(
                                usual.page(),
                                1,
                                usual.patience(),
                                usual.timeout(),
                                usual.idle(),
                                usual.tailBytes()),
                        CLOCK);
        Socket busy = new Socket(ALICE, oneAtATime).connect();
        Socket waiting = new Socket(MALLORY, oneAtATime).connect();
        assertThat(waiting.heard).noneMatch(Message.SyncRequest.class::isInstance);

        busy.answer(5, true, user(ALICE, 0, 5, "a", "anna"));

        assertThat(waiting.lastAsked().ahead()).isFalse();
        assertThat(busy.lastAsked().since()).as("not asked again").isZero();
        waiting.answer(7, user(MALLORY, 0, 7, "m", "mallory"));
        assertThat(busy.lastAsked().since()).isEqualTo(5);
    }

    @Test
    void rows_nobody_asked_for_are_refused() {
        Socket socket = new Socket(ALICE);
        socket.say(
                new Message.SyncResponse(
                        1, ALICE.id().value(), MessageRows.NONE, 5, 5, false, 0, false));
        socket.assertRefused(SyncError.BAD_MESSAGE);
    }

    @Test
    void positions_that_do_not_follow_each_other_are_refused() {
        Socket socket = new Socket(ALICE).connect();
        socket.answer(100, user(ALICE, 0, 100, "a", "anna"));
        assertThat(stored("username")).isEqualTo("anna");
        socket.say(new Message.SyncAvailable());
        socket.answer(99, user(ALICE, 0, 99, "b", "bert"));
        socket.assertRefused(SyncError.BAD_MESSAGE);
        assertThat(stored("username")).isEqualTo("anna");
    }

    @Test
    void one_row_of_another_host_ends_the_link_and_stores_nothing() {
        Socket socket = new Socket(MALLORY).connect();
        socket.answer(7, user(MALLORY, 0, 6, "m", "mallory"), user(ALICE, 0, 7, "a", "anna"));
        socket.assertRefused(SyncError.OWNERSHIP_VIOLATION);
        assertThat(stored("username")).isEmpty();
    }

    @Test
    void an_id_of_another_host_is_set_aside_and_the_rest_of_the_page_stored() {
        new Socket(ALICE).connect().answer(5, user(ALICE, 0, 5, "a", "anna"));
        Socket socket = new Socket(MALLORY).connect();
        socket.answer(99, user(MALLORY, 0, 98, "a", "thief"), user(MALLORY, 0, 99, "m", "mallory"));
        assertThat(stored("username")).isEqualTo("anna,mallory");
        assertThat(quarantined()).isEqualTo("ownership_violation");
        assertThat(socket.closed).isFalse();
        assertThat(socket.heard)
                .anyMatch(
                        message ->
                                message instanceof SyncError e
                                        && e.error().equals(SyncError.OWNERSHIP_VIOLATION));
    }

    @Test
    void an_id_of_another_org_is_set_aside_whatever_its_generation() {
        new Socket(ALICE).connect().answer(5, user(ALICE, 0, 5, "a", "anna"));
        Socket socket = new Socket(STRANGER).connect();
        socket.answer(99, user(STRANGER, 0, 98, "a", "thief"), user(STRANGER, 9, 99, "a", "thief"));
        assertThat(stored("username")).isEqualTo("anna");
        assertThat(stored("org_id")).isEqualTo("org");
    }

    @Test
    void nobody_takes_an_agent_over_without_an_operators_word() {
        new Socket(ALICE).connect().answer(5, user(ALICE, 0, 5, "a", "anna"));
        Socket socket = new Socket(MALLORY).connect();
        socket.answer(6, user(MALLORY, Long.MAX_VALUE >> 12, 6, "a", "thief"));
        assertThat(stored("username")).isEqualTo("anna");
        assertThat(quarantined()).isEqualTo("takeover_unconfirmed");
    }

    private static SyncRow mail(Principal.Host owner, long ver, String id, String from) {
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

    private static SyncRow cost(Principal.Host owner, long ver, String id, String agent) {
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

    private List<String> ids(String table) {
        return database.read(
                db -> db.list("SELECT id FROM " + table + " ORDER BY id", row -> row.text("id")));
    }

    @Test
    void mail_and_costs_in_the_name_of_another_hosts_agent_are_set_aside() {
        new Socket(ALICE).connect().answer(5, user(ALICE, 0, 5, "a", "anna"));
        Socket socket = new Socket(MALLORY).connect();
        socket.answer(
                9,
                false,
                new TableRows(
                        AgentTables.MAIL_MESSAGES,
                        List.of(mail(MALLORY, 7, "m1", "a"), mail(MALLORY, 8, "m2", "m"))),
                new TableRows(AgentTables.COSTS, List.of(cost(MALLORY, 9, "c1", "a"))),
                new TableRows(AgentTables.USERS, List.of(user(MALLORY, 0, 6, "m", "mallory"))));

        assertThat(ids("mail_messages")).containsExactly("m2");
        assertThat(ids("costs")).isEmpty();
        assertThat(quarantined()).isEqualTo("agent_not_of_host,agent_not_of_host");
        assertThat(socket.closed).isFalse();
    }

    @Test
    void a_host_introduces_nobody_but_itself() {
        @Nullable Object[] values =
                HostTable.HOSTS.values(
                        "id, name, kind, public_key, name_conflict, created_at, updated_at",
                        ALICE.id().value(),
                        "alice",
                        "runner",
                        "a key of mallory's",
                        0L,
                        AT,
                        AT);
        Socket socket = new Socket(MALLORY).connect();
        socket.answer(
                6,
                false,
                new TableRows(
                        HostTable.HOSTS,
                        List.of(new SyncRow(MALLORY.id().value(), 0, 6, values, null))));

        assertThat(ids("hosts")).isEmpty();
        assertThat(quarantined()).isEqualTo("ownership_violation");
    }

    @Test
    void mail_that_came_before_its_agent_is_taken_when_the_agent_comes() {
        Socket first = new Socket(ALICE).connect();
        first.answer(
                7,
                true,
                new TableRows(AgentTables.MAIL_MESSAGES, List.of(mail(ALICE, 7, "m1", "a"))));
        assertThat(ids("mail_messages")).isEmpty();
        assertThat(quarantined()).isEqualTo("agent_not_of_host");

        first.answer(8, user(ALICE, 0, 8, "a", "anna"));
        first.say(new Message.SyncAvailable());
        assertThat(first.closed).as("it is to begin again").isTrue();
        Socket again = new Socket(ALICE).connect();
        assertThat(again.lastAsked().since()).isZero();
        again.answer(
                8,
                false,
                new TableRows(AgentTables.MAIL_MESSAGES, List.of(mail(ALICE, 7, "m1", "a"))));

        assertThat(ids("mail_messages")).containsExactly("m1");
        assertThat(quarantined()).isEmpty();
    }

    @Test
    void who_owned_an_agent_before_may_still_tell_what_it_wrote_then() {
        TakeoverService takeoverService = new TakeoverService(store, hub, CLOCK, new Random(1));
        takeoverService.confirm(MALLORY.org(), MALLORY.id(), "a", 9);
        // A hub that was wiped: it hears of the agent from its new owner first.
        SyncRow taken = user(MALLORY, 9, 6, "a", "anna");
        taken.values()[AgentTables.USERS.indexOf("former_hosts")] = ALICE.id().value();
        new Socket(MALLORY).connect().answer(6, taken);

        Socket old = new Socket(ALICE).connect();
        old.answer(
                7,
                false,
                new TableRows(AgentTables.MAIL_MESSAGES, List.of(mail(ALICE, 7, "m1", "a"))));

        assertThat(ids("mail_messages")).containsExactly("m1");
        assertThat(quarantined()).isEmpty();
    }

    @Test
    void an_agent_goes_to_a_host_that_exists_only() {
        new Socket(ALICE).connect().answer(5, user(ALICE, 0, 5, "a", "anna"));
        TakeoverService takeoverService = new TakeoverService(store, hub, CLOCK, new Random(1));
        assertThatThrownBy(() -> takeoverService.grant(ALICE.org(), ALICE.id(), "b"))
                .hasMessageContaining("knows no agent b");
        assertThatThrownBy(() -> takeoverService.grant(ALICE.org(), MALLORY.id(), "a"))
                .hasMessageContaining("knows no host " + MALLORY.id());
        assertThatThrownBy(() -> takeoverService.grant(STRANGER.org(), ALICE.id(), "a"))
                .hasMessageContaining("knows no agent a");
    }

    @Test
    void a_newer_link_fences_the_older_one() {
        Socket old = new Socket(ALICE).connect();
        Socket young = new Socket(ALICE).connect();
        old.answer(5, user(ALICE, 0, 5, "a", "late"));
        assertThat(old.closed).isTrue();
        assertThat(stored("username")).isEmpty();
        young.answer(6, user(ALICE, 0, 6, "a", "anna"));
        assertThat(stored("username")).isEqualTo("anna");
    }

    @Test
    void a_host_that_is_restored_again_and_again_is_two_hosts_whatever_the_wall_clock_says() {
        Socket socket = new Socket(ALICE).connect();
        SyncError lost = new SyncError(SyncError.UNKNOWN_HEAD, "restored");
        for (int i = 1; i <= 3; i++) {
            socket.say(lost);
            Message.SyncRequest heal = (Message.SyncRequest) socket.heard.getLast();
            assertThat(heal.heal()).isNotNull();
            socket.say(
                    new Message.SyncResponse(
                            heal.reqId(),
                            ALICE.id().value(),
                            MessageRows.NONE,
                            0,
                            i,
                            false,
                            0,
                            true));
            wall = wall.plus(Duration.ofDays(2));
        }
        socket.say(lost);
        socket.assertRefused(SyncError.HOST_CLONED);
    }
}
