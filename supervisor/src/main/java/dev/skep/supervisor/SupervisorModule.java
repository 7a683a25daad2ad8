package dev.skep.supervisor;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStore;
import dev.skep.agents.NotificationStore;
import dev.skep.agents.mail.MailStore;
import dev.skep.agents.version.AgentVersionStore;
import dev.skep.agents.view.DecidedCommandStore;
import dev.skep.agents.view.LogPageStore;
import dev.skep.directory.assembly.Directory;
import dev.skep.directory.host.HostRosterStore;
import dev.skep.directory.module.FeatureModule;
import dev.skep.directory.module.HostProcess;
import dev.skep.directory.module.ProcessAddress;
import dev.skep.directory.operator.OperatorService;
import dev.skep.directory.org.DefaultOrg;
import dev.skep.dispatch.host.HostConsents;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.service.NodeList;
import dev.skep.registry.table.NodeListStore;
import dev.skep.store.Database;
import dev.skep.store.news.TableChangeNotifier;
import dev.skep.supervisor.feature.DispatchHealthSource;
import dev.skep.supervisor.feature.FleetApprovalSource;
import dev.skep.supervisor.feature.HubHealthSource;
import dev.skep.supervisor.feature.HubLinkSource;
import dev.skep.supervisor.feature.HubSettingsSource;
import dev.skep.supervisor.feature.JobAgentControls;
import dev.skep.supervisor.feature.JobAgentFiles;
import dev.skep.supervisor.feature.RecordedHealthSource;
import dev.skep.supervisor.feature.SelfOnlyHealthSource;
import dev.skep.supervisor.feature.SteeringJobs;
import dev.skep.supervisor.source.AgentControls;
import dev.skep.supervisor.source.AgentFiles;
import dev.skep.supervisor.source.ApprovalSource;
import dev.skep.supervisor.source.LinkSource;
import dev.skep.supervisor.source.Sources;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.sql.HostSyncStatusReader;
import dev.skep.sync.sql.SyncReports;
import dev.skep.transport.http.Mount;
import dev.skep.transport.route.Route;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The supervisor of a process: pages over the database that people sign in to. */
public final class SupervisorModule implements FeatureModule {
    private final Supervisor supervisor;

    /** Whose database it shows, where that is another process's. */
    public enum Monitored {
        HUB,
        RUNNER
    }

    private SupervisorModule(Supervisor supervisor, TableChangeNotifier tableChangeNotifier) {
        this.supervisor = supervisor;
        tableChangeNotifier.onChange(supervisor::written);
    }

    private static SupervisorModule of(
            HostProcess process,
            Directory directory,
            Sources sources,
            TableChangeNotifier tableChangeNotifier) {
        var clock = process.clock();
        var agents = new AgentStore(process.database(), process.host().ownRowWriter(), clock);
        var mail =
                new MailStore(
                        process.database(),
                        process.host().ownRowWriter(),
                        agents,
                        process.ids(),
                        clock);
        OperatorService operatorService = directory.operatorService();
        var supervisor =
                new Supervisor(
                        process.database(),
                        agents,
                        new AgentVersionStore(
                                process.database(), process.host().ownRowWriter(), agents, clock),
                        sources,
                        Optional.of(
                                new Supervisor.Mail(
                                        mail,
                                        new Supervisor.Self(
                                                process.host().id(), process.host().name()),
                                        who -> name(operatorService, who))),
                        new Supervisor.Time(clock, System::nanoTime, process.ids()));
        return new SupervisorModule(supervisor, tableChangeNotifier);
    }

    /**
     * What it shows of other features of a hub.
     *
     * @param approvalTimeouts how long commands of an agent wait for a person
     * @param fileChecker what can be said of an agent's file without its host
     * @param sharedKeyFrom where HUB_ACCESS_KEY was set, if it was
     */
    public record HubFeatures(
            JobQueue queue,
            NodeList nodes,
            HostSyncStatusReader hostSyncStatuses,
            Function<Agent, Optional<Duration>> approvalTimeouts,
            JobAgentFiles.FileChecker fileChecker,
            Optional<String> sharedKeyFrom) {}

