package dev.skep.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Position;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.OwnRowWriter;
import dev.skep.sync.runner.RunnerLink;
import dev.skep.sync.sql.SqlSyncStore;
import dev.skep.wire.Message;
import dev.skep.wire.MessageRows;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A runner's end of a link on SQLite, and hubs that give and take what is not theirs. */
class HubsThatMisbehaveTest {
    private static final InstantSource CLOCK = () -> Instant.parse("2027-01-01T00:00:00Z");
    private static final String AT = "2027-01-01T00:00:00.000000Z";
    private static final OrgId ORG = new OrgId("org");
    private static final String SELF = "01HOSTSELF0000000000000000";
    private static final String OTHER = "01HOSTOTHER000000000000000";
    private static final String ADA = "01AGENTADA0000000000000000";
    private static final String BEN = "01AGENTBEN0000000000000000";
    private static final String EVE = "01AGENTEVE0000000000000000";
    private static final String MALLORY = "01HOSTMALLORY0000000000000";

    private static final String RUN = "01RVN000000000000000000000";

    private final Database database;
    private final OwnRowWriter own;
    private final RunnerLink link;
    private Consents allows = Consents.NONE;
    private final List<String> closed = new ArrayList<>();

    HubsThatMisbehaveTest(@TempDir Path folder) {
        database = Databases.open(new DatabaseUrl.Sqlite(folder.resolve("runner.db")), CLOCK);
        FeedClock feed = new FeedClock(CLOCK, new Random(1));
        feed.start(database);
        own = new OwnRowWriter(ProductTables.SCHEMA.tables(), feed, ORG, new HostId(SELF));
        database.write(
                tx -> {
                    own.put(tx, HostTable.HOSTS, host(SELF));
                    own.put(tx, AgentTables.USERS, user(ADA, "ada"));
                    return true;
                });
        link =
                new RunnerLink(
                        new Principal.Host(ORG, new HostId(SELF)),
                        "hub",
                        new HubConsent("https://hub", () -> allows),
                        ProductTables.SCHEMA,
                        SyncLimits.DEFAULT,
                        SqlSyncStore.ofRunner(
                                database, ProductTables.SCHEMA, feed, new EventBus(), CLOCK),
                        CLOCK,
                        new SyncConnection() {
                            @Override
                            public void send(Message message) {}

                            @Override
                            public void close(String reason) {
                                closed.add(reason);
                            }
                        });
        link.onOpen();
        link.onMessage(
                new Message.CatchUpResponse(
                        rows(AgentTables.USERS, OTHER, 0, user(BEN, "ben")), 1, 1, false, false));
    }

    @AfterEach
    void close() {
        database.close();
        assertThat(closed).isEmpty();
    }

    @Test
    void a_grant_counts_only_from_a_hub_that_may_bring_agents() {
        grant(BEN);
        assertThat(owner(BEN)).isEqualTo(OTHER);
        assertThat(origin(BEN)).isEmpty();

        allows = new Consents(Set.of(Consent.AGENTS));
        grant(BEN);
        assertThat(owner(BEN)).isEqualTo(SELF);
        assertThat(origin(BEN)).containsExactly("https://hub");
    }

    @Test
    void an_agent_of_the_host_does_not_become_foreign_by_a_grant() {
        allows = new Consents(Set.of(Consent.AGENTS));
        grant(ADA);
        assertThat(owner(ADA)).isEqualTo(SELF);
        assertThat(origin(ADA)).isEmpty();
    }

    @Test
    void a_heal_brings_no_agent_that_a_grant_could_not() {
        heal(rows(AgentTables.USERS, SELF, 7, user(BEN, "ben")));
        assertThat(owner(BEN)).isEqualTo(OTHER);

        allows = new Consents(Set.of(Consent.AGENTS));
        heal(rows(AgentTables.USERS, SELF, 8, user(BEN, "ben")));
        assertThat(owner(BEN)).isEqualTo(SELF);
        assertThat(origin(BEN)).containsExactly("https://hub");
    }

    @Test
    void a_heal_changes_no_agent_of_the_host_unless_the_hub_may_stop_it() {
        @Nullable Object[] removed = user(ADA, "ada");
        removed[AgentTables.USERS.indexOf("deleted_at")] = AT;
        heal(newer(ADA, removed));
        assertThat(removed()).isEmpty();

        allows = Consents.USUAL;
        heal(newer(ADA, removed));
        assertThat(removed()).containsExactly(ADA);
    }

