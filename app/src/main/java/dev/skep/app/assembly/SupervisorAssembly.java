package dev.skep.app.assembly;

import dev.skep.agents.AgentStore;
import dev.skep.agents.mail.MailStore;
import dev.skep.directory.operator.Operators;
import dev.skep.kernel.event.Events;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.supervisor.Supervisor;
import dev.skep.supervisor.feature.DirectoryAudit;
import dev.skep.supervisor.feature.DirectoryRoster;
import dev.skep.supervisor.feature.HubSettings;
import dev.skep.supervisor.feature.LinkedHosts;
import dev.skep.supervisor.feature.RegistryNodes;
import dev.skep.supervisor.feature.SelfOnly;
import dev.skep.supervisor.feature.SyncLinks;
import dev.skep.supervisor.source.Links;
import dev.skep.supervisor.source.Settings;
import dev.skep.supervisor.source.Sources;
import dev.skep.sync.sql.SyncReports;
import dev.skep.transport.http.Listener;
import dev.skep.transport.route.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The supervisor of a process: pages over the database that people sign in to. */
public final class SupervisorAssembly {
    private final Supervisor supervisor;

    private SupervisorAssembly(
            HostProcess process, DirectoryAssembly people, Events events, Sources sources) {
        var clock = SystemTime.clock();
        var agents = new AgentStore(process.database(), process.host().rows(), clock);
        var mail =
                new MailStore(
                        process.database(),
                        process.host().rows(),
                        agents,
                        process.ids(),
                        clock,
                        events);
        Operators operators = people.directory().operators();
        this.supervisor =
                new Supervisor(
                        process.database(),
                        agents,
                        sources,
                        Optional.of(
                                new Supervisor.Mail(
                                        mail,
                                        new Supervisor.Self(
                                                process.host().id(), process.host().name()),
                                        who -> name(operators, who))),
                        events,
                        new Supervisor.Time(clock, System::nanoTime, process.ids()));
        process.feed().onMoved(supervisor::databaseMoved);
    }

    /** Over a hub's database: all hosts, by their links. */
    public static SupervisorAssembly ofHub(
            HostProcess hub, DirectoryAssembly people, Events events) {
        var clock = SystemTime.clock();
        var reports = new SyncReports(hub.database(), hub.schema());
        var door = people.directory().door();
        Links links = new SyncLinks(reports, door.links());
        Settings settings =
                new HubSettings(
                        hub.database(), people.directory().operators(), door.hosts(), clock);
        return new SupervisorAssembly(
                hub,
                people,
                events,
                new Sources(
                        new DirectoryRoster(hub.database()),
                        new LinkedHosts(hub.host().id(), reports, door.links(), clock),
                        Optional.of(new RegistryNodes(hub.database())),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(links),
                        Optional.empty(),
                        Optional.of(new DirectoryAudit(hub.database(), people.directory().audit())),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(settings)));
    }

    /** Over a runner's database: its own agents, and what it knows of others. */
    public static SupervisorAssembly ofRunner(
            HostProcess runner, DirectoryAssembly people, Events events) {
        Sources own =
                Sources.of(
                        new DirectoryRoster(runner.database()),
                        new SelfOnly(runner.host().id(), null, SystemTime.clock()));
        return new SupervisorAssembly(runner, people, events, own);
    }

    private static String name(Operators operators, Principal who) {
        return who instanceof Principal.Operator(_, var id, _)
                ? operators.find(who, id.value()).username()
                : "operator";
    }

    public List<Route> routes() {
        return supervisor.routes();
    }

    /** The pages beside what is mounted already; they answer every path that nothing else does. */
    public static Listener.Mounts with(Listener.Mounts others) {
        var all = new ArrayList<>(others.others());
        all.add(Supervisor.pages());
        return new Listener.Mounts(others.sockets(), all);
    }

    /** After the listener, so that its streams end before the listener waits for them. */
    public void start(Lifecycle lifecycle) {
        lifecycle.start("supervisor", supervisor);
    }
}
