package dev.skep.app.assembly;

import dev.skep.app.retention.Retention;
import dev.skep.app.retention.SizeLimitPurges;
import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.SecretValue;
import dev.skep.directory.assembly.DirectoryLinkAcceptor;
import dev.skep.directory.enrolment.ConnectedHosts;
import dev.skep.directory.history.ConnectionLog;
import dev.skep.dispatch.assembly.DispatchConfig;
import dev.skep.dispatch.assembly.HubDispatch;
import dev.skep.dispatch.host.HostConsents;
import dev.skep.dispatch.host.StatusRules;
import dev.skep.dispatch.routes.EventSockets;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.proxy.LinkNodeConnector;
import dev.skep.registry.routes.NodeRemoval;
import dev.skep.registry.service.NodeList;
import dev.skep.store.news.TableChangeNotifier;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.link.Hub;
import dev.skep.sync.routes.TakeoverRoutes;
import dev.skep.sync.sql.SyncReports;
import dev.skep.transport.call.CallServer;
import dev.skep.transport.link.LinkServer;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.session.SessionOpener;
import dev.skep.transport.socket.SocketEndpoints;
import dev.skep.transport.socket.SocketLimits;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The hub of a process: sync, jobs and the roster of all hosts, over their links. */
final class HubPart {
    private final HostProcess process;
    private final DirectoryAssembly people;
    private final HubDispatch dispatch;
    private final Hub hub;
    private final OrgRegistries registry;
    private final TableChangeNotifier tableChangeNotifier;
    private final ConnectionLog connectionLog;
    private final SizeLimitPurges sizeLimitPurges = new SizeLimitPurges();
    private final UpstreamLinks upstream;
    private final Configuration configuration;
    private final String version;

    HubPart(
            ProcessContext around,
            HostProcess process,
            DirectoryAssembly people,
            EventBus eventBus) {
        this.process = process;
        this.people = people;
        this.configuration = around.configuration();
        this.version = around.version();
        Lifecycle lifecycle = around.lifecycle();
        this.dispatch =
                lifecycle.start(
                        "dispatch", dispatch(around.configuration(), process, people, eventBus));
        var sessions = new SessionOpener();
        // Before what is ended last, so that other processes hear of that too.
        this.tableChangeNotifier =
                lifecycle.start(
                        "news", new TableChangeNotifier(process.database(), process.ids().next()));
        ConnectedHosts live = people.directory().acceptor().links();
        this.connectionLog =
                lifecycle.start(
                        "link book",
                        new ConnectionLog(
                                process.database(),
                                process.ids(),
                                SystemTime.clock(),
                                live::publicUrl));
        this.hub =
                lifecycle.start(
                        "hub",
                        new Hub(
                                new Hub.Base(
                                        process.database(),
                                        process.feed(),
                                        process.schema(),
                                        SyncLimits.DEFAULT,
                                        eventBus,
                                        SystemTime.clock(),
                                        process.steady(),
                                        new SecureRandom()),
                                new DirectoryLinkAcceptor(
                                        people.directory().acceptor(), connectionLog),
                                List.of(
                                        new CallServer(new RouteTable(dispatch.routes())),
                                        sessions)));
        people.awaits(hub::asked);
        lifecycle.own("hub events", eventBus.subscribe(hub::onEvent));
        ProcessMeter figures = new ProcessMeter(around.meters());
        figures.showLinks("hub", hub.links()::count);
        new SyncMeter(around.meters(), SystemTime.clock())
                .show("hub", people.hostSyncStatuses()::all);
        figures.showEvents(lifecycle, eventBus);
        new FleetMeter(around.meters()).showFleet(process.database());
        lifecycle.start(
                "alerts",
                dispatch.watching(
                        List.of(
                                new OverBudgetConditions(),
                                new StalledSyncConditions(live::isLive, process.steady()),
                                new RetentionBehindConditions(
                                        process.host().org(), sizeLimitPurges))));
        this.registry =
                OrgRegistries.open(
                        around,
                        process,
                        live::isLive,
                        Optional.of(new LinkNodeConnector(sessions, live::urlOfOtherProcess)));
        registry.follow(sessions, live);
        this.upstream = new UpstreamLinks(around, process, eventBus, registry);
        figures.showLinks("upstream", upstream::open);
        // Another process opened or closed a link: it is known at once, and not with the next look.
        tableChangeNotifier.onChangeByOthers(
                tables -> {
                    if (tables.isEmpty() || tables.contains("linked_hosts")) {
                        Thread.startVirtualThread(live::refresh);
                    }
                });
    }