    @Test
    void a_heal_that_the_host_did_not_ask_for_is_not_taken() {
        allows = Consents.OF_OWN_HUB;
        heal(rows(AgentTables.COSTS, SELF, 0, cost("c1", 5)), false);
        assertThat(closed).containsExactly("the hub gives back what nobody asked for");
        assertThat(owners(AgentTables.COSTS)).isEmpty();

        // Nor one more after the last page.
        closed.clear();
        heal(rows(AgentTables.COSTS, SELF, 0, cost("c1", 5)));
        heal(rows(AgentTables.COSTS, SELF, 0, cost("c2", 5)), false);
        assertThat(closed).hasSize(1);
        assertThat(owners(AgentTables.COSTS)).hasSize(1);
        closed.clear();
    }

    @Test
    void a_heal_adds_what_is_missing_and_changes_nothing_that_was_written_once() {
        allows = Consents.OF_OWN_HUB;
        put(AgentTables.COSTS, cost("c1", 7_000_000));
        put(AgentTables.CONTEXT_LOG, line("l1", ADA, "echo harmless"));
        put(AgentTables.MAIL_MESSAGES, mail("m1", ADA));
        put(
                AgentTables.MAIL_RECIPIENTS,
                AgentTables.MAIL_RECIPIENTS.values(
                        "id, message_id, user_id, type, created_at, updated_at",
                        "r1",
                        "m1",
                        ADA,
                        "to",
                        AT,
                        AT));
        @Nullable Object[] changed = mail("m1", ADA);
        changed[AgentTables.MAIL_MESSAGES.indexOf("body")] = "changed";
        @Nullable Object[] otherKey = host(SELF);
        otherKey[HostTable.HOSTS.indexOf("public_key")] = "of somebody else";

        heal(
                MessageRows.of(
                        List.of(
                                late(HostTable.HOSTS, otherKey),
                                late(AgentTables.COSTS, cost("c1", 0), cost("c2", 9)),
                                late(
                                        AgentTables.CONTEXT_LOG,
                                        line("l1", ADA, "rm -rf /"),
                                        line("l2", ADA, "given back")),
                                late(AgentTables.MAIL_MESSAGES, changed, mail("m2", ADA)),
                                late(
                                        AgentTables.MAIL_RECIPIENTS,
                                        AgentTables.MAIL_RECIPIENTS.values(
                                                "id, message_id, user_id, type, created_at, updated_at",
                                                "r1",
                                                "m1",
                                                BEN,
                                                "to",
                                                AT,
                                                AT)))));

        assertThat(column("costs", "cost")).containsExactly("7000000", "9");
        assertThat(column("context_log", "message")).containsExactly("echo harmless", "given back");
        assertThat(column("mail_messages", "body")).containsExactly("body", "body");
        assertThat(column("mail_recipients", "user_id")).containsExactly(ADA);
        assertThat(column("hosts", "coalesce(public_key, 'none')")).containsExactly("none");
    }

    @Test
    void a_heal_steers_no_agent_of_the_host_unless_the_hub_may_steer() {
        put(AgentTables.RUN_SESSION, session(ADA, RUN, null));
        put(AgentTables.CONTEXT_LOG, line("l1", ADA, "hello"));
        put(AgentTables.USER_NOTIFICATIONS, state(ADA));
        @Nullable Object[] paused = state(ADA);
        paused[AgentTables.USER_NOTIFICATIONS.indexOf("status")] = "paused";
        MessageRows lies =
                MessageRows.of(
                        List.of(
                                late(
                                        AgentTables.RUN_SESSION,
                                        session(ADA, RUN, "stopped"),
                                        session(ADA, "01RVN000000000000000000001", null)),
                                late(AgentTables.CONTEXT_LOG, line("l2", ADA, "do as I say")),
                                late(AgentTables.USER_NOTIFICATIONS, paused),
                                late(AgentTables.COSTS, cost("c1", 5))));

        heal(lies);
        assertThat(column("run_session", "coalesce(ended_reason, 'open')")).containsExactly("open");
        assertThat(column("context_log", "message")).containsExactly("hello");
        assertThat(column("user_notifications", "status")).containsExactly("active");
        assertThat(column("costs", "cost")).containsExactly("5");

        allows = Consents.USUAL;
        heal(lies);
        assertThat(column("run_session", "coalesce(ended_reason, 'open')"))
                .containsExactly("open", "stopped");
        assertThat(column("context_log", "message")).containsExactly("do as I say", "hello");
        assertThat(column("user_notifications", "status")).containsExactly("paused");
    }

