package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.agents.Notification;
import dev.skep.agents.mail.MailDraft;
import dev.skep.agents.mail.SendResult;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.runner.agent.AgentFolder;
import dev.skep.runner.agent.AgentSource;
import dev.skep.runner.agent.LiteralSecrets;
import dev.skep.runner.agent.NewAgent;
import dev.skep.runner.agent.NewName;
import dev.skep.runner.agent.StartFolder;
import dev.skep.runner.approval.Approval;
import dev.skep.runner.approval.Decider;
import dev.skep.runner.loop.Controls;
import dev.skep.runner.model.ModelCard;
import dev.skep.runner.model.table.ModelTable;
import dev.skep.runner.redact.Redactor;
import dev.skep.runner.yaml.YamlProblem;
import dev.skep.store.Database;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What people do to agents: the terminal, the command line and the UI all come here. It works on
 * the stores alone where no runner runs; what needs one then says so.
 */
public final class Desk {
    private final Stores stores;
    private final LocalHost host;
    private final AgentFolder folder;
    private final AgentRegistrar registrar;
    private final ForeignAgents foreign;
    private final Redactor redactor;
    private final @Nullable Runner runner;
    private final boolean limited;

    private Desk(
            Stores stores,
            LocalHost host,
            AgentFolder folder,
            AgentRegistrar registrar,
            ForeignAgents foreign,
            Redactor redactor,
            @Nullable Runner runner,
            boolean limited) {
        this.stores = stores;
        this.host = host;
        this.folder = folder;
        this.registrar = registrar;
        this.foreign = foreign;
        this.redactor = redactor;
        this.runner = runner;
        this.limited = limited;
    }

    /** Over a stopped runner's database. */
    public static Desk stopped(
            RunnerConfig config,
            Database database,
            Stores stores,
            LocalHost host,
            UlidSource ids,
            InstantSource clock) {
        Redactor redactor = new Redactor(Secrets.in(config.environment()));
        return new Desk(
                stores,
                host,
                new AgentFolder(config.agentsFolder()),
                new AgentRegistrar(stores.agents(), stores.reunions(), host, ids, clock, redactor),
                new ForeignAgents(database, host, config.dataDir()),
                redactor,
                null,
                config.totalLimit() != null);
    }

    static Desk running(
            Runner runner,
            LocalHost host,
            AgentFolder folder,
            AgentRegistrar registrar,
            ForeignAgents foreign,
            Redactor redactor,
            boolean limited) {
        return new Desk(
                runner.stores(), host, folder, registrar, foreign, redactor, runner, limited);
    }

    public Stores stores() {
        return stores;
    }

    /** What is wrong with the agents' files as they are now. */
    public List<YamlProblem> problems() {
        AgentFolder.Found found = folder.read();
        return Stream.of(
                        found.problems().stream(),
                        registrar.takenAway(found.agents()).stream(),
                        found.agents().stream()
                                .flatMap(source -> LiteralSecrets.of(source).problems().stream()),
                        found.agents().stream().flatMap(this::folderProblem),
                        unpriced(found.agents()))
                .flatMap(each -> each)
                .toList();
    }

    /** Agents with a spend limit whose model costs nobody knows what. */
    private Stream<YamlProblem> unpriced(List<AgentSource> agents) {
        ModelTable models = ModelTable.read(folder.root().resolveSibling("models.yaml"));
        return agents.stream()
                .filter(source -> limited || source.content().limit() != null)
                .flatMap(
                        source ->
                                models
                                        .card(source.content().model())
                                        .flatMap(ModelCard::unpriced)
                                        .map(why -> source.problem("model", why))
                                        .stream());
    }

    /** What a folder that has places to fill in leads to is known when its agent starts. */
    private Stream<YamlProblem> folderProblem(AgentSource source) {
        String written = source.content().folder();
        return written == null || written.contains("${")
                ? Stream.empty()
                : new StartFolder(folder.root().resolveSibling(""))
                        .problem(written).stream().map(why -> source.problem("folder", why));
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
        return runner != null && agent.host().equals(host.id())
                ? runner.waitsFor().orElse(null)
                : null;
    }

    public Outcome create(NewAgent wanted) {
        if (own(wanted.username()).isPresent()) {
            return new Outcome.Refused(
                    "there is an agent '%s' already, removed or not".formatted(wanted.username()));
        }
        Outcome made =
                switch (wanted.writeInto(folder)) {
                    case NewAgent.Written(var file) -> new Outcome.Done("made %s".formatted(file));
                    case NewAgent.Refused(var why) -> new Outcome.Refused(why);
                };
        if (made instanceof Outcome.Refused) {
            return made;
        }
        if (runner == null) {
            registrar.register(folder.read().agents());
            return made;
        }
        runner.reload();
        // Made is made, even if it cannot start before it has its key.
        Outcome started = runner.start(wanted.username(), null);
        return new Outcome.Done(made.message() + "; " + started.message());
    }

    /** Reads the agents' files and that of the models again. */
    public Outcome reload() {
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
        return new Outcome.Done(said.toString());
    }

