package dev.skep.simulation;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.Ids;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.Position;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.simulation.MemoryState.Entry;
import dev.skep.store.clock.RetentionClockState;
import dev.skep.store.feed.OwnRowWriter;
import dev.skep.sync.QuarantinedRow;
import dev.skep.sync.QuarantinedRow.Reason;
import dev.skep.sync.SyncPeer;
import dev.skep.sync.SyncSchema;
import dev.skep.wire.MessageCodec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A database in memory that does what the SQL one does, fast enough for many seeds; the same seeds
 * run on both and must end the same. A transaction that fails is undone step by step.
 */
final class MemoryStore implements MachineStore {
    private static final long LONG_AGO = 3_000;

    final World world;
    final InstantSource clock;
    final boolean forwards;
    private final Runnable moved;
    private MemoryState state = new MemoryState();
    private SyncSchema schema;
    private @Nullable List<Runnable> undo;
    private boolean stamped;
    private long ageAtStart;
    private long startedAt;
    private long wallAtStart;

    MemoryStore(
            World world, InstantSource clock, SyncSchema schema, boolean forwards, Runnable moved) {
        this.world = world;
        this.clock = clock;
        this.schema = schema;
        this.forwards = forwards;
        this.moved = moved;
    }

    MemoryState state() {
        return state;
    }

    SyncSchema schema() {
        return schema;
    }

    void stamped() {
        stamped = true;
    }

    /** Does something that is undone if the transaction fails. */
    void change(Runnable change, Runnable undoing) {
        change.run();
        if (undo != null) {
            undo.add(undoing);
        }
    }

    <K, V> void put(Map<K, V> map, K key, V value) {
        V before = map.put(key, value);
        if (undo != null) {
            undo.add(() -> revert(map, key, before));
        }
    }

    <K, V> void remove(Map<K, V> map, K key) {
        V before = map.remove(key);
        if (undo != null && before != null) {
            undo.add(() -> map.put(key, before));
        }
    }

    private static <K, V> void revert(Map<K, V> map, K key, @Nullable V before) {
        if (before == null) {
            map.remove(key);
        } else {
            map.put(key, before);
        }
    }

    @Override
    public <T> T read(Function<? super Reading, T> work) {
        return work.apply(new MemoryReading(this));
    }

    @Override
    public <T> T write(Function<? super Writing, T> work) {
        stamped = false;
        List<Runnable> steps = new ArrayList<>();
        undo = steps;
        T result;
        try {
            result = work.apply(new MemoryWriting(this));
        } catch (RuntimeException failure) {
            undo = null;
            for (Runnable step : steps.reversed()) {
                step.run();
            }
            throw failure;
        }
        undo = null;
        if (stamped) {
            moved.run();
        }
        return result;
    }

    @Override
    public void start(SyncSchema newSchema) {
        boolean upgraded = newSchema.version() > state.schemaVersion;
        state.schemaVersion = newSchema.version();
        schema = newSchema;
        resumeAge();
        MemoryWriting tx = new MemoryWriting(this);
        if (upgraded) {
            // What a migration that adds a synced table does: ask for everything again.
            state.peers.replaceAll((id, peer) -> forwards ? peer : SyncPeer.NEW);
        }
        if (world.has(Rule.EPOCH_AT_START)) {
            tx.openEpoch(0);
        } else if (state.pos == 0) {
            state.pos = Position.of(1, 0);
        }
    }

    @Override
    public void putOwn(OrgId org, HostId self, List<OwnRow> rows) {
        write(
                tx -> {
                    for (OwnRow own : rows) {
                        OwnRowWriter.makeStorable(own.table(), own.values());
                        long stamp = ((MemoryWriting) tx).take(1);
                        SyncRow row =
                                new SyncRow(self.value(), own.gen(), stamp, own.values(), null);
                        String key = MemoryState.key(own.table(), row);
                        Entry stored = state.table(own.table().name()).get(key);
                        boolean mine =
                                stored == null
                                        || stored.row().gen() < own.gen()
                                        || (stored.row().gen() == own.gen()
                                                && stored.row().hostId().equals(self.value()));
                        if (!mine) {
                            throw new SkepException(ErrorCode.CONFLICT, "another host's row");
                        }
                        ((MemoryWriting) tx)
                                .set(new Entry(own.table(), key, org.value(), row, stamp));
                    }
                    return rows.size();
                });
    }

