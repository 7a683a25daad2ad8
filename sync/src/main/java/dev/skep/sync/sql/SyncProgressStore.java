package dev.skep.sync.sql;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Snapshot;
import java.util.List;

/** How far a hub has got with the hosts of all orgs. */
public final class SyncProgressStore {
    /**
     * A host that was linked once.
     *
     * @param position how far it was pulled
     * @param level whether that was all it had, as far as the hub knows
     */
    public record Progress(OrgId org, HostId host, long position, boolean level) {}

    public List<Progress> all(Snapshot snapshot) {
        return snapshot.list(
                """
                SELECT h.org_id, s.id, s.since_timestamp, s.head
                FROM hub_sync_state s JOIN hosts h ON h.id = s.id
                """,
                row ->
                        new Progress(
                                new OrgId(row.text("org_id")),
                                new HostId(row.text("id")),
                                row.number("since_timestamp"),
                                row.number("since_timestamp") == row.number("head")));
    }
}
