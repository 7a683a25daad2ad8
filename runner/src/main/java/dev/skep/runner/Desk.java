package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.agents.Notification;
import dev.skep.agents.mail.MailDraft;
import dev.skep.agents.mail.Sending;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.runner.agent.AgentFolder;
import dev.skep.runner.agent.AgentSource;
import dev.skep.runner.agent.NewAgent;
import dev.skep.runner.agent.NewName;
import dev.skep.runner.loop.Controls;
import dev.skep.runner.redact.Redactor;
import dev.skep.runner.yaml.YamlProblem;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
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
    private final Redactor redactor;
    private final @Nullable Runner runner;

    private Desk(
            Stores stores,
            LocalHost host,
            AgentFolder folder,
            AgentRegistrar registrar,
            Redactor redactor,
            @Nullable Runner runner) {
        this.stores = stores;
        this.host = host;
        this.folder = folder;
        this.registrar = registrar;
        this.redactor = redactor;
        this.runner = runner;
    }

    /** Over a stopped runner's database. */
    public static Desk stopped(
            RunnerConfig config,
            Stores stores,
            LocalHost host,
            UlidSource ids,
            InstantSource clock) {
        Redactor redactor = new Redactor(Secrets.in(config.environment()));
        return new Desk(
                stores,
                host,
                new AgentFolder(config.agentsFolder()),
                new AgentRegistrar(stores.agents(), host, ids, clock, redactor),
                redactor,
                null);
    }

    static Desk running(
            Runner runner,
            LocalHost host,
            AgentFolder folder,
            AgentRegistrar registrar,
            Redactor redactor) {
        return new Desk(runner.stores(), host, folder, registrar, redactor, runner);
    }

    public Stores stores() {
        return stores;
    }

    /** What is wrong with the agents' files as they are now. */
    public List<YamlProblem> problems() {
        AgentFolder.Found found = folder.read();
        return Stream.concat(
                        found.problems().stream(), registrar.takenAway(found.agents()).stream())
                .toList();
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

    /** Reads the agents' files again. */
    public Outcome reload() {
        if (runner == null) {
            return notRunning();
        }
        runner.reload();
        int agents = runner.agents().size();
        String read = agents == 1 ? "1 agent" : agents + " agents";
        return new Outcome.Done(
                problems().isEmpty()
                        ? read
                        : read + "; not all files can be used, 'skep agents check' says why");
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

    /** Decides about a command that waits; its id may be shortened to its unique end. */
    public Outcome decide(Principal who, String id, boolean approve) {
        if (runner == null) {
            return notRunning();
        }
        List<String> waiting =
                stores.approvals().pending(who).stream()
                        .map(approval -> approval.id())
                        .filter(each -> each.endsWith(id.toUpperCase(Locale.ROOT)))
                        .toList();
        if (waiting.size() > 1) {
            return new Outcome.Refused(
                    "%d commands wait; say which by its id, 'skep approvals' lists them"
                            .formatted(waiting.size()));
        }
        if (waiting.isEmpty()) {
            return new Outcome.Refused(
                    id.isEmpty()
                            ? "no command waits for approval"
                            : "no command waits for approval under '%s'; 'skep approvals' lists them"
                                    .formatted(id));
        }
        return runner.approvals().decide(who, waiting.getFirst(), approve)
                ? new Outcome.Done(approve ? "approved" : "denied")
                : new Outcome.Refused("somebody decided before you");
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
            case Sending.Sent(var id, _) ->
                    new Outcome.Done("sent %s to %s".formatted(id, String.join(", ", to)));
            case Sending.Refused(var problems) ->
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
