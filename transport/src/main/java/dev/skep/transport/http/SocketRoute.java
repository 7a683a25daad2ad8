package dev.skep.transport.http;

import dev.skep.kernel.identity.Actor;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.OrgScope;
import io.javalin.websocket.WsConfig;
import io.javalin.websocket.WsContext;
import java.util.Optional;
import java.util.function.Consumer;

/** A WebSocket path; callers are checked before the upgrade, as for any route. */
public record SocketRoute(String path, Access access, OrgScope scope, Consumer<WsConfig> handlers) {
    static final String ACTOR = "skep.actor";

    /** Who opened the socket; empty only on routes that anyone may use. */
    public static Optional<Actor> actor(WsContext context) {
        return Optional.ofNullable(context.<Actor>attribute(ACTOR));
    }
}