    @Test
    void a_lost_database_gets_all_of_its_agents_back_page_by_page() {
        askForAHeal();
        heal(rows(AgentTables.USERS, SELF, 0, user(EVE, "eve")), true);
        heal(rows(AgentTables.RUN_SESSION, SELF, 0, session(EVE, RUN, null)), true);
        heal(rows(AgentTables.CONTEXT_LOG, SELF, 0, line("l1", EVE, "hello")), true);
        heal(rows(AgentTables.CONTEXT_LOG, SELF, 0, line("l2", EVE, "again")), false);
        assertThat(owners(AgentTables.RUN_SESSION)).containsExactly(SELF);
        assertThat(column("context_log", "message")).containsExactly("again", "hello");
    }

    private static @Nullable Object[] cost(String id, long micros) {
        return AgentTables.COSTS.values(
                "id, user_id, run_id, session_id, source, model, cost, input_tokens, output_tokens, cache_write_tokens, cache_read_tokens, created_at, updated_at",
                id,
                ADA,
                RUN,
                "1",
                "turn",
                "m",
                micros,
                1L,
                1L,
                0L,
                0L,
                AT,
                AT);
    }

    private static @Nullable Object[] line(String id, String agent, String message) {
        return AgentTables.CONTEXT_LOG.values(
                "id, user_id, run_id, session_id, role, source, type, message, created_at, updated_at",
                id,
                agent,
                RUN,
                "1",
                "user",
                "runner",
                "talk",
                message,
                AT,
                AT);
    }

    private static @Nullable Object[] session(
            String agent, String run, @Nullable String endedReason) {
        return AgentTables.RUN_SESSION.values(
                "user_id, run_id, session_id, model_name, total_lines, total_cost, last_active, ended_reason, created_at, updated_at",
                agent,
                run,
                "1",
                "m",
                1L,
                0L,
                AT,
                endedReason,
                AT,
                AT);
    }

    private void put(SyncTable table, @Nullable Object... values) {
        database.write(
                tx -> {
                    own.put(tx, table, values);
                    return true;
                });
    }

    /** Rows of this host with stamps above all it has. */
    private static TableRows late(SyncTable table, @Nullable Object[]... rows) {
        return new TableRows(
                table,
                Arrays.stream(rows)
                        .map(values -> new SyncRow(SELF, 0, Position.of(1L << 35, 1), values, null))
                        .toList());
    }

    private List<String> column(String table, String column) {
        return database.read(
                db ->
                        db.list(
                                "SELECT CAST(%s AS TEXT) AS found FROM %s WHERE host_id = '%s' ORDER BY 1"
                                        .formatted(column, table, SELF),
                                row -> row.text("found")));
    }

    @Test
    void an_agent_is_taken_away_only_by_a_hub_that_may_stop_it() {
        forward(rows(AgentTables.USERS, OTHER, 7, user(ADA, "ada")));
        assertThat(owner(ADA)).isEqualTo(SELF);

        allows = Consents.USUAL;
        forward(rows(AgentTables.USERS, OTHER, 8, user(ADA, "ada")));
        assertThat(owner(ADA)).isEqualTo(OTHER);
    }

    @Test
    void no_hub_takes_what_is_no_agents() {
        allows = Consents.OF_OWN_HUB;
        forward(rows(HostTable.HOSTS, OTHER, 7, host(SELF)));
        assertThat(owners(HostTable.HOSTS)).containsExactly(SELF);
    }

    @Test
    void mail_in_the_name_of_another_hosts_agent_is_set_aside_whatever_the_hub_thought_of_it() {
        forward(rows(AgentTables.MAIL_MESSAGES, MALLORY, 0, mail("m1", BEN)));
        forward(rows(AgentTables.MAIL_MESSAGES, OTHER, 0, mail("m2", ADA)));
        forward(rows(AgentTables.USER_NOTIFICATIONS, MALLORY, 0, state(BEN)));
        forward(rows(AgentTables.MAIL_MESSAGES, OTHER, 0, mail("m3", BEN)));

        assertThat(owners(AgentTables.MAIL_MESSAGES)).containsExactly(OTHER);
        assertThat(owners(AgentTables.USER_NOTIFICATIONS)).isEmpty();
        assertThat(quarantined()).containsExactly("m2", "m1", BEN);
    }

