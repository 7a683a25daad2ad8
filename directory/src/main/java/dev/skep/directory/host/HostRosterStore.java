package dev.skep.directory.host;

import dev.skep.directory.HostRow;
import dev.skep.directory.HostTable;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import java.util.List;
import java.util.Map;

/** Reads the table {@code hosts} for lists of the fleet. */
public final class HostRosterStore {
    private final Database database;

    public HostRosterStore(Database database) {
        this.database = database;
    }

    /** All hosts of the org, by the names that people know them by. */
    public List<HostRow> all(Principal who) {
        String named = HostNames.sql("h.id", "h.org_id");
        return database.read(
                snapshot ->
                        snapshot.list(
                                "SELECT %s FROM hosts h WHERE org_id = ? ORDER BY name, id"
                                        .formatted(
                                                HostTable.ROWS.columns("h", Map.of("name", named))),
                                HostTable.ROWS::read,
                                who.org().value()));
    }
}
