package dev.skep.sync.module;

import dev.skep.directory.enrolment.ConnectedHosts;
import dev.skep.directory.module.FeatureModule;
import dev.skep.directory.module.HostProcess;
import dev.skep.directory.module.ProcessAddress;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.link.Hub;
import dev.skep.sync.routes.SyncRoutes;
import dev.skep.sync.routes.TakeoverRoutes;
import dev.skep.sync.sql.HostSyncStatusReader;
import dev.skep.sync.sql.RetentionStore;
import dev.skep.sync.sql.SyncReports;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.Metrics;
import dev.skep.transport.link.LinkAcceptor;
import dev.skep.transport.link.LinkProtocol;
import dev.skep.transport.link.LinkServer;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.Router;
import dev.skep.transport.socket.SocketEndpoints;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** A hub's end of sync: the links of all its hosts, and the rows that travel on them. */
public final class HubSyncModule implements FeatureModule {
    private final HostProcess process;
    private final EventBus eventBus;
    private final ConnectedHosts connectedHosts;
    private final BiConsumer<OrgId, HostId> mustConsent;
    private final Hub hub;
    private final SyncReports reports;
    private final HostSyncStatusReader hostSyncStatuses;

    /**
     * Which hosts a hub admits, and under what conditions.
     *
     * @param connected the hosts that are linked, to this process or another of the hub
     * @param mustConsent throws if it is known that a host lets this hub bring it no agents
     */
    public record Hosts(
            LinkAcceptor acceptor,
            ConnectedHosts connected,
            BiConsumer<OrgId, HostId> mustConsent) {}

    /**
     * Made and not yet open.
     *
     * @param protocols what links carry besides sync
     */
    public HubSyncModule(
            HostProcess process,
            SyncSchema schema,
            EventBus eventBus,
            Hosts hosts,
            List<LinkProtocol<Principal.Host>> protocols) {
        this.process = process;
        this.eventBus = eventBus;
        this.connectedHosts = hosts.connected();
        this.mustConsent = hosts.mustConsent();
        this.hub =
                new Hub(
                        new Hub.Base(
                                process.database(),
                                process.feed(),
                                schema,
                                SyncLimits.DEFAULT,
                                eventBus,
                                process.clock(),
                                process.steady(),
                                new SecureRandom()),
                        hosts.acceptor(),
                        protocols);
        this.reports = new SyncReports(process.database(), schema);
        this.hostSyncStatuses =
                new HostSyncStatusReader(
                        process.database(), reports, connectedHosts::isLive, hub::asked);
    }

    @Override
    public void open(Lifecycle lifecycle) {
        lifecycle.start("hub", hub);
        lifecycle.own("hub events", eventBus.subscribe(hub::onEvent));
    }

    @Override
    public List<Route> routes() {
        List<Route> routes =
                new ArrayList<>(new SyncRoutes(reports, hostSyncStatuses::of).routes());
        routes.addAll(new TakeoverRoutes(hub.takeoverService(), reports, mustConsent).routes());
        return routes;
    }

    @Override
    public List<SocketEndpoints> sockets(ListenerConfig listener, Router router) {
        return List.of(
                new SocketEndpoints(
                        new BrowserGuard(listener),
                        List.of(LinkServer.PATH),
                        hub.links(),
                        LinkServer.LIMITS));
    }

    @Override
    public void showMeters(Metrics metrics) {
        var meter = new SyncMeter(metrics, process.clock());
        meter.showLinks("hub", hub.links()::count);
        meter.show("hub", hostSyncStatuses::all);
    }

    /** Closes the links to hosts before the listener closes. */
    @Override
    public void start(Lifecycle lifecycle, ProcessAddress address) {
        connectedHosts.publicUrl(address.publicUrl());
        lifecycle.own("links", hub.links()::closeAll);
    }

    /** Runs the listener, which must not block, when something travels or a host comes or goes. */
    public void onMoved(Runnable listener) {
        hub.onAsked(listener);
        connectedHosts.onChange(listener);
    }

    /** How the hub stands with its hosts. */
    public HostSyncStatusReader hostSyncStatuses() {
        return hostSyncStatuses;
    }

    /** How far back its tables go. */
    public RetentionStore retention() {
        return hub.retention();
    }
}
