package dev.skep.browser.demo;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStore;
import dev.skep.agents.AgentTables;
import dev.skep.agents.mail.MailStore;
import dev.skep.agents.session.SessionKey;
import dev.skep.agents.version.AgentVersionStore;
import dev.skep.agents.view.MailPageStore;
import dev.skep.agents.view.SessionPageStore;
import dev.skep.directory.HostTable;
import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.HostRosterStore;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.org.DefaultOrg;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.SyncTable;
import dev.skep.registry.service.NodeList;
import dev.skep.registry.table.NodeListStore;
import dev.skep.registry.table.RegistryTables;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.SyncTables;
import dev.skep.store.news.TableChangeNotifier;
import dev.skep.supervisor.Supervisor;
import dev.skep.supervisor.source.Sources;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.Metrics;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.http.SessionCookie;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import dev.skep.transport.socket.SocketEndpoints;
import dev.skep.transport.socket.SocketLimits;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** The made-up fleet with a supervisor in front of it, on a free port. */
public final class DemoFleet implements AutoCloseable {
    private static final Principal LOCAL = new Principal.Local(DefaultOrg.DEFAULT);

    private final Database database;
    private final Supervisor supervisor;
    private final SocketEndpoints consoles;
    private final Listener listener;
    private final TableChangeNotifier tableChangeNotifier;
    private final DemoRows rows;
    private final DemoHealth health;
    private final DemoControls controls = new DemoControls();
    private final List<DemoHost> hosts;
    private final List<Agent> agents = new ArrayList<>();
    private final DemoJobs demoJobs;
    private final NodeList nodes;
    private final InstantSource clock;

    /**
     * How much there is.
     *
     * @param port 0 for any free one
     */
    public record Size(int hosts, int agents, int jobs, int port) {
        public static final Size USUAL = new Size(48, 60, 420, 0);
        public static final Size EMPTY = new Size(0, 0, 0, 0);
    }

    public DemoFleet(Path folder, Size size, InstantSource clock) {
        this.clock = clock;
        UlidSource ids = new UlidSource(clock, new Random(5));
        this.database = Databases.open(new DatabaseUrl.Sqlite(folder.resolve("hub.db")), clock);
        List<SyncTable> all = new ArrayList<>(List.of(HostTable.HOSTS));
        all.addAll(AgentTables.ALL);
        all.addAll(RegistryTables.ALL);
        SyncTables tables = new SyncTables(all);
        FeedClock feed = new FeedClock(clock, new Random(6));
        LocalHost self =
                LocalHost.open(
                        database,
                        tables,
                        feed,
                        ids,
                        clock,
                        new SecureRandom(),
                        new LocalHost.Config(folder, "hub-1", HostKind.HUB));
        this.rows = new DemoRows(database, tables, feed, self.org(), ids, clock);
        this.hosts = DemoPlan.hosts(size.hosts(), ids);
        seed(size);
        this.health = new DemoHealth(hosts, clock);
        this.demoJobs = new DemoJobs(database, ids);
        demoJobs.seed(hosts, size.jobs(), DemoRecord.OPERATORS, clock.instant());
        this.nodes = new NodeList(new NodeListStore(database), _ -> List.of());
        AgentStore agentStore = new AgentStore(database, self.ownRowWriter(), clock);
        this.supervisor =
                new Supervisor(
                        database,
                        agentStore,
                        new AgentVersionStore(database, self.ownRowWriter(), agentStore, clock),
                        sources(ids),
                        Optional.of(
                                new Supervisor.Mail(
                                        new MailStore(
                                                database,
                                                self.ownRowWriter(),
                                                agentStore,
                                                ids,
                                                clock),
                                        new Supervisor.Self(self.id(), self.name()),
                                        principal -> "maria")),
                        new Supervisor.Time(clock, System::nanoTime, ids));
        tableChangeNotifier = new TableChangeNotifier(database, ids.next());
        tableChangeNotifier.onChange(supervisor::written);
        tableChangeNotifier.start();
        List<Route> routes = new ArrayList<>(supervisor.routes());
        routes.addAll(new DemoRoutes(demoJobs, clock, this::moved).routes());
        ListenerConfig config = ListenerConfig.loopback(size.port());
        consoles =
                new SocketEndpoints(
                        new BrowserGuard(config),
                        List.of(DemoConsole.PATHS),
                        new DemoConsole(),
                        SocketLimits.USUAL);
        this.listener =
                new Listener(
                        config,
                        new Router(new RouteTable(routes), new DemoAuthentication()),
                        new Listener.Mounts(List.of(), List.of(consoles, Supervisor.pages())),
                        new RequestMeter(new Metrics()),
                        new SecureRandom());
        consoles.start();
        listener.start();
    }

