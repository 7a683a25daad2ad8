package dev.skep.browser.demo;

import dev.skep.agents.Agent;
import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.source.AgentControls.Outcome;
import dev.skep.supervisor.source.ApprovalSource;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Commands that wait, in memory, and what visitors decided; one was decided by its host. */
final class DemoApprovals implements ApprovalSource {
    /** Seconds since each was asked. */
    static final long ASKED_BEFORE = 73;

    /** The one that waits first. */
    static final String FIRST = "01J%023d".formatted(4);

    private static final List<String> COMMANDS =
            List.of(
                    "rm -rf build/old && git push origin main",
                    "psql -c 'DELETE FROM pages WHERE seen < 2024'",
                    "systemctl restart search",
                    "curl -sX POST https://releases.example/v2/publish");

    private final InstantSource clock;
    private final Runnable moved;
    private final List<Decided> decided = new CopyOnWriteArrayList<>();
    private final Map<String, Waiting> waiting = new ConcurrentHashMap<>();

    DemoApprovals(List<Agent> agents, InstantSource clock, Runnable moved) {
        this.clock = clock;
        this.moved = moved;
        Instant now = clock.instant();
        for (int i = 4; i < agents.size(); i += 16) {
            String id = "01J%023d".formatted(i);
            waiting.put(
                    id,
                    new Waiting(
                            id,
                            agents.get(i).id().value(),
                            COMMANDS.get(i / 16 % COMMANDS.size()),
                            null,
                            now.minusSeconds(ASKED_BEFORE),
                            now.plusSeconds(600 - ASKED_BEFORE)));
        }
        if (agents.size() > DemoManagedTurn.AGENT) {
            String id = "01J%023d".formatted(DemoManagedTurn.AGENT);
            waiting.put(
                    id,
                    new Waiting(
                            id,
                            agents.get(DemoManagedTurn.AGENT).id().value(),
                            "Raise the timeout of the gate",
                            DemoManagedTurn.ASKED,
                            now.minusSeconds(2 * ASKED_BEFORE),
                            now.plusSeconds(600 - 2 * ASKED_BEFORE)));
        }
        if (agents.size() > 5) {
            decided.add(
                    new Decided(
                            "01J%023d".formatted(5),
                            agents.get(5).id().value(),
                            "git fetch --all && git status --short",
                            null,
                            now.minusSeconds(900),
                            true,
                            "the command line",
                            null,
                            false,
                            null,
                            now.minusSeconds(880)));
        }
    }

    @Override
    public List<Waiting> waiting(Principal principal) {
        return List.copyOf(waiting.values());
    }

    @Override
    public List<Decided> decided(Principal principal, int limit) {
        return decided.stream().limit(limit).toList();
    }

    @Override
    public Outcome decide(Actor actor, ApprovalId id, Answer answer) {
        Waiting known = waiting.remove(id.value());
        if (known == null) {
            return new Outcome.Refused("this command was decided already");
        }
        decided.addFirst(
                new Decided(
                        known.id(),
                        known.agent(),
                        known.command(),
                        known.detail(),
                        known.requestedAt(),
                        answer.choice() != Choice.DENY,
                        "operator anna",
                        "main",
                        answer.choice() == Choice.ALWAYS,
                        answer.reason(),
                        clock.instant()));
        moved.run();
        return new Outcome.Done();
    }
}
