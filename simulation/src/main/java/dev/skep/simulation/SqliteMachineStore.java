package dev.skep.simulation;

import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.Column;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.ResultRow;
import dev.skep.store.Transaction;
import dev.skep.store.clock.RetentionClock;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.OwnRowWriter;
import dev.skep.sync.QuarantinedRow.Reason;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.sql.RetentionStore;
import dev.skep.sync.sql.SqlSyncStore;
import dev.skep.wire.MessageCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The production store on a real SQLite file; a backup is a copy of the file. */
final class SqliteMachineStore implements MachineStore {
    /** Where the version of the last process is kept; a restored file brings its own. */
    private static final String VERSION = "simulated schema version";

    private final Path file;
    private final World world;
    private final InstantSource clock;
    private final boolean forwards;
    private final Runnable moved;
    private SyncSchema schema;
    private FeedClock feedClock;
    private Database database;
    private SqlSyncStore sync;
    private @Nullable RetentionClock ageing;
    private int backups;

    SqliteMachineStore(
            Path file,
            World world,
            InstantSource clock,
            SyncSchema schema,
            boolean forwards,
            Runnable moved) {
        this.file = file;
        this.world = world;
        this.clock = clock;
        this.schema = schema;
        this.forwards = forwards;
        this.moved = moved;
        this.feedClock = newClock();
        this.database = newDatabase();
        this.sync = newSync();
    }

    static MachineStores in(Path folder) {
        return (world, machine, schema, forwards, moved) ->
                new SqliteMachineStore(
                        folder.resolve(machine.name + ".db"),
                        world,
                        machine.clock(),
                        schema,
                        forwards,
                        moved);
    }

    private FeedClock newClock() {
        FeedClock opened = new FeedClock(clock, world.random);
        opened.onAdvanced(moved);
        return opened;
    }

    private Database newDatabase() {
        return Databases.open(new DatabaseUrl.Sqlite(file), clock);
    }

    private SqlSyncStore newSync() {
        return forwards
                ? SqlSyncStore.ofHub(database, schema, feedClock, new EventBus(), clock)
                : SqlSyncStore.ofRunner(database, schema, feedClock, new EventBus(), clock);
    }

    @Override
    public <T> T read(Function<? super Reading, T> work) {
        return sync.read(work);
    }

    @Override
    public <T> T write(Function<? super Writing, T> work) {
        return sync.write(work);
    }

    @Override
    public void start(SyncSchema newSchema) {
        schema = newSchema;
        feedClock = newClock();
        sync = newSync();
        int before = (int) sync.read(db -> db.peer(VERSION)).head();
        if (newSchema.version() > before) {
            database.write(tx -> upgrade(tx, newSchema.version()));
        }
        ageing = newAgeing();
        feedClock.start(database);
    }

    private RetentionClock newAgeing() {
        return RetentionClock.open(database, clock, () -> world.now() * 1_000_000, LONGEST_PAUSE);
    }

    /** What a migration that adds a synced table does: ask for everything again. */
    private int upgrade(Transaction tx, int version) {
        if (!forwards) {
            tx.update("DELETE FROM hub_sync_state");
        }
        tx.update("DELETE FROM hub_sync_state WHERE id = ?", VERSION);
        return tx.update(
                "INSERT INTO hub_sync_state (id, head, updated_at) VALUES (?, ?, '')",
                VERSION,
                version);
    }

    @Override
    public void putOwn(OrgId org, HostId self, List<OwnRow> rows) {
        OwnRowWriter own = new OwnRowWriter(schema.tables(), feedClock, org, self);
        database.write(
                tx -> {
                    for (OwnRow row : rows) {
                        own.putAll(
                                tx,
                                row.table(),
                                row.gen(),
                                List.<@Nullable Object[]>of(row.values()));
                    }
                    return rows.size();
                });
    }

    @Override
    public List<Stored> rows() {
        return schema.tables().all().stream().flatMap(table -> rows(table).stream()).toList();
    }

    @Override
    public List<Stored> rows(SyncTable table) {
        String columns =
                table.columns().stream().map(Column::name).collect(Collectors.joining(", "));
        return database.read(
                snapshot ->
                        snapshot.list(
                                "SELECT org_id, host_id, gen, ver, extra, %s FROM %s"
                                        .formatted(columns, table.name()),
                                row -> stored(table, row)));
    }

    private static Stored stored(SyncTable table, ResultRow row) {
        @Nullable Object[] values = new Object[table.columns().size()];
        for (int i = 0; i < values.length; i++) {
            Column column = table.columns().get(i);
            values[i] =
                    column.type() == Column.Type.TEXT
                            ? row.textOrNull(column.name())
                            : row.numberOrNull(column.name());
        }
        return new Stored(
                table,
                new OrgId(row.text("org_id")),
                new SyncRow(
                        row.text("host_id"),
                        row.number("gen"),
                        row.number("ver"),
                        values,
                        row.textOrNull("extra")));
    }

    @Override
    public boolean isQuarantined(SyncTable table, String key, boolean byHub) {
        return database.read(
                snapshot ->
                        snapshot.first(
                                        """
                                        SELECT 1 FROM sync_quarantine
                                        WHERE table_name = ? AND row_key = ? AND (reason = ?) = ?
                                        """,
                                        row -> true,
                                        table.name(),
                                        key,
                                        Reason.REJECTED_BY_HUB.code(),
                                        byHub)
                                .orElse(false));
    }

    @Override
    public boolean isQuarantined(Stored stored, Reason reason) {
        return database.read(
                snapshot ->
                        snapshot.first(
                                        """
                                        SELECT 1 FROM sync_quarantine
                                        WHERE host_id = ? AND table_name = ? AND row_key = ?
                                            AND reason = ?
                                        """,
                                        row -> true,
                                        stored.row().hostId(),
                                        stored.table().name(),
                                        MessageCodec.key(stored.table(), stored.row()),
                                        reason.code())
                                .orElse(false));
    }

    @Override
    public List<Reason> reasons() {
        return database.read(
                snapshot ->
                        snapshot.list(
                                "SELECT reason FROM sync_quarantine",
                                row -> Reason.of(row.text("reason"))));
    }

    @Override
    public void keepAge() {
        if (ageing != null) {
            long unused = ageing.keep();
        }
    }

    @Override
    public void purge(OrgId org, HostId self, SyncTable table, long keep, List<String> hubs) {
        OwnRowWriter own = new OwnRowWriter(schema.tables(), feedClock, org, self);
        RetentionStore.Purged unused =
                sync.retention()
                        .purge(List.of(own), table, Duration.ofMillis(keep), hubs, PURGE_BOUND);
    }

    @Override
    public Object backup() {
        Path copy = file.resolveSibling(file.getFileName() + ".backup" + backups++);
        replace(copy, file);
        return copy;
    }

    @Override
    public void restore(Object backup) {
        replace(file, (Path) backup);
    }

    /** Copies with the database closed, so that everything is in the one file. */
    private void replace(Path to, Path from) {
        database.close();
        try {
            Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        reopen();
    }

    private void reopen() {
        database = newDatabase();
        sync = newSync();
        ageing = ageing == null ? null : ageing.on(database);
    }

    @Override
    public void wipe() {
        database.close();
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        reopen();
    }

    @Override
    public void close() {
        database.close();
    }
}