    @Test
    void who_says_that_an_agent_is_its_own_is_not_believed_against_its_owner() {
        forward(rows(AgentTables.USERS, MALLORY, 0, user(BEN, "ben")));
        forward(rows(AgentTables.MAIL_MESSAGES, MALLORY, 0, mail("m1", BEN)));
        assertThat(owner(BEN)).isEqualTo(OTHER);
        assertThat(owners(AgentTables.MAIL_MESSAGES)).isEmpty();
    }

    @Test
    void mail_that_comes_before_its_agent_is_asked_for_again_when_the_agent_is_known() {
        forward(rows(AgentTables.MAIL_MESSAGES, MALLORY, 0, mail("m1", EVE)), 6);
        assertThat(owners(AgentTables.MAIL_MESSAGES)).isEmpty();
        assertThat(cursor()).isEqualTo(6);

        forward(rows(AgentTables.USERS, MALLORY, 0, user(EVE, "eve")), 8);
        assertThat(closed).singleElement().asString().contains("asked for again");
        assertThat(cursor()).as("where the mail came from").isEqualTo(1);
        assertThat(quarantined()).isEmpty();
        // What is under way on the old link moves nothing.
        forward(rows(AgentTables.USERS, MALLORY, 0, user(EVE, "eve")), 9);
        assertThat(cursor()).isEqualTo(1);

        closed.clear();
        link.onOpen();
        link.onMessage(
                new Message.CatchUpResponse(
                        rows(AgentTables.MAIL_MESSAGES, MALLORY, 0, mail("m1", EVE)),
                        8,
                        8,
                        false,
                        false));
        assertThat(owners(AgentTables.MAIL_MESSAGES)).containsExactly(MALLORY);
        assertThat(cursor()).isEqualTo(8);
    }

    @Test
    void what_an_owner_before_wrote_counts_as_its_own() {
        @Nullable Object[] taken = user(EVE, "eve");
        taken[AgentTables.USERS.indexOf("former_hosts")] = MALLORY;
        forward(rows(AgentTables.USERS, OTHER, 7, taken));
        forward(rows(AgentTables.MAIL_MESSAGES, MALLORY, 0, mail("m1", EVE)));
        assertThat(owners(AgentTables.MAIL_MESSAGES)).containsExactly(MALLORY);
    }

    @Test
    void no_hub_can_use_up_the_positions_of_a_host() {
        long last = (1L << 37) - 1;
        seen(Map.of(last, 0L, 3L, Position.MAX_N + 1, -1L, 0L));
        assertThat(now()).isPositive();
        assertThat(Position.epoch(now())).isLessThan(Position.MAX_EPOCH_BY_CLOCK);

        ask(null, new Message.Heal(MessageRows.NONE, Long.MAX_VALUE, false), List.of());
        assertThat(closed).singleElement().asString().contains("impossible position");
        closed.clear();
        assertThat(now()).isPositive();

        // The most that is believed leaves room to go on.
        seen(Map.of(Position.MAX_EPOCH_ACCEPTED, 0L));
        for (int i = 0; i < 20; i++) {
            long before = now();
            seen(Map.of(Position.MAX_EPOCH_ACCEPTED - i, 1L));
            assertThat(now()).isGreaterThan(before);
        }
        assertThat(Position.epoch(now())).isLessThan(Position.MAX_EPOCH);
    }

    private void seen(Map<Long, Long> seen) {
        link.onMessage(
                new Message.SyncRequest(
                        1,
                        ProductTables.SCHEMA.version(),
                        0,
                        false,
                        0,
                        0,
                        0,
                        seen,
                        null,
                        null,
                        List.of(),
                        List.of()));
    }

    private long now() {
        return database.read(db -> db.first("SELECT pos FROM feed_clock", row -> row.number(1)))
                .orElseThrow();
    }

