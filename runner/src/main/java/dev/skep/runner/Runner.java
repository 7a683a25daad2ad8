package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.agents.session.RunSession;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.models.Models;
import dev.skep.models.money.Budget;
import dev.skep.models.money.OpenCallStore;
import dev.skep.models.money.lease.HostLeases;
import dev.skep.models.provider.ModelRoutes;
import dev.skep.models.yaml.YamlProblem;
import dev.skep.runner.approval.ApprovalService;
import dev.skep.runner.files.ImageStore;
import dev.skep.runner.hold.AgentHolds;
import dev.skep.runner.hold.FirstWords;
import dev.skep.runner.loop.AgentDependencies;
import dev.skep.runner.loop.AgentListener;
import dev.skep.runner.loop.LoopControls;
import dev.skep.runner.mail.UnreadMail;
import dev.skep.shell.Shells;
import dev.skep.shell.redact.Redactor;
import dev.skep.store.Database;
import dev.skep.store.clock.MachineClock;
import dev.skep.sync.link.HealListener;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Runs the agents of this host. Thread-safe. */
public final class Runner implements Component {
    /**
     * What a runner is made of.
     *
     * @param routes where the models of other runtimes than our own loop answer
     * @param version ours, as those runtimes are told it
     */
    public record Parts(
            Database database,
            LocalHost host,
            UlidSource ids,
            InstantSource clock,
            RandomGenerator random,
            EventBus events,
            Models models,
            Shells shells,
            AgentListener watcher,
            ModelRoutes routes,
            String version) {
        /** The same where no model of another runtime is known. */
        public Parts(
                Database database,
                LocalHost host,
                UlidSource ids,
                InstantSource clock,
                RandomGenerator random,
                EventBus events,
                Models models,
                Shells shells,
                AgentListener watcher) {
            this(
                    database,
                    host,
                    ids,
                    clock,
                    random,
                    events,
                    models,
                    shells,
                    watcher,
                    (_, _) -> new ModelRoutes.Route.Unknown(),
                    "");
        }
    }

    private final Parts parts;
    private final RunnerStores stores;
    private final OwnAgentFiles own;
    private final KnownAgents known;
    private final ApprovalService approvalService;
    private final CommandDecisions decisions;
    private final HostLeases leases;
    private final AgentFileEditor files;
    private final AgentWorkspaces workspaces;
    private final ManagedAgents managed;
    private final DueStarts due;
    private final HealGate heals;
    private final HeldAgents held;
    private final MailNotifier mailNotifier;
    private final OwnershipListener ownership;
    private final LostDatabaseRecovery lostDatabaseRecovery;
    private final AgentsAtWork atWork;

    public Runner(RunnerConfig config, Parts parts) {
        this.parts = parts;
        this.stores =
                RunnerStores.over(
                        parts.database(), parts.host().ownRowWriter(), parts.ids(), parts.clock());
        this.own =
                OwnAgentFiles.of(
                        config,
                        parts.database(),
                        stores,
                        parts.host(),
                        parts.ids(),
                        parts.clock(),
                        parts.shells().programs());
        this.known = new KnownAgents(own.folder(), own.registrar(), own.interpreter());
        this.files = own.editor(new FilesInUse());
        this.approvalService =
                new ApprovalService(stores.approvals(), parts.clock(), config.approvalTimeout());
        this.decisions = new CommandDecisions(this, own.folder());
        OpenCallStore openCalls = new OpenCallStore(parts.database());
        openCalls.settleInterrupted(parts.host().principal(), stores.costs());
        this.leases =
                HostLeases.open(parts.database(), parts.ids(), MachineClock.open(parts.clock()));
        Budget budget = new Budget(stores.costs(), parts.clock(), config.totalLimit(), leases);
        this.due = new DueStarts(stores.sessions(), parts.host().principal());
        this.held = new HeldAgents(this, stores, parts.host(), parts.ids(), parts.clock(), due);
        this.heals =
                new HealGate(
                        parts.host(),
                        parts.watcher(),
                        System::nanoTime,
                        this::hubAnswered,
                        this::eased);
        UnreadMail unread = new UnreadMail(stores.mailboxes(), parts.host().id(), heals);
        parts.shells().programs().endLeftovers(config.toolsFolder());
        this.workspaces =
                AgentWorkspaces.of(config, parts, own.redactor(), known, own.interpreter());
        AgentDependencies dependencies =
                AgentEnvironment.tools(
                        this,
                        parts,
                        stores,
                        unread,
                        own.redactor(),
                        budget,
                        openCalls,
                        approvalService,
                        new ImageStore(config.imagesFolder()));
        this.managed =
                new ManagedAgents(
                        config,
                        parts,
                        dependencies,
                        new RunnerAgentDirectory(this, stores),
                        AgentEnvironment.toolsForRuntimes(
                                this,
                                parts,
                                stores,
                                unread,
                                own.redactor(),
                                budget,
                                own.registrar()::operatorMailbox));
        AgentStarter starter =
                new AgentStarter(
                        parts,
                        dependencies,
                        own.foreign(),
                        own.interpreter(),
                        budget,
                        managed.starter(dependencies, own.interpreter(), budget, workspaces),
                        workspaces);
        AgentMerger agentMerger = new AgentMerger(this, parts.host(), stores, own.folder());
        this.atWork =
                new AgentsAtWork(
                        this,
                        new AgentsAtWork.Parts(
                                parts, own, known, due, held, heals, unread, starter, agentMerger));
        this.mailNotifier =
                new MailNotifier(
                        parts.database(),
                        unread,
                        heals::lookAgainIn,
                        stores.reunions(),
                        atWork::mailCame);
        this.ownership =
                new OwnershipListener(
                        this,
                        parts.database(),
                        stores.agents(),
                        own.foreign(),
                        parts.host(),
                        own.folder().root(),
                        new NameConflictReporter(
                                stores.agents(), stores.reunions(), parts.watcher()));
        this.lostDatabaseRecovery =
                new LostDatabaseRecovery(
                        parts.host(),
                        parts.events(),
                        parts.watcher(),
                        config.waitForHubs(),
                        new LostDatabaseRecovery.RecoveryActions(
                                agentMerger::isComplete,
                                agentMerger::isUnsettled,
                                this::begin,
                                agentMerger::merge));
    }

