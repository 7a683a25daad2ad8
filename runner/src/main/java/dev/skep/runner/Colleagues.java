package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.agents.Notification;
import dev.skep.agents.session.LogEntry;
import dev.skep.kernel.id.AgentId;
import dev.skep.runner.command.Answer;
import dev.skep.runner.command.Roster;
import dev.skep.runner.loop.Controls;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What agents see of one another, and what a lead may do to those below it. */
final class Colleagues implements Roster {
    private final Runner runner;
    private final Stores stores;

    Colleagues(Runner runner, Stores stores) {
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
    public Answer start(Agent lead, String name, String task) {
        return ifSubordinate(
                lead,
                name,
                _ ->
                        switch (runner.start(name, task)) {
                            case Outcome.Done(var message) -> Answer.of(message);
                            case Outcome.Refused(var message) -> Answer.refused(message);
                        });
    }

    @Override
    public Answer stop(Agent lead, String name) {
        return ifSubordinate(
                lead,
                name,
                _ -> {
                    Optional<Controls> controls = runner.controls(name);
                    controls.ifPresent(c -> c.stop("stopped by " + lead.username()));
                    return controls.isPresent()
                            ? Answer.of(name + " is stopped")
                            : Answer.of(name + " is not running");
                });
    }

    @Override
    public Answer peek(Agent lead, String name, int lines) {
        return ifSubordinate(
                lead,
                name,
                agent -> {
                    List<LogEntry> tail =
                            stores.log().tail(runner.principal(), agent.id(), null, lines);
                    return Answer.of(
                            tail.isEmpty()
                                    ? name + " has no log yet"
                                    : tail.stream()
                                            .map(Colleagues::line)
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

    private interface Deed {
        Answer on(Agent subordinate);
    }

    private Answer ifSubordinate(Agent lead, String name, Deed deed) {
        Map<AgentId, Agent> byId = new HashMap<>();
        @Nullable Agent found = null;
        for (Agent each : runner.agents()) {
            byId.put(each.id(), each);
            found = each.username().equals(name) ? each : found;
        }
        if (found == null) {
            return Answer.refused("there is no agent '%s' on this host".formatted(name));
        }
        for (Agent above = found; above != null && above.lead() != null; ) {
            if (lead.id().equals(above.lead())) {
                return deed.on(found);
            }
            above = byId.get(above.lead());
        }
        return Answer.refused("%s is not a subordinate of yours".formatted(name));
    }
}
