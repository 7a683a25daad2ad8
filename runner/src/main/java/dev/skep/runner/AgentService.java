package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.agents.Notification;
import dev.skep.agents.mail.MailDraft;
import dev.skep.agents.mail.SendResult;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.models.yaml.YamlProblem;
import dev.skep.runner.agent.NewAgent;
import dev.skep.runner.approval.Approval;
import dev.skep.runner.approval.ApprovalChoice;
import dev.skep.runner.approval.Decider;
import dev.skep.runner.hold.AgentHold;
import dev.skep.runner.loop.LoopControls;
import dev.skep.runner.runtime.RuntimeInventory;
import dev.skep.store.Database;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What people do to agents: the terminal, the command line and the UI all use it. Without a running
 * runner it works on the stores alone; actions that need one are refused.
 */
public final class AgentService {
    private static final Duration STOPPING = Duration.ofSeconds(5);

    private final OwnAgentFiles own;
    private final RunnerStores stores;
    private final @Nullable Runner runner;
    private final @Nullable CommandDecisions decisions;
    private final AgentFileEditor files;
    private final AgentNaming naming;

    private AgentService(OwnAgentFiles own, @Nullable Runner runner, AgentFileEditor files) {
        this.own = own;
        this.stores = own.stores();
        this.runner = runner;
        this.decisions = runner == null ? null : runner.decisions();
        this.files = files;
        this.naming = new AgentNaming(own, files);
    }

    /** Over a stopped runner's database. */
    public static AgentService stopped(
            RunnerConfig config,
            Database database,
            RunnerStores stores,
            LocalHost host,
            UlidSource ids,
            InstantSource clock) {
        OwnAgentFiles own = OwnAgentFiles.of(config, database, stores, host, ids, clock, null);
        return new AgentService(own, null, own.soleEditor());
    }

    static AgentService running(Runner runner, OwnAgentFiles own) {
        return new AgentService(own, runner, runner.files());
    }

    public RunnerStores stores() {
        return stores;
    }

    /** The programs that agents of this host can think with. */
    public RuntimeInventory runtimes() {
        return own.runtimes();
    }

    /** What is wrong with the agents' files as they are now. */
    public List<YamlProblem> problems() {
        return own.checks().all();
    }

    /** Changes agents' files, and has their versions. */
    public AgentFileEditor files() {
        return files;
    }

    /** What an agent is doing; one of this host does nothing while no runner runs. */
    public Map<AgentId, AgentStatus> statuses(Principal who) {
        Map<AgentId, AgentStatus> statuses = new HashMap<>();
        for (Notification each : stores.notifications().all(who)) {
            statuses.put(each.agent(), each.status());
        }
        for (Agent agent : stores.agents().onThisHost()) {
            if (runner == null || runner.status(agent.id()) != AgentStatus.STOPPED) {
                statuses.put(
                        agent.id(),
                        runner == null ? AgentStatus.STOPPED : runner.status(agent.id()));
            }
        }
        return statuses;
    }

    /** What keeps an agent of this host from starting, and mail from waking it; null if nothing. */
    public @Nullable String waitsFor(Agent agent) {
        return runner != null && agent.host().equals(own.host().id())
                ? runner.waitsFor().orElse(null)
                : null;
    }

    public ActionResult create(NewAgent wanted, ChangeOrigin origin) {
        ActionResult made = naming.create(wanted, origin);
        if (made instanceof ActionResult.Refused) {
            return made;
        }
        readAgain();
        if (runner == null) {
            return made;
        }
        // Made is made, even if it cannot start before it has its key.
        ActionResult started = runner.start(wanted.username(), null);
        return new ActionResult.Done(made.message() + "; " + started.message());
    }

