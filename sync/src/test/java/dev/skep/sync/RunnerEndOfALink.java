package dev.skep.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** A runner's end of a link on SQLite, for tests of hubs that give and take what is not theirs. */
abstract class RunnerEndOfALink {
    static final InstantSource CLOCK = () -> Instant.parse("2027-01-01T00:00:00Z");
    static final String AT = "2027-01-01T00:00:00.000000Z";
    static final OrgId ORG = new OrgId("org");
    static final String SELF = "01HOSTSELF0000000000000000";
    static final String OTHER = "01HOSTOTHER000000000000000";
    static final String ADA = "01AGENTADA0000000000000000";
    static final String BEN = "01AGENTBEN0000000000000000";
    static final String EVE = "01AGENTEVE0000000000000000";
    static final String MALLORY = "01HOSTMALLORY0000000000000";
    static final String RUN = "01RVN000000000000000000000";
    final Database database;
    final OwnRowWriter own;
    final RunnerLink link;
    Consents allows = Consents.NONE;
    final List<String> closed = new ArrayList<>();

    RunnerEndOfALink(Path folder) {
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

    static @Nullable Object[] cost(String id, long micros) {
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

    static @Nullable Object[] line(String id, String agent, String message) {
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

    static @Nullable Object[] session(String agent, String run, @Nullable String endedReason) {
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

    void put(SyncTable table, @Nullable Object... values) {
        database.write(
                tx -> {
                    own.put(tx, table, values);
                    return true;
                });
    }

    /** Rows of this host with stamps above all it has. */
    static TableRows late(SyncTable table, @Nullable Object[]... rows) {
        return new TableRows(
                table,
                Arrays.stream(rows)
                        .map(values -> new SyncRow(SELF, 0, Position.of(1L << 35, 1), values, null))
                        .toList());
    }

    List<String> column(String table, String column) {
        return database.read(
                db ->
                        db.list(
                                "SELECT CAST(%s AS TEXT) AS found FROM %s WHERE host_id = '%s' ORDER BY 1"
                                        .formatted(column, table, SELF),
                                row -> row.text("found")));
    }

    void seen(Map<Long, Long> seen) {
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

    long now() {
        return database.read(db -> db.first("SELECT pos FROM feed_clock", row -> row.number(1)))
                .orElseThrow();
    }

    static @Nullable Object[] mail(String id, String from) {
        return AgentTables.MAIL_MESSAGES.values(
                "id, from_user_id, subject, body, created_at, updated_at",
                id,
                from,
                "subject",
                "body",
                AT,
                AT);
    }

    static @Nullable Object[] state(String agent) {
        return AgentTables.USER_NOTIFICATIONS.values(
                "user_id, last_active, status, budget_left, created_at, updated_at",
                agent,
                AT,
                "active",
                1L,
                AT,
                AT);
    }

    List<String> quarantined() {
        return database.read(
                db ->
                        db.list(
                                "SELECT row_key FROM sync_quarantine WHERE reason = 'agent_not_of_host' ORDER BY row_key DESC",
                                row -> row.text("row_key")));
    }

    /** An agent's row as its host would have written it after what it has. */
    MessageRows newer(String agent, @Nullable Object[] values) {
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

    List<String> removed() {
        return database.read(
                db ->
                        db.list(
                                "SELECT id FROM users WHERE deleted_at IS NOT NULL",
                                row -> row.text("id")));
    }

    long cursor() {
        return database.read(
                        db ->
                                db.first(
                                        "SELECT since_timestamp FROM hub_sync_state WHERE id = 'hub'",
                                        row -> row.number("since_timestamp")))
                .orElseThrow();
    }

    void grant(String agent) {
        ask(null, null, List.of(new Message.Grant(agent, 7)));
    }

    /** Says that the host lost rows, as a hub that lies can, and gives some back. */
    void heal(MessageRows rows) {
        askForAHeal();
        heal(rows, false);
    }

    void heal(MessageRows rows, boolean more) {
        ask(null, new Message.Heal(rows, 0, more), List.of());
    }

    void askForAHeal() {
        ask(Position.of(1L << 36, 1), null, null, List.of());
    }

    void forward(MessageRows rows) {
        forward(rows, 2);
    }

    void forward(MessageRows rows, long cursor) {
        ask(new Message.Forwards(rows, cursor, cursor), null, List.of());
    }

    void ask(
            Message.@Nullable Forwards forwards,
            Message.@Nullable Heal heal,
            List<Message.Grant> grants) {
        ask(0, forwards, heal, grants);
    }

    void ask(
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

    static @Nullable Object[] user(String id, String name) {
        return AgentTables.USERS.values(
                "id, username, kind, name_conflict, created_at, updated_at",
                id,
                name,
                "agent",
                0L,
                AT,
                AT);
    }

    static @Nullable Object[] host(String id) {
        return HostTable.HOSTS.values(
                "id, name, kind, name_conflict, created_at, updated_at",
                id,
                "name",
                "runner",
                0L,
                AT,
                AT);
    }

    static MessageRows rows(SyncTable table, String owner, long gen, @Nullable Object[] values) {
        return MessageRows.of(
                List.of(new TableRows(table, List.of(new SyncRow(owner, gen, 5, values, null)))));
    }

    String owner(String agent) {
        return database.read(
                        db ->
                                db.first(
                                        "SELECT host_id FROM users WHERE id = ?",
                                        row -> row.text("host_id"),
                                        agent))
                .orElseThrow();
    }

    List<String> owners(SyncTable table) {
        return database.read(
                db -> db.list("SELECT host_id FROM " + table.name(), row -> row.text("host_id")));
    }

    List<String> origin(String agent) {
        return database.read(
                db ->
                        db.list(
                                "SELECT hub FROM foreign_agents WHERE user_id = ?",
                                row -> row.text("hub"),
                                agent));
    }
}