    /** Over a hub's database: all hosts, and the jobs that reach them. */
    public static SupervisorModule ofHub(
            HostProcess hub,
            Directory directory,
            HubFeatures features,
            TableChangeNotifier tableChangeNotifier,
            String version) {
        var clock = hub.clock();
        var hostAcceptor = directory.acceptor();
        var agents = new AgentStore(hub.database(), hub.host().ownRowWriter(), clock);
        var steering =
                new SteeringJobs(
                        features.queue(), hub.database(), new HostConsents(hub.database()));
        var reports = new SyncReports(hub.database(), SyncSchema.of(hub.tables()));
        return of(
                hub,
                directory,
                new Sources(
                        new HostRosterStore(hub.database())::all,
                        new HubHealthSource(
                                new HubHealthSource.Self(hub.host().id(), version),
                                new DispatchHealthSource(hub.database()),
                                reports,
                                hostAcceptor.links(),
                                clock),
                        features.nodes(),
                        true,
                        Optional.of(
                                new HubLinkSource(
                                        hub.database(),
                                        reports,
                                        hostAcceptor.links()::isLive,
                                        features.hostSyncStatuses()::of)),
                        directory.audit(),
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
                                        features.approvalTimeouts(),
                                        steering)),
                        Optional.of(new JobAgentControls(agents, steering)),
                        Optional.of(
                                JobAgentFiles.of(
                                        features.queue(),
                                        hub.database(),
                                        agents,
                                        new AgentVersionStore(
                                                hub.database(),
                                                hub.host().ownRowWriter(),
                                                agents,
                                                clock),
                                        hostAcceptor.links()::isLive,
                                        features.fileChecker())),
                        Optional.of(
                                new HubSettingsSource(
                                        hub.database(),
                                        directory.operatorService(),
                                        hostAcceptor.hosts(),
                                        new HubSettingsSource.SharedKey(
                                                DefaultOrg.DEFAULT, features.sharedKeyFrom()),
                                        clock))),
                tableChangeNotifier);
    }

    /** Over a runner's database: its own agents, and what it has of others. */
    public static SupervisorModule ofRunner(
            HostProcess runner,
            Directory directory,
            ApprovalSource approvalSource,
            AgentControls agentControls,
            AgentFiles agentFiles,
            LinkSource linkSource,
            NodeList nodes,
            TableChangeNotifier tableChangeNotifier,
            String version) {
        return of(
                runner,
                directory,
                new Sources(
                        new HostRosterStore(runner.database())::all,
                        new SelfOnlyHealthSource(runner.host().id(), version),
                        nodes,
                        false,
                        Optional.of(linkSource),
                        directory.audit(),
                        Optional.of(approvalSource),
                        Optional.of(agentControls),
                        Optional.of(agentFiles),
                        Optional.empty()),
                tableChangeNotifier);
    }

    /** Over the database of another process, which is not written to. */
    public static SupervisorModule reading(
            Database database,
            Monitored monitored,
            HostProcess own,
            Directory directory,
            TableChangeNotifier tableChangeNotifier) {
        var clock = own.clock();
        boolean hub = monitored == Monitored.HUB;
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
                                                database,
                                                new SyncReports(
                                                        database, SyncSchema.of(own.tables()))))
                                : Optional.empty(),
                        directory.audit(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        var agents = new AgentStore(database, own.host().ownRowWriter(), clock);
        return new SupervisorModule(
                new Supervisor(
                        database,
                        agents,
                        new AgentVersionStore(database, own.host().ownRowWriter(), agents, clock),
                        sources,
                        Optional.empty(),
                        new Supervisor.Time(clock, System::nanoTime, own.ids())),
                tableChangeNotifier);
    }

    private static String name(OperatorService operatorService, Principal who) {
        return who instanceof Principal.Operator(_, var id, _)
                ? operatorService.find(who, id.value()).username()
                : "operator";
    }

    /** A link opened or closed, or something travels on one. */
    public void linksMoved() {
        supervisor.linksMoved();
    }

    /** A node came, went or was stored at last; no table shows that while nothing can be stored. */
    public void nodesMoved() {
        supervisor.written(Set.of("nodes"));
    }

    @Override
    public List<Route> routes() {
        return supervisor.routes();
    }

    @Override
    public List<Mount> pages() {
        return List.of(Supervisor.pages());
    }

    /** After the listener, so that its streams end before the listener waits for them. */
    @Override
    public void start(Lifecycle lifecycle, ProcessAddress address) {
        lifecycle.own("supervisor", supervisor);
    }
}