    private static HubDispatch dispatch(
            Configuration configuration,
            HostProcess process,
            DirectoryAssembly people,
            EventBus eventBus) {
        return new HubDispatch(
                process.database(),
                eventBus,
                people.directory().audit()::record,
                new HubDispatch.Sources(
                        process.ids(), SystemTime.clock(), process.steady(), new SecureRandom()),
                new DispatchConfig(
                        configuration.jobs().queue().map(SecretValue::value),
                        configuration.dataDir().resolve("secrets.key"),
                        configuration.jobs().privateWebhooks(),
                        StatusRules.STANDARD));
    }

    /** Forgets what is too old, from when everything is open. */
    Retention retention(Configuration configuration) {
        return RetentionAssembly.of(
                        process,
                        configuration.retention(),
                        hub.retention(),
                        upstream::hubs,
                        configuration.registry().options().lifetime(),
                        Optional.of(dispatch.finished()),
                        Optional.of(connectionLog),
                        sizeLimitPurges,
                        SystemTime.clock())
                .leftTo(upstream::areElsewhere);
    }

    OrgRegistries registry() {
        return registry;
    }

    SupervisorAssembly supervisor(DirectoryAssembly directory, EventBus eventBus, NodeList nodes) {
        SupervisorAssembly pages =
                SupervisorAssembly.ofHub(
                        process,
                        directory,
                        eventBus,
                        dispatch.queue(),
                        nodes,
                        tableChangeNotifier,
                        configuration,
                        version);
        hub.onAsked(pages::linksMoved);
        directory.directory().acceptor().links().onChange(pages::linksMoved);
        return pages;
    }

    /** How nodes of other hosts are forgotten. */
    NodeRemoval removalElsewhere() {
        return new NodeRemovalByJob(dispatch.queue(), new HostConsents(process.database()));
    }

    List<Route> routes() {
        var names = new SyncReports(process.database(), process.schema());
        var consents = new HostConsents(process.database());
        List<Route> routes =
                new ArrayList<>(
                        new TakeoverRoutes(
                                        hub.takeoverService(),
                                        names,
                                        (org, host) -> consents.require(org, host, Consent.AGENTS))
                                .routes());
        routes.addAll(dispatch.routes());
        return routes;
    }

    List<SocketEndpoints> sockets(ProcessAcceptors processAcceptors) {
        return List.of(
                processAcceptors.sockets(LinkServer.PATH, hub.links(), LinkServer.LIMITS),
                processAcceptors.sockets(
                        EventSockets.PATHS,
                        new EventSockets(dispatch.events(), processAcceptors.router()),
                        SocketLimits.USUAL));
    }

    /**
     * Ends before the listener does what it would wait for, and tells hosts goodbye.
     *
     * @param url where people reach this process
     */
    void opened(Lifecycle lifecycle, String url) {
        people.directory().acceptor().links().publicUrl(url);
        lifecycle.own("open answers", dispatch.openAnswers());
        lifecycle.own("links", hub.links()::closeAll);
    }

    /** Joins other hubs, now that it can answer. */
    void join(Lifecycle lifecycle) {
        lifecycle.start("upstream links", upstream);
    }

    /** How the links to other hubs stand, where no runner has links of its own to tell of. */
    List<Route> upstreamRoutes() {
        return upstream.routes();
    }

    /** Lets the runner of the same process in. */
    String pairingCode() {
        Actor local = Actor.local(people.directory().host().org());
        return people.directory().acceptor().hosts().pair(local, Optional.empty()).code();
    }
}