    /** Reads the agents' files and that of the models again. */
    public ActionResult reload() {
        if (runner == null) {
            return notRunning();
        }
        List<YamlProblem> models = runner.rereadModels();
        runner.reload();
        int agents = runner.agents().size();
        StringBuilder said = new StringBuilder(agents == 1 ? "1 agent" : agents + " agents");
        if (!problems().isEmpty()) {
            said.append("; not all files can be used, 'skep agents check' says why");
        }
        if (!models.isEmpty()) {
            said.append("; the models stay as they were: ").append(models.getFirst());
        }
        return new ActionResult.Done(said.toString());
    }

    /** Marks an agent removed and stops it; its file and history stay. */
    public ActionResult remove(String username) {
        Optional<Agent> agent = own.agent(username);
        if (agent.isEmpty()) {
            return own.unknown(username);
        }
        if (runner != null) {
            runner.controls(username).ifPresent(controls -> controls.stop("removed"));
        }
        return stores.agents().setRemoved(agent.get().id(), true)
                ? new ActionResult.Done("%s is removed; its history stays".formatted(username))
                : new ActionResult.Refused("%s is removed already".formatted(username));
    }

    /** Where agents work; only a running runner can look there. */
    public AgentWorkspaces workspaces() {
        if (runner == null) {
            throw new SkepException(ErrorCode.CONFLICT, notRunning().message());
        }
        return runner.workspaces();
    }

    /**
     * The same, and deletes its workspace once it is not at work.
     *
     * @param discard also a workspace with work that its repository has not, and of an agent that
     *     was removed before
     */
    public ActionResult remove(String username, boolean discard) throws InterruptedException {
        ActionResult removed = remove(username);
        if (runner == null || (removed instanceof ActionResult.Refused && !discard)) {
            return removed;
        }
        Optional<RunningAgent> running = runner.atWork().named(username);
        if (running.isPresent() && !running.get().joined(STOPPING)) {
            return new ActionResult.Done(
                    removed.message() + "; it still stops, and its workspace stays");
        }
        return runner.workspaces()
                .remove(username, discard)
                .<ActionResult>map(
                        too -> new ActionResult.Done(removed.message() + "; " + too.message()))
                .orElse(removed);
    }

    public ActionResult restore(String username) {
        Optional<Agent> agent = own.agent(username);
        if (agent.isEmpty()) {
            return own.unknown(username);
        }
        if (!stores.agents().setRemoved(agent.get().id(), false)) {
            return new ActionResult.Refused("%s is not removed".formatted(username));
        }
        if (runner != null) {
            runner.reload();
        }
        return new ActionResult.Done("%s is restored".formatted(username));
    }

    /**
     * The owner of this host vouches for an agent that came from elsewhere: from now on its file
     * may do what one may that was written here.
     */
    public ActionResult makeOwn(String username) {
        Optional<Agent> agent = own.agent(username);
        if (agent.isEmpty()) {
            return own.unknown(username);
        }
        return own.foreign().makeOwn(agent.get())
                ? new ActionResult.Done("%s is this host's own now".formatted(username))
                : new ActionResult.Refused("%s is this host's own already".formatted(username));
    }

    /** Gives an agent another name; its mail and history stay its own. */
    public ActionResult rename(String username, String name, ChangeOrigin origin) {
        return naming.rename(username, name, origin, this::readAgain);
    }

    private void readAgain() {
        if (runner == null) {
            own.register();
        } else {
            runner.reload();
        }
    }

    public ActionResult start(String username, @Nullable String task) {
        return runner == null ? notRunning() : runner.start(username, task);
    }

    /** Starts an agent if a start of its runner would. */
    public void startIfDue(String username) {
        if (runner != null) {
            runner.atWork().startIfDue(username);
        }
    }

    /** Lets an agent at work begin anew with its file as it is; false if it is not at work. */
    public boolean restart(String username) {
        return runner != null && runner.atWork().restart(username);
    }

    public ActionResult stop(Principal who, String username) {
        String reason = "stopped by " + who.label();
        return control(
                username,
                "is stopped",
                c -> c.stop(reason),
                (held, agent) -> held.stop(agent, reason));
    }

