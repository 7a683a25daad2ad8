package dev.skep.directory.module;

import dev.skep.directory.link.EnrolledHub;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.Metrics;
import dev.skep.transport.http.Mount;
import dev.skep.transport.link.LinkProtocol;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.Router;
import dev.skep.transport.socket.SocketEndpoints;
import java.net.http.HttpClient;
import java.util.List;

/**
 * What a feature adds to a process. The app calls the constructors and then, for all modules of the
 * process: {@link #open}; the routes, sockets, pages and meters, for a listener that it opens;
 * {@link #start}; {@link #lines}. The lifecycle closes everything in reverse, so that what {@link
 * #start} began ends before the listener does, and what {@link #open} began after it.
 */
public interface FeatureModule {
    /** Begins what must be there before the process listens. */
    default void open(Lifecycle lifecycle) {}

    /** What it answers over HTTP. */
    default List<Route> routes() {
        return List.of();
    }

    /**
     * Its WebSockets on the listener of the process.
     *
     * @param router answers by the routes of all modules
     */
    default List<SocketEndpoints> sockets(ListenerConfig listener, Router router) {
        return List.of();
    }

    /** Its web pages; they answer every path that nothing else does. */
    default List<Mount> pages() {
        return List.of();
    }

    /** What links of hosts to this hub carry for it. */
    default List<LinkProtocol<Principal.Host>> linkProtocols() {
        return List.of();
    }

    /** What it does with a hub that this host joins, from now until the host leaves the hub. */
    default HubLinkPart join(EnrolledHub hub, HubConsent consent, HttpClient client) {
        return HubLinkPart.NONE;
    }

    /** Adds its figures, which are read on each scrape. */
    default void showMeters(Metrics metrics) {}

    /** Begins what needs the listener, or must end before the listener does. */
    default void start(Lifecycle lifecycle, ProcessAddress address) {}

    /** What a person at the terminal should know once it has started, one line each. */
    default List<String> lines() {
        return List.of();
    }
}
