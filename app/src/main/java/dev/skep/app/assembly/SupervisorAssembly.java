package dev.skep.app.assembly;

import dev.skep.agents.AgentStore;
import dev.skep.agents.NotificationStore;
import dev.skep.agents.mail.MailStore;
import dev.skep.agents.view.DecidedCommandStore;
import dev.skep.agents.view.LogPageStore;
import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.Setting;
import dev.skep.directory.host.HostRosterStore;
import dev.skep.directory.operator.OperatorService;
import dev.skep.directory.org.DefaultOrg;
import dev.skep.dispatch.host.HostConsents;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.service.NodeList;
import dev.skep.registry.table.NodeListStore;
import dev.skep.runner.AgentService;
import dev.skep.store.Database;
import dev.skep.store.news.TableChangeNotifier;
import dev.skep.supervisor.Supervisor;
import dev.skep.supervisor.feature.DispatchHealthSource;
import dev.skep.supervisor.feature.FleetApprovalSource;
import dev.skep.supervisor.feature.HubHealthSource;
import dev.skep.supervisor.feature.HubLinkSource;
import dev.skep.supervisor.feature.HubSettingsSource;
import dev.skep.supervisor.feature.JobAgentControls;
import dev.skep.supervisor.feature.RecordedHealthSource;
import dev.skep.supervisor.feature.SelfOnlyHealthSource;
import dev.skep.supervisor.feature.SteeringJobs;
import dev.skep.supervisor.source.LinkSource;
import dev.skep.supervisor.source.Sources;
import dev.skep.sync.sql.SyncReports;
import dev.skep.transport.http.Mount;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The supervisor of a process: pages over the database that people sign in to. */
final class SupervisorAssembly {
    private final Supervisor supervisor;

    private SupervisorAssembly(Supervisor supervisor, TableChangeNotifier tableChangeNotifier) {
        this.supervisor = supervisor;
        tableChangeNotifier.onChange(supervisor::written);
    }

    private static SupervisorAssembly of(
            HostProcess process,
            DirectoryAssembly people,
            EventBus eventBus,
            Sources sources,
            TableChangeNotifier tableChangeNotifier) {
        var clock = SystemTime.clock();
        var agents = new AgentStore(process.database(), process.host().ownRowWriter(), clock);
        var mail =
                new MailStore(
                        process.database(),
                        process.host().ownRowWriter(),
                        agents,
                        process.ids(),
                        clock,
                        eventBus);
        OperatorService operatorService = people.directory().operatorService();
        var supervisor =
                new Supervisor(
                        process.database(),
                        agents,
                        sources,
                        Optional.of(
                                new Supervisor.Mail(
                                        mail,
                                        new Supervisor.Self(
                                                process.host().id(), process.host().name()),
                                        who -> name(operatorService, who))),
                        eventBus,
                        new Supervisor.Time(clock, System::nanoTime, process.ids()));
        return new SupervisorAssembly(supervisor, tableChangeNotifier);
    }

    /** Over a hub's database: all hosts, and the jobs that reach them. */
    static SupervisorAssembly ofHub(
            HostProcess hub,
            DirectoryAssembly people,
            EventBus eventBus,
            JobQueue queue,
            NodeList nodes,
            TableChangeNotifier tableChangeNotifier,
            Configuration configuration,
            String version) {
        var clock = SystemTime.clock();
        var hostAcceptor = people.directory().acceptor();
        var agents = new AgentStore(hub.database(), hub.host().ownRowWriter(), clock);
        var steering = new SteeringJobs(queue, hub.database(), new HostConsents(hub.database()));
        var reports = new SyncReports(hub.database(), hub.schema());
        return of(
                hub,
                people,
                eventBus,
                new Sources(
                        new HostRosterStore(hub.database())::all,
                        new HubHealthSource(
                                new HubHealthSource.Self(hub.host().id(), version),
                                new DispatchHealthSource(hub.database()),
                                reports,
                                hostAcceptor.links(),
                                clock),
                        nodes,
                        true,
                        Optional.of(
                                new HubLinkSource(
                                        hub.database(),
                                        reports,
                                        hostAcceptor.links()::isLive,
                                        people.hostSyncStatuses()::of)),
                        people.directory().audit(),
                        Optional.of(
                                new FleetApprovalSource(
                                        new FleetApprovalSource.Rows(
                                                agents,
                                                new NotificationStore(
                                                        hub.database(),
                                                        hub.host().ownRowWriter(),
                                                        clock),
                                                new LogPageStore(hub.database()),
                                                new DecidedCommandStore(hub.database())),
                                        hostAcceptor.links()::isLive,
                                        ApprovalTimeouts::of,
                                        steering)),
                        Optional.of(new JobAgentControls(agents, steering)),
                        Optional.of(
                                new HubSettingsSource(
                                        hub.database(),
                                        people.directory().operatorService(),
                                        hostAcceptor.hosts(),
                                        new HubSettingsSource.SharedKey(
                                                DefaultOrg.DEFAULT, sharedKeyFrom(configuration)),
                                        clock))),
                tableChangeNotifier);
    }

