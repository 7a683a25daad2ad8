package dev.skep.runner.terminal;

import dev.skep.agents.AgentStatus;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.runner.ActionResult;
import dev.skep.runner.AgentService;
import dev.skep.runner.approval.ApprovalChoice;
import dev.skep.runner.approval.ApprovalLookup;
import dev.skep.runner.approval.Decider;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what a person types: text for the agent in focus, or commands that begin with a slash. */
public final class TerminalInput implements Component {
    private static final String HELP =
            """
            text              say it to the agent in focus        @NAME text   say it to another
            /focus NAME       show one agent, all of it           /all         show all agents
            /agents           who there is and what they do       /start NAME, /stop NAME
            /pause /resume /cancel [NAME]                         /approve [ID] [always]
            /deny [ID [WHY]]  keeps it from running; the agent is told why
            /quit             stop the runner; agents go on where they were at the next start""";

    private final BufferedReader in;
    private final AgentService agentService;
    private final Principal who;
    private final TerminalOutput terminalOutput;
    private final Runnable quit;
    private @Nullable Thread reader;

    public TerminalInput(
            BufferedReader in,
            AgentService agentService,
            Principal who,
            TerminalOutput terminalOutput,
            Runnable quit) {
        this.in = in;
        this.agentService = agentService;
        this.who = who;
        this.terminalOutput = terminalOutput;
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

    /** Executes one line. */
    void typed(String line) {
        if (line.startsWith("@")) {
            List<String> parts = words(line.substring(1));
            show(
                    parts.size() == 1
                            ? new ActionResult.Refused("say what, too: @NAME text")
                            : agentService.talk(parts.getFirst(), parts.get(1)));
        } else if (!line.startsWith("/")) {
            String focus = terminalOutput.focus();
            show(
                    focus == null
                            ? new ActionResult.Refused("name the agent: @NAME text, or /focus NAME")
                            : agentService.talk(focus, line));
        } else {
            List<String> parts = words(line.substring(1));
            command(
                    parts.getFirst(),
                    parts.size() > 1 ? Optional.of(parts.get(1)) : Optional.empty());
        }
    }

    private void command(String verb, Optional<String> argument) {
        Optional<String> agent = argument.or(() -> Optional.ofNullable(terminalOutput.focus()));
        switch (verb) {
            case "help" -> HELP.lines().forEach(terminalOutput::tell);
            case "quit", "exit" -> quit.run();
            case "all" -> showAll();
            case "focus" -> argument.ifPresentOrElse(this::focus, this::showAll);
            case "agents" -> agents();
            case "approve" -> show(approved(argument.orElse("")));
            case "deny" -> show(denied(argument.orElse("")));
            default ->
                    show(
                            agent.map(name -> about(name, verb))
                                    .orElseGet(
                                            () ->
                                                    new ActionResult.Refused(
                                                            "name an agent, or /help")));
        }
    }

    private ActionResult approved(String argument) {
        String part = argument.replaceFirst("(^|\\s+)(--)?always$", "");
        boolean always = !part.equals(argument);
        return decided(part, always ? ApprovalChoice.ALWAYS : ApprovalChoice.ONCE, null);
    }

    private ActionResult denied(String argument) {
        List<String> parts = words(argument);
        return decided(
                parts.getFirst(), ApprovalChoice.DENY, parts.size() > 1 ? parts.get(1) : null);
    }

    /** People here may name a command by a part of its id, and the only one by nothing. */
    private ActionResult decided(String part, ApprovalChoice choice, @Nullable String reason) {
        try {
            return agentService.decide(
                    Decider.here(new Actor(who, Actor.LOCAL)),
                    ApprovalLookup.matching(agentService.waiting(who), part),
                    choice,
                    reason);
        } catch (SkepException unclear) {
            return new ActionResult.Refused(String.valueOf(unclear.getMessage()));
        }
    }

    private void focus(String name) {
        boolean there =
                agentService.stores().agents().onThisHost().stream()
                        .anyMatch(agent -> agent.username().equals(name));
        if (there) {
            terminalOutput.focus(name);
        }
        show(
                there
                        ? new ActionResult.Done(
                                "showing %s only; what you type goes to it, /all shows all again"
                                        .formatted(name))
                        : new ActionResult.Refused(
                                "there is no agent '%s' here; /agents lists them".formatted(name)));
    }

    private void showAll() {
        terminalOutput.focus(null);
        show(new ActionResult.Done("showing all agents"));
    }

    private ActionResult about(String name, String verb) {
        return switch (verb) {
            case "start" -> agentService.start(name, null);
            case "stop" -> agentService.stop(who, name);
            case "pause" -> agentService.pause(name);
            case "resume" -> agentService.resume(name);
            case "cancel" -> agentService.cancel(name);
            default ->
                    new ActionResult.Refused(
                            "there is no /%s; /help lists what there is".formatted(verb));
        };
    }

    private void agents() {
        Map<AgentId, AgentStatus> statuses = agentService.statuses(who);
        agentService.stores().agents().all(who).stream()
                .filter(agent -> agent.isLive())
                .forEach(
                        agent ->
                                terminalOutput.tell(
                                        "%-20s %s"
                                                .formatted(
                                                        agent.username(),
                                                        statuses.getOrDefault(
                                                                        agent.id(),
                                                                        AgentStatus.STOPPED)
                                                                .stored()
                                                                .replace('_', ' '))));
    }

    private void show(ActionResult actionResult) {
        terminalOutput.tell(
                switch (actionResult) {
                    case ActionResult.Done(var message) -> terminalOutput.style().faint(message);
                    case ActionResult.Refused(var message) -> terminalOutput.style().alarm(message);
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
