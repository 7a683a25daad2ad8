package dev.skep.dispatch.assembly;

import dev.skep.directory.module.FeatureModule;
import dev.skep.directory.module.HostProcess;
import dev.skep.directory.module.ProcessAddress;
import dev.skep.dispatch.alert.AlertConditionSource;
import dev.skep.dispatch.hold.AgentCounts;
import dev.skep.dispatch.hold.OrgHolds;
import dev.skep.dispatch.notification.MailForPeople;
import dev.skep.dispatch.queue.AuditRecorder;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.dispatch.routes.EventSockets;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.store.Database;
import dev.skep.transport.call.CallServer;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.Metrics;
import dev.skep.transport.link.LinkProtocol;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import dev.skep.transport.socket.SocketEndpoints;
import dev.skep.transport.socket.SocketLimits;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The jobs, servers, hosts' health and alerts of a hub. */
public final class DispatchModule implements FeatureModule {
    private final Database database;
    private final HubDispatch dispatch;

    /** Made and not yet open. */
    public DispatchModule(
            HostProcess process,
            EventBus eventBus,
            AuditRecorder audit,
            AgentCounts agents,
            Predicate<HostId> there,
            DispatchConfig config) {
        this.database = process.database();
        this.dispatch =
                new HubDispatch(
                        database,
                        eventBus,
                        audit,
                        agents,
                        there,
                        new HubDispatch.Sources(
                                process.ids(),
                                process.clock(),
                                process.steady(),
                                new SecureRandom(),
                                process.host().id().value()),
                        config);
    }

    @Override
    public void open(Lifecycle lifecycle) {
        lifecycle.start("dispatch", dispatch);
    }

    @Override
    public List<Route> routes() {
        return dispatch.routes();
    }

    /** Hosts make the same calls over their links as over HTTP. */
    @Override
    public List<LinkProtocol<Principal.Host>> linkProtocols() {
        return List.of(new CallServer(new RouteTable(dispatch.routes())));
    }

    @Override
    public List<SocketEndpoints> sockets(ListenerConfig listener, Router router) {
        return List.of(
                new SocketEndpoints(
                        new BrowserGuard(listener),
                        List.of(EventSockets.PATHS),
                        new EventSockets(dispatch.events(), router),
                        SocketLimits.USUAL));
    }

    @Override
    public void showMeters(Metrics metrics) {
        FleetMeter.show(metrics, database);
    }

    /** Open streams end before the listener, which would wait for them. */
    @Override
    public void start(Lifecycle lifecycle, ProcessAddress address) {
        lifecycle.own("open answers", dispatch.openAnswers());
        dispatch.reachedAt(address.publicUrl());
    }

    /** Tables were written to, by whatever process; none named means any. */
    public void written(Set<String> tables) {
        dispatch.written(tables);
    }

    /** For a feature that keeps the mail of people: looks for new mail once started. */
    public Component watchingMail(MailForPeople mail) {
        return dispatch.watchingMail(mail);
    }

    /** For conditions that somebody waits to be told of. */
    public Component watchingClosely(List<AlertConditionSource> conditions) {
        return dispatch.watchingClosely(conditions);
    }

    /** What holds all agents of an org. */
    public OrgHolds holds() {
        return dispatch.holds();
    }

    public JobQueue queue() {
        return dispatch.queue();
    }

    /** For features that report conditions to people: checks every few seconds once started. */
    public Component watching(List<AlertConditionSource> conditions) {
        return dispatch.watching(conditions);
    }

    /** Deletes old rows of its tables. */
    public FinishedJobs finished() {
        return dispatch.finished();
    }
}
