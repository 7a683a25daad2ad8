package dev.skep.sync;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.feed.SyncTables;
import java.util.ArrayList;
import java.util.List;

/** The product's tables. */
final class ProductTables {
    static final SyncSchema SCHEMA = SyncSchema.of(new SyncTables(all()), 1);

    private ProductTables() {}

    private static List<SyncTable> all() {
        List<SyncTable> all = new ArrayList<>(List.of(HostTable.HOSTS));
        all.addAll(AgentTables.ALL);
        return all;
    }
}
