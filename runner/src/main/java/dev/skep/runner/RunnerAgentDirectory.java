package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.agents.Notification;
import dev.skep.agents.session.LogEntry;
import dev.skep.kernel.id.AgentId;
import dev.skep.runner.command.AgentDirectory;
import dev.skep.runner.command.CommandResult;
import dev.skep.runner.loop.LoopControls;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What agents see of one another, and what a lead may do to those below it. */
final class RunnerAgentDirectory implements AgentDirectory {
    private final Runner runner;
    private final RunnerStores stores;

    RunnerAgentDirectory(Runner runner, RunnerStores stores) {
        this.runner = runner;
        this.stores = stores;
    }

    @Override
    public List<Member> members() {
        Map<AgentId, AgentStatus> status = new HashMap<>();
        for (Notification each : stores.notifications().all(runner.principal())) {
            status.put(each.agent(), each.status());
        }
        return stores.agents().all(runner.principal()).stream()
                .filter(Agent::isLive)
                .map(a -> new Member(a, status.getOrDefault(a.id(), AgentStatus.STOPPED)))
                .toList();
    }

    @Override
    public CommandResult start(Agent lead, String name, String task) {
        return ifSubordinate(
                lead,
                name,
                _ ->
                        switch (runner.start(name, task)) {
                            case ActionResult.Done(var message) -> CommandResult.of(message);
                            case ActionResult.Refused(var message) ->
                                    CommandResult.refused(message);
                        });
    }

    @Override
    public CommandResult stop(Agent lead, String name) {
        return ifSubordinate(
                lead,
                name,
                _ -> {
                    Optional<LoopControls> controls = runner.controls(name);
                    controls.ifPresent(c -> c.stop("stopped by " + lead.username()));
                    return controls.isPresent()
                            ? CommandResult.of(name + " is stopped")
                            : CommandResult.of(name + " is not running");
                });
    }

    @Override
    public CommandResult peek(Agent lead, String name, int lines) {
        return ifSubordinate(
                lead,
                name,
                agent -> {
                    List<LogEntry> tail =
                            stores.log().tail(runner.principal(), agent.id(), null, lines);
                    return CommandResult.of(
                            tail.isEmpty()
                                    ? name + " has no log yet"
                                    : tail.stream()
                                            .map(RunnerAgentDirectory::line)
                                            .collect(Collectors.joining("\n")));
                });
    }

    private static String line(LogEntry entry) {
        String text = entry.message().strip();
        String mark =
                switch (entry.type()) {
                    case COMMAND -> "$ ";
                    case REPLY -> "says: ";
                    default -> "";
                };
        return mark + (text.length() > 500 ? text.substring(0, 500) + " ..." : text);
    }

    private interface AgentAction {
        CommandResult on(Agent subordinate);
    }

    private CommandResult ifSubordinate(Agent lead, String name, AgentAction agentAction) {
        Map<AgentId, Agent> byId = new HashMap<>();
        @Nullable Agent found = null;
        for (Agent each : runner.agents()) {
            byId.put(each.id(), each);
            found = each.username().equals(name) ? each : found;
        }
        if (found == null) {
            return CommandResult.refused("there is no agent '%s' on this host".formatted(name));
        }
        for (Agent above = found; above != null && above.lead() != null; ) {
            if (lead.id().equals(above.lead())) {
                return agentAction.on(found);
            }
            above = byId.get(above.lead());
        }
        return CommandResult.refused("%s is not a subordinate of yours".formatted(name));
    }
}
