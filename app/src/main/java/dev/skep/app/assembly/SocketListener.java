package dev.skep.app.assembly;

import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.Meters;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.route.Authentication;
import dev.skep.transport.route.Dispatch;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.socket.SocketDoor;
import dev.skep.transport.socket.SocketEndpoints;
import dev.skep.transport.socket.SocketLimits;
import java.security.SecureRandom;
import java.util.List;

/** A listener for sockets, which nobody signs in to. */
public final class SocketListener {
    /** As servlets call it; "/" is what nobody else answers, and the HTTP library does. */
    private static final String ROOT = "";

    private SocketListener() {}

    /** On any free port of this machine, for one kind of socket at the root. */
    public static Listener open(Lifecycle lifecycle, SocketDoor door) {
        ListenerConfig config = ListenerConfig.loopback(0);
        var sockets =
                new SocketEndpoints(
                        new BrowserGuard(config), List.of(ROOT), door, SocketLimits.USUAL);
        var nothing = new Dispatch(new RouteTable(List.of()), Authentication.NOBODY);
        return open(lifecycle, config, sockets, nothing, new Meters());
    }

    static Listener open(
            Lifecycle lifecycle,
            ListenerConfig config,
            SocketEndpoints sockets,
            Dispatch dispatch,
            Meters meters) {
        Listener listener =
                new Listener(
                        config,
                        dispatch,
                        new Listener.Mounts(List.of(), List.of(sockets.andTheRest())),
                        new RequestMeter(meters),
                        new SecureRandom());
        // Not by the lifecycle, which would close everything: the caller may do without a port.
        listener.start();
        lifecycle.own("socket listener", listener);
        lifecycle.start("sockets", sockets);
        return listener;
    }
}