    private Sources sources(UlidSource ids) {
        HostRosterStore roster = new HostRosterStore(database);
        DemoRecord record = new DemoRecord(database, hosts, ids, clock.instant());
        record.seed(demoJobs.newest(RunStatus.FAILED, 3));
        return new Sources(
                who -> roster.all(who).stream().filter(host -> !host.kind().equals("hub")).toList(),
                health,
                nodes,
                true,
                Optional.of(new DemoLinks(hosts, clock)),
                new AuditStore(ids, clock),
                Optional.of(new DemoApprovals(agents, clock, this::moved)),
                Optional.of(controls),
                Optional.of(new DemoAgentFiles(rows, hosts)),
                Optional.of(record));
    }

    private void seed(Size size) {
        rows.hosts(hosts);
        rows.nodes(hosts);
        for (int i = 0; i < size.agents(); i++) {
            agents.add(rows.agent(hosts.get(i * 5 % hosts.size()), i));
        }
        rows.writeLog();
        for (int i = 150; i > 0 && !agents.isEmpty(); i--) {
            Agent from = agents.get(i * 7 % agents.size());
            List<Agent> to =
                    i % 4 == 0
                            ? List.of(
                                    agents.get((i * 7 + 3) % agents.size()),
                                    agents.get((i * 7 + 11) % agents.size()))
                            : List.of(agents.get((i * 7 + 1) % agents.size()));
            DemoMail demoMail = DemoMail.of(i);
            rows.mail(
                    from,
                    to,
                    demoMail.subject(),
                    demoMail.body(),
                    clock.instant().minus(Duration.ofMinutes(i * 9L)),
                    i > 12);
        }
    }

    public String url() {
        return listener.url();
    }

    /** The agent whose runtime is another program. */
    public Agent managed() {
        return agents.get(DemoManagedTurn.AGENT);
    }

    /** The cookie that says who looks: a role. */
    public String sessionCookie() {
        return SessionCookie.nameAt(listener.port());
    }

    /** The supervisor's own routes, without those that stand in for other features. */
    public List<Route> supervisorRoutes() {
        return supervisor.routes();
    }

    /** Some hosts beat, and the process hears of it as a hub does. */
    public void beat(int count) {
        health.beat(count);
        beaten();
    }

    /** A host goes away or comes back. */
    public void set(String host, String status) {
        health.set(host, status);
        beaten();
    }

    /** What is only in memory has changed. */
    private void moved() {
        supervisor.written(Set.of());
    }

    private void beaten() {
        supervisor.written(Set.of("host_health"));
    }

    public DemoControls controls() {
        return controls;
    }

    public List<Agent> agents() {
        return List.copyOf(agents);
    }

    /** The id of a host by its place. */
    public String host(int i) {
        return hosts.get(i).id();
    }

    public String hostName(int i) {
        return hosts.get(i).name();
    }

    /** The newest session of an agent. */
    public SessionKey sessionOf(Agent agent) {
        var filter =
                new SessionPageStore.Filter(
                        Optional.empty(), Optional.of(agent.id().value()), false);
        return new SessionPageStore(database)
                .newest(LOCAL, filter, Optional.empty(), 1).stream()
                        .map(row -> row.session().key())
                        .findFirst()
                        .orElseThrow();
    }

    public String newestMail() {
        return new MailPageStore(database)
                .newest(LOCAL, MailPageStore.Filter.ALL, Optional.empty(), 4)
                .getLast()
                .message()
                .id();
    }

    /** An active node, as host and name. */
    public String firstNode() {
        return nodes.all(LOCAL).stream()
                .filter(node -> node.status().equals("active"))
                .map(node -> node.hostId() + "/" + node.id())
                .findFirst()
                .orElseThrow();
    }

    public String failedJob() {
        return job(RunStatus.FAILED);
    }

    public String runningJob() {
        return job(RunStatus.RUNNING);
    }

    private String job(RunStatus status) {
        return demoJobs.newest(status, 1).getFirst().id();
    }

    /** Lines in an agent's log, as if it worked. */
    public void say(Agent agent, SessionKey session, List<DemoTurn.Said> said) {
        rows.say(agent.host().value(), session, said);
    }

    /** A call to a model that costs micro-dollars. */
    public void spend(Agent agent, long micros) {
        rows.spend(agent.host().value(), sessionOf(agent), micros);
    }

    /** An agent's file is edited on its host. */
    public void configure(Agent agent, String config) {
        rows.configure(agent, config);
    }

    /** An agent cannot go on. */
    public void fail(Agent agent, String why) {
        rows.fail(agent, why);
    }

    /** Operators call a host something else. */
    public void rename(String host, String name) {
        health.rename(host, name);
        beaten();
    }

    /** A message from one agent to another. */
    public void mail(Agent from, Agent to, String subject, String body) {
        rows.mail(from, List.of(to), subject, body, clock.instant(), false);
    }

    @Override
    public void close() {
        supervisor.close();
        tableChangeNotifier.close();
        consoles.close();
        listener.close();
        database.close();
    }
}