    @Override
    public List<Stored> rows() {
        List<Stored> all = new ArrayList<>();
        schema.tables().all().forEach(table -> all.addAll(rows(table)));
        return all;
    }

    @Override
    public List<Stored> rows(SyncTable table) {
        List<Stored> all = new ArrayList<>();
        for (Entry entry : state.table(table.name()).values()) {
            all.add(new Stored(table, new OrgId(entry.org()), entry.row()));
        }
        return all;
    }

    @Override
    public boolean isQuarantined(SyncTable table, String key, boolean byHub) {
        return state.quarantinedRow.values().stream()
                .anyMatch(
                        row ->
                                row.table().equals(table.name())
                                        && row.key().equals(key)
                                        && byHub == (row.reason() == Reason.REJECTED_BY_HUB));
    }

    @Override
    public boolean isQuarantined(Stored stored, Reason reason) {
        return state.quarantinedRow.values().stream()
                .anyMatch(
                        row ->
                                row.reason() == reason
                                        && row.hostId().equals(stored.row().hostId())
                                        && row.table().equals(stored.table().name())
                                        && row.key()
                                                .equals(
                                                        MessageCodec.key(
                                                                stored.table(), stored.row())));
    }

    @Override
    public List<Reason> reasons() {
        return state.quarantinedRow.values().stream().map(QuarantinedRow::reason).toList();
    }

    @Override
    public void keepAge() {
        state.retentionClockState =
                moved(state.retentionClockState, ageAtStart + passed(), clock.millis());
    }

    /** Time as the process counts it: its own, or the wall clock's where that very rule is out. */
    private long passed() {
        return world.has(Rule.AGE_BY_MONOTONIC_TIME)
                ? world.now() - startedAt
                : clock.millis() - wallAtStart;
    }

    private RetentionClockState moved(RetentionClockState from, long to, long wall) {
        return highestOnly(from.movedTo(to, wall), wall);
    }

    private RetentionClockState highestOnly(RetentionClockState next, long wall) {
        return world.has(Rule.HIGHEST_WALL_TIME)
                ? next
                : new RetentionClockState(next.at(), wall, next.held());
    }

    private void resumeAge() {
        Duration most = world.has(Rule.PAUSE_CAPPED) ? LONGEST_PAUSE : Duration.ofDays(100_000);
        long wall = clock.millis();
        state.retentionClockState =
                highestOnly(state.retentionClockState.resumed(wall, most), wall);
        ageAtStart = state.retentionClockState.at();
        startedAt = world.now();
        wallAtStart = wall;
    }

    @Override
    public void purge(OrgId org, HostId self, SyncTable table, long keep, List<String> hubs) {
        long until = state.retentionClockState.at() - keep;
        long most =
                world.has(Rule.PURGE_BOUND)
                        ? PURGE_BOUND.of(state.table(table.name()).size(), 0)
                        : Long.MAX_VALUE;
        if (until >= 0) {
            write(
                    tx ->
                            new MemoryRetention((MemoryWriting) tx)
                                    .purge(self, table, until, hubs, most));
        }
    }

    /** What earlier versions asked: whether an id was made long before the wall clock's time. */
    boolean isOfLongAgo(SyncTable table, SyncRow row) {
        String id = row.text(0);
        return table.key().equals(List.of("id"))
                && !table.name().equals("hosts")
                && !table.name().equals("users")
                && Ids.bornAt(id).toEpochMilli() < clock.millis() - LONG_AGO;
    }

    @Override
    public Object backup() {
        return state.copy();
    }

    @Override
    public void restore(Object backup) {
        state = ((MemoryState) backup).copy();
    }

    @Override
    public void wipe() {
        state = new MemoryState();
    }

    @Override
    public void close() {}
}