    public ActionResult pause(String username) {
        return control(username, "is paused", LoopControls::pause, HeldAgents::pause);
    }

    public ActionResult resume(String username) {
        Optional<String> held = runner == null ? Optional.empty() : runner.holds().why();
        return held.isPresent()
                ? new ActionResult.Refused(held.get())
                : control(username, "goes on", LoopControls::resume, (_, _) -> false);
    }

    public ActionResult cancel(String username) {
        return control(
                username, "gives up its turn and pauses", LoopControls::cancel, HeldAgents::pause);
    }

    public ActionResult talk(String username, String text) {
        return control(
                username, "hears it", c -> c.talk(text), (held, agent) -> held.talk(agent, text));
    }

    /**
     * Does something with an agent that runs, or would run were not all of them held.
     *
     * @param toHeld the same for one whose run has ended because of that; false if it has not
     */
    private ActionResult control(
            String username,
            String done,
            Consumer<LoopControls> deed,
            BiPredicate<HeldAgents, Agent> toHeld) {
        if (runner == null) {
            return notRunning();
        }
        Optional<LoopControls> controls = runner.controls(username);
        controls.ifPresent(deed);
        Optional<Agent> agent = own.agent(username);
        if (controls.isPresent()
                || agent.filter(each -> toHeld.test(runner.heldAgents(), each)).isPresent()) {
            return new ActionResult.Done(username + " " + done);
        }
        return agent.isEmpty()
                ? own.unknown(username)
                : new ActionResult.Refused("%s is not running; start it first".formatted(username));
    }

    /** What holds all agents of this host now. */
    public List<AgentHold> holds() {
        return runner == null
                ? stores.holds().all(own.host().principal()).stream()
                        .filter(hold -> !hold.lifted())
                        .toList()
                : runner.holds().inForce();
    }

    /** Has all agents of this host stand still until somebody lifts that here. */
    public ActionResult stopAll(Actor actor, String by, String reason) {
        if (runner == null) {
            return notRunning();
        }
        int agents = runner.heldAgents().count();
        runner.holds().holdHere(actor, by, own.redactor().redact(reason));
        return new ActionResult.Done(
                agents == 1 ? "1 agent stands still" : agents + " agents stand still");
    }

    /** Lifts whatever holds all agents of this host, whoever wanted it. */
    public ActionResult liftAll(Actor actor) {
        int lifted =
                runner == null
                        ? stores.holds().liftAll(actor, own.host().principal())
                        : runner.holds().liftAll(actor);
        return lifted == 0
                ? new ActionResult.Refused("nothing stops all agents of this host")
                : new ActionResult.Done("the agents of this host go on as they were");
    }

    /**
     * Decides about a command that waits.
     *
     * @param reason why it is denied, told to the agent
     */
    public ActionResult decide(
            Decider who, ApprovalId id, ApprovalChoice choice, @Nullable String reason) {
        if (decisions == null) {
            return notRunning();
        }
        return decisions.decide(who, id, choice, reason);
    }

    /** The full ids of commands that wait. */
    public List<String> waiting(Principal who) {
        return stores.approvals().pending(who).stream().map(Approval::id).toList();
    }

    /** Sends mail from this machine's operator. */
    public ActionResult mail(Principal who, List<String> to, String subject, String body) {
        MailDraft draft =
                MailDraft.to(
                        own.registrar().operatorMailbox().id(),
                        to,
                        own.redactor().redact(subject),
                        own.redactor().redact(body));
        return switch (stores.mail().send(who, draft)) {
            case SendResult.Sent(var id, _) ->
                    new ActionResult.Done("sent %s to %s".formatted(id, String.join(", ", to)));
            case SendResult.Refused(var problems) ->
                    new ActionResult.Refused(
                            "nothing was sent: %s; 'skep agents' lists who can be mailed"
                                    .formatted(String.join("; ", problems)));
        };
    }

    private static ActionResult notRunning() {
        return new ActionResult.Refused("no runner is running here; start it with 'skep run'");
    }
}
