package dev.skep.runner.api;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStore;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.transport.route.Request;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The agents of an org by id and by what people call them. */
final class AgentNames {
    private final List<Agent> all;
    private final Map<AgentId, Agent> byId = new HashMap<>();

    AgentNames(AgentStore store, Principal who) {
        this.all = store.all(who);
        all.forEach(agent -> byId.put(agent.id(), agent));
    }

    List<Agent> all() {
        return all;
    }

    String of(AgentId id) {
        Agent agent = byId.get(id);
        return agent == null ? id.value() : agent.username();
    }

    /** The agent the query names, or null if it names none. */
    @Nullable AgentId asked(Request request) {
        Optional<String> name = request.query("agent");
        return name.isEmpty() ? null : named(name.get()).id();
    }

    /** By name, by name and host, or by id; removed ones too, for their history. */
    Agent named(String name) {
        return all.stream()
                .filter(
                        a ->
                                a.username().equals(name)
                                        || a.fullAddress().equals(name)
                                        || a.id().value().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.NOT_FOUND,
                                        "there is no agent '%s'; 'skep agents' lists them"
                                                .formatted(name)));
    }
}
