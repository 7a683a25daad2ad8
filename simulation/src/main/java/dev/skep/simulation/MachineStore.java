package dev.skep.simulation;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.sync.QuarantinedRow.Reason;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.SyncStore;
import dev.skep.sync.sql.RetentionStore;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A machine's database, with what the simulation does to one beyond syncing. */
interface MachineStore extends SyncStore, AutoCloseable {
    /** A process start: the schema is brought up to date, an epoch opens. */
    void start(SyncSchema schema);

    /** An agent's write of own rows, in one transaction. */
    void putOwn(OrgId org, HostId self, List<OwnRow> rows);

    /** A row to write. */
    @SuppressWarnings("ArrayRecordComponent") // handed over once
    record OwnRow(SyncTable table, long gen, @Nullable Object[] values) {}

    /** Everything stored, in no order. */
    List<Stored> rows();

    List<Stored> rows(SyncTable table);

    /** A stored row. */
    record Stored(SyncTable table, OrgId org, SyncRow row) {}

    /** Whether a row is in the quarantine: because a hub said so, or for a reason of its own. */
    boolean isQuarantined(SyncTable table, String key, boolean byHub);

    /** Whether this very row of this host is in the quarantine for this reason. */
    boolean isQuarantined(Stored row, Reason reason);

    /** Why the rows in the quarantine are there, one reason for each. */
    List<Reason> reasons();

    /** What a restart counts at most; days in the real world. */
    Duration LONGEST_PAUSE = Duration.ofMillis(500);

    /** How many rows of a table go in one round. */
    RetentionStore.PurgeLimit PURGE_BOUND = new RetentionStore.PurgeLimit(2, 4, Duration.ZERO);

    /** The retention clock is written down. */
    void keepAge();

    /** Lets rows go that were here for so many milliseconds, own ones where every hub has them. */
    void purge(OrgId org, HostId self, SyncTable table, long keep, List<String> hubs);

    Object backup();

    void restore(Object backup);

    void wipe();

    @Override
    void close();
}