    public RunnerStores stores() {
        return stores;
    }

    /** What this host may spend of its hubs' budgets. */
    public HostLeases leases() {
        return leases;
    }

    public ApprovalService approvalService() {
        return approvalService;
    }

    /** Where agents work, and what they changed there. */
    public AgentWorkspaces workspaces() {
        return workspaces;
    }

    /** One for all who decide: it changes agents' files. */
    CommandDecisions decisions() {
        return decisions;
    }

    /** The operators' actions on agents. */
    public AgentService agentService() {
        return AgentService.running(this, own);
    }

    /** Changes agents' files, one for all who do. */
    AgentFileEditor files() {
        return files;
    }

    /** A file is not read while it is changed. */
    private final class FilesInUse implements AgentFileEditor.Files {
        @Override
        public void read() {
            reload();
        }

        @Override
        public <T> T exclusively(Supplier<T> use) {
            synchronized (Runner.this) {
                return use.get();
            }
        }
    }

    Principal principal() {
        return parts.host().principal();
    }

    /** What is wrong with agents' files, as found when they were last read. */
    public List<YamlProblem> problems() {
        return known.problems();
    }

    /** What keeps the agents of this host from starting, in words; empty if nothing does. */
    public Optional<String> waitsFor() {
        return waitsForLong().or(held.firstWords()::waitsFor);
    }

    /** The same without what is over in a moment. */
    public Optional<String> waitsForLong() {
        return lostDatabaseRecovery.waitsFor().or(heals::waitsFor).or(held.holds()::why);
    }

    /** The listener for what hubs give back. */
    public HealListener heals() {
        return heals;
    }

    /** A hub that lost agents were awaited from has given back what it had. */
    private void hubAnswered() {
        lostDatabaseRecovery.answered();
    }

    /** Mail that had to wait may be announced, or agents may start; on a link's thread. */
    void eased() {
        mailNotifier.lookAgain();
        Thread.ofVirtual().name("held-agents").start(atWork::startHeld);
    }

    /** What holds all agents of this host. */
    public AgentHolds holds() {
        return held.holds();
    }

    /** What its hubs have said since this runner began. */
    public FirstWords firstWords() {
        return held.firstWords();
    }

    HeldAgents heldAgents() {
        return held;
    }

    @Override
    public void start() {
        held.start(this::eased);
        lostDatabaseRecovery.start();
    }

    private void begin() {
        stores.reunions().completeAll();
        managed.endLeftovers();
        reload();
        atWork.startAllDue();
        mailNotifier.start();
        ownership.start();
    }

    AgentsAtWork atWork() {
        return atWork;
    }

    /** Reads the agents' files again; running agents keep what they started with. */
    public synchronized void reload() {
        known.read();
    }

    /** Reads the models' file again, likewise; what is wrong with it. */
    List<YamlProblem> rereadModels() {
        return parts.models().reread();
    }

    /** The agents whose files could be read, by name. */
    public List<Agent> agents() {
        return known.all().stream()
                .map(AgentRegistrar.Registered::agent)
                .sorted((a, b) -> a.username().compareTo(b.username()))
                .toList();
    }

    public AgentStatus status(AgentId id) {
        return atWork.with(id).map(RunningAgent::status).orElse(AgentStatus.STOPPED);
    }

    /** Starts an agent; a task is its first message. */
    public ActionResult start(String username, @Nullable String task) {
        held.firstWords().await();
        return atWork.start(username, task == null ? null : new LoopControls.Said(task, false));
    }

    /** The running agent of that name, to pause, resume, cancel, stop or talk to. */
    public Optional<LoopControls> controls(String username) {
        return atWork.named(username).map(RunningAgent::controls);
    }

    Optional<RunSession> lastSession(String username) {
        return known.named(username)
                .flatMap(found -> stores.sessions().latest(principal(), found.agent().id()));
    }

    /** Whether a port is open for agents of other runtimes; only once one of them has started. */
    public boolean isServingOnLoopback() {
        return managed.access().isOpen();
    }

    /** Takes this runner's secrets out of what leaves it. */
    public Redactor redactor() {
        return own.redactor();
    }

    /** Secrets that hubs sealed for this host. */
    public HostSecrets secrets() {
        return own.secrets();
    }

    void lookForMail() {
        mailNotifier.lookAgain();
    }

    /** Leaves every session open, so that the next start continues it. */
    @Override
    public void close() {
        atWork.startNoMore();
        held.close();
        lostDatabaseRecovery.close();
        ownership.close();
        mailNotifier.close();
        atWork.close();
        managed.close();
    }
}
