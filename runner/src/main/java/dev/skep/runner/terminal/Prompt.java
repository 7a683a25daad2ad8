package dev.skep.runner.terminal;

import dev.skep.agents.AgentStatus;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.runner.Desk;
import dev.skep.runner.Outcome;
import dev.skep.runner.approval.Decider;
import dev.skep.runner.approval.MeantApproval;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what a person types: words for the agent in focus, or commands that begin with a slash. */
public final class Prompt implements Component {
    private static final String HELP =
            """
            text              say it to the agent in focus        @NAME text   say it to another
            /focus NAME       show one agent, all of it           /all         show all agents
            /agents           who there is and what they do       /start NAME, /stop NAME
            /pause /resume /cancel [NAME]                         /approve [ID], /deny [ID]
            /quit             stop the runner; agents go on where they were at the next start""";

    private final BufferedReader in;
    private final Desk desk;
    private final Principal who;
    private final Stream stream;
    private final Runnable quit;
    private @Nullable Thread reader;

    public Prompt(BufferedReader in, Desk desk, Principal who, Stream stream, Runnable quit) {
        this.in = in;
        this.desk = desk;
        this.who = who;
        this.stream = stream;
        this.quit = quit;
    }

    @Override
    public void start() {
        reader = Thread.ofPlatform().daemon().name("prompt").start(this::read);
    }

    private void read() {
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (!line.isBlank()) {
                    typed(line.strip());
                }
            }
        } catch (IOException e) {
            // No more typing; the agents go on.
        }
    }

    /** Does what one line says. */
    void typed(String line) {
        if (line.startsWith("@")) {
            List<String> parts = words(line.substring(1));
            tell(
                    parts.size() == 1
                            ? new Outcome.Refused("say what, too: @NAME text")
                            : desk.talk(parts.getFirst(), parts.get(1)));
        } else if (!line.startsWith("/")) {
            String focus = stream.focus();
            tell(
                    focus == null
                            ? new Outcome.Refused("say whom you mean: @NAME text, or /focus NAME")
                            : desk.talk(focus, line));
        } else {
            List<String> parts = words(line.substring(1));
            command(
                    parts.getFirst(),
                    parts.size() > 1 ? Optional.of(parts.get(1)) : Optional.empty());
        }
    }

    private void command(String verb, Optional<String> argument) {
        Optional<String> agent = argument.or(() -> Optional.ofNullable(stream.focus()));
        switch (verb) {
            case "help" -> HELP.lines().forEach(stream::tell);
            case "quit", "exit" -> quit.run();
            case "all" -> showAll();
            case "focus" -> argument.ifPresentOrElse(this::focus, this::showAll);
            case "agents" -> agents();
            case "approve" -> tell(decided(argument.orElse(""), true));
            case "deny" -> tell(decided(argument.orElse(""), false));
            default ->
                    tell(
                            agent.map(name -> about(name, verb))
                                    .orElseGet(
                                            () -> new Outcome.Refused("name an agent, or /help")));
        }
    }

    /** People here may name a command by a part of its id, and the only one by nothing. */
    private Outcome decided(String part, boolean approve) {
        try {
            return desk.decide(
                    Decider.here(new Actor(who, Actor.LOCAL)),
                    MeantApproval.among(desk.waiting(who), part),
                    approve);
        } catch (SkepException unclear) {
            return new Outcome.Refused(String.valueOf(unclear.getMessage()));
        }
    }

    private void focus(String name) {
        boolean there =
                desk.stores().agents().onThisHost().stream()
                        .anyMatch(agent -> agent.username().equals(name));
        if (there) {
            stream.focus(name);
        }
        tell(
                there
                        ? new Outcome.Done(
                                "showing %s only; what you type goes to it, /all shows all again"
                                        .formatted(name))
                        : new Outcome.Refused(
                                "there is no agent '%s' here; /agents lists them".formatted(name)));
    }

    private void showAll() {
        stream.focus(null);
        tell(new Outcome.Done("showing all agents"));
    }

    private Outcome about(String name, String verb) {
        return switch (verb) {
            case "start" -> desk.start(name, null);
            case "stop" -> desk.stop(who, name);
            case "pause" -> desk.pause(name);
            case "resume" -> desk.resume(name);
            case "cancel" -> desk.cancel(name);
            default ->
                    new Outcome.Refused(
                            "there is no /%s; /help lists what there is".formatted(verb));
        };
    }

    private void agents() {
        Map<AgentId, AgentStatus> statuses = desk.statuses(who);
        desk.stores().agents().all(who).stream()
                .filter(agent -> agent.isLive())
                .forEach(
                        agent ->
                                stream.tell(
                                        "%-20s %s"
                                                .formatted(
                                                        agent.username(),
                                                        statuses.getOrDefault(
                                                                        agent.id(),
                                                                        AgentStatus.STOPPED)
                                                                .stored()
                                                                .replace('_', ' '))));
    }

    private void tell(Outcome outcome) {
        stream.tell(
                switch (outcome) {
                    case Outcome.Done(var message) -> stream.style().faint(message);
                    case Outcome.Refused(var message) -> stream.style().alarm(message);
                });
    }

    /** The first word and, if there is more, the rest. */
    private static List<String> words(String line) {
        String[] parts = line.strip().split("\\s+", 2);
        return List.of(parts);
    }

    @Override
    public void close() {
        if (reader != null) {
            reader.interrupt();
        }
    }
}
