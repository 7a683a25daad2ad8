package dev.skep.runner.managed;

import dev.skep.agents.session.LogEntry;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.loop.AgentDependencies;
import dev.skep.transport.route.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The limits of an agent that is not metered: turns, and tokens as its runtime tells them. */
final class TurnLimits {
    private final AgentDependencies agentDependencies;
    private final ManagedSetup setup;

    TurnLimits(AgentDependencies agentDependencies, ManagedSetup setup) {
        this.agentDependencies = agentDependencies;
        this.setup = setup;
    }

    /** A limit that is reached, and when there is room again. */
    record Reached(String why, Instant until) {}

    /** Why no turn may begin now; empty if one may. */
    Optional<Reached> reached() {
        AgentFile file = setup.source().content();
        if (file.auth() != AgentFile.Auth.LOGIN) {
            return Optional.empty();
        }
        Long turns = file.turnLimit();
        Long tokens = file.usageLimit();
        return (turns == null ? Optional.<Reached>empty() : turns(turns))
                .or(() -> tokens == null ? Optional.empty() : tokens(tokens));
    }

    private Optional<Reached> turns(long limit) {
        List<LogEntry> begun = since(LogEntry.Type.PROMPT);
        if (begun.size() < limit) {
            return Optional.empty();
        }
        int mustAge = (int) (begun.size() - limit);
        return Optional.of(
                new Reached(
                        "this agent's limit is %d turns in %s, and it has begun %d"
                                .formatted(limit, window(), begun.size()),
                        limit == 0 ? end(begun.getLast()) : end(begun.get(mustAge))));
    }

    private Optional<Reached> tokens(long limit) {
        List<LogEntry> ends = since(LogEntry.Type.TURN_END);
        long used = ends.stream().mapToLong(TurnLimits::tokens).sum();
        if (used < limit) {
            return Optional.empty();
        }
        long left = used;
        Instant until =
                agentDependencies.clock().instant().plus(setup.source().content().spendWindow());
        for (LogEntry end : ends) {
            left -= tokens(end);
            if (left < limit) {
                until = end(end);
                break;
            }
        }
        return Optional.of(
                new Reached(
                        "this agent's limit is %,d tokens in %s, and its runtime tells of %,d"
                                .formatted(limit, window(), used),
                        until));
    }

    private static long tokens(LogEntry end) {
        String detail = end.detail();
        return detail == null
                ? 0
                : Json.fields(detail)
                        .object("usage")
                        .flatMap(usage -> usage.optionalNumber("totalTokens"))
                        .orElse(0L);
    }

    private Instant end(LogEntry entry) {
        return entry.at().plus(setup.source().content().spendWindow());
    }

    private String window() {
        return String.valueOf(setup.source().content().spendWindow())
                .substring(2)
                .toLowerCase(java.util.Locale.ROOT);
    }

    private List<LogEntry> since(LogEntry.Type type) {
        return agentDependencies
                .log()
                .since(
                        setup.principal(),
                        setup.agent().id(),
                        type,
                        agentDependencies
                                .clock()
                                .instant()
                                .minus(setup.source().content().spendWindow()));
    }
}
