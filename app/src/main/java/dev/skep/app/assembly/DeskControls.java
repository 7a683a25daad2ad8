package dev.skep.app.assembly;

import dev.skep.agents.Agent;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Actor;
import dev.skep.runner.Desk;
import dev.skep.supervisor.source.AgentControls;
import java.util.Optional;

/** Steers the agents of the runner in this process. */
final class DeskControls implements AgentControls {
    private final Desk desk;

    DeskControls(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Outcome act(Actor actor, AgentId id, Action action, String text) {
        Optional<Agent> agent = desk.stores().agents().byId(actor.principal(), id);
        if (agent.isEmpty()) {
            return new Outcome.Refused("there is no agent %s; check the id".formatted(id));
        }
        String name = agent.get().username();
        dev.skep.runner.Outcome done =
                switch (action) {
                    case START -> desk.start(name, null);
                    case STOP -> desk.stop(actor.principal(), name);
                    case PAUSE -> desk.pause(name);
                    case RESUME -> desk.resume(name);
                    case TALK -> desk.talk(name, text);
                    case RENAME -> desk.rename(name, text);
                };
        return switch (done) {
            case dev.skep.runner.Outcome.Done _ -> new Outcome.Done();
            case dev.skep.runner.Outcome.Refused(var why) -> new Outcome.Refused(why);
        };
    }
}