    private static @Nullable Object[] mail(String id, String from) {
        return AgentTables.MAIL_MESSAGES.values(
                "id, from_user_id, subject, body, created_at, updated_at",
                id,
                from,
                "subject",
                "body",
                AT,
                AT);
    }

    private static @Nullable Object[] state(String agent) {
        return AgentTables.USER_NOTIFICATIONS.values(
                "user_id, last_active, status, budget_left, created_at, updated_at",
                agent,
                AT,
                "active",
                1L,
                AT,
                AT);
    }

    private List<String> quarantined() {
        return database.read(
                db ->
                        db.list(
                                "SELECT row_key FROM sync_quarantine WHERE reason = 'agent_not_of_host' ORDER BY row_key DESC",
                                row -> row.text("row_key")));
    }

    /** An agent's row as its host would have written it after what it has. */
    private MessageRows newer(String agent, @Nullable Object[] values) {
        long ver =
                database.read(
                                db ->
                                        db.first(
                                                "SELECT ver FROM users WHERE id = ?",
                                                row -> row.number("ver"),
                                                agent))
                        .orElseThrow();
        return MessageRows.of(
                List.of(
                        new TableRows(
                                AgentTables.USERS,
                                List.of(new SyncRow(SELF, 0, ver + 1, values, null)))));
    }

    private List<String> removed() {
        return database.read(
                db ->
                        db.list(
                                "SELECT id FROM users WHERE deleted_at IS NOT NULL",
                                row -> row.text("id")));
    }

    private long cursor() {
        return database.read(
                        db ->
                                db.first(
                                        "SELECT since_timestamp FROM hub_sync_state WHERE id = 'hub'",
                                        row -> row.number("since_timestamp")))
                .orElseThrow();
    }

    private void grant(String agent) {
        ask(null, null, List.of(new Message.Grant(agent, 7)));
    }

    /** Says that the host lost rows, as a hub that lies can, and gives some back. */
    private void heal(MessageRows rows) {
        askForAHeal();
        heal(rows, false);
    }

    private void heal(MessageRows rows, boolean more) {
        ask(null, new Message.Heal(rows, 0, more), List.of());
    }

    private void askForAHeal() {
        ask(Position.of(1L << 36, 1), null, null, List.of());
    }

    private void forward(MessageRows rows) {
        forward(rows, 2);
    }

    private void forward(MessageRows rows, long cursor) {
        ask(new Message.Forwards(rows, cursor, cursor), null, List.of());
    }

    private void ask(
            Message.@Nullable Forwards forwards,
            Message.@Nullable Heal heal,
            List<Message.Grant> grants) {
        ask(0, forwards, heal, grants);
    }

    private void ask(
            long head,
            Message.@Nullable Forwards forwards,
            Message.@Nullable Heal heal,
            List<Message.Grant> grants) {
        link.onMessage(
                new Message.SyncRequest(
                        1,
                        ProductTables.SCHEMA.version(),
                        0,
                        false,
                        0,
                        0,
                        head,
                        Map.of(),
                        forwards,
                        heal,
                        List.of(),
                        grants));
    }

    private static @Nullable Object[] user(String id, String name) {
        return AgentTables.USERS.values(
                "id, username, kind, name_conflict, created_at, updated_at",
                id,
                name,
                "agent",
                0L,
                AT,
                AT);
    }

    private static @Nullable Object[] host(String id) {
        return HostTable.HOSTS.values(
                "id, name, kind, name_conflict, created_at, updated_at",
                id,
                "name",
                "runner",
                0L,
                AT,
                AT);
    }

    private static MessageRows rows(
            SyncTable table, String owner, long gen, @Nullable Object[] values) {
        return MessageRows.of(
                List.of(new TableRows(table, List.of(new SyncRow(owner, gen, 5, values, null)))));
    }

    private String owner(String agent) {
        return database.read(
                        db ->
                                db.first(
                                        "SELECT host_id FROM users WHERE id = ?",
                                        row -> row.text("host_id"),
                                        agent))
                .orElseThrow();
    }

    private List<String> owners(SyncTable table) {
        return database.read(
                db -> db.list("SELECT host_id FROM " + table.name(), row -> row.text("host_id")));
    }

    private List<String> origin(String agent) {
        return database.read(
                db ->
                        db.list(
                                "SELECT hub FROM foreign_agents WHERE user_id = ?",
                                row -> row.text("hub"),
                                agent));
    }
}
