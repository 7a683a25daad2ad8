package dev.skep.supervisor.feature;

import dev.skep.dispatch.server.ServerStore;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.supervisor.source.ServerSource;
import dev.skep.supervisor.source.ServerView;
import dev.skep.transport.route.Json;
import java.util.List;

/** Server instances as their hosts told of them. */
public final class DispatchServerSource implements ServerSource {
    private static final int ALL = 100_000;

    private final Database database;
    private final ServerStore servers = new ServerStore();

    public DispatchServerSource(Database database) {
        this.database = database;
    }

    @Override
    public List<ServerView> all(Principal principal) {
        return database.read(snapshot -> servers.list(snapshot, principal, null, "", ALL)).stream()
                .map(
                        s ->
                                new ServerView(
                                        s.id(),
                                        s.name(),
                                        s.hostId(),
                                        s.state(),
                                        s.spec() == null
                                                ? null
                                                : Json.fields(Json.text(s.spec()))
                                                        .optionalText("command")
                                                        .orElse(null),
                                        s.since()))
                .toList();
    }
}