    /** Marks an agent removed and stops it; its file and history stay. */
    public Outcome remove(String username) {
        Optional<Agent> agent = own(username);
        if (agent.isEmpty()) {
            return unknown(username);
        }
        if (runner != null) {
            runner.controls(username).ifPresent(controls -> controls.stop("removed"));
        }
        return stores.agents().setRemoved(agent.get().id(), true)
                ? new Outcome.Done("%s is removed; its history stays".formatted(username))
                : new Outcome.Refused("%s is removed already".formatted(username));
    }

    public Outcome restore(String username) {
        Optional<Agent> agent = own(username);
        if (agent.isEmpty()) {
            return unknown(username);
        }
        if (!stores.agents().setRemoved(agent.get().id(), false)) {
            return new Outcome.Refused("%s is not removed".formatted(username));
        }
        if (runner != null) {
            runner.reload();
        }
        return new Outcome.Done("%s is restored".formatted(username));
    }

    /**
     * The owner of this host vouches for an agent that came from elsewhere: from now on its file
     * may do what one may that was written here.
     */
    public Outcome makeOwn(String username) {
        Optional<Agent> agent = own(username);
        if (agent.isEmpty()) {
            return unknown(username);
        }
        return foreign.makeOwn(agent.get())
                ? new Outcome.Done("%s is this host's own now".formatted(username))
                : new Outcome.Refused("%s is this host's own already".formatted(username));
    }

    /** Gives an agent another name; its mail and history stay its own. */
    public Outcome rename(String username, String name) {
        Optional<AgentSource> source =
                folder.read().agents().stream()
                        .filter(each -> each.username().equals(username))
                        .findFirst();
        if (source.isEmpty()) {
            return unknown(username);
        }
        if (own(name).isPresent()) {
            return new Outcome.Refused(
                    "there is an agent '%s' already, removed or not".formatted(name));
        }
        Optional<String> problem = new NewName(name).writeInto(source.get());
        if (problem.isPresent()) {
            return new Outcome.Refused(problem.get());
        }
        if (runner == null) {
            registrar.register(folder.read().agents());
        } else {
            runner.reload();
        }
        return new Outcome.Done("%s is now called %s".formatted(username, name));
    }

    public Outcome start(String username, @Nullable String task) {
        return runner == null ? notRunning() : runner.start(username, task);
    }

    public Outcome stop(Principal who, String username) {
        return control(username, "is stopped", c -> c.stop("stopped by " + who.label()));
    }

    public Outcome pause(String username) {
        return control(username, "is paused", Controls::pause);
    }

    public Outcome resume(String username) {
        return control(username, "goes on", Controls::resume);
    }

    public Outcome cancel(String username) {
        return control(username, "gives up its turn and pauses", Controls::cancel);
    }

    public Outcome talk(String username, String text) {
        return control(username, "hears it", c -> c.talk(text));
    }

    private Outcome control(String username, String done, Consumer<Controls> deed) {
        if (runner == null) {
            return notRunning();
        }
        Optional<Controls> controls = runner.controls(username);
        controls.ifPresent(deed);
        if (controls.isPresent()) {
            return new Outcome.Done(username + " " + done);
        }
        return own(username).isEmpty()
                ? unknown(username)
                : new Outcome.Refused("%s is not running; start it first".formatted(username));
    }

    /** Decides about a command that waits. */
    public Outcome decide(Decider who, ApprovalId id, boolean approve) {
        if (runner == null) {
            return notRunning();
        }
        if (runner.approvals().decide(who, id, approve)) {
            return new Outcome.Done(approve ? "approved" : "denied");
        }
        return new Outcome.Refused(
                stores.approvals().find(who.actor().principal(), id.value()).isPresent()
                        ? "somebody decided before you"
                        : "no command waits for approval under '%s'; 'skep approvals' lists them"
                                .formatted(id));
    }

    /** The full ids of commands that wait. */
    public List<String> waiting(Principal who) {
        return stores.approvals().pending(who).stream().map(Approval::id).toList();
    }

    /** Sends mail from this machine's operator. */
    public Outcome mail(Principal who, List<String> to, String subject, String body) {
        MailDraft draft =
                MailDraft.to(
                        registrar.operatorMailbox().id(),
                        to,
                        redactor.redact(subject),
                        redactor.redact(body));
        return switch (stores.mail().send(who, draft)) {
            case SendResult.Sent(var id, _) ->
                    new Outcome.Done("sent %s to %s".formatted(id, String.join(", ", to)));
            case SendResult.Refused(var problems) ->
                    new Outcome.Refused(
                            "nothing was sent: %s; 'skep agents' lists who can be mailed"
                                    .formatted(String.join("; ", problems)));
        };
    }

    private Optional<Agent> own(String username) {
        return stores.agents().onThisHost().stream()
                .filter(agent -> agent.username().equals(username))
                .findFirst();
    }

    private Outcome unknown(String username) {
        return new Outcome.Refused(
                "there is no agent '%s' on %s; 'skep agents' lists them"
                        .formatted(username, host.name()));
    }

    private static Outcome notRunning() {
        return new Outcome.Refused("no runner is running here; start it with 'skep run'");
    }
}
