package dev.skep.app.adapter;

import dev.skep.agents.Agent;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Actor;
import dev.skep.runner.ActionResult;
import dev.skep.runner.AgentService;
import dev.skep.runner.ChangeOrigin;
import dev.skep.supervisor.source.AgentControls;
import java.util.Optional;

/** Steers the agents of the runner in this process. */
public final class LocalAgentControls implements AgentControls {
    private final AgentService agentService;

    public LocalAgentControls(AgentService agentService) {
        this.agentService = agentService;
    }

    @Override
    public Outcome act(Actor actor, AgentId id, Action action, String text) {
        Optional<Agent> agent = agentService.stores().agents().byId(actor.principal(), id);
        if (agent.isEmpty()) {
            return new Outcome.Refused("there is no agent %s; check the id".formatted(id));
        }
        String name = agent.get().username();
        ActionResult done =
                switch (action) {
                    case START -> agentService.start(name, null);
                    case STOP -> agentService.stop(actor.principal(), name);
                    case PAUSE -> agentService.pause(name);
                    case RESUME -> agentService.resume(name);
                    case CANCEL -> agentService.cancel(name);
                    case TALK -> agentService.talk(name, text);
                    case RENAME ->
                            agentService.rename(
                                    name, text, ChangeOrigin.here(actor.principal().label(), null));
                };
        return switch (done) {
            case ActionResult.Done _ -> new Outcome.Done();
            case ActionResult.Refused(var why) -> new Outcome.Refused(why);
        };
    }
}
