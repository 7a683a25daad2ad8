package dev.skep.conformance.retention;

import dev.skep.agents.AgentTables;
import dev.skep.app.retention.Retention;
import dev.skep.app.retention.RetentionAssembly;
import dev.skep.app.retention.SizeLimitPurges;
import dev.skep.cli.config.RetentionConfig;
import dev.skep.cli.config.RetentionKind;
import dev.skep.directory.HostTable;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.module.HostProcess;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.Timestamps;
import dev.skep.registry.node.NodeTimeouts;
import dev.skep.registry.table.RegistryTables;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.clock.RetentionClock;
import dev.skep.store.clock.SteadyClock;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.SyncTables;
import dev.skep.store.migration.Migrations;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.sql.SqlSyncStore;
import dev.skep.testkit.SettableClock;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A runner's database whose days pass as told. */
final class LeftAlone implements AutoCloseable {
    private static final String LINE = "what the agent did, in some words. ".repeat(15);

    final SettableClock clock = SettableClock.atNewYear();
    private final Instant begun = clock.instant();
    private Duration set = Duration.ZERO;
    final Database database;
    final SizeLimitPurges sizeLimitPurges = new SizeLimitPurges();
    private final HostProcess process;
    private final SqlSyncStore sync;
    private final Retention retention;

    LeftAlone(
            DatabaseUrl url,
            Path folder,
            Map<RetentionKind, Duration> retentionKind,
            OptionalLong most,
            Collection<String> hubs) {
        var random = new SecureRandom();
        List<SyncTable> tables = new ArrayList<>(List.of(HostTable.HOSTS));
        tables.addAll(AgentTables.ALL);
        tables.addAll(RegistryTables.ALL);
        database = Databases.open(url, clock);
        var ids = new UlidSource(clock, random);
        var feed = new FeedClock(clock, random);
        SyncSchema schema = SyncSchema.of(new SyncTables(tables), Migrations.shipped().latest());
        LocalHost host =
                LocalHost.open(
                        database,
                        schema.tables(),
                        feed,
                        ids,
                        clock,
                        random,
                        new LocalHost.Config(folder, "alone", HostKind.RUNNER));
        process =
                new HostProcess(
                        database,
                        host,
                        ids,
                        feed,
                        schema.tables(),
                        clock,
                        SteadyClock.open(database, clock, this::nanos),
                        RetentionClock.open(database, clock, this::nanos));
        sync = SqlSyncStore.ofRunner(database, schema, feed, new EventBus(), clock);
        retention =
                RetentionAssembly.of(
                        process,
                        new RetentionConfig(retentionKind, most),
                        sync.retention(),
                        () -> hubs,
                        NodeTimeouts.USUAL,
                        Optional.empty(),
                        Optional.empty(),
                        sizeLimitPurges,
                        clock);
    }

    /** The machine's own time goes on with its clock, unless that is set. */
    private long nanos() {
        return Duration.between(begun, clock.instant()).minus(set).toNanos();
    }

    /** Somebody sets the machine's clock. */
    void setClock(Duration ahead) {
        set = set.plus(ahead);
        clock.advance(ahead);
    }

    /** Days of work, with a round now and then and at the end. */
    void days(int days, int lines) {
        for (int i = 1; i <= days; i++) {
            day(lines);
            process.retention().keep();
            if (i % 10 == 0 || i == days) {
                retention.round();
            }
        }
    }

    /** Hours without work. */
    void hours(int hours) {
        for (int i = 0; i < hours; i++) {
            clock.advance(Duration.ofHours(1));
            retention.round();
        }
    }

    private void day(int lines) {
        List<@Nullable Object[]> logs = new ArrayList<>();
        String now = Timestamps.format(clock.instant());
        for (int i = 0; i < lines; i++) {
            logs.add(
                    AgentTables.CONTEXT_LOG.values(
                            "id, user_id, run_id, session_id, role, source, type, message, created_at, updated_at",
                            process.ids().next(),
                            "u",
                            "r",
                            "1",
                            "assistant",
                            "llm",
                            "text",
                            LINE,
                            now,
                            now));
        }
        String mail = process.ids().next();
        database.write(
                tx -> {
                    process.host().ownRowWriter().putAll(tx, AgentTables.CONTEXT_LOG, 0, logs);
                    process.host()
                            .ownRowWriter()
                            .put(
                                    tx,
                                    AgentTables.MAIL_MESSAGES,
                                    AgentTables.MAIL_MESSAGES.values(
                                            "id, from_user_id, subject, body, created_at, updated_at",
                                            mail,
                                            "u",
                                            "subject",
                                            LINE,
                                            now,
                                            now));
                    process.host()
                            .ownRowWriter()
                            .put(
                                    tx,
                                    AgentTables.MAIL_RECIPIENTS,
                                    AgentTables.MAIL_RECIPIENTS.values(
                                            "id, message_id, user_id, type, created_at, updated_at",
                                            process.ids().next(),
                                            mail,
                                            "u",
                                            "to",
                                            now,
                                            now));
                    return mail;
                });
        clock.advance(Duration.ofDays(1));
    }

    long count(String table) {
        return database.read(
                db -> db.first("SELECT count(*) FROM " + table, r -> r.number(1)).orElseThrow());
    }

    String text(String sql) {
        return database.read(
                db -> db.first(sql, row -> String.valueOf(row.textOrNull(1))).orElse(""));
    }

    @Override
    public void close() {
        database.close();
    }
}
