package dev.skep.simulation;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.sync.SetAside.Reason;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.SyncStore;
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
    boolean isSetAside(SyncTable table, String key, boolean byHub);

    /** Why the rows in the quarantine are there, one reason for each. */
    List<Reason> reasons();

    /** Lets rows go that were born before a time, where every hub has pulled own ones. */
    void purge(OrgId org, HostId self, SyncTable table, long bornBefore, List<String> hubs);

    /** How far back a table goes here, 0 for all the way; also when the rule is out. */
    long horizonOf(SyncTable table);

    Object backup();

    void restore(Object backup);

    void wipe();

    @Override
    void close();
}
