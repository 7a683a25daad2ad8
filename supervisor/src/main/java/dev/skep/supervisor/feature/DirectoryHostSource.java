package dev.skep.supervisor.feature;

import dev.skep.directory.host.HostRosterStore;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.supervisor.source.HostSource;
import java.util.List;

/** Hosts by their own rows. */
public final class DirectoryHostSource implements HostSource {
    private final HostRosterStore hosts;

    public DirectoryHostSource(Database database) {
        this.hosts = new HostRosterStore(database);
    }

    @Override
    public List<Known> all(Principal principal) {
        return hosts.all(principal).stream()
                .map(
                        host ->
                                new Known(
                                        host.id().value(),
                                        host.name(),
                                        host.kind(),
                                        host.nameConflict(),
                                        host.createdAt()))
                .toList();
    }
}
