package dev.skep.supervisor.feature;

import dev.skep.directory.audit.AuditFilter;
import dev.skep.directory.audit.AuditStore;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.supervisor.source.AuditSource;
import java.util.List;
import java.util.Optional;

/** The directory's audit log. */
public final class DirectoryAuditSource implements AuditSource {
    private final Database database;
    private final AuditStore audit;

    public DirectoryAuditSource(Database database, AuditStore audit) {
        this.database = database;
        this.audit = audit;
    }

    @Override
    public List<Entry> newest(
            Principal principal, Filter filter, Optional<String> before, int limit) {
        var wanted =
                new AuditFilter(
                        filter.actor(),
                        filter.action(),
                        filter.target(),
                        Optional.empty(),
                        Optional.empty());
        return database
                .read(snapshot -> audit.newest(snapshot, principal, wanted, before, limit))
                .stream()
                .map(
                        e ->
                                new Entry(
                                        e.id(),
                                        e.at(),
                                        e.actor(),
                                        e.action(),
                                        e.target(),
                                        e.from(),
                                        e.detail()))
                .toList();
    }
}
