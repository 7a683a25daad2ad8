package dev.skep.browser.demo;

import dev.skep.agents.Agent;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.source.AgentControls.Outcome;
import dev.skep.supervisor.source.Approvals;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Commands that wait, in memory; decided ones vanish. */
final class DemoApprovals implements Approvals {
    /** Seconds since each was asked. */
    static final long ASKED_BEFORE = 73;

    private static final List<String> COMMANDS =
            List.of(
                    "rm -rf build/old && git push origin main",
                    "psql -c 'DELETE FROM pages WHERE seen < 2024'",
                    "systemctl restart search",
                    "curl -sX POST https://releases.example/v2/publish");

    private final Runnable moved;
    private final Map<String, Waiting> waiting = new ConcurrentHashMap<>();

    DemoApprovals(List<Agent> agents, Instant now, Runnable moved) {
        this.moved = moved;
        for (int i = 4; i < agents.size(); i += 16) {
            String id = "a" + i;
            waiting.put(
                    id,
                    new Waiting(
                            id,
                            agents.get(i).id().value(),
                            COMMANDS.get(i / 16 % COMMANDS.size()),
                            now.minusSeconds(ASKED_BEFORE),
                            now.plusSeconds(600 - ASKED_BEFORE)));
        }
    }

    @Override
    public List<Waiting> waiting(Principal principal) {
        return List.copyOf(waiting.values());
    }

    @Override
    public Outcome decide(Actor actor, String id, boolean approve) {
        if (waiting.remove(id) == null) {
            return new Outcome.Refused("this command was decided already");
        }
        moved.run();
        return new Outcome.Done();
    }
}
