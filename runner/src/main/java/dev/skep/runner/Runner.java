package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.agents.Notification;
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
import dev.skep.runner.agent.AgentFolder;
import dev.skep.runner.approval.ApprovalService;
import dev.skep.runner.files.ImageStore;
import dev.skep.runner.hold.AgentHolds;
import dev.skep.runner.hold.FirstWords;
import dev.skep.runner.loop.AgentDependencies;
import dev.skep.runner.loop.AgentListener;
import dev.skep.runner.loop.LoopControls;
import dev.skep.runner.mail.UnreadMail;
import dev.skep.runner.runtime.RuntimeInventory;
import dev.skep.shell.Shells;
import dev.skep.shell.redact.Redactor;
import dev.skep.store.Database;
import dev.skep.store.clock.MachineClock;
import dev.skep.sync.link.HealListener;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the agents of this host. Thread-safe. */
public final class Runner implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(Runner.class);
    private static final Duration CLOSING = Duration.ofSeconds(4);
    private static final Duration RESTARTING = Duration.ofMinutes(2);

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
    private final Redactor redactor;
    private final HostSecrets secrets;
    private final ForeignAgents foreign;
    private final AgentFolder folder;
    private final RuntimeInventory runtimes;
    private final AgentRegistrar registrar;
    private final KnownAgents known;
    private final ApprovalService approvalService;
    private final CommandDecisions decisions;
    private final HostLeases leases;
    private final AgentChecks checks;
    private final AgentFileEditor files;
    private final AgentWorkspaces workspaces;
    private final ManagedAgents managed;
    private final AgentStarter starter;
    private final DueStarts due;
    private final HealGate heals;
    private final HeldAgents held;
    private final UnreadMail unread;
    private final MailNotifier mailNotifier;
    private final OwnershipListener ownership;
    private final AgentMerger agentMerger;
    private final LostDatabaseRecovery lostDatabaseRecovery;
    private final Map<AgentId, RunningAgent> running = new ConcurrentHashMap<>();
    private volatile boolean closing;

    public Runner(RunnerConfig config, Parts parts) {
        this.parts = parts;
        this.stores =
                RunnerStores.over(
                        parts.database(), parts.host().ownRowWriter(), parts.ids(), parts.clock());
        this.redactor = new Redactor(SecretVariables.in(config.environment()));
        this.secrets = new HostSecrets(config.dataDir(), parts.host(), redactor);
        this.foreign =
                new ForeignAgents(parts.database(), parts.host(), config.dataDir(), parts.clock());
        AgentFileInterpreter agentFileInterpreter =
                new AgentFileInterpreter(config, parts.host(), foreign, redactor, secrets);
        this.folder = new AgentFolder(config.agentsFolder());
        this.runtimes =
                new RuntimeInventory(
                        config.dataDir(), config.searchPath(), parts.shells().programs());
        this.registrar =
                new AgentRegistrar(stores, parts.host(), parts.ids(), parts.clock(), redactor);
        this.known = new KnownAgents(folder, registrar, agentFileInterpreter);
        this.checks = new AgentChecks(folder, registrar, runtimes, config.totalLimit() != null);
        this.files =
                new AgentFileEditor(
                        new AgentFileEditor.Parts(
                                stores,
                                parts.host(),
                                parts.ids(),
                                folder,
                                foreign,
                                new AgentTextChecks(
                                        folder, checks, agentFileInterpreter, redactor, stores),
                                redactor,
                                new FilesInUse()));
        this.approvalService =
                new ApprovalService(stores.approvals(), parts.clock(), config.approvalTimeout());
        this.decisions = new CommandDecisions(this, folder);
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
        this.unread = new UnreadMail(stores.mailboxes(), parts.host().id(), heals);
        parts.shells().programs().endLeftovers(config.toolsFolder());
        this.workspaces = AgentWorkspaces.of(config, parts, redactor, known, agentFileInterpreter);
        AgentDependencies dependencies =
                AgentEnvironment.tools(
                        this,
                        parts,
                        stores,
                        unread,
                        redactor,
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
                                redactor,
                                budget,
                                registrar::operatorMailbox));
        this.starter =
                new AgentStarter(
                        parts,
                        dependencies,
                        foreign,
                        agentFileInterpreter,
                        budget,
                        managed.starter(dependencies, agentFileInterpreter, budget, workspaces),
                        workspaces);
        this.mailNotifier =
                new MailNotifier(
                        parts.database(),
                        unread,
                        heals::lookAgainIn,
                        stores.reunions(),
                        this::mailCame);
        this.ownership =
                new OwnershipListener(
                        this,
                        parts.database(),
                        stores.agents(),
                        foreign,
                        parts.host(),
                        folder.root(),
                        new NameConflictReporter(
                                stores.agents(), stores.reunions(), parts.watcher()));
        this.agentMerger = new AgentMerger(this, parts.host(), stores, folder);
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
        return AgentService.running(
                this,
                parts.host(),
                folder,
                registrar,
                parts.ids(),
                foreign,
                redactor,
                checks,
                runtimes);
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
        Thread.ofVirtual().name("held-agents").start(this::startHeld);
    }

    private synchronized void startHeld() {
        if (waitsFor().isEmpty() && !closing) {
            Map<AgentId, DueStarts.Held> taken = due.takeHeld(id -> !running.containsKey(id));
            known.all().stream()
                    .filter(each -> taken.containsKey(each.agent().id()) && due.withRunner(each))
                    .forEach(each -> startHeld(each, taken));
        }
    }

    private void startHeld(AgentRegistrar.Registered each, Map<AgentId, DueStarts.Held> taken) {
        DueStarts.Held was = taken.get(each.agent().id());
        if (was != null) {
            startDue(each, was.paused());
            RunningAgent started = running.get(each.agent().id());
            if (started != null) {
                was.said().forEach(started.controls()::say);
            }
        }
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
        Set<AgentId> paused =
                stores.notifications().all(principal()).stream()
                        .filter(n -> n.status() == AgentStatus.PAUSED)
                        .map(Notification::agent)
                        .collect(Collectors.toSet());
        for (AgentRegistrar.Registered each : known.all()) {
            if (due.withRunner(each)) {
                startDue(each, paused.contains(each.agent().id()));
            }
        }
        mailNotifier.start();
        ownership.start();
    }

    /** Starts a known agent if a start of this runner would. */
    void startIfDue(String username) {
        known.named(username).filter(due::withRunner).ifPresent(each -> startDue(each, false));
    }

    private synchronized void startDue(AgentRegistrar.Registered each, boolean paused) {
        if (running.containsKey(each.agent().id())) {
            return;
        }
        if (heals.waitsFor().or(held::waitsFor).isPresent()) {
            held.startsLater(each, paused);
        } else if (launch(each, null, paused) instanceof ActionResult.Refused(var why)) {
            LOG.warn("agent={} not started: {}", each.agent().username(), why);
        }
    }

    List<RunningAgent> atWork() {
        return List.copyOf(running.values());
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
        RunningAgent agent = running.get(id);
        return agent == null ? AgentStatus.STOPPED : agent.status();
    }

    /** Starts an agent; a task is its first message. */
    public ActionResult start(String username, @Nullable String task) {
        held.firstWords().await();
        return startWith(username, task == null ? null : new LoopControls.Said(task, false));
    }

    synchronized ActionResult startWith(String username, LoopControls.@Nullable Said task) {
        return known.named(username)
                .map(found -> launch(found, task, false))
                .orElseGet(
                        () ->
                                new ActionResult.Refused(
                                        waitsFor()
                                                .orElse(
                                                        "there is no agent '%s' on this host; 'skep agents' lists them"
                                                                .formatted(username))));
    }

    /**
     * Ends what an agent does and lets it continue with its file as it is now; one that is not at
     * work stays so.
     *
     * @return whether it is at work
     */
    boolean restart(String username) {
        Optional<RunningAgent> was = running(username);
        was.ifPresent(
                agent -> {
                    boolean paused = agent.status() == AgentStatus.PAUSED;
                    // Without a reason: its session stays open, also if this process ends now.
                    agent.controls().stop(null);
                    Thread.ofVirtual()
                            .name("restart-" + username)
                            .start(() -> startAfter(agent, paused));
                });
        return was.isPresent();
    }

    private void startAfter(RunningAgent before, boolean paused) {
        String username = before.registered().agent().username();
        if (!before.joined(RESTARTING)) {
            LOG.warn("agent={} did not stop in time and is not started again", username);
        } else if (!closing) {
            known.named(username).ifPresent(each -> startDue(each, paused));
        }
    }

    private synchronized ActionResult launch(
            AgentRegistrar.Registered found, LoopControls.@Nullable Said task, boolean paused) {
        Agent agent = found.agent();
        Optional<String> waitsFor = waitsFor();
        if (waitsFor.isPresent()) {
            return new ActionResult.Refused(waitsFor.get());
        }
        if (!isLive(agent)) {
            return new ActionResult.Refused(
                    "%s was removed; 'skep agents restore %s' brings it back"
                            .formatted(agent.username(), agent.username()));
        }
        if (closing || running.containsKey(agent.id()) || agentMerger.isLeaving(agent.id())) {
            return new ActionResult.Refused("%s is running already".formatted(agent.username()));
        }
        return switch (starter.made(found, known.names(), task, paused, this::over)) {
            case AgentStarter.Made.Refused(var why) -> failed(agent, why);
            case AgentStarter.Made.Ready(var runs) -> {
                running.put(agent.id(), runs);
                runs.thread().start();
                yield new ActionResult.Done("%s is started".formatted(agent.username()));
            }
        };
    }

    /** Mail that came as the loop ended must not wait for the next one. */
    private void over(AgentId id, LoopControls controls) {
        running.remove(id);
        if (!closing && held.isSetAside(id, controls)) {
            // All may have been let go while it ended.
            eased();
            return;
        }
        if (!closing && controls.hasUnseenMail()) {
            unread.announceAgain(id);
            mailNotifier.lookAgain();
        }
    }

    /** The current row: the agent may have been removed or taken over since. */
    private boolean isLive(Agent agent) {
        return stores.agents()
                .byId(principal(), agent.id())
                .filter(row -> row.isLive() && row.host().equals(parts.host().id()))
                .isPresent();
    }

    private ActionResult failed(Agent agent, String why) {
        stores.notifications()
                .add(
                        new Notification(
                                agent.id(),
                                null,
                                null,
                                null,
                                AgentStatus.FAILED,
                                null,
                                redactor.redact(why)));
        parts.watcher().changed(agent, AgentStatus.FAILED, why);
        return new ActionResult.Refused(why);
    }

    /** The running agent of that name, to pause, resume, cancel, stop or talk to. */
    public Optional<LoopControls> controls(String username) {
        return running(username).map(RunningAgent::controls);
    }

    Optional<RunningAgent> running(String username) {
        return known.named(username).map(found -> running.get(found.agent().id()));
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
        return redactor;
    }

    /** Secrets that hubs sealed for this host. */
    public HostSecrets secrets() {
        return secrets;
    }

    void lookForMail() {
        mailNotifier.lookAgain();
    }

    private void mailCame(AgentId id) {
        RunningAgent agent = running.get(id);
        if (agent != null) {
            agent.controls().mailArrived();
            return;
        }
        known.all().stream()
                .filter(found -> found.agent().id().equals(id) && due.withMail(found))
                .forEach(this::wake);
    }

    /** One that may not start now hears of it when it may. */
    private void wake(AgentRegistrar.Registered found) {
        if (held.waitsFor().isPresent()) {
            unread.announceAgain(found.agent().id());
        } else {
            launch(found, null, false);
        }
    }

    /** Leaves every session open, so that the next start continues it. */
    @Override
    public void close() {
        closing = true;
        held.close();
        lostDatabaseRecovery.close();
        ownership.close();
        mailNotifier.close();
        List<RunningAgent> all = List.copyOf(running.values());
        all.forEach(agent -> agent.controls().stop(null));
        long end = System.nanoTime() + CLOSING.toNanos();
        for (RunningAgent agent : all) {
            if (!agent.joined(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
                LOG.warn("agent={} did not stop in time", agent.registered().agent().username());
            }
        }
        managed.close();
    }
}
