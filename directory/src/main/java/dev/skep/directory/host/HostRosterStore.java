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

    /** One host of the org, by the name that people know it by. */
    public record KnownHost(
            HostId id, String name, String kind, boolean nameConflict, Instant createdAt) {}

    /** All hosts of the org, by name. */
    public List<KnownHost> all(Principal who) {
        return database.read(
                snapshot ->
                        snapshot.list(
                                """
                                SELECT id, %s AS name, kind, name_conflict, created_at FROM hosts h
                                WHERE org_id = ? ORDER BY 2, id
                                """
                                        .formatted(HostNames.sql("h.id", "h.org_id")),
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
