package dev.skep.app.assembly;

import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.Metrics;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.route.Authenticator;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import dev.skep.transport.socket.SocketAcceptor;
import dev.skep.transport.socket.SocketEndpoints;
import dev.skep.transport.socket.SocketLimits;
import java.security.SecureRandom;
import java.util.List;

/** A listener for sockets, without sign-in. */
public final class SocketListener {
    /** As servlets call it; "/" would be the fallback, which the HTTP library answers. */
    private static final String ROOT = "";

    private SocketListener() {}

    /** On any free port of this machine, for one kind of socket at the root. */
    public static Listener open(Lifecycle lifecycle, SocketAcceptor socketAcceptor) {
        ListenerConfig config = ListenerConfig.loopback(0);
        var sockets =
                new SocketEndpoints(
                        new BrowserGuard(config),
                        List.of(ROOT),
                        socketAcceptor,
                        SocketLimits.USUAL);
        var nothing = new Router(new RouteTable(List.of()), Authenticator.NOBODY);
        return open(lifecycle, config, sockets, nothing, new Metrics());
    }

    static Listener open(
            Lifecycle lifecycle,
            ListenerConfig config,
            SocketEndpoints sockets,
            Router router,
            Metrics metrics) {
        Listener listener =
                new Listener(
                        config,
                        router,
                        new Listener.Mounts(List.of(), List.of(sockets.andTheRest())),
                        new RequestMeter(metrics),
                        new SecureRandom());
        // Not by the lifecycle, which would close everything: the caller may do without a port.
        listener.start();
        lifecycle.own("socket listener", listener);
        lifecycle.start("sockets", sockets);
        return listener;
    }
}
