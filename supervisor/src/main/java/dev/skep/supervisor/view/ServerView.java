package dev.skep.supervisor.view;

import dev.skep.dispatch.server.ServerDetails;
import dev.skep.kernel.id.Keyed;
import dev.skep.transport.route.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A managed process on a host. */
public record ServerView(
        String id, String name, String host, String state, @Nullable String command, Instant since)
        implements Keyed {

    static ServerView of(ServerDetails server, String state) {
        return new ServerView(
                server.id(),
                server.name(),
                server.hostId(),
                state,
                server.spec() == null
                        ? null
                        : Json.fields(Json.text(server.spec()))
                                .optionalText("command")
                                .orElse(null),
                server.since());
    }
}
