package dev.skep.browser.demo;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Actor;
import dev.skep.supervisor.source.AgentControls;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what was asked of agents; refuses to rename, so that a refusal can be seen. */
public final class DemoControls implements AgentControls {
    /** What was asked. */
    public record Asked(String agent, Action action, String text) {}

    private final List<Asked> asked = new CopyOnWriteArrayList<>();

    public List<Asked> asked() {
        return List.copyOf(asked);
    }

    @Override
    public Outcome act(Actor actor, AgentId agent, Action action, String text) {
        asked.add(new Asked(agent.value(), action, text));
        return switch (action) {
            case RENAME -> new Outcome.Refused("that name is taken too; choose another");
            case TALK -> new Outcome.Done();
            case START, STOP, PAUSE, RESUME, CANCEL -> new Outcome.Queued("01JOB");
        };
    }
}
