package dev.skep.directory.host;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import java.time.Instant;
import java.util.List;

/** Reads the table {@code hosts} for those who list the fleet. */
public final class HostRosterStore {
    private final Database database;

    public HostRosterStore(Database database) {
        this.database = database;
    }

    /** One host of the org, as its own row tells. */
    public record KnownHost(
            HostId id, String name, String kind, boolean nameConflict, Instant createdAt) {}

    /** All hosts of the org, by name. */
    public List<KnownHost> all(Principal who) {
        return database.read(
                snapshot ->
                        snapshot.list(
                                """
                                SELECT id, name, kind, name_conflict, created_at FROM hosts
                                WHERE org_id = ? ORDER BY name, id
                                """,
                                row ->
                                        new KnownHost(
                                                new HostId(row.text("id")),
                                                row.text("name"),
                                                row.text("kind"),
                                                row.flag("name_conflict"),
                                                row.time("created_at")),
                                who.org().value()));
    }
}