    private static Optional<String> sharedKeyFrom(Configuration configuration) {
        return configuration.inForce().stream()
                .filter(value -> value.setting() == Setting.HUB_ACCESS_KEY)
                .filter(value -> !value.text().isEmpty())
                .map(value -> value.origin().toString())
                .findFirst();
    }

    /** Over a runner's database: its own agents, and what it knows of others. */
    static SupervisorAssembly ofRunner(
            HostProcess runner,
            DirectoryAssembly people,
            EventBus eventBus,
            AgentService agentService,
            LinkSource linkSource,
            NodeList nodes,
            TableChangeNotifier tableChangeNotifier,
            String version) {
        return of(
                runner,
                people,
                eventBus,
                new Sources(
                        new HostRosterStore(runner.database())::all,
                        new SelfOnlyHealthSource(runner.host().id(), version),
                        nodes,
                        false,
                        Optional.of(linkSource),
                        people.directory().audit(),
                        Optional.of(new LocalApprovalSource(agentService)),
                        Optional.of(new LocalAgentControls(agentService)),
                        Optional.empty()),
                tableChangeNotifier);
    }

    /** Over the database of another process, which is not written to. */
    static SupervisorAssembly reading(
            Database database,
            SupervisorService.Monitored monitored,
            HostProcess own,
            DirectoryAssembly people,
            TableChangeNotifier tableChangeNotifier) {
        var clock = SystemTime.clock();
        boolean hub = monitored == SupervisorService.Monitored.HUB;
        var sources =
                new Sources(
                        new HostRosterStore(database)::all,
                        hub
                                ? new RecordedHealthSource(
                                        new DispatchHealthSource(database), clock)
                                : _ -> List.of(),
                        new NodeList(new NodeListStore(database), _ -> List.of()),
                        hub,
                        hub
                                ? Optional.of(
                                        HubLinkSource.recorded(
                                                database, new SyncReports(database, own.schema())))
                                : Optional.empty(),
                        people.directory().audit(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        return new SupervisorAssembly(
                new Supervisor(
                        database,
                        new AgentStore(database, own.host().ownRowWriter(), clock),
                        sources,
                        Optional.empty(),
                        new EventBus(),
                        new Supervisor.Time(clock, System::nanoTime, own.ids())),
                tableChangeNotifier);
    }

    private static String name(OperatorService operatorService, Principal who) {
        return who instanceof Principal.Operator(_, var id, _)
                ? operatorService.find(who, id.value()).username()
                : "operator";
    }

    /** A link opened or closed, or something travels on one. */
    void linksMoved() {
        supervisor.linksMoved();
    }

    /** A node came, went or was stored at last: what no table tells while nothing can be stored. */
    void nodesMoved() {
        supervisor.written(Set.of("nodes"));
    }

    List<Route> routes() {
        return supervisor.routes();
    }

    /** The pages; they answer every path that nothing else does. */
    static Mount pages() {
        return Supervisor.pages();
    }

    /** After the listener, so that its streams end before the listener waits for them. */
    void start(Lifecycle lifecycle) {
        lifecycle.start("supervisor", supervisor);
    }
}
